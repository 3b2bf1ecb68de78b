/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file renders the files that are wholly ours from the books; it writes none. */
#include "change/boot/dropin.h"

#include <errno.h>

#define FIRST "# Written by lpartune"
#define HEADER                                                      \
	FIRST "; `lpartune revert` takes it back. Change it with\n" \
	      "# `lpartune apply`: an edited file is left alone.\n"

/* Calls `line` for each setting of the books that is ours and is carried this way. */
typedef void (*line_fn)(FILE *f, const struct tunable *tunable, const char *value);

/* Not what was there without us, nor what `apply = auto` sets anew at each boot. */
static bool is_carried(const json_t *entry)
{
	return json_is_true(json_object_get(entry, "ours")) &&
	       !json_is_true(json_object_get(entry, "by_boot"));
}

static unsigned int each_setting(const struct books *books, enum tunable_persist persist,
				 line_fn line, FILE *f)
{
	const json_t *entry;
	unsigned int count = 0;
	size_t i;

	json_array_foreach (json_object_get(books->state, "settings"), i, entry) {
		const char *id = json_string_value(json_object_get(entry, "tunable"));
		const char *to = json_string_value(json_object_get(entry, "to"));
		const struct tunable *t = id ? tunable_find(id) : NULL;

		if (!t || !to || t->persist != persist || !is_carried(entry))
			continue;
		line(f, t, to);
		count++;
	}
	return count;
}

static void sysctl_line(FILE *f, const struct tunable *t, const char *value)
{
	fprintf(f, "%s = %s\n", t->id + strlen("sysctl:"), value);
}

/* MODULE.PARAMETER; a later line of options adds to an earlier one. */
static void modprobe_line(FILE *f, const struct tunable *t, const char *value)
{
	const char *dot = strchr(t->name, '.');

	if (dot && !streq(value, "absent"))
		fprintf(f, "options %.*s %s=%s\n", (int)(dot - t->name), t->name, dot + 1, value);
}

static void load_line(FILE *f, const struct tunable *t, const char *value)
{
	if (!strchr(t->name, '.') && streq(value, "loaded"))
		fprintf(f, "%s\n", t->name);
}

static const struct {
	const char *path;
	enum tunable_persist persist;
	line_fn line;
} files[] = {
	{ SYSCTLD_PATH, PERSIST_SYSCTLD, sysctl_line },
	{ MODPROBED_PATH, PERSIST_MODPROBED, modprobe_line },
	{ MODULES_LOAD_PATH, PERSIST_MODPROBED, load_line },
};

/* The content of a file; NULL (with 0) if nothing of it is wanted. */
static int render(const struct books *books, size_t file, char **ret)
{
	char *text = NULL;
	size_t size, header;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return -ENOMEM;
	fputs(HEADER, f);
	header = (size_t)ftell(f);
	(void)each_setting(books, files[file].persist, files[file].line, f);
	if (fclose(f)) {
		free(text);
		return -ENOMEM;
	}
	if (size == header) {
		free(text);
		text = NULL;
	}
	*ret = text;
	return 0;
}

/* Is the file still as we left it? True for one that is not ours yet. */
static int is_untouched(struct change *change, const struct step *original)
{
	_cleanup_image_ struct image now = { 0 };
	int r = write_read(change->root, original->path, &now);

	/* One that was taken away holds nothing of anybody's. */
	return r < 0 ? r : !now.exists || image_same(&now, &original->after);
}

/* A file of ours that the books have lost (a transient /etc, a new /var): known by its first words. */
static int plan_orphan(struct change *change, const char *path)
{
	_cleanup_image_ struct image now = { 0 };
	const struct image none = { 0 };
	int r = change->all_goes ? write_read(change->root, path, &now) : 0;

	if (r < 0 || !now.exists || strncmp(now.data, FIRST, strlen(FIRST)) != 0)
		return r;
	return step_plan_image(change->root, path, &none, 0, &change->steps);
}

