/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file holds bench/effect to its promises on synthetic blocks: no false alarm where nothing
 * changed, and what was put in is found at its size. */
#include "bench/judgement/effect.h"

#include <errno.h>
#include <math.h>

#include "unit.h"

#define BLOCKS 20
#define WAKES 500
#define EXPERIMENTS 200

struct side {
	struct distribution block[BLOCKS];
	const struct distribution *pointer[BLOCKS];
	struct block_set set;
};

static double normal(struct random *r)
{
	return sqrt(-2 * log(random_unit(r))) * cos(6.283185307 * random_unit(r));
}

/* Blocks of about 40 us whose level wanders from round to round, as a shared machine's does. */
static void make_block(struct random *r, double level, double shift_ns, struct distribution *ret)
{
	static struct histogram dense;

	memset(&dense, 0, sizeof(dense));
	for (unsigned int i = 0; i < WAKES; i++)
		histogram_add(&dense, (uint64_t)(40000 * exp(level + 0.2 * normal(r)) + shift_ns));
	*ret = (struct distribution) { 0 };
	(void)distribution_add_histogram(ret, &dense);
}

static void make_sides(struct random *r, double shift_ns, struct side *before, struct side *after)
{
	for (unsigned int i = 0; i < BLOCKS; i++) {
		double level = 0.05 * normal(r);

		make_block(r, level, 0, &before->block[i]);
		make_block(r, level, shift_ns, &after->block[i]);
		before->pointer[i] = &before->block[i];
		after->pointer[i] = &after->block[i];
	}
	before->set = (struct block_set) { before->pointer, BLOCKS };
	after->set = (struct block_set) { after->pointer, BLOCKS };
}

static void side_done(struct side *side)
{
	for (unsigned int i = 0; i < BLOCKS; i++)
		distribution_done(&side->block[i]);
}

static void count_verdicts(double shift_ns, bool paired, unsigned int *verdicts)
{
	struct random r = random_seeded((uint64_t)shift_ns + 7);

	for (unsigned int i = 0; i < EXPERIMENTS; i++) {
		struct side before, after;
		struct estimate e;
		int error;

		make_sides(&r, shift_ns, &before, &after);
		error = paired ? effect_paired(&before.set, &after.set, 0.5, &e)
			       : effect_pooled(&before.set, &after.set, 0.5, i, &e);
		if (error == 0)
			verdicts[effect_judge(&e, e.p, BLOCKS, 1, 0, false).verdict]++;
		side_done(&before);
		side_done(&after);
	}
}

static void check_false_alarms(bool paired)
{
	unsigned int n[4] = { 0 };

	count_verdicts(0, paired, n);
	CHECK(n[0] + n[1] + n[2] + n[3] == EXPERIMENTS);
	CHECK(n[VERDICT_BETTER] + n[VERDICT_WORSE] <= EXPERIMENTS * 5 / 100);
}

/* 5 % of 40 us on every wake, 20 rounds. */
static void check_power(void)
{
	unsigned int n[4] = { 0 };

	count_verdicts(2000, true, n);
	CHECK(n[VERDICT_WORSE] >= EXPERIMENTS * 90 / 100);
	CHECK(n[VERDICT_BETTER] == 0);
}

static void check_size(void)
{
	struct random r = random_seeded(3);
	struct side before, after;
	struct estimate e = { 0 };
	struct judgement j;

	make_sides(&r, 4000, &before, &after);
	CHECK(effect_paired(&before.set, &after.set, 0.5, &e) == 0);
	j = effect_judge(&e, e.p, BLOCKS, 1, 2, false);
	CHECK(j.verdict == VERDICT_WORSE && j.low_pct <= 10 && j.high_pct >= 10);
	CHECK(j.detectable_pct > 2 && j.detectable_pct < 10);
	j = effect_judge(&e, e.p, BLOCKS, 1, 2, true);
	CHECK(j.verdict == VERDICT_BETTER);
	CHECK(effect_judge(&e, 0.2, BLOCKS, 1, 2, false).verdict == VERDICT_UNDECIDED);
	CHECK(effect_judge(&e, e.p, 5, 1, 2, false).verdict == VERDICT_UNDECIDED);
	side_done(&before);
	side_done(&after);
}

static void check_judge(void)
{
	const struct estimate inside = { 0.001, -0.01, 0.012, 0.9, 0.005, NAN };
	const struct estimate wide = { 0.03, -0.05, 0.11, 0.4, 0.035, NAN };
	struct judgement j = effect_judge(&inside, 0.9, 10, 1, 2, false);

	CHECK(j.verdict == VERDICT_NO_CHANGE && j.rounds_needed == 0);
	j = effect_judge(&wide, 0.4, 10, 1, 2, false);
	CHECK(j.verdict == VERDICT_UNDECIDED && j.rounds_needed > 10);
}

static void check_empty(void)
{
	const struct distribution empty = { 0 };
	const struct distribution *one[1] = { &empty };
	struct block_set none = { one, 0 }, void_block = { one, 1 };
	struct estimate e;

	CHECK(effect_pooled(&none, &none, 0.5, 1, &e) == -ENODATA);
	CHECK(effect_pooled(&void_block, &void_block, 0.5, 1, &e) == -ENODATA);
	CHECK(effect_paired(&void_block, &void_block, 0.5, &e) == -ENODATA);
}

int main(void)
{
	check_false_alarms(true);
	check_false_alarms(false);
	check_power();
	check_size();
	check_judge();
	check_empty();
	return unit_done();
}
