/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file plans the files of a boot loader, place by place, from the wishes and the books. */
#include <errno.h>

#include "change/boot/bootback.h"
#include "change/boot/bootline.h"
#include "change/boot/bootparam.h"
#include "change/boot/tool.h"
#include "change/change.h"
#include "machine/source/cmdline.h"

/* A file, and the places in it. A parameter is added to the first; in the others it is only changed
 * where it stands. */
struct place {
	const char *path;
	enum bootedit kind[2];
	size_t kinds;
	bool watched; /* the loader's tool will edit it */
};

/* What a place is called in the books. */
static void name_place(const char *path, enum bootedit kind, char *name, size_t size)
{
	const char *variable = bootedit_variable(kind);

	snprintf(name, size, "%s%s%s", path, variable ? ":" : "", variable ? variable : "");
}

/* Did the first apply of this very value put it there, before this entry was made from others? */
static bool is_ours_already(const struct change *change, const struct boot_wish *wish)
{
	char id[128];
	const json_t *entry;
	const char *to, *token;

	snprintf(id, sizeof(id), "cmdline:%s", wish->name);
	entry = books_setting(&change->books, id);
	to = json_string_value(json_object_get(entry, "to"));
	token = to ? bootparam_token(to) : NULL;
	return to && json_is_true(json_object_get(entry, "ours")) &&
	       (token && wish->token ? streq(token, wish->token) : token == wish->token);
}

static int do_wish(struct change *change, const struct boot_wish *wish, const char *place,
		   char **line)
{
	struct books *future = &change->future;
	char *edited;
	int r;

	if (bootline_has(span_of(*line), wish->name, wish->token))
		return is_ours_already(change, wish)
			       ? 0
			       : books_enter_line(future, wish->name, place, NULL);
	r = books_enter_line(future, wish->name, place, *line);
	edited = r < 0 ? NULL : bootline_edit(span_of(*line), wish->name, wish->token);
	if (!edited)
		return r < 0 ? r : -ENOMEM;
	free(*line);
	*line = edited;
	return 0;
}

/* Entries of RHEL 8 say "$kernelopts": what is in grubenv need not be said again, but what stands
 * beside it must agree. */
static bool is_elsewhere(const char *line, enum bootedit kind, bool is_first, const char *name)
{
	bool follows = kind == BOOTEDIT_BLS && cmdlines_has_variable(span_of(line), "kernelopts");

	return (follows || !is_first) && !bootline_count(span_of(line), name);
}

static int do_wishes(struct change *change, const struct place *place, size_t part, char **line)
{
	struct loader *loader = &change->loader;
	char name[600];
	const struct boot_place at = { .path = place->path, .name = name };
	int r = 0;

	name_place(place->path, place->kind[part], name, sizeof(name));
	for (size_t i = 0; i < loader->count && r == 0; i++) {
		struct boot_wish *wish = &loader->wish[i];

		if (wish->is_revert)
			r = bootback_plan(change, wish, &at, line);
		else if (!is_elsewhere(*line, place->kind[part], part == 0, wish->name))
			r = do_wish(change, wish, name, line);
	}
	return r;
}

static bool names_a_wish(const struct loader *loader, enum bootedit kind, struct span file)
{
	for (size_t i = 0; i < loader->count; i++)
		if (bootedit_names(kind, file, loader->wish[i].name))
			return true;
	return false;
}

