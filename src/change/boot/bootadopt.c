/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file finds boot parameters of ours again when the record of what is applied is lost. */
#include <errno.h>

#include "change/boot/bootline.h"
#include "change/boot/bootsource.h"
#include "change/change.h"
#include "change/record/entry.h"
#include "change/record/history.h"
#include "change/record/record.h"
#include "machine/source/cmdline.h"

/* One parameter as a setting, unless it is known. -EINVAL: this version does not know it. */
static int add_setting(const struct change *change, struct span name, struct span value,
		       const char *reason, struct settings *settings)
{
	_cleanup_free_ char *to = value.len ? span_dup(value) : strdup("present");
	const struct tunable *t;
	char id[128];
	int len = snprintf(id, sizeof(id), "cmdline:%.*s", (int)name.len, name.text);

	if (!to)
		return -ENOMEM;
	t = len < (int)sizeof(id) ? tunable_find(id) : NULL;
	if (!t || tunable_check(t, to) < 0)
		return -EINVAL;
	if (books_setting(&change->books, id))
		return 0;
	return settings_add(settings, t, NULL, to, NULL, reason);
}

/* All parameters of the drop-in, or none. */
static int find_in_dropin(struct change *change, struct settings *settings)
{
	_cleanup_free_ char *text = NULL;
	struct span rest, parameter, name, value;
	int r = bootparam_grubd_find(change, &text);

	if (r <= 0)
		return r;
	rest = span_of(text);
	for (r = 0; r == 0 && cmdline_next(&rest, &parameter);) {
		cmdline_split(parameter, &name, &value);
		r = add_setting(change, name, value, "found in /" BOOTPARAM_DROPIN, settings);
	}
	if (r == -EINVAL) {
		settings_done(settings);
		*settings = (struct settings) { 0 };
		return 0;
	}
	return r < 0 || !settings->count ? r : bootparam_grubd_enter(change);
}

/* "PATH" or "PATH:VARIABLE". */
static enum bootedit kind_of_place(const char *place, struct span *ret_path)
{
	static const enum bootedit kinds[] = { BOOTEDIT_DEFAULT, BOOTEDIT_LINUX };
	const char *colon = strrchr(place, ':');

	*ret_path = span_of(place);
	for (size_t i = 0; i < ARRAY_SIZE(kinds) && colon; i++)
		if (streq(colon + 1, bootedit_variable(kinds[i]))) {
			ret_path->len = (size_t)(colon - place);
			return kinds[i];
		}
	if (starts_with(place, BLS_DIR))
		return BOOTEDIT_BLS;
	return streq(place, GRUBENV) ? BOOTEDIT_GRUBENV : BOOTEDIT_PLAIN;
}

/* What we left in a place. 1 if that is known. */
static int left_in(const struct change *change, const char *place, const char *name,
		   struct settings *settings)
{
	struct span path, line, value = { "absent", 6 };
	enum bootedit kind = kind_of_place(place, &path);
	_cleanup_free_ char *file = span_dup(path);
	const struct step *step = file ? books_file(&change->books, file) : NULL;
	int r;

	if (!step || !step->after.exists)
		return file ? 0 : -ENOMEM;
	if (bootedit_find(kind, (struct span) { step->after.data, step->after.len }, &line) < 0)
		return 0;
	(void)cmdline_get(line, name, &value);
	r = add_setting(change, span_of(name), value, "found by its originals", settings);
	return r == 0 ? 1 : r == -EINVAL ? 0 : r;
}

/* The lines that stood in places before a parameter came there: an apply of ours wrote them down. */
static int find_in_originals(const struct change *change, struct settings *settings)
{
	const char *name, *place;
	json_t *places, *was;

	json_object_foreach (change->books.lines, name, places) {
		int r = 0;

		json_object_foreach (places, place, was) {
			if (json_is_string(was) && r == 0)
				r = left_in(change, place, name, settings);
		}
		if (r < 0)
			return r;
	}
	return 0;
}

static int enter(struct change *change, const struct settings *settings)
{
	int r = 0;

	for (size_t i = 0; i < settings->count && r == 0; i++) {
		const struct setting *s = &settings->list[i];

		r = books_enter(change->root, &change->books, s, true);
		if (r == 0)
			r = books_enter(change->root, &change->future, s, true);
		if (r == 0)
			r = change_note(change,
					"the record of what is applied is lost: %s=%s was %s",
					s->tunable->id, s->to, s->reason);
	}
	return r;
}

