/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file tests /proc/schedstat by version. */
#include "machine/source/schedstat.h"

#include <errno.h>

#include "tree.h"
#include "unit.h"

/* Cores of two threads: 0 1, 2 3, … */
static bool pairs(unsigned int a, unsigned int b, void *arg)
{
	(void)arg;
	return a / 2 == b / 2;
}

static int read_text(struct schedstat *stat, const char *text, same_core_fn same_core)
{
	_cleanup_root_ struct root *root = NULL;

	tree_new();
	tree_file("proc/schedstat", text);
	root = tree_root();
	return schedstat_read(root, same_core, NULL, stat);
}

#define OTHERS " 0 0 0 0 0 0 0 0 0 7 8 9\n"
#define GROUP8(gained) " 1 1 0 0 " gained " 0 1 1"
#define GROUP11(gained) " 1 1 0 0 0 0 0 " gained " 0 1 1"
#define CPU_LINE " 0 0 11 2 3 4 1000 2000 30\n"

static const char version15[] = "version 15\ntimestamp 4294894448\n"
				"cpu2" CPU_LINE "domain0 00000000,0000000c" GROUP8("5") GROUP8("6")
					GROUP8("7") OTHERS "domain1 00000000,000000ff" GROUP8("100")
						GROUP8("100") GROUP8("100") OTHERS
	"cpu3" CPU_LINE "domain0 00000000,000000ff" GROUP8("100") GROUP8("100") GROUP8("100")
		OTHERS;

static const char version17[] = "version 17\ntimestamp 1\n"
				"cpu0" CPU_LINE "domain0 SMT 00000003" GROUP11("1") GROUP11("2")
					GROUP11("4294967295") OTHERS
	"domain1 PKG 000000ff" GROUP11("9") GROUP11("9") GROUP11("9") OTHERS;

static void test_versions(void)
{
	_cleanup_schedstat_ struct schedstat s = { 0 };

	CHECK(read_text(&s, version15, pairs) == 0);
	CHECK(s.version == 15 && s.has_domains && s.count == 2);
	CHECK(s.cpus[0].cpu == 2 && s.cpus[0].has_pulls && s.cpus[0].smt_pulls == 18);
	CHECK(s.cpus[0].run_ns == 1000 && s.cpus[0].wait_ns == 2000 && s.cpus[0].timeslices == 30);
	CHECK(!s.cpus[1].has_pulls); /* its lowest domain is wider than a core */
	CHECK(read_text(&s, version15, NULL) == 0 && !s.cpus[0].has_pulls);
	CHECK(read_text(&s, version17, NULL) == 0 && s.version == 17 && s.count == 1);
	CHECK(s.cpus[0].has_pulls && s.cpus[0].smt_pulls == 2); /* 32 bits */
}

static void test_doubtful(void)
{
	_cleanup_schedstat_ struct schedstat s = { 0 };

	/* an unknown version: CPU lines only */
	CHECK(read_text(&s, "version 99\ncpu0" CPU_LINE "domain0 SMT 3 1 2 3\n", pairs) == 0);
	CHECK(s.version == 99 && !s.has_domains && s.count == 1 && !s.cpus[0].has_pulls);
	/* too few or too many numbers: not guessed at */
	CHECK(read_text(&s, "version 16\ncpu0" CPU_LINE "domain0 3 1 2 3\n", pairs) == 0);
	CHECK(s.count == 1 && !s.cpus[0].has_pulls);
	CHECK(read_text(&s,
			"version 16\ncpu0" CPU_LINE "domain0 3" GROUP8("1") GROUP8("1")
				GROUP8("1") " 5" OTHERS,
			pairs) == 0);
	CHECK(s.count == 1 && !s.cpus[0].has_pulls);
	CHECK(read_text(&s, "version 16\ncpu0 1 2 3\ncpu1 x\n", pairs) == 0 && s.count == 0);
	CHECK(read_text(&s, "", pairs) == -EINVAL);
	CHECK(read_text(&s, "cpu0" CPU_LINE, pairs) == -EINVAL);
}

int main(void)
{
	test_versions();
	test_doubtful();
	return unit_done();
}