static int tell_overridden(struct change *change, const char *path)
{
	return change_note(change, "overrides what somebody else wrote to '/%s'", path);
}

int dropin_plan_file(struct change *change, const char *path, const char *content, bool force)
{
	struct step *original = books_file(&change->books, path);
	int r;

	if (!original && !content)
		return plan_orphan(change, path);
	if (original) {
		r = is_untouched(change, original);
		if (r == 0)
			r = force ? tell_overridden(change, path) : -ESTALE;
		if (r < 0)
			return r;
	}
	if (content)
		return step_plan_file(change->root, path, content, &change->steps);
	r = step_plan_image(change->root, path, &original->before, original->directories,
			    &change->steps);
	books_strike_file(&change->future, path);
	return r;
}

static int tell_edited(struct change *change, const char *path)
{
	change->is_partial = true;
	return change_note(change,
			   "'/%s' was edited since lpartune wrote it and is left as it is: --force "
			   "takes it back",
			   path);
}

int dropin_plan(struct change *change, enum dropin_edited edited, const char **ret_path)
{
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		_cleanup_free_ char *content = NULL;
		int r = render(&change->future, i, &content);

		if (r == 0)
			r = dropin_plan_file(change, files[i].path, content,
					     edited == DROPIN_FORCE);
		if (r == -ESTALE && edited == DROPIN_LEAVE)
			r = tell_edited(change, files[i].path);
		if (r < 0) {
			*ret_path = files[i].path;
			return r;
		}
	}
	return 0;
}

/* The first line that differs, in a sentence. */
static int tell_difference(const char *wanted, const struct content *now, char **ret)
{
	struct span want = span_of(wanted), have = content_span(now), w, h;
	_cleanup_free_ char *clean = NULL;
	unsigned int line = 0;
	bool more_w, more_h;
	int len;

	do {
		line++;
		more_w = span_line(&want, &w);
		more_h = span_line(&have, &h);
	} while (more_w && more_h && w.len == h.len && memcmp(w.text, h.text, w.len) == 0);
	clean = more_h ? span_dup_utf8(h) : NULL;
	if (more_h)
		len = clean ? asprintf(ret, "line %u is '%s'", line, clean) : -1;
	else
		len = asprintf(ret, "line %u is missing: '%.*s'", line, more_w ? (int)w.len : 0,
			       more_w ? w.text : "");
	return len < 0 ? -ENOMEM : 0;
}

/* Sets state and detail. -ENOMEM. */
static int tell(struct change_file *file, enum file_state state, const char *detail)
{
	file->state = state;
	file->detail = strdup(detail);
	return file->detail ? 0 : -ENOMEM;
}

static int look_unwanted(const struct change *change, struct change_file *file)
{
	_cleanup_content_ struct content now = { 0 };
	bool is_ours = books_file(&change->books, file->path) != NULL;
	int r = root_read(change->root, &now, "%s", file->path);

	if (r == -ENOMEM)
		return r;
	if (r >= 0 && !is_ours)
		is_ours = now.len >= strlen(FIRST) && strncmp(now.text, FIRST, strlen(FIRST)) == 0;
	file->state = FILE_NONE;
	return r < 0 || !is_ours
		       ? 0
		       : tell(file, FILE_LEFT, "nothing that is applied wants it any more");
}

static int look_wanted(const struct change *change, const char *wanted, struct change_file *file)
{
	_cleanup_content_ struct content now = { 0 };
	int r = root_read(change->root, &now, "%s", file->path);

	if (r == -ENOMEM)
		return r;
	if (r == -ENOENT || r == -ENOTDIR)
		return tell(file, FILE_DELETED,
			    "it is gone: what it held is not set at the next boot");
	if (r < 0)
		return tell(file, FILE_DENIED, strerror(-r));
	file->state = FILE_OK;
	if (now.len == strlen(wanted) && memcmp(now.text, wanted, now.len) == 0)
		return 0;
	file->state = FILE_EDITED;
	return tell_difference(wanted, &now, &file->detail);
}

