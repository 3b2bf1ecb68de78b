/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file renders the files that are wholly ours from the books; it writes none. */
#include "change/dropin.h"

#include <errno.h>

#define HEADER                                                                     \
	"# Written by lpartune; `lpartune revert` takes it back. Change it with\n" \
	"# `lpartune apply`: an edited file is left alone.\n"

/* Calls `line` for each setting of the books that is ours and is carried this way. */
typedef void (*line_fn)(FILE *f, const struct tunable *tunable, const char *value);

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

		if (!t || !to || t->persist != persist ||
		    !json_is_true(json_object_get(entry, "ours")))
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
	static const char first[] = "# Written by lpartune";
	_cleanup_image_ struct image now = { 0 };
	const struct image none = { 0 };
	int r = change->all_goes ? write_read(change->root, path, &now) : 0;

	if (r < 0 || !now.exists || strncmp(now.data, first, strlen(first)) != 0)
		return r;
	return step_plan_image(change->root, path, &none, 0, &change->steps);
}

int dropin_plan_file(struct change *change, const char *path, const char *content, bool force)
{
	struct step *original = books_file(&change->books, path);
	int r;

	if (!original && !content)
		return plan_orphan(change, path);
	if (original && !force) {
		r = is_untouched(change, original);
		if (r <= 0)
			return r < 0 ? r : -ESTALE;
	}
	if (content)
		return step_plan_file(change->root, path, content, &change->steps);
	r = step_plan_image(change->root, path, &original->before, original->directories,
			    &change->steps);
	books_strike_file(&change->future, path);
	return r;
}

int dropin_plan(struct change *change, bool force, const char **ret_path)
{
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		_cleanup_free_ char *content = NULL;
		int r = render(&change->future, i, &content);

		if (r == 0)
			r = dropin_plan_file(change, files[i].path, content, force);
		if (r < 0) {
			*ret_path = files[i].path;
			return r;
		}
	}
	return 0;
}
