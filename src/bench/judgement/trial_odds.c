/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file draws trials from recorded rounds; the same seed draws the same ones. */
#include "bench/judgement/trial_odds.h"

#include <errno.h>
#include <math.h>

#define Z95 1.959964

/* Copies one half of a round into an arm of a round. */
static void copy_half(const struct trial_data *from, size_t from_round, unsigned int from_arm,
		      struct trial_data *to, size_t to_round, unsigned int to_arm)
{
	for (size_t cell = 0; cell < from->cells; cell++) {
		for (unsigned int f = 0; f < FIGURE_COUNT; f++) {
			enum figure_id figure = (enum figure_id)f;

			trial_values(to, cell, figure, to_arm)[to_round] = trial_values(
				from, cell, figure, from_arm)[from_round];
		}
		trial_steal(to, cell, to_arm)[to_round] = trial_steal(from, cell,
								      from_arm)[from_round];
		trial_rate(to, cell, to_arm)[to_round] = trial_rate(from, cell,
								    from_arm)[from_round];
	}
}

static void draw(const struct trial_data *plain, const struct trial_data *delayed,
		 struct random *random, struct trial_data *drawn)
{
	for (size_t i = 0; i < drawn->rounds; i++) {
		size_t round = (size_t)(random_u64(random) % plain->rounds);
		unsigned int half = (unsigned int)(random_u64(random) >> 63);

		copy_half(plain, round, half, drawn, i, TRIAL_A);
		copy_half(delayed, round, !half, drawn, i, TRIAL_B);
	}
}

static int count(const struct trial_data *drawn, const struct trial_rule *rule,
		 struct trial_odds *odds)
{
	_cleanup_trial_verdict_ struct trial_verdict verdict;
	int r = trial_judge_metrics(drawn, rule, &verdict);

	if (r < 0)
		return r;
	odds->trials++;
	odds->better += verdict.verdict == VERDICT_BETTER;
	odds->worse += verdict.verdict == VERDICT_WORSE;
	for (unsigned int i = 0; i < verdict.metrics; i++)
		odds->metric_worse[i] += verdict.metric[i].judgement.verdict == VERDICT_WORSE;
	return 0;
}

int trial_draw(const struct trial_data *plain, const struct trial_data *delayed,
	       const struct trial_rule *rule, size_t rounds, unsigned int trials, uint64_t seed,
	       struct trial_odds *ret)
{
	_cleanup_trial_data_ struct trial_data drawn = { 0 };
	struct random random = random_seeded(seed);
	struct trial_odds odds = { 0 };
	int r = plain->rounds ? trial_data_make(plain->cells, rounds, &drawn) : -ENODATA;

	if (r < 0)
		return r;
	drawn.rounds = rounds;
	memcpy(drawn.few, plain->few, plain->cells * FIGURE_COUNT * sizeof(*drawn.few));
	for (unsigned int i = 0; i < trials && r == 0; i++) {
		draw(plain, delayed, &random, &drawn);
		r = count(&drawn, rule, &odds);
	}
	if (r == 0)
		*ret = odds;
	return r;
}

/* The median p50 of a cell over all rounds and both arms. */
static double median_p50(const struct trial_data *data, size_t cell)
{
	_cleanup_free_ double *x = calloc(TRIAL_ARMS * data->rounds + 1, sizeof(*x));
	size_t n = 0;

	for (unsigned int arm = 0; x && arm < TRIAL_ARMS; arm++)
		for (size_t i = 0; i < data->rounds; i++) {
			double value = trial_values(data, cell, FIGURE_P50, arm)[i];

			if (value > 0)
				x[n++] = value;
		}
	return x ? statistics_median(x, n) : NAN;
}

static void slow_cell(const struct trial_data *data, size_t cell, double delay_ns,
		      struct trial_data *to)
{
	for (unsigned int f = 0; f < FIGURE_COUNT; f++)
		for (unsigned int arm = 0; f != FIGURE_RATE && arm < TRIAL_ARMS; arm++) {
			double *value = trial_values(to, cell, (enum figure_id)f, arm);

			for (size_t i = 0; i < data->rounds; i++)
				value[i] += delay_ns;
		}
}

int trial_data_slowed(const struct trial_data *data, double share, struct trial_data *ret)
{
	struct trial_data slowed = { 0 };
	int r = trial_data_make(data->cells, data->rounds, &slowed);

	if (r < 0)
		return r;
	slowed.rounds = data->rounds;
	memcpy(slowed.few, data->few, data->cells * FIGURE_COUNT * sizeof(*slowed.few));
	for (size_t i = 0; i < data->rounds; i++)
		for (unsigned int arm = 0; arm < TRIAL_ARMS; arm++)
			copy_half(data, i, arm, &slowed, i, arm);
	for (size_t cell = 0; cell < data->cells; cell++)
		slow_cell(data, cell, share * median_p50(data, cell), &slowed);
	*ret = slowed;
	return 0;
}

struct share_interval share_interval(unsigned int hits, unsigned int trials)
{
	double n = trials, p = trials ? hits / n : 0, z2 = Z95 * Z95;
	double middle = (p + z2 / (2 * n)) / (1 + z2 / n);
	double half = Z95 / (1 + z2 / n) * sqrt(p * (1 - p) / n + z2 / (4 * n * n));

	if (!trials)
		return (struct share_interval) { 0, 1 };
	return (struct share_interval) { fmax(0, middle - half), fmin(1, middle + half) };
}
