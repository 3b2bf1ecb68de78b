/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A small tree of files in a scratch directory, for tests of what reads and writes below a root. */
#ifndef LPARTUNE_TESTS_SCRATCH_H
#define LPARTUNE_TESTS_SCRATCH_H

#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <sys/stat.h>

#include "base/util.h"

static char scratch_dir[64];

static inline const char *scratch_make(void)
{
	snprintf(scratch_dir, sizeof(scratch_dir), "/tmp/lpartune-unit-XXXXXX");
	return mkdtemp(scratch_dir);
}

static inline int scratch_remove_one(const char *path, const struct stat *st, int flag,
				     struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

static inline void scratch_remove(void)
{
	(void)nftw(scratch_dir, scratch_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Writes a file below the tree, with the directories it needs. */
static inline void scratch_put(const char *path, const char *text)
{
	char full[512];
	FILE *f;

	snprintf(full, sizeof(full), "%s/%s", scratch_dir, path);
	for (char *p = full + strlen(scratch_dir) + 1; (p = strchr(p, '/')) != NULL; p++) {
		*p = '\0';
		(void)mkdir(full, 0755);
		*p = '/';
	}
	f = fopen(full, "w");
	if (f) {
		fputs(text, f);
		fclose(f);
	}
}

static inline void scratch_drop(const char *path)
{
	char full[512];

	snprintf(full, sizeof(full), "%s/%s", scratch_dir, path);
	(void)remove(full);
}

/* Does a file below the tree have exactly this content? */
static inline bool scratch_is(const char *path, const char *text)
{
	char full[512], got[4096] = "";
	FILE *f;
	size_t n;

	snprintf(full, sizeof(full), "%s/%s", scratch_dir, path);
	f = fopen(full, "r");
	if (!f)
		return !text;
	n = fread(got, 1, sizeof(got) - 1, f);
	got[n] = '\0';
	fclose(f);
	if (text && streq(got, text))
		return true;
	printf("# %s is <%s>\n", path, got);
	return false;
}

#endif
