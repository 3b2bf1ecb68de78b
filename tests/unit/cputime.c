/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file tests /proc/stat of every era. */
#include "machine/source/cputime.h"

#include <errno.h>

#include "unit.h"

static int parse(struct cputimes *t, const char *text)
{
	return cputimes_parse(span_of(text), t);
}

static void test_full(void)
{
	_cleanup_cputimes_ struct cputimes t = { 0 };

	CHECK(parse(&t, "cpu  1 2 3 4 5 6 7 8 9 10\n"
			"cpu0 1 2 3 4 5 6 7 8 9 10\n"
			"cpu104 11 12 13 14 15 16 17 18 19 20\n"
			"intr 123 4 5\nctxt 77\nbtime 1600000000\nprocesses 42\n") == 0);
	CHECK(t.total.kinds == 10 && t.total.ticks[CPUTIME_STEAL] == 8);
	CHECK(cputime_total(&t.total) == 36); /* guest is inside user */
	CHECK(t.count == 2 && t.cpus[1].cpu == 104);
	CHECK(t.cpus[1].time.ticks[CPUTIME_GUEST_NICE] == 20);
	CHECK(t.has_context_switches && t.context_switches == 77);
	CHECK(t.has_boot_time && t.boot_time_s == 1600000000);
	CHECK(t.has_forks && t.forks == 42);
	/* again, into the same memory: nothing of before stays */
	CHECK(parse(&t, "cpu 1 1 1 1\ncpu3 1 1 1 1\n") == 0);
	CHECK(t.count == 1 && t.cpus[0].cpu == 3 && !t.has_context_switches && !t.has_boot_time);
}

static void test_eras(void)
{
	static const struct {
		const char *text;
		unsigned int kinds;
		uint64_t total;
	} rows[] = {
		{ "cpu 1 2 3 4", 4, 10 },
		{ "cpu  1 2 3 4 5\n", 5, 15 },
		{ "cpu 1 2 3 4 5 6 7", 7, 28 },
		{ "cpu 1 2 3 4 5 6 7 8", 8, 36 },
		{ "cpu 1 2 3 4 5 6 7 8 9", 9, 36 },
		{ "cpu 1 2 3 4 5 6 7 8 9 10 11 12", 10, 36 }, /* what is to come */
		{ "cpu\t1\t2 3  4 \r\n", 4, 10 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_cputimes_ struct cputimes t = { 0 };

		CHECK(parse(&t, rows[i].text) == 0);
		CHECK(t.total.kinds == rows[i].kinds && cputime_total(&t.total) == rows[i].total);
		CHECK(cputime_has(&t.total, CPUTIME_STEAL) == (rows[i].kinds >= 8));
	}
}

static void test_damaged(void)
{
	static const char *const lines[] = {
		"cpu 1 2 3",	   "cpu",
		"cpu 1 2 3 -4 5",  "cpu 1 2 3 4 x",
		"cpu 1 2 3 4.5 6", "cpu 1 2 3 4 99999999999999999999999",
	};
	_cleanup_cputimes_ struct cputimes t = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		CHECK(parse(&t, lines[i]) == -EINVAL);
	CHECK(parse(&t, "") == -EINVAL);
	/* one damaged line does not take the others with it, and is not 0 */
	CHECK(parse(&t, "cpu 1 2 3\ncpu0 1 2 3 4 5 oops\ncpu1 1 2 3 4 5\n") == 0);
	CHECK(t.total.kinds == 0 && t.count == 2);
	CHECK(t.cpus[0].time.kinds == 0 && t.cpus[1].time.kinds == 5);
	CHECK(parse(&t, "cpufreq 1 2 3 4\ncpu99999999 1 2 3 4\ncpu2 1 2 3 4\n") == 0);
	CHECK(t.count == 1 && t.cpus[0].cpu == 2);
}

static void test_plausible(void)
{
	struct cputime wild = { .ticks = { [CPUTIME_SYSTEM] = 1200000000000 }, .kinds = 10 };
	struct cputime full = { .ticks = { [CPUTIME_USER] = 1070 }, .kinds = 10 };
	struct cputime huge = { .ticks = { UINT64_MAX, 1 }, .kinds = 4 };

	CHECK(!cputime_is_plausible(&wild, 60, 4));
	CHECK(cputime_is_plausible(&full, 2, 8));
	CHECK(cputime_total(&huge) == UINT64_MAX && !cputime_is_plausible(&huge, 1e9, 2048));
}

int main(void)
{
	test_full();
	test_eras();
	test_damaged();
	test_plausible();
	return unit_done();
}