/* One place of a file whose content is `*text`. */
static int plan_part(struct change *change, const struct place *place, size_t part, char **text)
{
	enum bootedit kind = place->kind[part];
	_cleanup_free_ char *line = NULL, *edited = NULL;
	struct span file = span_of(*text), old = { "", 0 };
	int r = bootedit_find(kind, file, &old);

	if (r == -ENOENT)
		r = part == 0 && bootedit_variable(kind) ? 0 : -ENOENT;
	/* A second variable that we cannot read, and that does not concern us, may stay so. */
	if (r == -ENOENT || (r < 0 && part > 0 && !names_a_wish(&change->loader, kind, file)))
		return 0;
	line = r < 0 ? NULL : span_dup(old);
	if (!line)
		return r < 0 ? r : -ENOMEM;
	r = do_wishes(change, place, part, &line);
	if (r < 0 || (strlen(line) == old.len && !memcmp(line, old.text, old.len)))
		return r;
	r = bootedit_replace(kind, file, line, &edited);
	if (r < 0)
		return r;
	free(*text);
	*text = take_ptr(&edited);
	return 0;
}

/* Of a file that is as we left it, when nothing of ours stays: its own bytes. 1 if planned so. */
static int plan_original(struct change *change, const char *path, const struct image *now)
{
	const struct step *original = books_file(&change->books, path);
	int r;

	if (!bootparam_nothing_stays(change) || !original || !image_same(now, &original->after))
		return 0;
	r = step_plan_image(change->root, path, &original->before, original->directories,
			    &change->steps);
	return r < 0 ? r : 1;
}

/* The same bytes as before we came? Then the file's time comes back too. */
static int plan_content(struct change *change, const struct place *place, const struct image *now,
			const char *text)
{
	const struct step *original = books_file(&change->books, place->path);
	size_t len = strlen(text), first = change->steps.count;
	int r;

	if (len == now->len && !memcmp(text, now->data, len))
		return 0;
	if (place->watched) {
		change->loader.run = true;
		return step_plan_watched(change->root, place->path, text, &change->steps);
	}
	if (original && original->before.exists && len == original->before.len &&
	    !memcmp(text, original->before.data, len))
		r = step_plan_image(change->root, place->path, &original->before, 0,
				    &change->steps);
	else
		r = step_plan_file(change->root, place->path, text, &change->steps);
	if (r > 0)
		change->steps.step[first].is_shared = true;
	return r;
}

/* The way back passes over what it cannot read or write any more, and tells it. */
static int leave_part(struct change *change, const struct place *place, size_t part,
		      const char *text)
{
	struct loader *loader = &change->loader;
	char name[600];
	const struct boot_place at = { .path = place->path, .name = name };
	int r = 0;

	name_place(place->path, place->kind[part], name, sizeof(name));
	for (size_t i = 0; i < loader->count && r == 0; i++)
		r = bootback_leave(
			change, &loader->wish[i], &at,
			bootedit_names(place->kind[part], span_of(text), loader->wish[i].name));
	return r;
}

/* Plans one file; one that does not exist is passed over. */
static int plan_place(struct change *change, const struct place *place)
{
	struct loader *loader = &change->loader;
	_cleanup_image_ struct image now = { 0 };
	_cleanup_free_ char *text = NULL;
	int r = write_read(change->root, place->path, &now);

	if (r < 0 || !now.exists)
		return r < 0 ? bootparam_blame(loader, place->path, r) : 0;
	if (memchr(now.data, 0, now.len))
		return bootparam_blame(loader, place->path, -EBADMSG);
	r = plan_original(change, place->path, &now);
	if (r)
		return r < 0 ? r : 0;
	text = strdup(now.data);
	if (!text)
		return -ENOMEM;
	for (size_t part = 0; part < place->kinds; part++) {
		r = plan_part(change, place, part, &text);
		if (r < 0 && r != -ENOMEM && loader->wish[0].is_revert)
			r = leave_part(change, place, part, text);
		if (r < 0)
			return bootparam_blame(loader, place->path, r);
	}
	return plan_content(change, place, &now, text);
}

static int plan_entries(struct change *change, bool watched)
{
	const struct cmdlines *before = &change->loader.before;
	int r = 0;

	for (size_t i = 0; i < before->count && r >= 0; i++) {
		const struct place place = { .path = before->entry[i].file,
					     .kind = { BOOTEDIT_BLS },
					     .kinds = 1,
					     .watched = watched };

		if (before->entry[i].is_generated)
			continue;
		if (before->entry[i].kind == ENTRY_NORMAL)
			r = plan_place(change, &place);
		else if (watched)
			r = step_plan_watched(change->root, place.path, NULL, &change->steps);
	}
	return r;
}

