/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file is the only opener of the machine's files; it never writes and never prints. */
#include "machine/root.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "base/errname.h"
#include "machine/resolve.h"

#define PATH_SIZE 4096
#define CHUNK 65536
#define RECORD_MAX 8192 /* of the kernel log, as it is printed */
#define LINE_MAX_BYTES (64UL << 20)

struct root {
	int dirfd;
	bool is_live;
	char *name;
	json_t *errors;	  /* of a capture: path → name of the error */
	json_t *recorded; /* of a capture: answers that no file holds */
	root_trace_fn seen;
	void *seen_arg;
};

static void closep(int *fd)
{
	cleanup_close(fd);
}

/* The whole text of a small file that is not below a root yet (the manifest). */
static int read_fd(int fd, struct content *ret);

static int load_manifest(struct root *root, int dirfd)
{
	_cleanup_content_ struct content c = { 0 };
	_cleanup_(closep) int fd = openat(dirfd, "manifest.json",
					  O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	json_t *manifest;
	struct stat st;

	/* What is no readable file is no manifest of ours: the directory is a plain tree. */
	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || read_fd(fd, &c) < 0)
		return 0;
	manifest = json_loadb(c.text, c.len, JSON_REJECT_DUPLICATES, NULL);
	if (!json_is_string(json_object_get(manifest, "lpartune"))) {
		json_decref(manifest);
		return 0; /* somebody else's manifest.json (a sosreport has one) */
	}
	root->errors = json_incref(json_object_get(manifest, "errors"));
	root->recorded = json_incref(json_object_get(manifest, "recorded"));
	json_decref(manifest);
	return 1;
}

/* A capture holds its files in root/; anything else is the tree itself. */
static int enter_capture(struct root *root)
{
	int r = load_manifest(root, root->dirfd), inner;

	if (r <= 0)
		return r;
	inner = openat(root->dirfd, "root", O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (inner < 0)
		return -errno;
	close(root->dirfd);
	root->dirfd = inner;
	return 0;
}

int root_open(const char *dir, struct root **ret)
{
	_cleanup_root_ struct root *root = calloc(1, sizeof(*root));
	int r;

	if (!root)
		return -ENOMEM;
	root->dirfd = -1;
	root->is_live = !dir || streq(dir, "/");
	root->name = strdup(dir ? dir : "/");
	if (!root->name)
		return -ENOMEM;
	root->dirfd = open(root->name, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root->dirfd < 0)
		return -errno;
	r = root->is_live ? 0 : enter_capture(root);
	if (r < 0)
		return r;
	*ret = take_ptr(&root);
	return 0;
}

void root_close(struct root *root)
{
	if (!root)
		return;
	cleanup_close(&root->dirfd);
	json_decref(root->errors);
	json_decref(root->recorded);
	free(root->name);
	free(root);
}

bool root_is_live(const struct root *root)
{
	return root->is_live;
}

int root_fd(const struct root *root)
{
	return root->dirfd;
}

/* One word, as uname(2) and CPUID give it: a manifest can hold anything. */
static bool is_answer(const char *text)
{
	size_t len = text ? strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_-") : 0;

	return len > 0 && len <= 32 && text[len] == '\0';
}

const char *root_recorded(const struct root *root, const char *what)
{
	const char *text = json_string_value(json_object_get(root->recorded, what));

	return is_answer(text) ? text : NULL;
}

const char *root_name(const struct root *root)
{
	return root->name;
}

void root_trace(struct root *root, root_trace_fn seen, void *arg)
{
	root->seen = seen;
	root->seen_arg = arg;
}

/* Reports an outcome to the tracer, if there is one, and passes it on. */
static int traced(struct root *root, enum root_kind kind, const char *path, int r)
{
	if (root->seen)
		root->seen(root->seen_arg, kind, path, r < 0 ? -r : 0);
	return r;
}

/* The error that the captured machine gave for this path, or 0. */
static int recorded_error(const struct root *root, const char *path)
{
	const char *name = json_string_value(json_object_get(root->errors, path));

	return name ? -errname_parse(name) : 0;
}

static int open_beneath(struct root *root, const char *path, int flags)
{
	int recorded = recorded_error(root, path), fd;

	/* What could not be read can still have been there. */
	if (recorded < 0 && !(flags & O_PATH))
		return recorded;
	while (*path == '/')
		path++;
	fd = resolve_open(root->dirfd, path, flags);
	return fd == -ENOENT && recorded < 0 ? recorded : fd;
}

_printf_(2, 0) static int format_path(char *path, const char *format, va_list args)
{
	int len = vsnprintf(path, PATH_SIZE, format, args);

	return len < 0 || len >= PATH_SIZE ? -ENAMETOOLONG : 0;
}

/* The kernel log is the one device that is read; a FIFO in a tree must not make us wait. */
static int check_readable(int fd, const char *path, const struct root *root)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	if (S_ISCHR(st.st_mode) && root->is_live && streq(path, "dev/kmsg"))
		return 0;
	return S_ISREG(st.st_mode) ? 0 : -EINVAL;
}

