// SPDX-License-Identifier: GPL-2.0-or-later
/* This file is what fuzz targets share: finding them, a scratch directory, the UTF-8 check. */
#include "fuzz.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <jansson.h>
#include <sys/stat.h>

static char scratch[64];

const struct fuzz_target *fuzz_find(const char *name)
{
	static const struct fuzz_target *const tables[] = { fuzz_parsers, fuzz_files, fuzz_advice,
							    fuzz_trees, fuzz_documents };

	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		for (const struct fuzz_target *target = tables[i]; target->name; target++) {
			if (streq(target->name, name))
				return target;
		}
	}
	return NULL;
}

void fuzz_holds_utf8(const char *text)
{
	json_t *json;

	if (!text)
		return;
	json = json_string(text);
	HOLDS(json);
	json_decref(json);
}

static int remove_one(const char *path, const struct stat *st _unused_, int type _unused_,
		      struct FTW *ftw _unused_)
{
	return remove(path);
}

static void remove_scratch(void)
{
	nftw(scratch, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *fuzz_scratch(void)
{
	if (scratch[0])
		return scratch;
	snprintf(scratch, sizeof(scratch), "%s/lpartune-fuzz.XXXXXX",
		 access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	if (!mkdtemp(scratch))
		err(1, "cannot make '%s'", scratch);
	atexit(remove_scratch);
	return scratch;
}

static void make_parents(char *path)
{
	for (char *slash = path + strlen(fuzz_scratch()) + 1; (slash = strchr(slash, '/'));
	     slash++) {
		*slash = '\0';
		if (mkdir(path, 0755) < 0 && errno != EEXIST)
			err(1, "cannot make '%s'", path);
		*slash = '/';
	}
}

void fuzz_put(const char *path, struct span content)
{
	char full[4096];
	_cleanup_close_ int fd = -1;

	snprintf(full, sizeof(full), "%s/%s", fuzz_scratch(), path);
	fd = open(full, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);
	if (fd < 0 && errno == ENOENT) {
		make_parents(full);
		fd = open(full, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);
	}
	if (fd < 0 || write(fd, content.text, content.len) != (ssize_t)content.len)
		err(1, "cannot write '%s'", full);
}
