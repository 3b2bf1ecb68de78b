/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file plans boot parameters for the loader that is installed, and checks what came of it. */
#include "change/bootparam.h"

#include <errno.h>

#include "change/bootedit.h"
#include "change/change.h"
#include "change/dropin.h"
#include "change/tokens.h"
#include "change/tool.h"
#include "machine/source/cmdline.h"

#define DEFAULT_GRUB "etc/default/grub"
#define KERNEL_CMDLINE "etc/kernel/cmdline"

static void wish_done(struct boot_wish *wish)
{
	free(wish->name);
	free(wish->value);
	free(wish->ours);
}

void loader_done(struct loader *loader)
{
	for (size_t i = 0; i < loader->count; i++)
		wish_done(&loader->wish[i]);
	free(loader->wish);
	cmdlines_done(&loader->before);
	*loader = (struct loader) { 0 };
}

/* Is one of the words in the ID or ID_LIKE of os-release? */
static bool is_like(struct root *root, const char *words)
{
	static const char *const files[] = { "etc/os-release", "usr/lib/os-release" };
	_cleanup_content_ struct content c = { 0 };
	struct span rest, line, key, value, word, wanted;
	int r = -ENOENT;

	for (size_t i = 0; i < ARRAY_SIZE(files) && r < 0; i++)
		r = root_read(root, &c, "%s", files[i]);
	rest = content_span(&c);
	while (r == 0 && span_line(&rest, &line)) {
		if (!span_split(line, '=', &key, &value) ||
		    (!span_is(key, "ID") && !span_is(key, "ID_LIKE")))
			continue;
		if (value.len > 1 && value.text[0] == '"')
			value = (struct span) { value.text + 1, value.len - 2 };
		while (span_word(&value, &word))
			for (wanted = span_of(words); span_word(&wanted, &key);)
				if (key.len == word.len && !memcmp(key.text, word.text, key.len))
					return true;
	}
	return false;
}

/* LOADER_TYPE of SLES: only plain GRUB 2 is known. */
static bool is_suse_grub2(struct root *root)
{
	_cleanup_content_ struct content c = { 0 };
	struct span rest, line, key, value;

	if (root_read(root, &c, "etc/sysconfig/bootloader") < 0)
		return true;
	rest = content_span(&c);
	while (span_line(&rest, &line))
		if (span_split(line, '=', &key, &value) && span_is(key, "LOADER_TYPE"))
			return span_is(value, "\"grub2\"") || span_is(value, "grub2") ||
			       span_is(value, "\"\"");
	return true;
}

enum loader_kind bootparam_detect(struct root *root, const char **ret_why)
{
	if (root_exists(root, "run/ostree-booted") == 0 || root_exists(root, "ostree") == 0) {
		*ret_why = "image mode: use rpm-ostree kargs or bootc";
		return LOADER_UNKNOWN;
	}
	if (root_exists(root, "etc/zipl.conf") == 0) {
		*ret_why = "zipl is not supported";
		return LOADER_UNKNOWN;
	}
	if (root_exists(root, DEFAULT_GRUB) == 0) {
		if (is_like(root, "rhel fedora centos"))
			return LOADER_GRUBBY;
		if (is_like(root, "debian ubuntu"))
			return LOADER_GRUBD;
		if (is_like(root, "suse opensuse sles") && is_suse_grub2(root))
			return LOADER_SUSE;
	}
	*ret_why = "the boot loader is not one that lpartune knows";
	return LOADER_UNKNOWN;
}

const char *bootparam_token(const char *setting)
{
	if (streq(setting, "absent"))
		return NULL;
	return streq(setting, "present") ? "" : setting;
}

bool bootparam_line_has(const char *line, const char *name, const char *token)
{
	_cleanup_free_ char *last = NULL;
	int r = tokens_last(span_of(line), name, &last);

	if (!token || r <= 0)
		return r == 0 && !token;
	return streq(last, token);
}

