/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file opens and locks the directories of our own records; it knows no record. */
#include "change/record/workspace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <time.h>

#include "base/store.h"

#define LIB_DIR "var/lib/lpartune"
#define RUN_DIR "run/lpartune"

static const char *run_dir(struct root *root)
{
	return root_is_live(root) ? RUN_DIR : LIB_DIR;
}

static int try_lock(const struct workspace *ws)
{
	return root_is_live(ws->root) ? store_lock_at(ws->run, "lock")
				      : store_lock_at(root_fd(ws->root), NULL);
}

/* Asks once a tenth of a second: flock(2) has no time limit. */
static int take_lock(struct workspace *ws, unsigned int wait_s)
{
	const struct timespec tenth = { .tv_nsec = 100000000 };

	for (unsigned int tries = 0;; tries++) {
		int fd = try_lock(ws);

		if (fd >= 0) {
			ws->lock = fd;
			return 0;
		}
		if (fd != -EBUSY || tries >= wait_s * 10)
			return fd == -EBUSY ? -EALREADY : fd;
		nanosleep(&tenth, NULL);
	}
}

/* Files that a crash left unfinished: whoever has the lock may sweep. */
static void sweep(int dirfd)
{
	int copy = dup(dirfd);
	DIR *dir = copy < 0 ? NULL : fdopendir(copy);

	if (!dir) {
		cleanup_close(&copy);
		return;
	}
	rewinddir(dir);
	for (struct dirent *entry; (entry = readdir(dir));)
		if (starts_with(entry->d_name, ".lpartune-"))
			(void)unlinkat(dirfd, entry->d_name, 0);
	closedir(dir);
}

/* In a tree: how many levels of directories we had to make, so that they can go again. */
#define LEVELS "directories"

static int missing_levels(struct root *root)
{
	static const char *const levels[] = { LIB_DIR, "var/lib", "var" };
	int missing = 0;

	for (size_t i = 0; i < ARRAY_SIZE(levels); i++)
		missing += root_exists(root, "%s", levels[i]) == -ENOENT;
	return missing;
}

static int keep_levels(const struct workspace *ws, int levels)
{
	char text[16];

	if (root_is_live(ws->root) || levels < 2)
		return 0;
	snprintf(text, sizeof(text), "%d\n", levels);
	return store_write_at(ws->lib, LEVELS, text, strlen(text), 0600);
}

/* Is nothing but that number left? */
static bool is_empty(int dirfd)
{
	int copy = dup(dirfd);
	DIR *dir = copy < 0 ? NULL : fdopendir(copy);
	bool empty = dir != NULL;

	if (!dir) {
		cleanup_close(&copy);
		return false;
	}
	rewinddir(dir);
	for (struct dirent *entry; (entry = readdir(dir));)
		if (!streq(entry->d_name, ".") && !streq(entry->d_name, "..") &&
		    !streq(entry->d_name, LEVELS))
			empty = false;
	closedir(dir);
	return empty;
}

static void drop_levels(struct workspace *ws)
{
	_cleanup_free_ char *text = NULL;
	uint64_t levels = 1;
	size_t len;

	if (ws->lib < 0 || !is_empty(ws->lib))
		return;
	if (store_read_at(ws->lib, LEVELS, &text, &len) == 0 &&
	    (parse_u64(span_of(text), &levels) < 0 || levels > 3))
		levels = 1;
	(void)store_remove_at(ws->lib, LEVELS);
	write_drop_directories(ws->root, LIB_DIR "/.", (int)levels);
}

static int open_both(struct workspace *ws, bool create)
{
	ws->run = write_open_directory(ws->root, run_dir(ws->root), create);
	if (ws->run < 0 && (create || ws->run != -ENOENT))
		return ws->run;
	ws->lib = write_open_directory(ws->root, LIB_DIR, create);
	return ws->lib < 0 && (create || ws->lib != -ENOENT) ? ws->lib : 0;
}

int workspace_open(struct root *root, unsigned int wait_s, struct workspace *ret)
{
	_cleanup_workspace_ struct workspace ws = {
		.root = root, .run = -1, .lib = -1, .lock = -1
	};
	int levels = missing_levels(root);
	int r = 0;

	if (!root_is_live(root))
		r = take_lock(&ws, wait_s);
	if (r >= 0)
		r = open_both(&ws, true);
	if (r >= 0 && root_is_live(root))
		r = take_lock(&ws, wait_s);
	if (r >= 0)
		r = keep_levels(&ws, levels);
	if (r < 0)
		return r;
	sweep(ws.run);
	sweep(ws.lib);
	*ret = ws;
	ws = (struct workspace) { .run = -1, .lib = -1, .lock = -1 };
	return 0;
}

int workspace_open_read(struct root *root, struct workspace *ret)
{
	struct workspace ws = { .root = root, .run = -1, .lib = -1, .lock = -1 };
	int r = open_both(&ws, false);

	if (r < 0) {
		workspace_close(&ws);
		return r;
	}
	*ret = ws;
	return 0;
}

void workspace_close(struct workspace *ws)
{
	if (ws->lock >= 0 && !root_is_live(ws->root))
		drop_levels(ws);
	/* A process that a tool has left behind must not keep it. */
	if (ws->lock >= 0)
		(void)flock(ws->lock, LOCK_UN);
	cleanup_close(&ws->run);
	cleanup_close(&ws->lib);
	cleanup_close(&ws->lock);
	*ws = (struct workspace) { .run = -1, .lib = -1, .lock = -1 };
}
