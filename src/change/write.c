/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file is the only writer of the machine's files; it never leaves the root it is given. */
#include "change/write.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <sys/statfs.h>
#include <sys/xattr.h>

#include "base/openat2.h"

#define LINKS_MAX 40 /* as the kernel */
#define TRIES 16     /* openat2 gives EAGAIN when a rename raced with a ".." */

/* The name of a file until it is complete. One fixed name: what a crash left is found again. Lists
 * of drop-ins (*.conf, *.cfg) do not take it for one of theirs. */
#define LEFTOVER ".lpartune-new~"

void image_done(struct image *image)
{
	free(image->data);
	*image = (struct image) { 0 };
}

bool image_same(const struct image *a, const struct image *b)
{
	if (!a->exists || !b->exists)
		return a->exists == b->exists;
	return a->len == b->len && memcmp(a->data, b->data, a->len) == 0;
}

int image_of_text(const char *text, mode_t mode, struct image *ret)
{
	char *copy = strdup(text);

	if (!copy)
		return -ENOMEM;
	*ret = (struct image) {
		.exists = true,
		.data = copy,
		.len = strlen(copy),
		.mode = mode,
		.mtime_ns = -1,
	};
	return 0;
}

static int open_beneath(int dirfd, const char *path, int flags, mode_t mode)
{
	struct open_how how = {
		.flags = (unsigned int)(flags | O_CLOEXEC | (flags & O_PATH ? 0 : O_NOCTTY)),
		.mode = flags & O_CREAT ? mode : 0,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	long fd = -1;

	for (int i = 0; i < TRIES; i++) {
		fd = syscall(__NR_openat2, dirfd, *path ? path : ".", &how, sizeof(how));
		if (fd >= 0 || (errno != EAGAIN && errno != EINTR))
			break;
	}
	return fd < 0 ? -errno : (int)fd;
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

static int read_all(int fd, char **ret, size_t *ret_len)
{
	_cleanup_free_ char *data = NULL;
	size_t len = 0, size = 0;
	ssize_t n = 1;

	while (n > 0) {
		if (len + 1 >= size) {
			char *grown = realloc(data, size = size ? size * 2 : 4096);

			if (!grown)
				return -ENOMEM;
			data = grown;
		}
		n = read(fd, data + len, size - len - 1);
		if (n < 0 && errno != EINTR)
			return -errno;
		len += n > 0 ? (size_t)n : 0;
		if (len > ROOT_FILE_MAX)
			return -EFBIG;
		n = n < 0 ? 1 : n;
	}
	data[len] = '\0';
	*ret = take_ptr(&data);
	*ret_len = len;
	return 0;
}

static int64_t mtime_of(const struct stat *st)
{
	return (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
}

int write_read(struct root *root, const char *path, struct image *ret)
{
	_cleanup_close_ int fd = open_beneath(root_fd(root), path, O_RDONLY | O_NONBLOCK, 0);
	struct image image = { .exists = true };
	struct stat st;
	int r;

	if (fd == -ENOENT) {
		*ret = (struct image) { 0 };
		return 0;
	}
	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return S_ISDIR(st.st_mode) ? -EISDIR : -EINVAL;
	r = read_all(fd, &image.data, &image.len);
	if (r < 0)
		return r;
	image.mode = st.st_mode & 07777;
	image.mtime_ns = mtime_of(&st);
	*ret = image;
	return 0;
}

int write_is_kernel(struct root *root, const char *path)
{
	static const unsigned int magic[] = { PROC_SUPER_MAGIC, SYSFS_MAGIC, DEBUGFS_MAGIC };
	_cleanup_close_ int fd = open_beneath(root_fd(root), path, O_PATH, 0);
	struct statfs fs;

	if (fd < 0)
		return fd;
	if (fstatfs(fd, &fs) < 0)
		return -errno;
	for (size_t i = 0; i < ARRAY_SIZE(magic); i++)
		if ((unsigned int)fs.f_type == magic[i])
			return 1;
	return 0;
}

int write_value(struct root *root, const char *path, const char *text)
{
	_cleanup_close_ int fd = open_beneath(root_fd(root), path, O_WRONLY | O_TRUNC | O_NONBLOCK,
					      0);
	struct stat st;
	ssize_t n;

	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	/* One write: the kernel parses each write as a command of its own. */
	do
		n = write(fd, text, strlen(text));
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	return (size_t)n == strlen(text) ? 0 : -EIO;
}

/* A path in which the last component is no link: where a file really stands, or would. */
struct target {
	char path[PATH_MAX];
	int dirfd; /* of its directory */
	const char *name;
};

static void target_done(struct target *target)
{
	cleanup_close(&target->dirfd);
}

/* Opens the directory that path's last component is in. */
static int open_parent(struct root *root, struct target *target)
{
	char dir[PATH_MAX];
	char *slash = strrchr(target->path, '/');
	int fd;

	snprintf(dir, sizeof(dir), "%.*s", slash ? (int)(slash - target->path) : 1,
		 slash ? target->path : ".");
	fd = open_beneath(root_fd(root), dir, O_RDONLY | O_DIRECTORY, 0);
	if (fd < 0)
		return fd;
	cleanup_close(&target->dirfd);
	target->dirfd = fd;
	target->name = slash ? slash + 1 : target->path;
	return 0;
}

/* Puts a link's target in the place of the link. */
static int follow(struct target *target, const char *link, size_t len)
{
	char path[PATH_MAX];
	size_t dir = (size_t)(target->name - target->path);
	int n;

	if (len && link[0] == '/')
		dir = 0;
	n = snprintf(path, sizeof(path), "%.*s%.*s", (int)dir, target->path, (int)len, link);
	if (n < 0 || n >= PATH_MAX)
		return -ENAMETOOLONG;
	memcpy(target->path, path, (size_t)n + 1);
	return 0;
}

static int find_target(struct root *root, const char *path, struct target *target)
{
	if (snprintf(target->path, sizeof(target->path), "%s", path) >= PATH_MAX)
		return -ENAMETOOLONG;
	for (int links = 0; links < LINKS_MAX; links++) {
		char link[PATH_MAX];
		ssize_t len;
		int r = open_parent(root, target);

		if (r < 0)
			return r;
		len = readlinkat(target->dirfd, target->name, link, sizeof(link));
		if (len < 0)
			return errno == EINVAL || errno == ENOENT ? 0 : -errno;
		r = follow(target, link, (size_t)len);
		if (r < 0)
			return r;
	}
	return -ELOOP;
}

/* Copies one extended attribute; file systems that have none of its kind are no reason to stop. */
static int copy_attribute(int from, int to, const char *name)
{
	_cleanup_free_ char *value = NULL;
	ssize_t size = fgetxattr(from, name, NULL, 0);

	if (size < 0)
		return errno == ENODATA || errno == EOPNOTSUPP ? 0 : -errno;
	value = malloc((size_t)size + 1);
	if (!value)
		return -ENOMEM;
	size = fgetxattr(from, name, value, (size_t)size);
	if (size < 0)
		return -errno;
	return fsetxattr(to, name, value, (size_t)size, 0) < 0 ? -errno : 0;
}

/* ACLs and SELinux labels are extended attributes too. */
static int copy_attributes(int from, int to)
{
	_cleanup_free_ char *names = NULL;
	ssize_t size = flistxattr(from, NULL, 0);
	int r = 0;

	if (size <= 0)
		return size < 0 && errno != EOPNOTSUPP ? -errno : 0;
	names = malloc((size_t)size);
	if (!names)
		return -ENOMEM;
	size = flistxattr(from, names, (size_t)size);
	if (size < 0)
		return -errno;
	for (char *name = names; r == 0 && name < names + size; name += strlen(name) + 1)
		r = copy_attribute(from, to, name);
	return r;
}

/* Owner first: chown takes set-id bits away, and the mode may then be set for good. */
static int copy_owner_and_mode(int from, int to)
{
	struct stat st;

	if (fstat(from, &st) < 0 || fchown(to, st.st_uid, st.st_gid) < 0 ||
	    fchmod(to, st.st_mode & 07777) < 0)
		return -errno;
	return copy_attributes(from, to);
}

static int set_time(int fd, const struct image *image, bool keep_time)
{
	struct timespec times[2] = {
		{ .tv_nsec = UTIME_OMIT },
		{ .tv_sec = image->mtime_ns / 1000000000, .tv_nsec = image->mtime_ns % 1000000000 },
	};

	if (!keep_time || image->mtime_ns < 0)
		return 0;
	return futimens(fd, times) < 0 ? -errno : 0;
}

/* Fills a new file: bytes, owner, attributes, and all of it on the disk. */
static int fill(int fd, int old, const struct image *image, bool keep_time)
{
	int r = write_all(fd, image->data, image->len);

	if (r == 0 && old >= 0)
		r = copy_owner_and_mode(old, fd);
	else if (r == 0 && fchmod(fd, image->mode) < 0)
		r = -errno;
	if (r == 0)
		r = set_time(fd, image, keep_time);
	if (r == 0 && fsync(fd) < 0)
		r = -errno;
	return r;
}

static int replace(const struct target *target, int old, const struct image *image, bool keep_time)
{
	_cleanup_close_ int fd = -1;
	int r;

	if (unlinkat(target->dirfd, LEFTOVER, 0) < 0 && errno != ENOENT)
		return -errno;
	fd = openat(target->dirfd, LEFTOVER, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		    0600);
	if (fd < 0)
		return -errno;
	r = fill(fd, old, image, keep_time);
	if (r == 0 && renameat(target->dirfd, LEFTOVER, target->dirfd, target->name) < 0)
		r = -errno;
	if (r < 0)
		(void)unlinkat(target->dirfd, LEFTOVER, 0);
	return r;
}

/* A file of several names keeps them only if its own bytes change. */
static int rewrite(const struct target *target, const struct image *image, bool keep_time)
{
	_cleanup_close_ int fd = openat(target->dirfd, target->name,
					O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
	int r;

	if (fd < 0)
		return -errno;
	r = write_all(fd, image->data, image->len);
	if (r == 0 && ftruncate(fd, (off_t)image->len) < 0)
		r = -errno;
	if (r == 0)
		r = set_time(fd, image, keep_time);
	if (r == 0 && fsync(fd) < 0)
		r = -errno;
	return r;
}

static int sync_directory(int dirfd)
{
	return fsync(dirfd) < 0 && errno != EINVAL ? -errno : 0;
}

static int remove_file(const struct target *target)
{
	if (unlinkat(target->dirfd, target->name, 0) < 0)
		return errno == ENOENT ? 0 : -errno;
	return sync_directory(target->dirfd);
}

int write_image(struct root *root, const char *path, const struct image *image, bool keep_time)
{
	_cleanup_(target_done) struct target target = { .dirfd = -1 };
	_cleanup_close_ int old = -1;
	struct stat st = { 0 };
	int r = find_target(root, path, &target);

	if (r == -ENOENT && !image->exists)
		return 0;
	if (r < 0)
		return r;
	if (!image->exists)
		return remove_file(&target);
	old = openat(target.dirfd, target.name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (old < 0 && errno != ENOENT)
		return -errno;
	if (old >= 0 && (fstat(old, &st) < 0 || !S_ISREG(st.st_mode)))
		return -EINVAL;
	if (st.st_nlink > 1)
		return rewrite(&target, image, keep_time);
	r = replace(&target, old, image, keep_time);
	return r < 0 ? r : sync_directory(target.dirfd);
}

void write_drop_leftover(struct root *root, const char *path)
{
	_cleanup_(target_done) struct target target = { .dirfd = -1 };

	if (find_target(root, path, &target) == 0)
		(void)unlinkat(target.dirfd, LEFTOVER, 0);
}

/* 1 if it had to be made, 0 if it was there. */
static int make_directory(struct root *root, const char *path)
{
	_cleanup_(target_done) struct target target = { .dirfd = -1 };
	_cleanup_close_ int fd = open_beneath(root_fd(root), path, O_PATH | O_DIRECTORY, 0);
	int r;

	if (fd != -ENOENT)
		return fd < 0 ? fd : 0;
	r = find_target(root, path, &target);
	if (r < 0)
		return r;
	if (mkdirat(target.dirfd, target.name, 0755) < 0)
		return -errno;
	r = sync_directory(target.dirfd);
	return r < 0 ? r : 1;
}

/* mkdir -p for the first `len` bytes of a path. Returns the number of directories made. */
static int make_path(struct root *root, const char *path, size_t len)
{
	char part[PATH_MAX];
	int made = 0;

	if (len >= sizeof(part))
		return -ENAMETOOLONG;
	for (size_t i = 1; i <= len; i++) {
		int r;

		if (i < len && path[i] != '/')
			continue;
		memcpy(part, path, i);
		part[i] = '\0';
		r = make_directory(root, part);
		if (r < 0)
			return r;
		made += r;
	}
	return made;
}

int write_make_directories(struct root *root, const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? make_path(root, path, (size_t)(slash - path)) : 0;
}

void write_drop_directories(struct root *root, const char *path, int levels)
{
	char part[PATH_MAX];

	if (snprintf(part, sizeof(part), "%s", path) >= PATH_MAX)
		return;
	for (char *slash; levels > 0 && (slash = strrchr(part, '/')); levels--) {
		_cleanup_(target_done) struct target target = { .dirfd = -1 };

		*slash = '\0';
		if (find_target(root, part, &target) < 0 ||
		    unlinkat(target.dirfd, target.name, AT_REMOVEDIR) < 0)
			return;
	}
}

int write_open_directory(struct root *root, const char *path, bool create)
{
	int r = create ? make_path(root, path, strlen(path)) : 0;

	return r < 0 ? r : open_beneath(root_fd(root), path, O_RDONLY | O_DIRECTORY, 0);
}