bool bootparam_is_configured(const struct cmdlines *cmdlines, const char *name, const char *token)
{
	size_t normal = 0;

	for (size_t i = 0; i < cmdlines->count; i++) {
		if (cmdlines->entry[i].kind != ENTRY_NORMAL)
			continue;
		if (!bootparam_line_has(cmdlines->entry[i].line, name, token))
			return false;
		normal++;
	}
	return normal > 0;
}

static int add_wish(struct loader *loader, const char *name, const char *token, const char *ours,
		    bool is_revert)
{
	struct boot_wish *grown = reallocarray(loader->wish, loader->count + 1,
					       sizeof(*loader->wish));
	struct boot_wish wish = { .is_revert = is_revert };

	if (!grown)
		return -ENOMEM;
	loader->wish = grown;
	wish.name = strdup(name);
	wish.value = token ? strdup(token) : NULL;
	wish.ours = ours ? strdup(ours) : NULL;
	if (!wish.name || (token && !wish.value) || (ours && !wish.ours)) {
		wish_done(&wish);
		return -ENOMEM;
	}
	grown[loader->count++] = wish;
	return 0;
}

int bootparam_wish(struct loader *loader, const char *name, const char *token)
{
	return add_wish(loader, name, token, NULL, false);
}

int bootparam_wish_back(struct loader *loader, const char *name, const char *ours,
			const char *token)
{
	return add_wish(loader, name, token, ours, true);
}

/* A flag has no value in the line. */
static const char *value_of(const char *token)
{
	return token && *token ? token : NULL;
}

/* What a line had before we came, if that is known better than by the wish. */
static int value_before(const struct boot_wish *wish, const char *original, char **ret)
{
	if (wish->is_revert && original)
		return tokens_last(span_of(original), wish->name, ret);
	*ret = wish->value ? strdup(wish->value) : NULL;
	return wish->value && !*ret ? -ENOMEM : 0;
}

static char *edit_once(struct span line, const struct boot_wish *wish, const char *original)
{
	_cleanup_free_ char *value = NULL;
	_cleanup_free_ char *copy = span_dup(line);
	_cleanup_free_ char *last = NULL;

	if (!copy || value_before(wish, original, &value) < 0)
		return NULL;
	if (bootparam_line_has(copy, wish->name, value))
		return take_ptr(&copy);
	/* Only our own token goes; what somebody else put in its place stays. */
	if (wish->is_revert && wish->ours && !bootparam_line_has(copy, wish->name, wish->ours))
		return take_ptr(&copy);
	if (!value && wish->ours)
		return tokens_remove(line, wish->name, value_of(wish->ours));
	if (!value)
		return tokens_remove_all(line, wish->name);
	if (tokens_last(line, wish->name, &last) > 0)
		return tokens_replace(line, wish->name, value_of(value));
	return tokens_add(line, wish->name, value_of(value));
}

char *bootparam_edit_line(struct span line, const struct loader *loader)
{
	char *edited = span_dup(line);

	for (size_t i = 0; i < loader->count && edited; i++) {
		char *next = edit_once(span_of(edited), &loader->wish[i], loader->original);

		free(edited);
		edited = next;
	}
	return edited;
}

/* Of a file that is as we left it, when nothing of ours stays: its own bytes. 1 if planned so. */
static int plan_original(struct change *change, const char *path)
{
	const struct step *original = books_file(&change->books, path);
	_cleanup_image_ struct image now = { 0 };
	int r = original ? write_read(change->root, path, &now) : 0;

	if (r < 0 || !original || !image_same(&now, &original->after))
		return r;
	r = step_plan_image(change->root, path, &original->before, original->directories,
			    &change->steps);
	return r < 0 ? r : 1;
}

bool bootparam_nothing_stays(const struct change *change)
{
	const json_t *entry;
	size_t i;

	json_array_foreach (json_object_get(change->future.state, "settings"), i, entry) {
		const char *id = json_string_value(json_object_get(entry, "tunable"));

		if (id && starts_with(id, "cmdline:") &&
		    json_is_true(json_object_get(entry, "ours")))
			return false;
	}
	return true;
}

