/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The only writer of the machine's files. Everything is resolved beneath the root by the kernel
 * (openat2, RESOLVE_IN_ROOT): no link and no ".." of a tree leads out of it. Without openat2 (Linux
 * before 5.6) nothing is written: -ENOSYS.
 */
#ifndef LPARTUNE_CHANGE_WRITE_H
#define LPARTUNE_CHANGE_WRITE_H

#include <stdint.h>
#include <sys/stat.h>

#include "machine/root.h"

/* A file as it stands: its bytes and what else a replacement must give back. */
struct image {
	bool exists;
	char *data; /* NUL behind `len` bytes */
	size_t len;
	mode_t mode;
	int64_t mtime_ns;
};
void image_done(struct image *image);
#define _cleanup_image_ _cleanup_(image_done)

/* The same bytes (or both absent)? Attributes do not count. */
bool image_same(const struct image *a, const struct image *b);

/* An image of text that is to be written. -ENOMEM. */
int image_of_text(const char *text, mode_t mode, struct image *ret);

/* Reads a file beneath the root; one that does not exist gives `exists` false. -errno. */
int write_read(struct root *root, const char *path, struct image *ret);

/* Is this one of the kernel's own files (proc, sysfs, debugfs), which take commands, or an ordinary
 * file in a tree that stands for one? 1, 0, -errno. */
int write_is_kernel(struct root *root, const char *path);

/*
 * Writes `text` to an existing file in one write, keeping the file itself (its owner, mode, links):
 * the kernel's files, and those that stand for them in a tree. -errno of the kernel.
 */
int write_value(struct root *root, const char *path, const char *text);

/*
 * Makes a file be `image`: replaced by rename after fsync (a file of several hard links is
 * rewritten in place, so that they stay one), created, or removed. Owner, mode, ACL, labels and
 * other extended attributes of a file that was there stay; links are followed. With `keep_time` the
 * image's time of modification is given back too. -errno; the old file is then still there.
 */
int write_image(struct root *root, const char *path, const struct image *image, bool keep_time);

/* Removes what a crash in write_image may have left beside a file. */
void write_drop_leftover(struct root *root, const char *path);

/* Makes the directory that a file will stand in. Returns how many levels had to be made: the number
 * to give to write_drop_directories. -errno. */
int write_make_directories(struct root *root, const char *path);

/* Removes the lowest `levels` directories above a file that are empty. Never fails for others. */
void write_drop_directories(struct root *root, const char *path, int levels);

/* An open directory beneath the root for our own files (base/store). With `create` it is made, with
 * mode 0755, where it is missing. Returns a descriptor; -errno. */
int write_open_directory(struct root *root, const char *path, bool create);

#endif
