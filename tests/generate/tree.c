// SPDX-License-Identifier: GPL-2.0-or-later
/* This file writes the tree; it alone creates files. */
#include "tree.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <sys/stat.h>

/* What the kernel and distributions give to root only (kernel documentation, ABI files). */
static const char *const root_only[] = {
	"sys/kernel/debug/*",
	"proc/powerpc/vcpudispatch_stats",
	"sys/devices/system/cpu/cpu*/*purr",
	"dev/kmsg",
};

static int make_dir(int at, const char *name)
{
	int fd;

	if (mkdirat(at, name, 0755) < 0 && errno != EEXIST)
		err(1, "cannot make '%s'", name);
	fd = openat(at, name, O_DIRECTORY | O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		err(1, "cannot open '%s'", name);
	return fd;
}

static void start_manifest(struct tree *tree, int capture)
{
	int fd = openat(capture, "manifest.json", O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);

	tree->manifest = fd < 0 ? NULL : fdopen(fd, "w");
	if (!tree->manifest)
		err(1, "cannot write manifest.json");
	fputs("{\n  \"lpartune\": \"0.1.0\",\n  \"command\": \"capture\",\n  \"format\": 1,\n"
	      "  \"time\": \"2026-11-30T12:00:00Z\",\n  \"boot_id\": null,\n"
	      "  \"root\": \"/\",\n  \"errors\": {",
	      tree->manifest);
}

void tree_open(struct tree *tree, const char *dir, bool is_denied)
{
	*tree = (struct tree) { .dir = -1 };
	tree->root = make_dir(AT_FDCWD, dir);
	if (is_denied) {
		int capture = tree->root;

		tree->root = make_dir(capture, "root");
		start_manifest(tree, capture);
		close(capture);
	}
}

void tree_close(struct tree *tree)
{
	if (tree->manifest) {
		fputs("\n  },\n  \"instants\": []\n}\n", tree->manifest);
		if (fclose(tree->manifest) != 0)
			err(1, "cannot write manifest.json");
	}
	cleanup_close(&tree->dir);
	cleanup_close(&tree->root);
}

void tree_enter(struct tree *tree, const char *format, ...)
{
	char path[sizeof(tree->path) - 1], *rest = path, *name;
	va_list args;

	va_start(args, format);
	vsnprintf(path, sizeof(path), format, args);
	va_end(args);
	snprintf(tree->path, sizeof(tree->path), "%s/", path);
	cleanup_close(&tree->dir);
	tree->dir = dup(tree->root);
	while ((name = strsep(&rest, "/"))) {
		int next = make_dir(tree->dir, name);

		close(tree->dir);
		tree->dir = next;
	}
}

/* Puts a file on the list of those that could not be read, if that is what happened. */
static bool is_denied(struct tree *tree, const char *name)
{
	char path[512];

	if (!tree->manifest)
		return false;
	snprintf(path, sizeof(path), "%s%s", tree->path, name);
	for (size_t i = 0; i < ARRAY_SIZE(root_only); i++) {
		if (fnmatch(root_only[i], path, 0) == 0) {
			fprintf(tree->manifest, "%s\n    \"%s\": \"EACCES\"",
				tree->errors++ ? "," : "", path);
			return true;
		}
	}
	return false;
}

FILE *tree_file(struct tree *tree, const char *name)
{
	FILE *file;
	int fd;

	if (is_denied(tree, name))
		return NULL;
	fd = openat(tree->dir, name, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);
	file = fd < 0 ? NULL : fdopen(fd, "w");
	if (!file)
		err(1, "cannot write '%s%s'", tree->path, name);
	return file;
}

void tree_data(struct tree *tree, const char *name, const void *data, size_t len)
{
	FILE *file = tree_file(tree, name);

	if (!file)
		return;
	fwrite(data, 1, len, file);
	if (fclose(file) != 0)
		err(1, "cannot write '%s%s'", tree->path, name);
}

void tree_put(struct tree *tree, const char *name, const char *format, ...)
{
	FILE *file = tree_file(tree, name);
	va_list args;

	if (!file)
		return;
	va_start(args, format);
	vfprintf(file, format, args);
	va_end(args);
	if (fclose(file) != 0)
		err(1, "cannot write '%s%s'", tree->path, name);
}

void tree_link(struct tree *tree, const char *name, const char *target)
{
	if (symlinkat(target, tree->dir, name) < 0 && errno != EEXIST)
		err(1, "cannot link '%s%s'", tree->path, name);
}

void tree_table(struct tree *tree, const struct tree_text *table, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *slash = strrchr(table[i].path, '/');

		tree_enter(tree, "%.*s", (int)(slash - table[i].path), table[i].path);
		tree_put(tree, slash + 1, "%s\n", table[i].text);
	}
}
