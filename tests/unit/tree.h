/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A small file tree in a temporary directory, for readers that need a root. */
#ifndef LPARTUNE_TESTS_TREE_H
#define LPARTUNE_TESTS_TREE_H

#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "machine/root.h"

static char tree_dir[64];

static inline int tree_forget(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

static inline void tree_remove(void)
{
	if (*tree_dir)
		nftw(tree_dir, tree_forget, 16, FTW_DEPTH | FTW_PHYS);
	*tree_dir = '\0';
}

/* Starts an empty tree; it is removed at exit. */
static inline void tree_new(void)
{
	if (*tree_dir)
		tree_remove();
	else
		atexit(tree_remove);
	snprintf(tree_dir, sizeof(tree_dir), "%s", "/tmp/lpartune-unit-XXXXXX");
	if (!mkdtemp(tree_dir))
		abort();
}

static inline void tree_bytes(const char *path, const void *data, size_t size)
{
	char full[512];
	FILE *f;

	snprintf(full, sizeof(full), "%s/%s", tree_dir, path);
	for (char *p = full + strlen(tree_dir) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(full, 0777);
		*p = '/';
	}
	f = fopen(full, "w");
	if (!f || fwrite(data, 1, size, f) != size || fclose(f))
		abort();
}

static inline void tree_file(const char *path, const char *text)
{
	tree_bytes(path, text, strlen(text));
}

static inline void tree_drop(const char *path)
{
	char full[512];

	snprintf(full, sizeof(full), "%s/%s", tree_dir, path);
	(void)remove(full);
}

/* Does a file have exactly this content (NULL: is there none)? Says what it has if not. */
static inline bool tree_is(const char *path, const char *text)
{
	char full[512], got[4096] = "";
	FILE *f;

	snprintf(full, sizeof(full), "%s/%s", tree_dir, path);
	f = fopen(full, "r");
	if (!f)
		return !text;
	got[fread(got, 1, sizeof(got) - 1, f)] = '\0';
	fclose(f);
	if (text && strcmp(got, text) == 0)
		return true;
	printf("# %s is <%s>\n", path, got);
	return false;
}

static inline struct root *tree_root(void)
{
	struct root *root;

	if (root_open(tree_dir, &root) < 0)
		abort();
	return root;
}

#endif
