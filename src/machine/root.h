/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine's files, beneath a root directory. This is the only place that opens, lists or stats
 * them. The root is "/" of the running machine, a bare tree, an unpacked sosreport or supportconfig,
 * or a capture (a directory with manifest.json and root/, written by `lpartune capture`).
 *
 * Paths are relative to that root and are resolved beneath it by the kernel
 * (openat2 with RESOLVE_IN_ROOT): an absolute link or ".." in a captured tree stays inside it.
 * Where openat2 is missing (Linux before 5.6, some emulators), links are resolved here.
 *
 * A capture remembers what could not be read and why; such a path fails here with the same error.
 */
#ifndef LPARTUNE_MACHINE_ROOT_H
#define LPARTUNE_MACHINE_ROOT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/parse.h"
#include "base/util.h"

struct root;

/* A whole file. `text` always has a NUL behind its `len` bytes. */
struct content {
	char *text;
	size_t len;
};

static inline void content_done(struct content *c)
{
	free(c->text);
	*c = (struct content) { 0 };
}
#define _cleanup_content_ _cleanup_(content_done)

static inline struct span content_span(const struct content *c)
{
	return (struct span) { c->text, c->len };
}

/* Names in a directory, sorted by the numbers in them ("cpu2" before "cpu10"). */
struct names {
	char **name;
	size_t count;
};
void names_done(struct names *names);
#define _cleanup_names_ _cleanup_(names_done)

/* Opens `dir` ("/" or NULL: the running machine). The caller closes it. -errno. */
int root_open(const char *dir, struct root **ret);
void root_close(struct root *root);
static inline void root_closep(struct root **root)
{
	root_close(*root);
}
#define _cleanup_root_ _cleanup_(root_closep)

/* Is this the running machine (so that system calls may add what files do not tell)? */
bool root_is_live(const struct root *root);

/* The root directory itself, for what writes beneath it (change/write). Stays the root's. */
int root_fd(const struct root *root);

/* What a capture recorded of the machine's answers that no file holds ("arch"): NULL if this is no
 * capture or nothing that can be one was recorded. */
const char *root_recorded(const struct root *root, const char *what);

/* The directory as the user named it, for messages and document headers. */
const char *root_name(const struct root *root);

/*
 * Reads a whole file; the path is a printf format. Character devices are refused, except that
 * dev/kmsg is read until it has no more records. -errno: -EISDIR for a directory, -EFBIG beyond
 * ROOT_FILE_MAX, else the kernel's answer. `ret` is untouched on error.
 */
#define ROOT_FILE_MAX (256UL << 20)
int root_read(struct root *root, struct content *ret, const char *path, ...) _printf_(3, 4);

/* The file's text without white space at both ends, as a string of valid UTF-8. */
int root_read_string(struct root *root, char **ret, const char *path, ...) _printf_(3, 4);

/*
 * Reads at most `size` bytes into the caller's memory, without allocation: for the many small
 * files of each CPU. Returns the number of bytes or -errno.
 */
ssize_t root_read_into(struct root *root, void *buf, size_t size, const char *path, ...)
	_printf_(4, 5);

/*
 * Calls `line` for each line of a file that can be too large to hold (symbols, the matrix of
 * interrupts) until it returns non-zero, which is then returned. 0 at the end, or -errno.
 */
typedef int (*root_line_fn)(struct span line, void *arg);
int root_each_line(struct root *root, root_line_fn line, void *arg, const char *path, ...)
	_printf_(4, 5);

/* An open file descriptor for a file that is read again and again (pread); the caller closes it. */
int root_open_fd(struct root *root, const char *path, ...) _printf_(2, 3);

/* Lists a directory without "." and "..". -errno. */
int root_list(struct root *root, struct names *ret, const char *path, ...) _printf_(3, 4);

/* Does the path exist? 0, or -errno (-ENOENT, -EACCES, …). Nothing is opened for reading. */
int root_exists(struct root *root, const char *path, ...) _printf_(2, 3);

/* Is a file on a file system that is mounted read-only, as /proc/sys and /sys are in containers? */
bool root_is_read_only(struct root *root, const char *path);

/*
 * Tells `seen` of every path that is asked for, with the outcome (0 or an errno): this is how
 * `capture` learns what to copy.
 */
enum root_kind { ROOT_FILE, ROOT_DIRECTORY, ROOT_TEST };
typedef void (*root_trace_fn)(void *arg, enum root_kind kind, const char *path, int error);
void root_trace(struct root *root, root_trace_fn seen, void *arg);

#endif