int bootparam_adopt(struct change *change)
{
	_cleanup_settings_ struct settings settings = { 0 };
	const char *why;
	enum loader_kind kind = bootparam_detect(change->root, &why);
	int r = kind == LOADER_GRUBD	 ? find_in_dropin(change, &settings)
		: kind != LOADER_UNKNOWN ? find_in_originals(change, &settings)
					 : 0;

	if (r == 0)
		r = enter(change, &settings);
	return r < 0 ? r : (int)settings.count;
}

/* What an entry, or what new entries come from, says of a parameter. 1 if there is something. */
static int say(struct change *change, const struct cmdlines *lines, const char *before,
	       const char *name, FILE *f)
{
	_cleanup_boot_claim_ struct boot_claim claim = { 0 };
	struct span found = { "", 0 };
	const char *why;
	int r;

	for (size_t i = 0; i < lines->count; i++)
		if (lines->entry[i].kind == ENTRY_NORMAL &&
		    bootline_last(span_of(lines->entry[i].line), name, &found)) {
			fprintf(f, "%s%.*s in '/%s'", before, (int)found.len, found.text,
				lines->entry[i].file);
			return 1;
		}
	r = bootsource_find(change->root, bootparam_detect(change->root, &why), NULL, name, &claim);
	if (r < 0 || !claim.place)
		return r == -ENOMEM ? r : 0;
	fprintf(f, "%s%s%s%s in '%s'", before, name, claim.token && *claim.token ? "=" : "",
		claim.token ? claim.token : "", claim.place);
	return 1;
}

static int list_candidates(struct change *change, char **ret)
{
	_cleanup_cmdlines_ struct cmdlines lines = { 0 };
	size_t size, count = 0;
	FILE *f = open_memstream(ret, &size);
	int r = f ? cmdlines_read(change->root, NULL, &lines) : -ENOMEM;

	for (size_t i = 0; i < tunable_count && r >= 0; i++) {
		if (tunables[i].where != WHERE_CMDLINE)
			continue;
		r = say(change, &lines, count ? ", " : "", tunables[i].name, f);
		count += r > 0;
	}
	if (f && fclose(f))
		r = -ENOMEM;
	return r < 0 ? r : count > 0;
}

/* What the history says last: 1 that something was applied, -1 that it was reverted, 0 nothing. */
static int last_of_history(const struct change *change)
{
	json_t *lines = NULL;
	const json_t *last;
	const char *action, *outcome;
	int r = history_read(&change->ws, &lines);

	if (r < 0)
		return 0;
	last = json_array_get(lines, json_array_size(lines) - 1);
	action = entry_text(last, "action");
	outcome = entry_text(last, "outcome");
	if (action && outcome && streq(outcome, "done"))
		r = streq(action, "revert") ? -1 : 1;
	json_decref(lines);
	return r;
}

int bootparam_note_lost(struct change *change)
{
	const json_t *entry;
	size_t i;
	const char *why;
	enum loader_kind kind = bootparam_detect(change->root, &why);
	json_t *record = NULL;
	int r = change->ws.lib < 0 ? 0 : record_load(change->ws.lib, WORKSPACE_ORIGINALS, &record);

	json_decref(record);
	if (r != -ENOENT || (kind != LOADER_GRUBBY && kind != LOADER_SUSE))
		return r == -ENOMEM ? r : 0;
	json_array_foreach (json_object_get(change->books.state, "settings"), i, entry) {
		const char *id = entry_text(entry, "tunable");

		if (!id || !starts_with(id, "cmdline:") ||
		    !json_is_true(json_object_get(entry, "ours")))
			continue;
		change->is_partial = true;
		return change_note(change, "the originals are lost: what the boot entries said "
					   "before apply can not be brought back");
	}
	return 0;
}

int bootparam_note_unknown(struct change *change)
{
	static const char *const ways[] = {
		[LOADER_GRUBBY] = "grubby --update-kernel=ALL --remove-args=PARAMETER",
		[LOADER_SUSE] = "an editor, and update-bootloader --refresh,",
	};
	_cleanup_free_ char *list = NULL;
	const char *why;
	enum loader_kind kind = bootparam_detect(change->root, &why);
	int r, last = last_of_history(change);

	/* On Debian ours stand in a file of their own. */
	if ((kind != LOADER_GRUBBY && kind != LOADER_SUSE) || last < 0 ||
	    json_array_size(json_object_get(change->books.state, "settings")))
		return 0;
	r = list_candidates(change, &list);
	if (r <= 0)
		return r == -ENOMEM ? r : 0;
	change->is_partial |= last > 0;
	return change_note(change,
			   "no record says that lpartune set a boot parameter. There is %s: if an "
			   "lpartune whose records are lost set it, %s takes it out",
			   list, ways[kind]);
}