static int open_file(struct root *root, const char *path)
{
	_cleanup_(closep) int fd = open_beneath(root, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
	int r, opened;

	if (fd < 0)
		return fd;
	r = check_readable(fd, path, root);
	if (r < 0)
		return r;
	opened = fd;
	fd = -1;
	return opened;
}

/* One read; the end of the kernel log looks like an end of file, an overwritten record is skipped. */
static ssize_t read_some(int fd, void *buf, size_t size)
{
	for (;;) {
		ssize_t n = read(fd, buf, size);

		if (n >= 0)
			return n;
		if (errno == EAGAIN)
			return 0;
		if (errno != EINTR && errno != EPIPE)
			return -errno;
	}
}

static int read_fd(int fd, struct content *ret)
{
	_cleanup_content_ struct content c = { 0 };
	bool too_small = false;
	size_t size = 0;
	ssize_t n;

	do {
		if (c.len + 1 >= size || too_small) {
			size_t wanted = size ? size * 2 : 4096;
			char *text = realloc(c.text, wanted);

			if (!text)
				return -ENOMEM;
			c.text = text;
			size = wanted;
		}
		n = read_some(fd, c.text + c.len, size - c.len - 1);
		/* The kernel log refuses a buffer that its next record does not fit. */
		too_small = n == -EINVAL && size - c.len <= RECORD_MAX;
		if (n < 0 && !too_small)
			return (int)n;
		c.len += n > 0 ? (size_t)n : 0;
		if (c.len > ROOT_FILE_MAX)
			return -EFBIG;
	} while (n > 0 || too_small);
	c.text[c.len] = '\0';
	*ret = c;
	c = (struct content) { 0 };
	return 0;
}

static int read_path(struct root *root, const char *path, struct content *ret)
{
	_cleanup_(closep) int fd = open_file(root, path);

	return fd < 0 ? fd : read_fd(fd, ret);
}

int root_read(struct root *root, struct content *ret, const char *format, ...)
{
	char path[PATH_SIZE];
	va_list args;
	int r;

	va_start(args, format);
	r = format_path(path, format, args);
	va_end(args);
	return r < 0 ? r : traced(root, ROOT_FILE, path, read_path(root, path, ret));
}

int root_read_string(struct root *root, char **ret, const char *format, ...)
{
	_cleanup_content_ struct content c = { 0 };
	char path[PATH_SIZE], *string;
	va_list args;
	int r;

	va_start(args, format);
	r = format_path(path, format, args);
	va_end(args);
	if (r >= 0)
		r = traced(root, ROOT_FILE, path, read_path(root, path, &c));
	if (r < 0)
		return r;
	string = span_dup_utf8(span_trim(content_span(&c)));
	if (!string)
		return -ENOMEM;
	*ret = string;
	return 0;
}

static ssize_t read_into(struct root *root, const char *path, void *buf, size_t size)
{
	_cleanup_(closep) int fd = open_file(root, path);
	size_t len = 0;
	ssize_t n = 1;

	if (fd < 0)
		return fd;
	while (len < size && n > 0) {
		n = read_some(fd, (char *)buf + len, size - len);
		if (n < 0)
			return n;
		len += (size_t)n;
	}
	return (ssize_t)len;
}

ssize_t root_read_into(struct root *root, void *buf, size_t size, const char *format, ...)
{
	char path[PATH_SIZE];
	va_list args;
	ssize_t n;
	int r;

	va_start(args, format);
	r = format_path(path, format, args);
	va_end(args);
	if (r < 0)
		return r;
	n = read_into(root, path, buf, size);
	(void)traced(root, ROOT_FILE, path, n < 0 ? (int)n : 0);
	return n;
}

/* Bytes read but not yet given out as lines. */
struct reader {
	char *buf;
	size_t size, used;
};

static void reader_done(struct reader *reader)
{
	free(reader->buf);
}

static int reader_grow(struct reader *reader)
{
	size_t size = reader->size ? reader->size * 2 : CHUNK;
	char *buf;

	if (size > LINE_MAX_BYTES)
		return -EFBIG;
	buf = realloc(reader->buf, size);
	if (!buf)
		return -ENOMEM;
	reader->buf = buf;
	reader->size = size;
	return 0;
}

/* Gives out the complete lines and keeps the rest; at the end also a line without newline. */
static int reader_give(struct reader *reader, bool at_end, root_line_fn line, void *arg)
{
	struct span rest = { reader->buf, reader->used }, one;
	int r = 0;

	while (r == 0 && rest.len && (at_end || memchr(rest.text, '\n', rest.len)) &&
	       span_line(&rest, &one))
		r = line(one, arg);
	memmove(reader->buf, rest.text, rest.len);
	reader->used = rest.len;
	return r;
}

static int each_line(struct root *root, const char *path, root_line_fn line, void *arg)
{
	_cleanup_(closep) int fd = open_file(root, path);
	_cleanup_(reader_done) struct reader reader = { 0 };
	int r = fd < 0 ? fd : 0;
	ssize_t n = 1;

	while (r == 0 && n > 0) {
		if (reader.used == reader.size)
			r = reader_grow(&reader);
		if (r < 0)
			break;
		n = read_some(fd, reader.buf + reader.used, reader.size - reader.used);
		if (n < 0)
			return (int)n;
		reader.used += (size_t)n;
		r = reader_give(&reader, n == 0, line, arg);
	}
	return r;
}

int root_each_line(struct root *root, root_line_fn line, void *arg, const char *format, ...)
{
	char path[PATH_SIZE];
	va_list args;
	int r;

	va_start(args, format);
	r = format_path(path, format, args);
	va_end(args);
	return r < 0 ? r : traced(root, ROOT_FILE, path, each_line(root, path, line, arg));
}

int root_open_fd(struct root *root, const char *format, ...)
{
	char path[PATH_SIZE];
	va_list args;
	int r;

	va_start(args, format);
	r = format_path(path, format, args);
	va_end(args);
	return r < 0 ? r : traced(root, ROOT_FILE, path, open_file(root, path));
}

void names_done(struct names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->name[i]);
	free(names->name);
	*names = (struct names) { 0 };
}

