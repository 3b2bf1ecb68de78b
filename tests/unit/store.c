/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file checks base/store: whole files, old or new, nothing left behind. */
#include "base/store.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

#include "unit.h"

static char dir[] = "/tmp/lpartune-store-XXXXXX";

static unsigned int files_in_dir(void)
{
	DIR *d = opendir(".");
	unsigned int n = 0;

	while (d && readdir(d))
		n++;
	closedir(d);
	return n - 2;
}

static bool has(const char *path, const char *want)
{
	_cleanup_free_ char *text = NULL;
	size_t len;

	return store_read(path, &text, &len) == 0 && len == strlen(want) && streq(text, want);
}

static void check_write(void)
{
	struct stat st;

	CHECK(store_write_atomic("new", "one", 3, 0640) == 0);
	CHECK(has("new", "one"));
	CHECK(stat("new", &st) == 0 && (st.st_mode & 0777) == 0640);
	CHECK(store_write_atomic("new", "", 0, 0640) == 0);
	CHECK(has("new", ""));
	CHECK(symlink("new", "link") == 0);
	CHECK(store_write_atomic("link", "two", 3, 0600) == 0);
	CHECK(lstat("link", &st) == 0 && S_ISLNK(st.st_mode));
	CHECK(has("new", "two"));
	CHECK(files_in_dir() == 2);
}

/* More than one piece, and what is given up leaves the old file. */
static int produce(void *arg, void *sink)
{
	const unsigned int *lines = arg;

	for (unsigned int i = 0; i < *lines; i++) {
		int r = store_put("a line of twenty...\n", 20, sink);

		if (r < 0)
			return r;
	}
	return *lines == 1 ? -ECANCELED : 0;
}

static void check_produced(void)
{
	_cleanup_free_ char *text = NULL;
	unsigned int lines = 5000;
	size_t len = 0;
	unsigned int files = files_in_dir();

	CHECK(store_write_produced("long", produce, &lines, 0600) == 0);
	CHECK(store_read("long", &text, &len) == 0 && len == 100000);
	CHECK(text && memcmp(text + len - 20, "a line of twenty...\n", 20) == 0);
	lines = 1;
	CHECK(store_write_produced("new", produce, &lines, 0600) == -ECANCELED);
	CHECK(has("new", "two"));
	lines = 5000;
	CHECK(store_write_produced("/dev/full", produce, &lines, 0600) == -ENOSPC);
	CHECK(files_in_dir() == files + 1);
	CHECK(unlink("long") == 0);
}

static void check_refusals(void)
{
	char *text = (char *)"untouched";
	size_t len;

	CHECK(store_check_writable("fresh") == 0);
	CHECK(store_check_writable("new") == 0);
	CHECK(store_check_writable("no/such/dir") == -ENOENT);
	CHECK(store_check_writable("new/below") == -ENOTDIR);
	CHECK(store_check_writable(".") == -EISDIR);
	CHECK(store_check_writable("") == -ENOENT);
	CHECK(store_check_writable("/dev/null") == 0);
	CHECK(store_write_atomic("no/such", "x", 1, 0600) == -ENOENT);
	CHECK(store_write_atomic("/dev/null", "x", 1, 0600) == 0);
	CHECK(store_write_atomic("/dev/full", "x", 1, 0600) == -ENOSPC);
	CHECK(mkfifo("pipe", 0600) == 0);
	CHECK(store_write_atomic("pipe", "x", 1, 0600) == -ENXIO); /* nobody reads it */
	CHECK(unlink("pipe") == 0);
	CHECK(store_read(".", &text, &len) == -EISDIR);
	CHECK(store_read("nothing", &text, &len) == -ENOENT && streq(text, "untouched"));
	CHECK(files_in_dir() == 2);
}

static void check_large(void)
{
	_cleanup_free_ char *data = malloc(300000), *text = NULL;
	size_t len = 0;

	memset(data, 'x', 300000);
	CHECK(store_write_atomic("large", data, 300000, 0600) == 0);
	CHECK(store_read("large", &text, &len) == 0 && len == 300000);
	CHECK(text && memcmp(text, data, len) == 0);
}

int main(void)
{
	umask(022);
	if (!mkdtemp(dir) || chdir(dir) < 0)
		return 1;
	check_write();
	check_produced();
	check_refusals();
	check_large();
	CHECK(unlink("new") == 0 && unlink("link") == 0 && unlink("large") == 0);
	CHECK(rmdir(dir) == 0);
	return unit_done();
}