_Static_assert(ARRAY_SIZE(files) + 1 == CHANGE_FILES, "and the one for grub-mkconfig");

int dropin_look(struct change *change)
{
	int r = 0;

	for (size_t i = 0; i < CHANGE_FILES && r == 0; i++) {
		_cleanup_free_ char *wanted = NULL;
		struct change_file *file = &change->file[i];
		bool is_grubd = i == ARRAY_SIZE(files);

		file->path = is_grubd ? BOOTPARAM_DROPIN : files[i].path;
		r = is_grubd ? bootparam_grubd_text(change->root, &change->books, &wanted)
			     : render(&change->books, i, &wanted);
		if (r == 0)
			r = wanted ? look_wanted(change, wanted, file)
				   : look_unwanted(change, file);
	}
	return r;
}

/* Which of our files carries a setting, by the line that it must have there. NULL: none. */
static int find_carrier(const struct tunable *t, const char *to, size_t *ret_file, char **ret_line)
{
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		char *text = NULL;
		size_t size;
		FILE *f;

		if (files[i].persist != t->persist)
			continue;
		f = open_memstream(&text, &size);
		if (!f)
			return -ENOMEM;
		files[i].line(f, t, to);
		if (fclose(f) || !size) {
			free(text);
			continue;
		}
		text[size - 1] = '\0'; /* the newline */
		*ret_file = i;
		*ret_line = text;
		return 1;
	}
	return 0;
}

static bool same_char(char a, char b)
{
	return a == b || (a == '/' && b == '.');
}

/* Is this line about the setting? sysctl.d takes kernel/x and kernel.x for the same. */
static bool is_about(struct span line, const char *key)
{
	size_t len = strlen(key);

	line = span_trim(line);
	if (!line.len || line.text[0] == '#' || line.text[0] == ';')
		return false;
	for (size_t at = 0; at + len <= line.len; at++) {
		size_t same = 0;

		while (same < len && same_char(line.text[at + same], key[same]))
			same++;
		if (same == len)
			return true;
	}
	return false;
}

/* The last line about the setting decides. */
static int judge_lines(const char *path, const struct content *now, const char *key,
		       const char *wanted, char **ret)
{
	struct span rest = content_span(now), line, last = { 0 };
	unsigned int number = 0, last_number = 0;
	int len;

	while (span_line(&rest, &line)) {
		number++;
		if (!is_about(line, key))
			continue;
		last = line;
		last_number = number;
	}
	if (last_number && span_is(span_trim(last), wanted))
		return 0;
	if (last_number)
		len = asprintf(ret, "/%s:%u says '%.*s'", path, last_number, (int)last.len,
			       last.text);
	else
		len = asprintf(ret, "/%s no longer has it: not at the next boot", path);
	return len < 0 ? -ENOMEM : 1;
}

static const char *key_of(const struct tunable *t)
{
	const char *dot = strchr(t->name ? t->name : "", '.');

	if (t->persist == PERSIST_SYSCTLD)
		return t->id + strlen("sysctl:");
	return dot ? dot + 1 : t->name;
}

int dropin_find_fault(const struct change *change, const json_t *entry, const struct tunable *t,
		      char **ret)
{
	_cleanup_free_ char *wanted = NULL;
	_cleanup_content_ struct content now = { 0 };
	const char *to = json_string_value(json_object_get(entry, "to"));
	size_t file = 0;
	int r = to && is_carried(entry) ? find_carrier(t, to, &file, &wanted) : 0;

	if (r <= 0)
		return r;
	r = root_read(change->root, &now, "%s", files[file].path);
	if (r == -ENOENT || r == -ENOTDIR)
		return asprintf(ret, "/%s is gone: not at the next boot", files[file].path) < 0
			       ? -ENOMEM
			       : 1;
	if (r < 0)
		return r == -ENOMEM ? r : 0;
	return judge_lines(files[file].path, &now, key_of(t), wanted, ret);
}
