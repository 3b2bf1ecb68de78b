/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file writes trees of our own, file by file (see store.h). */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "base/store.h"

/* Would this path lead out of the tree? */
static bool climbs(const char *path)
{
	for (size_t len; *path; path += len) {
		path += strspn(path, "/");
		len = strcspn(path, "/");
		if (len == 2 && path[0] == '.' && path[1] == '.')
			return true;
	}
	return false;
}

int store_put_directory_at(int dirfd, const char *path)
{
	_cleanup_free_ char *part = strdup(path);

	if (!part)
		return -ENOMEM;
	if (climbs(path))
		return -EXDEV;
	for (char *at = part; at; *at++ = '/') {
		at = strchr(at, '/');
		if (at)
			*at = '\0';
		if (*part && mkdirat(dirfd, part, 0755) < 0 && errno != EEXIST)
			return -errno;
		if (!at)
			break;
	}
	return 0;
}

static int put_parents(int dirfd, const char *path)
{
	_cleanup_free_ char *parent = strdup(path);
	char *slash;

	if (!parent)
		return -ENOMEM;
	slash = strrchr(parent, '/');
	if (!slash)
		return 0;
	*slash = '\0';
	return store_put_directory_at(dirfd, parent);
}

static int write_all(int fd, const char *data, size_t len)
{
	while (len) {
		ssize_t n = write(fd, data, len);

		if (n < 0 && errno != EINTR)
			return -errno;
		data += n > 0 ? n : 0;
		len -= n > 0 ? (size_t)n : 0;
	}
	return 0;
}

static int open_to_write(int dirfd, const char *path, mode_t mode)
{
	return openat(dirfd, path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, mode);
}

int store_put_at(int dirfd, const char *path, const void *data, size_t len, mode_t mode)
{
	int fd, r;

	if (climbs(path))
		return -EXDEV;
	fd = open_to_write(dirfd, path, mode);
	if (fd < 0 && errno == ENOENT) {
		r = put_parents(dirfd, path);
		if (r < 0)
			return r;
		fd = open_to_write(dirfd, path, mode);
	}
	if (fd < 0)
		return -errno;
	r = write_all(fd, data, len);
	if (close(fd) < 0 && r == 0)
		r = -errno;
	return r;
}

static int check_empty(int fd)
{
	DIR *dir = fdopendir(dup(fd));
	struct dirent *entry;
	int r = 0;

	if (!dir)
		return -errno;
	while (r == 0 && (entry = readdir(dir)))
		if (!streq(entry->d_name, ".") && !streq(entry->d_name, ".."))
			r = -ENOTEMPTY;
	(void)closedir(dir);
	return r;
}

int store_new_directory(const char *path)
{
	int fd, r;

	if (mkdir(path, 0755) < 0 && errno != EEXIST)
		return -errno;
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	r = check_empty(fd);
	if (r < 0) {
		(void)close(fd);
		return r;
	}
	return fd;
}
