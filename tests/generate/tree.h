/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file tree that is written. Directories are made as they are named; any failure ends the
 * program with a message, for half a tree is of no use to a test.
 */
#ifndef LPARTUNE_TESTS_TREE_H
#define LPARTUNE_TESTS_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/util.h"

struct tree {
	int root;	/* directory of the tree */
	int dir;	/* where files go now */
	char path[256]; /* of dir, below root, with a slash at its end */
	FILE *manifest; /* of a capture by an ordinary user: what could not be read */
	unsigned int errors;
};

/* Opens (and makes) the directory. With `is_denied` the tree is a capture made without root:
 * root-only files are named in manifest.json instead of being written. */
void tree_open(struct tree *tree, const char *dir, bool is_denied);
void tree_close(struct tree *tree);

/* Files are written here from now on. */
void tree_enter(struct tree *tree, const char *format, ...) _printf_(2, 3);

/* A small file. */
void tree_put(struct tree *tree, const char *name, const char *format, ...) _printf_(3, 4);
void tree_data(struct tree *tree, const char *name, const void *data, size_t len);

/* A large file; the caller closes it. NULL if a user without root could not have read it. */
FILE *tree_file(struct tree *tree, const char *name);
void tree_link(struct tree *tree, const char *name, const char *target);

/* Lines of "name=content"; content gets its newline. */
struct tree_text {
	const char *path, *text;
};
void tree_table(struct tree *tree, const struct tree_text *table, size_t count);

#endif
