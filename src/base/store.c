/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file reads and writes the files that are ours or that the user named; it knows no format. */
#include "base/store.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdint.h>
#include <sys/file.h>
#include <sys/stat.h>

#define CHUNK 65536

/* Grows `*text` so that a chunk and a NUL fit behind `len` bytes. */
static int make_room(char **text, size_t *size, size_t len)
{
	char *grown;

	if (len > STORE_FILE_MAX)
		return -EFBIG;
	if (*size - len > CHUNK)
		return 0;
	*size = *size * 2 + CHUNK + 1;
	grown = realloc(*text, *size);
	if (!grown)
		return -ENOMEM;
	*text = grown;
	return 0;
}

static int read_all(int fd, char **ret, size_t *ret_len)
{
	_cleanup_free_ char *text = NULL;
	size_t size = 0, len = 0;

	for (;;) {
		int r = make_room(&text, &size, len);
		ssize_t n;

		if (r < 0)
			return r;
		n = read(fd, text + len, CHUNK);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		len += (size_t)n;
	}
	text[len] = '\0';
	*ret = take_ptr(&text);
	*ret_len = len;
	return 0;
}

int store_read(const char *path, char **ret, size_t *ret_len)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);

	return fd < 0 ? -errno : read_all(fd, ret, ret_len);
}

