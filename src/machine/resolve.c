/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file resolves paths beneath a directory: by openat2, or step by step where there is none. */
#include "machine/resolve.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "base/openat2.h"
#include "base/util.h"

#define LINKS_MAX 40 /* as the kernel */
#define TRIES 16     /* openat2 gives EAGAIN when a rename raced with a ".." */

static int open_in_root(int dirfd, const char *path, int flags)
{
	struct open_how how = {
		.flags = (unsigned int)(flags | O_CLOEXEC),
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

/* A walk: the directories from the root down to where we are, and the path still to go. */
struct walk {
	int fds[128];
	int depth; /* fds[0] is the root and belongs to the caller */
	int links;
	char todo[PATH_MAX];
};

static void walk_up(struct walk *walk)
{
	if (walk->depth > 0)
		close(walk->fds[walk->depth--]);
}

static void walk_to_root(struct walk *walk)
{
	while (walk->depth > 0)
		walk_up(walk);
}

/* Puts a link's target before what is still to go. */
static int walk_link(struct walk *walk, const char *name)
{
	char target[PATH_MAX], rest[PATH_MAX];
	ssize_t len = readlinkat(walk->fds[walk->depth], name, target, sizeof(target) - 1);

	if (len < 0)
		return -errno;
	if (++walk->links > LINKS_MAX)
		return -ELOOP;
	target[len] = '\0';
	memcpy(rest, walk->todo, sizeof(rest));
	if ((size_t)snprintf(walk->todo, sizeof(walk->todo), "%.*s/%.*s", (int)len, target,
			     (int)strnlen(rest, sizeof(rest) - 1), rest) >= sizeof(walk->todo))
		return -ENAMETOOLONG;
	if (target[0] == '/')
		walk_to_root(walk);
	return 0;
}

/* Takes the next component off the path; false at the end. */
static bool walk_next(struct walk *walk, char *name)
{
	size_t skip = strspn(walk->todo, "/"), len = strcspn(walk->todo + skip, "/");

	memcpy(name, walk->todo + skip, len);
	name[len] = '\0';
	memmove(walk->todo, walk->todo + skip + len, strlen(walk->todo + skip + len) + 1);
	return len > 0;
}

static bool walk_is_last(const struct walk *walk)
{
	return walk->todo[strspn(walk->todo, "/")] == '\0';
}

/* Goes one component further. Returns the wanted descriptor at the end of the path, -EAGAIN on
 * the way, -errno. */
static int walk_step(struct walk *walk, const char *name, int flags)
{
	int here = walk->fds[walk->depth], fd;
	bool last = walk_is_last(walk);
	struct stat st;

	if (streq(name, "."))
		return -EAGAIN;
	if (streq(name, "..")) {
		walk_up(walk);
		return -EAGAIN;
	}
	if (fstatat(here, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return -errno;
	if (S_ISLNK(st.st_mode)) {
		int r = walk_link(walk, name);

		return r < 0 ? r : -EAGAIN;
	}
	if (!last && walk->depth + 1 >= (int)ARRAY_SIZE(walk->fds))
		return -ELOOP;
	fd = openat(here, name, (last ? flags : O_PATH | O_DIRECTORY) | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (last)
		return fd;
	walk->fds[++walk->depth] = fd;
	return -EAGAIN;
}

static int open_by_walking(int dirfd, const char *path, int flags)
{
	struct walk walk = { .fds = { dirfd } };
	char name[PATH_MAX];
	int fd = -EAGAIN;

	if (strlen(path) >= sizeof(walk.todo))
		return -ENAMETOOLONG;
	memcpy(walk.todo, path, strlen(path) + 1);
	while (fd == -EAGAIN && walk_next(&walk, name))
		fd = walk_step(&walk, name, flags);
	if (fd == -EAGAIN) { /* the path ended in "." or ".." */
		fd = openat(walk.fds[walk.depth], ".", flags | O_CLOEXEC);
		if (fd < 0)
			fd = -errno;
	}
	walk_to_root(&walk);
	return fd;
}

int resolve_open(int dirfd, const char *path, int flags)
{
	int fd = open_in_root(dirfd, path, flags);

	/* ENOSYS: no openat2. EPERM can be a seccomp filter that does not know it; walking answers
	 * the same if the permission is really missing. */
	return fd == -ENOSYS || fd == -EPERM ? open_by_walking(dirfd, path, flags) : fd;
}