static int plan_grubby(struct change *change)
{
	/* The way back differs from entry to entry, which grubby cannot say. */
	bool watched = root_is_live(change->root) && tool_exists(change->root, "grubby") &&
		       !change->loader.wish[0].is_revert;
	struct place places[] = {
		{ GRUBENV, { BOOTEDIT_GRUBENV }, 1, watched },
		{ BOOTPARAM_DEFAULTS, { BOOTEDIT_LINUX, BOOTEDIT_DEFAULT }, 2, false },
		{ "etc/kernel/cmdline", { BOOTEDIT_PLAIN }, 1, false },
	};
	int r = plan_entries(change, watched);

	for (size_t i = 0; i < ARRAY_SIZE(places) && r >= 0; i++) {
		/* Where no entry changes there is nothing for grubby to do. */
		places[i].watched |= change->loader.run;
		r = plan_place(change, &places[i]);
	}
	return r < 0 ? r : 0;
}

/* grub.cfg is generated: its own bytes come back if they can, else the tool makes it anew. */
int bootparam_plan_generated(struct change *change)
{
	const char *path = cmdlines_grub_cfg(change->root);
	_cleanup_image_ struct image now = { 0 };
	int r = path ? write_read(change->root, path, &now) : 0;

	if (r < 0 || !path)
		return r;
	r = plan_original(change, path, &now);
	if (r || !root_is_live(change->root))
		return r < 0 ? r : 0;
	change->loader.run = true;
	r = step_plan_watched(change->root, path, NULL, &change->steps);
	return r < 0 ? r : 0;
}

/* What the recovery entries have too is not taken away from them. */
static int check_recovery_line(struct change *change)
{
	_cleanup_content_ struct content c = { 0 };
	struct span line = { "", 0 };
	int r = root_read(change->root, &c, BOOTPARAM_DEFAULTS);

	if (r < 0)
		return bootparam_blame(&change->loader, BOOTPARAM_DEFAULTS, r);
	(void)bootedit_find(BOOTEDIT_LINUX, content_span(&c), &line);
	for (size_t i = 0; i < change->loader.count; i++) {
		const struct boot_wish *wish = &change->loader.wish[i];

		if (!wish->is_revert && !wish->token && bootline_count(line, wish->name))
			return bootparam_blame(&change->loader, BOOTPARAM_DEFAULTS, -EEXIST);
	}
	return 0;
}

static int plan_suse(struct change *change)
{
	const struct place place = { BOOTPARAM_DEFAULTS, { BOOTEDIT_DEFAULT }, 1, false };
	size_t before = change->steps.count;
	int r = check_recovery_line(change);

	if (r == 0)
		r = plan_place(change, &place);
	if (r < 0 || (change->steps.count == before && change->loader.wish[0].is_revert))
		return r < 0 ? r : 0;
	return bootparam_plan_generated(change);
}

int bootparam_make_wanted(struct loader *loader)
{
	for (size_t i = 0; i < loader->wanted.count; i++) {
		struct cmdline_entry *entry = &loader->wanted.entry[i];

		if (!entry->is_generated || entry->kind != ENTRY_NORMAL)
			continue;
		for (size_t k = 0; k < loader->count && !loader->wish[k].is_revert; k++) {
			char *edited = bootline_edit(span_of(entry->line), loader->wish[k].name,
						     loader->wish[k].token);

			if (!edited)
				return -ENOMEM;
			free(entry->line);
			entry->line = edited;
		}
	}
	return 0;
}

/* The entries as they must be afterwards: those that we edit as planned, generated ones as the
 * wishes make them of what they are. */