static int write_all(int fd, const char *data, size_t len)
{
	while (len) {
		ssize_t n = write(fd, data, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		data += n;
		len -= (size_t)n;
	}
	return 0;
}

/* A file on its way: small pieces are gathered. */
struct sink {
	int fd;
	size_t len;
	char piece[16384];
};

static int sink_flush(struct sink *sink)
{
	int r = write_all(sink->fd, sink->piece, sink->len);

	sink->len = 0;
	return r;
}

int store_put(const char *data, size_t len, void *to)
{
	struct sink *sink = to;

	while (len) {
		size_t room = sizeof(sink->piece) - sink->len, n = len < room ? len : room;
		int r = 0;

		memcpy(sink->piece + sink->len, data, n);
		sink->len += n;
		data += n;
		len -= n;
		if (sink->len == sizeof(sink->piece))
			r = sink_flush(sink);
		if (r < 0)
			return r;
	}
	return 0;
}

/* What a file shall have: all of it here, or a function that makes it. */
struct content_source {
	const void *data;
	size_t len;
	store_produce_fn produce;
	void *arg;
};

static int write_content(int fd, const struct content_source *from)
{
	struct sink sink = { .fd = fd };
	int r;

	if (!from->produce)
		return write_all(fd, from->data, from->len);
	r = from->produce(from->arg, &sink);
	return r < 0 ? r : sink_flush(&sink);
}

/* Where the bytes go: the file behind a link, a regular file to be replaced, or neither yet. */
struct place {
	char path[PATH_MAX];
	bool is_special; /* no regular file: written to as it stands */
};

static int find_place(const char *path, struct place *place)
{
	_cleanup_free_ char *real = NULL;
	struct stat st;
	bool exists = stat(path, &st) == 0;

	if (!*path || (!exists && errno != ENOENT))
		return *path ? -errno : -ENOENT;
	if (exists && S_ISDIR(st.st_mode))
		return -EISDIR;
	*place = (struct place) { .is_special = exists && !S_ISREG(st.st_mode) };
	/* By the name that was given: a pipe behind /dev/stdout or /dev/fd has no other. */
	if (place->is_special)
		return access(path, W_OK) < 0 ? -errno : 0;
	real = realpath(path, NULL);
	if (!real && errno != ENOENT)
		return -errno;
	if (snprintf(place->path, sizeof(place->path), "%s", real ? real : path) >= PATH_MAX)
		return -ENAMETOOLONG;
	if (!real) /* a link to nothing is not ours to replace */
		return lstat(path, &st) == 0 ? -ENOENT : 0;
	/* Rename would replace a file that its owner has write-protected. */
	return access(real, W_OK) < 0 ? -errno : 0;
}

/* The directory of a path, opened. */
static int open_directory(const char *path)
{
	char dir[PATH_MAX];
	const char *slash = strrchr(path, '/');
	int fd;

	if (!slash)
		snprintf(dir, sizeof(dir), ".");
	else
		snprintf(dir, sizeof(dir), "%.*s", slash == path ? 1 : (int)(slash - path), path);
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* Creates a file of a name that nobody has in `dirfd`. */
static int create_temporary(int dirfd, mode_t mode, char *name, size_t size)
{
	for (unsigned int i = 0; i < 1000; i++) {
		int fd;

		snprintf(name, size, ".lpartune-%ld-%u.tmp", (long)getpid(), i);
		fd = openat(dirfd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
			    mode);
		if (fd >= 0)
			return fd;
		if (errno != EEXIST)
			return -errno;
	}
	return -EEXIST;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Gives the bytes their name once they are on the disk. */
static int write_and_rename(int dirfd, const char *name, const struct content_source *from,
			    mode_t mode)
{
	char temporary[64];
	_cleanup_close_ int fd = create_temporary(dirfd, mode, temporary, sizeof(temporary));
	int r;

	if (fd < 0)
		return fd;
	r = write_content(fd, from);
	if (r == 0 && fsync(fd) < 0)
		r = -errno;
	if (r == 0 && renameat(dirfd, temporary, dirfd, name) < 0)
		r = -errno;
	if (r < 0) {
		(void)unlinkat(dirfd, temporary, 0);
		return r;
	}
	return fsync(dirfd) < 0 && errno != EINVAL ? -errno : 0;
}

static int write_special(const char *path, const struct content_source *from)
{
	_cleanup_close_ int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	/* A pipe that nobody reads would hold us for ever; with a reader its pace is ours. */
	if (fd < 0 || fcntl(fd, F_SETFL, 0) < 0)
		return -errno;
	return write_content(fd, from);
}

static int write_file(const char *path, const struct content_source *from, mode_t mode)
{
	struct place place;
	int r = find_place(path, &place);
	_cleanup_close_ int dirfd = -1;

	if (r < 0)
		return r;
	if (place.is_special)
		return write_special(path, from);
	dirfd = open_directory(place.path);
	if (dirfd < 0)
		return dirfd;
	return write_and_rename(dirfd, last_part(place.path), from, mode);
}

int store_write_atomic(const char *path, const void *data, size_t len, mode_t mode)
{
	const struct content_source from = { .data = data, .len = len };

	return write_file(path, &from, mode);
}

int store_write_produced(const char *path, store_produce_fn produce, void *arg, mode_t mode)
{
	const struct content_source from = { .produce = produce, .arg = arg };

	return write_file(path, &from, mode);
}

int store_check_writable(const char *path)
{
	struct place place;
	int r = find_place(path, &place);
	_cleanup_close_ int dirfd = -1, fd = -1;
	char temporary[64];

	if (r < 0 || place.is_special)
		return r;
	if (!*last_part(place.path))
		return -EISDIR;
	dirfd = open_directory(place.path);
	if (dirfd < 0)
		return dirfd;
	fd = create_temporary(dirfd, 0600, temporary, sizeof(temporary));
	if (fd < 0)
		return fd;
	return unlinkat(dirfd, temporary, 0) < 0 ? -errno : 0;
}

int store_write_at(int dirfd, const char *name, const void *data, size_t len, mode_t mode)
{
	const struct content_source from = { .data = data, .len = len };

	return write_and_rename(dirfd, name, &from, mode);
}

int store_read_at(int dirfd, const char *name, char **ret, size_t *ret_len)
{
	_cleanup_close_ int fd = openat(dirfd, name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW);

	return fd < 0 ? -errno : read_all(fd, ret, ret_len);
}

int store_remove_at(int dirfd, const char *name)
{
	if (unlinkat(dirfd, name, 0) < 0)
		return errno == ENOENT ? 0 : -errno;
	return fsync(dirfd) < 0 && errno != EINVAL ? -errno : 0;
}

int store_append_at(int dirfd, const char *name, const char *line, mode_t mode)
{
	_cleanup_close_ int fd = openat(
		dirfd, name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, mode);
	int r;

	if (fd < 0)
		return -errno;
	r = write_all(fd, line, strlen(line));
	return r == 0 && fsync(fd) < 0 ? -errno : r;
}

int store_lock_at(int dirfd, const char *name)
{
	int flags = name ? O_RDWR | O_CREAT : O_RDONLY | O_DIRECTORY;
	_cleanup_close_ int fd = openat(dirfd, name ? name : ".", flags | O_CLOEXEC | O_NOFOLLOW,
					0644);

	if (fd < 0)
		return -errno;
	if (flock(fd, LOCK_EX | LOCK_NB) < 0)
		return errno == EWOULDBLOCK ? -EBUSY : -errno;
	return take_fd(&fd);
}

void store_paths_done(struct store_paths *paths)
{
	for (size_t i = 0; i < paths->count; i++)
		free(paths->path[i]);
	free(paths->path);
	*paths = (struct store_paths) { 0 };
}

static int copy_paths(char *const *path, size_t count, struct store_paths *ret)
{
	struct store_paths paths = { .path = calloc(count + 1, sizeof(*paths.path)) };

	if (!paths.path)
		return -ENOMEM;
	for (; paths.count < count; paths.count++) {
		paths.path[paths.count] = strdup(path[paths.count]);
		if (!paths.path[paths.count]) {
			store_paths_done(&paths);
			return -ENOMEM;
		}
	}
	*ret = paths;
	return 0;
}

int store_glob(const char *pattern, struct store_paths *ret)
{
	glob_t found;
	int r;

	if (access(pattern, F_OK) == 0)
		return copy_paths((char *const *)&pattern, 1, ret);
	r = glob(pattern, 0, NULL, &found);
	if (r == GLOB_NOMATCH)
		return -ENOENT;
	if (r)
		return -ENOMEM;
	r = copy_paths(found.gl_pathv, found.gl_pathc, ret);
	globfree(&found);
	return r;
}
