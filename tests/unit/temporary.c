/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Temporary changes: recorded before the write, put back on every way out, also by the next start. */
#include "change/record/temporary.h"

#include <errno.h>
#include <sys/wait.h>

#include "tree.h"
#include "unit.h"

#define STATS "proc/powerpc/vcpudispatch_stats"
#define FEATURES "sys/kernel/debug/sched/features"
#define THP "sys/kernel/mm/transparent_hugepage/enabled"
#define RECORD "var/lib/lpartune/temporary.json"

static struct change_wish wishes[3];

static void make_tree(void)
{
	tree_new();
	tree_file(STATS, "off\n");
	tree_file(FEATURES, "GENTLE NONTASK_CAPACITY TTWU_QUEUE\n");
	tree_file(THP, "always [madvise] never\n");
	tree_file("var/lib/x", "");
	wishes[0] = (struct change_wish) { tunable_find("dispatch:vcpudispatch_stats"), "on" };
	wishes[1] = (struct change_wish) { tunable_find("feature:NONTASK_CAPACITY"), "off" };
	wishes[2] = (struct change_wish) { tunable_find("thp:enabled"), "never" };
}

static bool tree_is_original(void)
{
	bool stats = tree_is(STATS, "off\n");
	bool features = tree_is(FEATURES, "GENTLE NONTASK_CAPACITY TTWU_QUEUE\n");
	bool thp = tree_is(THP, "always [madvise] never\n");

	return stats && features && thp;
}

static void test_begin_and_end(struct root *root)
{
	struct change_temporary *temporary, *second;
	size_t failed;

	CHECK(change_temporary_begin(root, wishes, 3, 0, &temporary, NULL) == 0);
	CHECK(tree_is(STATS, "on\n"));
	CHECK(tree_is(FEATURES, "GENTLE NO_NONTASK_CAPACITY TTWU_QUEUE\n"));
	CHECK(tree_is(THP, "always madvise [never]\n"));
	CHECK(change_temporary_begin(root, wishes, 3, 0, &second, &failed) == -EBUSY);
	CHECK(change_temporary_switch(temporary, false) == 0);
	CHECK(tree_is_original());
	CHECK(change_temporary_switch(temporary, true) == 0);
	CHECK(tree_is(THP, "always madvise [never]\n"));
	CHECK(change_temporary_end(temporary) == 0);
	CHECK(tree_is_original());
	CHECK(root_exists(root, "var/lib/lpartune") == -ENOENT);
}

static void test_failure(struct root *root)
{
	struct change_temporary *temporary;
	size_t failed = 99;

	wishes[2].value = "sometimes";
	CHECK(change_temporary_begin(root, wishes, 3, 0, &temporary, &failed) == -EINVAL);
	CHECK(failed == 2);
	wishes[2].value = "never";
	tree_drop(THP);
	CHECK(change_temporary_begin(root, wishes, 3, 0, &temporary, &failed) == -ENOENT);
	CHECK(failed == 2);
	tree_file(THP, "always [madvise] never\n");
	CHECK(tree_is_original());
	CHECK(change_temporary_end(NULL) == 0);
}

/* What a killed command left is put back by the next one. */
static void test_killed(struct root *root)
{
	struct change_temporary *temporary;
	pid_t pid = fork();

	if (pid == 0) {
		if (change_temporary_begin(root, wishes, 3, 0, &temporary, NULL) < 0)
			_exit(1);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	CHECK(tree_is(STATS, "on\n"));
	CHECK(root_exists(root, RECORD) == 0);
	CHECK(change_temporary_begin(root, wishes, 1, 0, &temporary, NULL) == 0);
	CHECK(tree_is(STATS, "on\n") && tree_is(THP, "always [madvise] never\n"));
	CHECK(change_temporary_end(temporary) == 0);
	CHECK(tree_is_original());
}

/* Somebody else's value is left alone. */
static void test_foreign(struct root *root)
{
	struct change_temporary *temporary;

	CHECK(change_temporary_begin(root, wishes, 3, 0, &temporary, NULL) == 0);
	tree_file(THP, "[always] madvise never\n");
	CHECK(change_temporary_end(temporary) == -ESTALE);
	CHECK(tree_is(THP, "[always] madvise never\n") && tree_is(STATS, "off\n"));
	CHECK(root_exists(root, RECORD) == -ENOENT);
}

/* Also where it stands at its original when somebody else comes. */
static void test_foreign_original(struct root *root)
{
	struct change_temporary *temporary;

	tree_file(THP, "always [madvise] never\n");
	CHECK(change_temporary_begin(root, wishes, 3, 0, &temporary, NULL) == 0);
	CHECK(change_temporary_switch(temporary, false) == 0);
	tree_file(THP, "[always] madvise never\n");
	CHECK(change_temporary_switch(temporary, true) == -ESTALE);
	CHECK(tree_is(THP, "[always] madvise never\n") && tree_is(STATS, "off\n"));
	CHECK(change_temporary_end(temporary) == -ESTALE);
	CHECK(tree_is(THP, "[always] madvise never\n"));
}

int main(void)
{
	struct root *root;

	make_tree();
	root = tree_root();
	test_begin_and_end(root);
	test_failure(root);
	test_killed(root);
	test_foreign(root);
	test_foreign_original(root);
	root_close(root);
	return unit_done();
}
