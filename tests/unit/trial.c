/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file holds the verdicts of trials to exact answers, where tables give them. */
#include "bench/judgement/trial_verdict.h"

#include <math.h>

#include "bench/judgement/trial_odds.h"
#include "recorded.h"
#include "unit.h"

#define ROUNDS 20

static const struct trial_rule by_p99 = {
	.metric = { FIGURE_P99, FIGURE_P50 },
	.metrics = 2,
	.within_pct = 2,
};

static bool near(double a, double b, double tolerance)
{
	return fabs(a - b) <= tolerance;
}

/* One cell whose p99 and p50 are given, by round, as A and B. */
static struct trial_data make_data(size_t cells, size_t rounds)
{
	struct trial_data data = { 0 };

	CHECK(trial_data_make(cells, rounds ? rounds : 1, &data) == 0);
	data.rounds = rounds;
	for (size_t i = 0; i < rounds; i++)
		for (unsigned int arm = 0; arm < TRIAL_ARMS; arm++)
			for (size_t cell = 0; cell < cells; cell++) {
				trial_steal(&data, cell, arm)[i] = 0;
				trial_rate(&data, cell, arm)[i] = 5000;
			}
	return data;
}

/* Sets a figure of all rounds: A is `level`, B that times exp(log_ratio). */
static void set(struct trial_data *data, size_t cell, enum figure_id figure, double level,
		const double *log_ratio)
{
	for (size_t i = 0; i < data->rounds; i++) {
		trial_values(data, cell, figure, TRIAL_A)[i] = level;
		trial_values(data, cell, figure, TRIAL_B)[i] = level * exp(log_ratio[i]);
	}
}

/*
 * Hollander and Wolfe, table 3.1: changes of depression factor IV of nine patients. The signed-rank
 * p is 20/512, the estimate -0.46, the 96.1 % interval (-0.786, -0.010).
 */
static void test_known_sample(void)
{
	static const double x[] = { -0.952, 0.147,  -1.022, -0.430, -0.620,
				    -0.590, -0.490, 0.080,  -0.010 };
	_cleanup_trial_data_ struct trial_data data = make_data(1, 9);
	_cleanup_trial_verdict_ struct trial_verdict v = { 0 };

	set(&data, 0, FIGURE_P99, 40000, x);
	CHECK(trial_judge(&data, &by_p99, &v) == 0);
	CHECK(v.metric[0].is_known && !v.metric[1].is_known);
	CHECK(near(v.metric[0].estimate.value, -0.46, 1e-9));
	CHECK(near(v.metric[0].estimate.low, -0.786, 1e-9));
	CHECK(near(v.metric[0].estimate.high, -0.010, 1e-9));
	CHECK(near(v.metric[0].estimate.rank_p, 20.0 / 512, 1e-12));
	CHECK(near(v.metric[0].judgement.change_pct, 100 * expm1(-0.46), 1e-6));
	/* The interval reaches into the 2 % that count for nothing. */
	CHECK(v.verdict == VERDICT_UNDECIDED && v.decided_by == NULL);
	CHECK(v.effects == 1 && v.effect[0].figure == FIGURE_P99);
}

/* The smallest p of n pairs is 2/2^n: 6 are the fewest with p < 0.05. */
static void test_smallest(void)
{
	static const double x[] = { 0.10, 0.11, 0.12, 0.13, 0.14, 0.15, 0.16 };

	for (size_t n = 0; n <= ARRAY_SIZE(x); n++) {
		_cleanup_trial_data_ struct trial_data data = make_data(1, n);
		_cleanup_trial_verdict_ struct trial_verdict v = { 0 };

		set(&data, 0, FIGURE_P99, 1000, x);
		CHECK(trial_judge(&data, &by_p99, &v) == 0);
		CHECK(v.verdict == (n < 6 ? VERDICT_UNDECIDED : VERDICT_WORSE));
		if (n >= 6)
			CHECK(near(v.metric[0].estimate.rank_p, ldexp(1, 1 - (int)n), 1e-12));
	}
}

