/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Our own files and files that the user names: read whole, written whole or not at all. A reader
 * of a file sees its old or its new content, also after a crash.
 */
#ifndef LPARTUNE_BASE_STORE_H
#define LPARTUNE_BASE_STORE_H

#include <stddef.h>
#include <sys/types.h>

#include "base/util.h"

/* Larger files are refused (-EFBIG): nothing that lpartune writes comes near it. */
#define STORE_FILE_MAX (256UL << 20)

/* Reads a whole file. `*ret` has a NUL behind its `*ret_len` bytes and is the caller's. -errno;
 * -EISDIR for a directory, -EFBIG beyond STORE_FILE_MAX. */
int store_read(const char *path, char **ret, size_t *ret_len);

/*
 * Replaces or creates a file: written under a name of its own in the same directory, fsync, rename,
 * fsync of the directory. `mode` is subject to the umask. A link is followed, so that its target is
 * replaced; what is no regular file (a pipe, /dev/stdout) is written to as it stands. -errno.
 */
int store_write_atomic(const char *path, const void *data, size_t len, mode_t mode);

/*
 * The same for a file that is too large to be held in memory at once: `produce` hands it to store_put
 * piece by piece (which is of the type that jansson calls back) and returns -errno if it cannot go on.
 */
typedef int (*store_produce_fn)(void *arg, void *sink);
int store_write_produced(const char *path, store_produce_fn produce, void *arg, mode_t mode);
int store_put(const char *data, size_t len, void *sink); /* 0 or -errno */

/* Would store_write_atomic work? Asked before long work whose result goes to that file: 0 or -errno,
 * with nothing left behind. */
int store_check_writable(const char *path);

/* The same for a file `name` in an open directory; links are not followed. */
int store_read_at(int dirfd, const char *name, char **ret, size_t *ret_len);
int store_write_at(int dirfd, const char *name, const void *data, size_t len, mode_t mode);

/*
 * Copies into a tree of our own that is being made (a capture): `path` is relative to the directory
 * and its parents are created; an existing file is replaced. Not synced: the tree is worthless
 * until it is whole. `path` must have no "..". -errno.
 */
int store_put_at(int dirfd, const char *path, const void *data, size_t len, mode_t mode);
int store_put_directory_at(int dirfd, const char *path);

/* Opens a new directory for such a tree: created, or there and empty. A descriptor, -ENOTEMPTY,
 * -errno. */
int store_new_directory(const char *path);

/* Removes a file, for good: fsync of the directory. A file that is not there is no error. */
int store_remove_at(int dirfd, const char *name);

/* Appends a line (with its newline) in one write, and fsync. Creates the file. */
int store_append_at(int dirfd, const char *name, const char *line, mode_t mode);

/*
 * Takes an exclusive flock(2) on a file in a directory (created if needed), or on the directory
 * itself if `name` is NULL. Returns a descriptor that holds the lock until it is closed, also by the
 * death of the process; -EBUSY if somebody else holds it; -errno.
 */
int store_lock_at(int dirfd, const char *name);

/* The paths that a shell pattern names, sorted; a path that exists as it stands is itself. The caller
 * frees them with store_paths_done. -ENOENT: nothing matches; -ENOMEM. */
struct store_paths {
	char **path;
	size_t count;
};
int store_glob(const char *pattern, struct store_paths *ret);
void store_paths_done(struct store_paths *paths);

#endif
