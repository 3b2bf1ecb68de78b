/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file tests differences: wraps, steps back, clocks. */
#include "machine/sample/delta.h"

#include "unit.h"

static struct instant at(uint64_t time_ns, uint64_t tb, bool has_tb)
{
	return (struct instant) {
		.has_time = true, .time_ns = time_ns, .has_tb = has_tb, .tb = tb
	};
}

static void test_clocks(void)
{
	struct instant a = at(1000, 5000, true), b = at(2000001000, 512005000, true), none = { 0 };
	struct interval i = interval_between(&a, &b, 512000000);

	CHECK(i.ok && i.clock == CLOCK_TIMEBASE && i.ticks == 512000000 && i.seconds == 1);
	i = interval_between(&a, &b, 0); /* how fast the timebase runs is not known: by the wall */
	CHECK(i.ok && i.ticks == 512000000 && i.seconds == 2);
	b.has_tb = false;
	i = interval_between(&a, &b, 512000000);
	CHECK(i.ok && i.clock == CLOCK_WALL && i.seconds == 2 && i.ticks == 1024000000);
	i = interval_between(&b, &a, 512000000);
	CHECK(!i.ok && i.reason == REASON_RESET);
	i = interval_between(&a, &a, 512000000);
	CHECK(!i.ok && i.reason == REASON_NO_DATA);
	i = interval_between(&a, &none, 512000000);
	CHECK(!i.ok && i.clock == CLOCK_NONE && i.reason == REASON_NO_DATA);
	a = (struct instant) { .tb = 1, .has_tb = true };
	b = (struct instant) { .tb = UINT64_MAX, .has_tb = true };
	i = interval_between(&a, &b, 512000000);
	CHECK(!i.ok && i.reason == REASON_INVALID);
}

static void test_counters(void)
{
	static const struct {
		uint32_t before, now;
		double seconds;
		bool ok;
		uint32_t step;
	} rows[] = {
		{ 5, 9, 1, true, 4 },
		{ 5, 5, 1, true, 0 },
		{ 4294967295, 0, 1, true, 1 },
		{ 4294967000, 704, 1, true, 1000 },
		{ 100, 99, 1, false, 0 },	 /* a step back */
		{ 469391613, 0, 1, false, 0 },	 /* started anew */
		{ 3000000000, 10, 1, false, 0 }, /* so, though less than half way round */
		{ 3000000000, 10, 3600, true, 1294967306 }, /* in an hour it can have wrapped */
		{ 3000000000, 2999999999, 3600, false, 0 }, /* but not all the way round */
		{ 0, 9000000, 0.001, true, 9000000 },	    /* forwards, whatever the clock says */
		{ 0, 20000000, 1, false, 0 },		    /* faster than any processor */
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct interval interval = { .ok = true, .seconds = rows[i].seconds };
		struct delta d = delta_u32(rows[i].before, rows[i].now, &interval);

		if (!CHECK(d.ok == rows[i].ok && (!d.ok || d.value == rows[i].step)))
			printf("# %u to %u\n", rows[i].before, rows[i].now);
		CHECK(d.ok || d.reason == REASON_RESET);
	}
	CHECK(delta_u64(UINT64_MAX - 1, UINT64_MAX).value == 1);
	CHECK(!delta_u64(1, 0).ok && delta_u64(1, 0).reason == REASON_RESET);
}

/* One line of /proc/stat against another: why each kind is absent, REASON_COUNT if it is there. */
static void check_stat(struct cputime before, struct cputime now, enum reason user,
		       enum reason iowait, enum reason steal)
{
	struct interval interval = { .ok = true, .seconds = 1 };
	struct delta d[CPUTIME_SUMMED];
	const struct {
		enum cputime_kind kind;
		enum reason reason;
	} rows[] = { { CPUTIME_USER, user }, { CPUTIME_IOWAIT, iowait }, { CPUTIME_STEAL, steal } };

	delta_stat(&before, &now, &interval, 4, d);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct delta *one = &d[rows[i].kind];

		CHECK(one->ok == (rows[i].reason == REASON_COUNT));
		CHECK(one->ok || one->reason == rows[i].reason);
	}
}

static void test_stat(void)
{
	const enum reason there = REASON_COUNT;
	struct cputime full = { .ticks = { 10, 0, 10, 100, 10, 0, 0, 10 }, .kinds = 10 };
	struct cputime later = full, old = full, none = { 0 };

	later.ticks[CPUTIME_USER] += 50;
	check_stat(full, later, there, there, there);
	check_stat(full, full, REASON_NO_DATA, REASON_NO_DATA, REASON_NO_DATA);
	check_stat(later, full, REASON_RESET, REASON_RESET, REASON_RESET);
	old.kinds = 5;
	check_stat(old, later, there, there, REASON_NOT_PROVIDED);
	check_stat(none, later, REASON_INVALID, REASON_INVALID, REASON_INVALID);
	later.ticks[CPUTIME_IOWAIT] -= 5; /* iowait does that */
	check_stat(full, later, there, REASON_RESET, there);
	later.ticks[CPUTIME_SYSTEM] += 1200000000000;
	check_stat(full, later, REASON_INVALID, REASON_INVALID, REASON_INVALID);
}

int main(void)
{
	test_clocks();
	test_counters();
	test_stat();
	return unit_done();
}