/* The line that a file had before we came: NULL if that is not known. */
static char *original_line(const struct change *change, const char *path, enum bootedit kind)
{
	const struct step *original = books_file(&change->books, path);
	struct span line;

	if (!original || !original->before.exists ||
	    bootedit_find(kind, (struct span) { original->before.data, original->before.len },
			  &line) < 0)
		return NULL;
	return span_dup(line);
}

/* Plans one file: edited here, or watched while the tool edits it. Absent files are passed over. */
static int plan_edit(struct change *change, const char *path, enum bootedit kind, bool watched)
{
	_cleanup_image_ struct image image = { 0 };
	_cleanup_free_ char *content = NULL, *original = NULL;
	int r = write_read(change->root, path, &image);

	if (r < 0 || !image.exists)
		return r;
	if (bootparam_nothing_stays(change)) {
		r = plan_original(change, path);
		books_strike_file(&change->future, path);
		if (r)
			return r < 0 ? r : 0;
	}
	original = original_line(change, path, kind);
	change->loader.original = original;
	r = bootedit(kind, (struct span) { image.data, image.len }, &change->loader, &content);
	change->loader.original = NULL;
	if (r < 0 ||
	    (content && strlen(content) == image.len && !memcmp(content, image.data, image.len)))
		return r == -ENOENT ? 0 : r;
	change->loader.run |= watched;
	return watched ? step_plan_watched(change->root, path, &change->steps)
		       : step_plan_file(change->root, path, content, &change->steps);
}

static int plan_bls(struct change *change, bool watched)
{
	_cleanup_names_ struct names names = { 0 };
	int r = root_list(change->root, &names, BLS_DIR);

	for (size_t i = 0; r >= 0 && i < names.count; i++) {
		_cleanup_content_ struct content c = { 0 };
		const char *dot = strrchr(names.name[i], '.');
		char path[512];

		snprintf(path, sizeof(path), BLS_DIR "/%s", names.name[i]);
		if (!dot || !streq(dot, ".conf") || root_read(change->root, &c, "%s", path) < 0)
			continue;
		if (cmdlines_kind_of_bls(names.name[i], content_span(&c)) == ENTRY_NORMAL)
			r = plan_edit(change, path, BOOTEDIT_BLS, watched);
		else if (watched)
			r = step_plan_watched(change->root, path, &change->steps);
	}
	return r == -ENOENT || r == -ENOTDIR ? 0 : r;
}

static int plan_grubby(struct change *change, bool force _unused_, const char **ret_path)
{
	static const struct {
		const char *path;
		enum bootedit kind;
	} files[] = {
		{ GRUBENV, BOOTEDIT_GRUBENV },
		{ DEFAULT_GRUB, BOOTEDIT_LINUX },
		{ KERNEL_CMDLINE, BOOTEDIT_PLAIN },
	};
	/* The way back differs from entry to entry, which grubby cannot say. */
	bool watched = root_is_live(change->root) && tool_exists(change->root, "grubby") &&
		       !change->loader.wish[0].is_revert;
	int r;

	*ret_path = BLS_DIR;
	r = plan_bls(change, watched);
	for (size_t i = 0; i < ARRAY_SIZE(files) && r >= 0; i++) {
		*ret_path = files[i].path;
		r = plan_edit(change, files[i].path, files[i].kind, watched);
	}
	return r < 0 ? r : 0;
}

/* grub.cfg is generated: its own bytes come back if they can, else the tool makes it anew. */
static int plan_generated(struct change *change)
{
	const char *path = cmdlines_grub_cfg(change->root);
	int r = 0;

	if (!path)
		return 0;
	if (bootparam_nothing_stays(change)) {
		r = plan_original(change, path);
		books_strike_file(&change->future, path);
		if (r)
			return r < 0 ? r : 0;
	}
	if (!root_is_live(change->root))
		return 0;
	change->loader.run = true;
	return step_plan_watched(change->root, path, &change->steps);
}