static int want(struct change *change)
{
	int r = cmdlines_read(change->root, &change->steps, &change->loader.wanted);

	return r < 0 ? r : bootparam_make_wanted(&change->loader);
}

/* GRUB puts the kernel's name before the line; the running kernel shows how it spells it. */
static size_t length_of_image(struct root *root, const struct cmdline_entry *entry)
{
	_cleanup_content_ struct content c = { 0 };
	struct span value = { "", 0 };
	size_t len = strlen(entry->image);

	if (root_read(root, &c, "proc/cmdline") == 0)
		(void)cmdline_get(content_span(&c), "BOOT_IMAGE", &value);
	return strlen("BOOT_IMAGE= ") + (value.len > len ? value.len : len);
}

/* Does every entry get what it should, and all of it reach the kernel? */
static int check_wanted(struct change *change)
{
	struct loader *loader = &change->loader;

	for (size_t i = 0; i < loader->wanted.count; i++) {
		const struct cmdline_entry *entry = &loader->wanted.entry[i];

		if (entry->kind != ENTRY_NORMAL)
			continue;
		if (strlen(entry->line) + length_of_image(change->root, entry) > BOOTEDIT_LINE_MAX)
			return bootparam_blame(loader, entry->file, -E2BIG);
		for (size_t k = 0; k < loader->count; k++)
			if (!bootline_has(span_of(entry->line), loader->wish[k].name,
					  loader->wish[k].token))
				return bootparam_blame(loader, entry->file, -ECANCELED);
	}
	return 0;
}

/* Can the entries be edited? */
static int check_before(struct loader *loader)
{
	for (size_t i = 0; i < loader->before.count; i++)
		if (loader->before.entry[i].kind == ENTRY_NORMAL && loader->before.entry[i].error)
			return bootparam_blame(loader, loader->before.entry[i].file,
					       loader->before.entry[i].error);
	return 0;
}

bool bootparam_is_file(const char *path)
{
	return starts_with(path, "boot/") || streq(path, BOOTPARAM_DEFAULTS) ||
	       streq(path, "etc/kernel/cmdline");
}

/* Originals of loader files that are gone, or that others have edited, are of no use any more. */
static void forget_originals(struct change *change)
{
	for (size_t i = change->future.originals.count; i-- > 0;)
		if (bootparam_is_file(change->future.originals.step[i].path))
			books_strike_file(&change->future, change->future.originals.step[i].path);
}

static int plan_kind(struct change *change, bool force)
{
	switch (change->loader.kind) {
	case LOADER_GRUBBY:
		return plan_grubby(change);
	case LOADER_GRUBD:
		return bootparam_plan_grubd(change, force);
	case LOADER_SUSE:
		return plan_suse(change);
	default:
		return bootparam_blame(&change->loader, "boot", -EOPNOTSUPP);
	}
}

int bootparam_plan(struct change *change, bool force, const char **ret_path)
{
	struct loader *loader = &change->loader;
	bool is_revert = loader->count && loader->wish[0].is_revert;
	const char *why;
	int r = 0;

	if (!loader->count)
		return 0;
	loader->kind = bootparam_detect(change->root, &why);
	loader->force = force;
	for (size_t i = 0; i < loader->count; i++)
		loader->wish[i].is_lost = loader->kind != LOADER_GRUBD && is_revert &&
					  !json_object_get(change->books.lines,
							   loader->wish[i].name);
	if (!loader->before.count)
		r = cmdlines_read(change->root, NULL, &loader->before);
	if (r == 0 && !is_revert)
		r = check_before(loader);
	if (r == 0)
		r = plan_kind(change, force);
	if (r == 0)
		r = want(change);
	if (r == 0 && !is_revert)
		r = check_wanted(change);
	if (r == 0)
		r = bootback_finish(change);
	if (r == 0 && bootparam_nothing_stays(change))
		forget_originals(change);
	*ret_path = loader->blamed;
	return r;
}
