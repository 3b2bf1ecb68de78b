/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file merges the directories of sysctl.d and finds who assigns a key; it applies nothing. */
#include "machine/source/sysctl_conf.h"

#include <errno.h>
#include <fnmatch.h>

/* Highest first. lib is procps' (a link to usr/lib on merged systems: its files mask themselves). */
static const char *const directories[] = {
	"etc/sysctl.d",	    "run/sysctl.d", "usr/local/lib/sysctl.d",
	"usr/lib/sysctl.d", "lib/sysctl.d",
};

void sysctl_lines_done(struct sysctl_lines *lines)
{
	for (size_t i = 0; i < lines->count; i++) {
		free(lines->line[i].file);
		free(lines->line[i].value);
	}
	free(lines->line);
	*lines = (struct sysctl_lines) { 0 };
}

char *sysctl_path(struct span key)
{
	char *path = span_dup(key);
	char *first = path ? strpbrk(path, "./") : NULL;
	bool by_dots = first && *first == '.';

	for (char *p = path; by_dots && *p; p++)
		*p = *p == '.' ? '/' : *p == '/' ? '.' : *p;
	if (path && (!*path || *path == '/' || strstr(path, "//") || strstr(path, "..") ||
		     path[strlen(path) - 1] == '/')) {
		free(path);
		return NULL;
	}
	return path;
}

/* What a file is read for. */
struct search {
	const char *path; /* of the key wanted */
	const char *file;
	unsigned int line;
	bool is_etc, only_procps;
	bool exempt; /* "-key": patterns do not count */
	struct sysctl_lines *found;
};

static int add_line(struct search *search, struct span value, bool is_pattern)
{
	struct sysctl_lines *found = search->found;
	struct sysctl_line *grown = reallocarray(found->line, found->count + 1,
						 sizeof(*found->line));
	struct sysctl_line *line;

	if (!grown)
		return -ENOMEM;
	found->line = grown;
	line = &grown[found->count];
	*line = (struct sysctl_line) {
		.line = search->line,
		.value = span_dup_utf8(value),
		.is_pattern = is_pattern,
		.is_etc = search->is_etc,
		.only_procps = search->only_procps,
	};
	if (asprintf(&line->file, "/%s", search->file) < 0)
		line->file = NULL;
	found->count++;
	return line->value && line->file ? 0 : -ENOMEM;
}

static int take_line(struct span text, void *arg)
{
	struct search *search = arg;
	struct span line = span_trim(text), key, value;
	_cleanup_free_ char *path = NULL;
	bool assigns, is_pattern;

	search->line++;
	if (!line.len || line.text[0] == '#' || line.text[0] == ';')
		return 0;
	assigns = span_split(line, '=', &key, &value);
	if (!assigns)
		key = line;
	if (key.len && key.text[0] == '-') {
		key.text++;
		key.len--;
	}
	path = sysctl_path(span_trim(key));
	if (!path)
		return 0;
	is_pattern = strpbrk(path, "*?[") != NULL;
	if (is_pattern ? fnmatch(path, search->path, FNM_PATHNAME) : strcmp(path, search->path))
		return 0;
	if (!assigns) {
		search->exempt = true;
		return 0;
	}
	return add_line(search, value, is_pattern);
}

static int read_one(struct search *search, struct root *root, const char *file)
{
	int r;

	search->file = file;
	search->line = 0;
	search->is_etc = starts_with(file, "etc/") || starts_with(file, "run/");
	r = root_each_line(root, take_line, search, "%s", file);
	return r == -ENOMEM ? r : 0;
}

/* A drop-in of a directory, unless a higher one has a file of that name. */
struct dropin {
	char *name;
	size_t directory;
};

struct dropins {
	struct dropin *list;
	size_t count;
};

static void dropins_done(struct dropins *dropins)
{
	for (size_t i = 0; i < dropins->count; i++)
		free(dropins->list[i].name);
	free(dropins->list);
}

static bool is_known(const struct dropins *dropins, const char *name)
{
	for (size_t i = 0; i < dropins->count; i++)
		if (streq(dropins->list[i].name, name))
			return true;
	return false;
}

static int add_directory(struct root *root, size_t directory, struct dropins *dropins)
{
	_cleanup_names_ struct names names = { 0 };
	int r = root_list(root, &names, "%s", directories[directory]);

	if (r < 0)
		return r == -ENOMEM ? r : 0;
	for (size_t i = 0; i < names.count; i++) {
		const char *dot = strrchr(names.name[i], '.');
		struct dropin *grown;

		if (!dot || !streq(dot, ".conf") || is_known(dropins, names.name[i]))
			continue;
		grown = reallocarray(dropins->list, dropins->count + 1, sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		dropins->list = grown;
		grown[dropins->count] = (struct dropin) { strdup(names.name[i]), directory };
		if (!grown[dropins->count].name)
			return -ENOMEM;
		dropins->count++;
	}
	return 0;
}

/* By name alone, byte by byte, as systemd and procps do. */
static int compare(const void *a, const void *b)
{
	return strcmp(((const struct dropin *)a)->name, ((const struct dropin *)b)->name);
}

static int read_dropins(struct search *search, struct root *root)
{
	_cleanup_(dropins_done) struct dropins dropins = { 0 };
	int r = 0;

	for (size_t i = 0; i < ARRAY_SIZE(directories) && r == 0; i++)
		r = add_directory(root, i, &dropins);
	if (dropins.count)
		qsort(dropins.list, dropins.count, sizeof(*dropins.list), compare);
	for (size_t i = 0; i < dropins.count && r == 0; i++) {
		char file[512];

		snprintf(file, sizeof(file), "%s/%s", directories[dropins.list[i].directory],
			 dropins.list[i].name);
		r = read_one(search, root, file);
	}
	return r;
}

/* SUSE's kernels bring defaults of their own, applied before all others. */
static int read_boot(struct search *search, struct root *root)
{
	_cleanup_free_ char *release = NULL;
	char file[512];

	if (root_read_string(root, &release, "proc/sys/kernel/osrelease") < 0)
		return 0;
	snprintf(file, sizeof(file), "boot/sysctl.conf-%s", release);
	return read_one(search, root, file);
}

/* Explicit lines beat patterns: those that lose do not count at all. */
static void drop_patterns(struct search *search)
{
	struct sysctl_lines *found = search->found;
	bool explicit = search->exempt;
	size_t kept = 0;

	for (size_t i = 0; i < found->count; i++)
		explicit |= !found->line[i].is_pattern;
	for (size_t i = 0; explicit && i < found->count; i++) {
		if (found->line[i].is_pattern) {
			free(found->line[i].file);
			free(found->line[i].value);
		} else {
			found->line[kept++] = found->line[i];
		}
	}
	if (explicit)
		found->count = kept;
}

int sysctl_conf_find(struct root *root, const char *key, struct sysctl_lines *ret)
{
	_cleanup_free_ char *path = sysctl_path(span_of(key));
	_cleanup_sysctl_lines_ struct sysctl_lines found = { 0 };
	struct search search = { .path = path, .found = &found };
	int r;

	if (!path)
		return -ENOMEM;
	r = read_boot(&search, root);
	if (r == 0)
		r = read_dropins(&search, root);
	search.only_procps = root_exists(root, "etc/sysctl.d/99-sysctl.conf") < 0;
	if (r == 0 && search.only_procps)
		r = read_one(&search, root, "etc/sysctl.conf");
	if (r < 0)
		return r;
	drop_patterns(&search);
	*ret = found;
	found = (struct sysctl_lines) { 0 };
	return 0;
}
