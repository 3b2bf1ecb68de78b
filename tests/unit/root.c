/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nothing outside the root is reached, by openat2 and without it. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

/* Its own copy, to reach the walk that stands in for openat2. */
#define resolve_open resolve_open_here
#include "machine/resolve.c"
#undef resolve_open
#include "tree.h"
#include "unit.h"

static void link_to(const char *target, const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", tree_dir, name);
	if (symlink(target, path) < 0)
		perror(path);
}

static void make_tree(void)
{
	char path[128];

	tree_new();
	tree_file("in/file", "inside\n");
	tree_file("etc/passwd", "of the tree\n");
	link_to("/etc/passwd", "absolute");
	link_to("../../../../etc/passwd", "in/up");
	link_to("loop2", "loop1");
	link_to("loop1", "loop2");
	link_to("in", "dir");
	link_to("/nowhere", "dangling");
	snprintf(path, sizeof(path), "%s/fifo", tree_dir);
	mkfifo(path, 0600);
}

/* The bytes behind a path, or the error. */
static int read_by(int (*opener)(int, const char *, int), int dirfd, const char *path, char *buf,
		   size_t size)
{
	int fd = opener(dirfd, path, O_RDONLY | O_NONBLOCK);
	ssize_t n;

	if (fd < 0)
		return fd;
	n = read(fd, buf, size - 1);
	close(fd);
	if (n < 0)
		return -errno;
	buf[n] = '\0';
	return 0;
}

static void test_opener(int (*opener)(int, const char *, int))
{
	int dirfd = open(tree_dir, O_PATH | O_DIRECTORY);
	char buf[64] = "";

	CHECK(read_by(opener, dirfd, "in/file", buf, sizeof(buf)) == 0 && streq(buf, "inside\n"));
	CHECK(read_by(opener, dirfd, "dir/file", buf, sizeof(buf)) == 0 && streq(buf, "inside\n"));
	CHECK(read_by(opener, dirfd, "absolute", buf, sizeof(buf)) == 0 &&
	      streq(buf, "of the tree\n"));
	CHECK(read_by(opener, dirfd, "in/up", buf, sizeof(buf)) == 0 &&
	      streq(buf, "of the tree\n"));
	CHECK(read_by(opener, dirfd, "../../etc/passwd", buf, sizeof(buf)) == 0 &&
	      streq(buf, "of the tree\n"));
	CHECK(read_by(opener, dirfd, "in/../etc/./passwd", buf, sizeof(buf)) == 0 &&
	      streq(buf, "of the tree\n"));
	CHECK(read_by(opener, dirfd, "loop1", buf, sizeof(buf)) == -ELOOP);
	CHECK(read_by(opener, dirfd, "dangling", buf, sizeof(buf)) == -ENOENT);
	CHECK(read_by(opener, dirfd, "in/file/x", buf, sizeof(buf)) == -ENOTDIR);
	CHECK(read_by(opener, dirfd, "in", buf, sizeof(buf)) == -EISDIR);
	CHECK(read_by(opener, dirfd, "absent", buf, sizeof(buf)) == -ENOENT);
	close(dirfd);
}

static int count_line(struct span line, void *arg)
{
	size_t *longest = arg;

	*longest = line.len > *longest ? line.len : *longest;
	return 0;
}

static void test_reading(struct root *root)
{
	struct content c = { 0 };
	struct names names = { 0 };
	size_t longest = 0, size = 3 << 20;
	char *big = malloc(size + 1);

	CHECK(root_read(root, &c, "fifo") == -EINVAL); /* and does not wait for a writer */
	CHECK(root_read(root, &c, "in") == -EISDIR && !c.text);
	CHECK(root_read(root, &c, "in/%s", "file") == 0 && c.len == 7 && c.text[7] == '\0');
	content_done(&c);
	memset(big, 'x', size);
	big[size] = '\0';
	big[100] = '\n';
	tree_file("big", big);
	CHECK(root_read(root, &c, "big") == 0 && c.len == size);
	content_done(&c);
	CHECK(root_each_line(root, count_line, &longest, "big") == 0 && longest == size - 101);
	tree_file("list/cpu10", "");
	tree_file("list/cpu2", "");
	tree_file("list/cpu1", "");
	CHECK(root_list(root, &names, "list") == 0 && names.count == 3);
	CHECK(streq(names.name[0], "cpu1") && streq(names.name[2], "cpu10"));
	CHECK(root_list(root, &names, "in/file") == -ENOTDIR);
	names_done(&names);
	free(big);
}

int main(void)
{
	struct root *root = NULL;

	make_tree();
	test_opener(resolve_open_here);
	test_opener(open_by_walking);
	CHECK(root_open(tree_dir, &root) == 0 && !root_is_live(root));
	test_reading(root);
	root_close(root);
	CHECK(root_open("/nonexistent-directory", &root) == -ENOENT);
	return unit_done();
}