static int compare_names(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

static int names_add(struct names *names, const char *name)
{
	if ((names->count & (names->count - 1)) == 0) {
		size_t room = names->count ? names->count * 2 : 16;
		char **grown = reallocarray(names->name, room, sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		names->name = grown;
	}
	names->name[names->count] = strdup(name);
	if (!names->name[names->count])
		return -ENOMEM;
	names->count++;
	return 0;
}

static void closedirp(DIR **dir)
{
	if (*dir)
		(void)closedir(*dir);
}

static int list_fd(int fd, struct names *ret)
{
	_cleanup_(closedirp) DIR *dir = fdopendir(fd);
	_cleanup_names_ struct names names = { 0 };
	struct dirent *entry;

	if (!dir) {
		close(fd);
		return -errno;
	}
	while ((errno = 0, entry = readdir(dir))) {
		if (streq(entry->d_name, ".") || streq(entry->d_name, ".."))
			continue;
		if (names_add(&names, entry->d_name) < 0)
			return -ENOMEM;
	}
	if (errno)
		return -errno;
	if (names.count)
		qsort(names.name, names.count, sizeof(*names.name), compare_names);
	*ret = names;
	names = (struct names) { 0 };
	return 0;
}

int root_list(struct root *root, struct names *ret, const char *format, ...)
{
	char path[PATH_SIZE];
	va_list args;
	int r, fd;

	va_start(args, format);
	r = format_path(path, format, args);
	va_end(args);
	if (r < 0)
		return r;
	fd = open_beneath(root, path, O_RDONLY | O_DIRECTORY);
	return traced(root, ROOT_DIRECTORY, path, fd < 0 ? fd : list_fd(fd, ret));
}

int root_exists(struct root *root, const char *format, ...)
{
	char path[PATH_SIZE];
	va_list args;
	int r;

	va_start(args, format);
	r = format_path(path, format, args);
	va_end(args);
	if (r >= 0) {
		_cleanup_(closep) int fd = open_beneath(root, path, O_PATH);

		r = fd < 0 ? fd : 0;
	}
	return traced(root, ROOT_TEST, path, r);
}

bool root_is_read_only(struct root *root, const char *path)
{
	_cleanup_(closep) int fd = open_beneath(root, path, O_PATH);
	struct statvfs fs;

	return fd >= 0 && fstatvfs(fd, &fs) == 0 && (fs.f_flag & ST_RDONLY);
}