/* The drop-in's one line, from the books: NULL if there is nothing in it. */
static char *render_dropin(const struct change *change)
{
	char *text = NULL;
	const json_t *entry;
	size_t size, i, count = 0;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	fputs("# Written by lpartune; `lpartune revert` takes it back.\n"
	      "GRUB_CMDLINE_LINUX_DEFAULT=\"${GRUB_CMDLINE_LINUX_DEFAULT:+"
	      "$GRUB_CMDLINE_LINUX_DEFAULT }",
	      f);
	json_array_foreach (json_object_get(change->future.state, "settings"), i, entry) {
		const char *id = json_string_value(json_object_get(entry, "tunable"));
		const char *to = json_string_value(json_object_get(entry, "to"));
		const struct tunable *t = id ? tunable_find(id) : NULL;

		if (!t || !to || t->where != WHERE_CMDLINE || streq(to, "absent") ||
		    !json_is_true(json_object_get(entry, "ours")))
			continue;
		fprintf(f, "%s%s%s%s", count++ ? " " : "", t->name,
			value_of(bootparam_token(to)) ? "=" : "",
			value_of(bootparam_token(to)) ? to : "");
	}
	fputs("\"\n", f);
	if (fclose(f)) {
		free(text);
		return NULL;
	}
	return text;
}

static int plan_grubd(struct change *change, bool force, const char **ret_path)
{
	_cleanup_free_ char *content = render_dropin(change);
	size_t before = change->steps.count;
	int r;

	*ret_path = BOOTPARAM_DROPIN;
	if (!content)
		return -ENOMEM;
	for (size_t i = 0; i < change->loader.count; i++)
		if (!change->loader.wish[i].value && !change->loader.wish[i].is_revert)
			return -EOPNOTSUPP;
	r = dropin_plan_file(change, BOOTPARAM_DROPIN,
			     bootparam_nothing_stays(change) ? NULL : content, force);
	if (r < 0 || change->steps.count == before)
		return r < 0 ? r : 0;
	return plan_generated(change);
}

static int plan_suse(struct change *change, bool force _unused_, const char **ret_path)
{
	size_t before = change->steps.count;
	int r;

	*ret_path = DEFAULT_GRUB;
	r = plan_edit(change, DEFAULT_GRUB, BOOTEDIT_DEFAULT, false);
	if (r < 0 || change->steps.count == before)
		return r < 0 ? r : 0;
	return plan_generated(change);
}

/* No line may grow beyond what the kernel keeps of it. */
static int check_lengths(const struct loader *loader)
{
	for (size_t i = 0; i < loader->before.count; i++) {
		_cleanup_free_ char *line = bootparam_edit_line(
			span_of(loader->before.entry[i].line), loader);

		if (!line)
			return -ENOMEM;
		if (loader->before.entry[i].kind == ENTRY_NORMAL &&
		    strlen(line) > BOOTPARAM_LINE_MAX)
			return -E2BIG;
	}
	return 0;
}

int bootparam_plan(struct change *change, bool force, const char **ret_path)
{
	static int (*const plan[])(struct change *, bool, const char **) = {
		[LOADER_GRUBBY] = plan_grubby,
		[LOADER_GRUBD] = plan_grubd,
		[LOADER_SUSE] = plan_suse,
	};
	struct loader *loader = &change->loader;
	const char *why;
	int r;

	if (!loader->count)
		return 0;
	loader->kind = bootparam_detect(change->root, &why);
	if (loader->kind == LOADER_UNKNOWN)
		return -EOPNOTSUPP;
	r = loader->before.count ? 0 : cmdlines_read(change->root, &loader->before);
	if (r == 0)
		r = check_lengths(loader);
	return r < 0 ? r : plan[loader->kind](change, force, ret_path);
}