/* B is better, the same, worse; the limit decides what "the same" is. */
static void test_verdicts(void)
{
	static const struct {
		double p99, p50, within;
		enum verdict verdict;
		enum figure_id by;
		bool mixed, worse;
	} rows[] = {
		{ -0.1, 0, 2, VERDICT_BETTER, FIGURE_P99, false, false },
		{ 0.1, 0, 2, VERDICT_WORSE, FIGURE_P99, false, true },
		{ 0, -0.1, 2, VERDICT_BETTER, FIGURE_P50, false, false },
		{ -0.1, 0.1, 2, VERDICT_BETTER, FIGURE_P99, true, true },
		{ 0, 0, 2, VERDICT_NO_CHANGE, FIGURE_COUNT, false, false },
		{ -0.1, 0, 20, VERDICT_NO_CHANGE, FIGURE_COUNT, false, false },
		{ 0.01, 0.01, 0.5, VERDICT_WORSE, FIGURE_P99, false, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_trial_data_ struct trial_data data = make_data(1, ROUNDS);
		_cleanup_trial_verdict_ struct trial_verdict v = { 0 };
		struct trial_rule rule = by_p99;
		double p99[ROUNDS], p50[ROUNDS];

		rule.within_pct = rows[i].within;
		for (size_t k = 0; k < ROUNDS; k++) {
			p99[k] = rows[i].p99 + 0.0001 * (double)(k * 7 % ROUNDS) - 0.001;
			p50[k] = rows[i].p50 + 0.0001 * (double)(k * 3 % ROUNDS) - 0.001;
		}
		set(&data, 0, FIGURE_P99, 90000, p99);
		set(&data, 0, FIGURE_P50, 40000, p50);
		CHECK(trial_judge(&data, &rule, &v) == 0);
		CHECK(v.verdict == rows[i].verdict);
		CHECK(v.is_mixed == rows[i].mixed && v.got_worse == rows[i].worse);
		CHECK((v.decided_by ? v.decided_by->figure : FIGURE_COUNT) == rows[i].by);
		CHECK(streq(trial_verdict_word(&v),
			    rows[i].mixed ? "mixed" : verdict_word(rows[i].verdict)));
	}
}

/* Cells that are as steady as each other weigh the same; a cell with few samples is left out. */
static void test_cells(void)
{
	_cleanup_trial_data_ struct trial_data data = make_data(3, ROUNDS);
	_cleanup_trial_verdict_ struct trial_verdict v = { 0 };
	double up[ROUNDS], down[ROUNDS], far[ROUNDS];

	for (size_t i = 0; i < ROUNDS; i++) {
		up[i] = 0.3 + 0.001 * (double)i;
		down[i] = -0.1 - 0.001 * (double)i;
		far[i] = -3;
	}
	set(&data, 0, FIGURE_P99, 1000, up);
	set(&data, 1, FIGURE_P99, 4000, down);
	set(&data, 2, FIGURE_P99, 100, far);
	*trial_few(&data, 2, FIGURE_P99) = true;
	CHECK(trial_judge(&data, &by_p99, &v) == 0);
	CHECK(near(v.metric[0].estimate.value, 0.1, 1e-9));
	CHECK(near(v.metric[0].median[TRIAL_A], 2000, 1e-6));
	CHECK(v.effects == 3 && v.effect[2].has_few);
	CHECK(near(v.effect[0].weight, 0.5, 1e-9) && near(v.effect[1].weight, 0.5, 1e-9));
	CHECK(v.effect[2].weight == 0);
	CHECK(v.effect[2].judgement.verdict == VERDICT_UNDECIDED);
	CHECK(v.effect[0].judgement.verdict == VERDICT_WORSE && v.got_worse);
	CHECK(v.effect[1].judgement.verdict == VERDICT_BETTER);
}

/* More operations a second are better, more nanoseconds are worse. */
static void test_rate(void)
{
	static const struct trial_rule by_rate = { .metric = { FIGURE_RATE },
						   .metrics = 1,
						   .within_pct = 2 };
	_cleanup_trial_data_ struct trial_data data = make_data(1, ROUNDS);
	_cleanup_trial_verdict_ struct trial_verdict v = { 0 };
	double up[ROUNDS];

	for (size_t i = 0; i < ROUNDS; i++)
		up[i] = 0.1 + 0.001 * (double)(i % 5);
	set(&data, 0, FIGURE_RATE, 5000, up);
	CHECK(trial_judge(&data, &by_rate, &v) == 0 && v.verdict == VERDICT_BETTER);
}

/* Rounds with steal in either arm are left out of the clean figure, and only there. */
static void test_steal(void)
{
	_cleanup_trial_data_ struct trial_data data = make_data(1, ROUNDS);
	_cleanup_trial_verdict_ struct trial_verdict v = { 0 };
	double x[ROUNDS];

	for (size_t i = 0; i < ROUNDS; i++) {
		bool stolen = i % 2;

		x[i] = stolen ? 1 : 0.001 * (double)(i % 3);
		trial_steal(&data, 0, TRIAL_B)[i] = stolen ? 5 + (double)i : 0;
	}
	set(&data, 0, FIGURE_P99, 1000, x);
	CHECK(trial_judge(&data, &by_p99, &v) == 0);
	CHECK(v.metric[0].rounds == ROUNDS && v.metric[0].clean_rounds == ROUNDS / 2);
	CHECK(v.metric[0].estimate.value > 0.3);
	CHECK(v.metric[0].clean_is_known && v.metric[0].clean.verdict == VERDICT_NO_CHANGE);
	CHECK(v.steal.is_known && v.steal.mean[TRIAL_A] == 0);
	CHECK(near(v.steal.mean[TRIAL_B], 7.5, 1e-9) && v.steal.change.p < 0.01);
	CHECK(near(v.rate[TRIAL_A], 5000, 1e-9));
	/* A machine that does not tell has no clean figure, and says so. */
	trial_verdict_done(&v);
	for (size_t i = 0; i < ROUNDS; i++)
		trial_steal(&data, 0, TRIAL_A)[i] = NAN;
	CHECK(trial_judge(&data, &by_p99, &v) == 0);
	CHECK(!v.metric[0].clean_is_known && !v.steal.is_known && isnan(v.steal.mean[TRIAL_A]));
}

/* There is one look, and it is strict. */
static void test_look(void)
{
	unsigned int looks = 0;

	for (size_t i = 1; i <= 20; i++)
		looks += trial_is_look(i, 20);
	CHECK(looks == 1 && trial_is_look(12, 20));
	CHECK(trial_is_look(24, 40) && trial_is_look(12, 13) && trial_is_look(12, 15));
	for (size_t i = 1; i <= 12; i++)
		CHECK(!trial_is_look(i, 12));
	for (unsigned int clear = 0; clear < 2; clear++) {
		_cleanup_trial_data_ struct trial_data data = make_data(1, 12);
		_cleanup_trial_verdict_ struct trial_verdict v = { 0 };
		double x[12];

		for (size_t i = 0; i < 12; i++)
			x[i] = 0.2 + (clear ? 0.001 : 0.04) * ((double)i - 5.5);
		set(&data, 0, FIGURE_P99, 1000, x);
		CHECK(trial_judge(&data, &by_p99, &v) == 0);
		CHECK(v.verdict == VERDICT_WORSE);
		CHECK(trial_may_end(&v) == (v.decided_by->corrected_p < 0.001));
		CHECK(!clear || trial_may_end(&v));
	}
}

/* Wilson's interval as in Newcombe 1998, table I: 81/263, 15/148, 0/20, 1/29. */
static void test_shares(void)
{
	static const struct {
		unsigned int hits, trials;
		double low, high;
	} rows[] = {
		{ 81, 263, 0.2553, 0.3662 },
		{ 15, 148, 0.0624, 0.1605 },
		{ 0, 20, 0, 0.1611 },
		{ 1, 29, 0.0061, 0.1718 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct share_interval s = share_interval(rows[i].hits, rows[i].trials);

		CHECK(near(s.low, rows[i].low, 5e-5) && near(s.high, rows[i].high, 5e-5));
	}
	CHECK(share_interval(0, 0).low == 0 && share_interval(0, 0).high == 1);
}

struct recording {
	const char *name;
	const unsigned int *ns;
	size_t rounds, cells;
	unsigned int found_p50; /* of 1000 trials, at least */
};

static void load(const struct recording *r, struct trial_data *plain, struct trial_data *delayed)
{
	const unsigned int *ns = r->ns;

	*plain = make_data(r->cells, r->rounds);
	*delayed = make_data(r->cells, r->rounds);
	for (size_t i = 0; i < r->rounds; i++)
		for (unsigned int arm = 0; arm < TRIAL_ARMS; arm++)
			for (size_t cell = 0; cell < r->cells; cell++, ns += 3) {
				trial_values(plain, cell, FIGURE_P50, arm)[i] = ns[0];
				trial_values(plain, cell, FIGURE_P99, arm)[i] = ns[1];
				trial_values(delayed, cell, FIGURE_P50, arm)[i] = ns[0];
				trial_values(delayed, cell, FIGURE_P99, arm)[i] = ns[2];
			}
}

/* How often 5 % more, and what the verdict says would be found, are found in p50. */
static void check_slowed(const struct recording *r, const struct trial_data *plain)
{
	_cleanup_trial_data_ struct trial_data slowed = { 0 };
	_cleanup_trial_verdict_ struct trial_verdict v = { 0 };
	struct trial_odds odds = { 0 };
	double twice;

	CHECK(trial_judge(plain, &by_p99, &v) == 0);
	CHECK(v.verdict == VERDICT_UNDECIDED || v.verdict == VERDICT_NO_CHANGE);
	CHECK(trial_data_slowed(plain, 0.05, &slowed) == 0);
	CHECK(trial_draw(plain, &slowed, &by_p99, 20, 1000, 3, &odds) == 0);
	CHECK(odds.metric_worse[1] >= r->found_p50);
	printf("# %s: +5 %% on p50: %u of 1000\n", r->name, odds.metric_worse[1]);
	trial_data_done(&slowed);
	/* Twice what these rounds can show: this must be found. */
	twice = 2 * v.metric[1].judgement.detectable_pct;
	CHECK(trial_data_slowed(plain, twice / 100, &slowed) == 0);
	CHECK(trial_draw(plain, &slowed, &by_p99, 40, 1000, 4, &odds) == 0);
	CHECK(odds.metric_worse[1] >= 900);
	printf("# %s: +%.1f %% on p50, 40 rounds: %u of 1000\n", r->name, twice,
	       odds.metric_worse[1]);
}

/* Trials drawn from what a machine really did: few false alarms, and known delays are found. */
static void test_recorded(void)
{
	static const struct recording recordings[] = {
		{ "busy", &recorded_busy[0][0][0][0], ARRAY_SIZE(recorded_busy), 3, 400 },
		{ "quiet", &recorded_quiet[0][0][0][0], ARRAY_SIZE(recorded_quiet), 6, 900 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(recordings); i++) {
		const struct recording *r = &recordings[i];
		_cleanup_trial_data_ struct trial_data plain = { 0 }, delayed = { 0 };
		struct trial_odds odds = { 0 };

		load(r, &plain, &delayed);
		CHECK(trial_draw(&plain, &plain, &by_p99, 20, 1000, 1, &odds) == 0);
		CHECK(odds.trials == 1000 && odds.better + odds.worse <= 50);
		printf("# %s: false alarms: %u of 1000\n", r->name, odds.better + odds.worse);
		CHECK(trial_draw(&plain, &delayed, &by_p99, 20, 1000, 2, &odds) == 0);
		CHECK(odds.metric_worse[0] >= 900);
		printf("# %s: +300 us on 1 %% of wakes, found in p99: %u of 1000\n", r->name,
		       odds.metric_worse[0]);
		check_slowed(r, &plain);
	}
}

int main(void)
{
	test_known_sample();
	test_smallest();
	test_verdicts();
	test_cells();
	test_rate();
	test_steal();
	test_look();
	test_shares();
	test_recorded();
	return unit_done();
}
