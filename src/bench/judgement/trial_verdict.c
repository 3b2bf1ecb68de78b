/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file judges the rounds of a trial; it measures nothing and forgets nothing between calls. */
#include "bench/judgement/trial_verdict.h"

#include <errno.h>
#include <math.h>

#include "bench/host/environment.h"

void trial_verdict_done(struct trial_verdict *verdict)
{
	free(verdict->effect);
	*verdict = (struct trial_verdict) { 0 };
}

/* The values of one effect, by round: what both arms have, else NAN. */
struct pairs {
	double *value[TRIAL_ARMS];
};

static void pairs_done(struct pairs *pairs)
{
	free(pairs->value[TRIAL_A]);
	free(pairs->value[TRIAL_B]);
}

static int pairs_make(size_t rounds, struct pairs *ret)
{
	for (unsigned int arm = 0; arm < TRIAL_ARMS; arm++) {
		ret->value[arm] = calloc(rounds + 1, sizeof(double));
		if (!ret->value[arm])
			return -ENOMEM;
	}
	return 0;
}

static bool is_clean(const struct trial_data *data, size_t cell, size_t round)
{
	return trial_steal(data, cell, TRIAL_A)[round] <= STEAL_MARK_PCT &&
	       trial_steal(data, cell, TRIAL_B)[round] <= STEAL_MARK_PCT;
}

/* Adds the logarithms of a cell's round to the sums, if both arms have it. */
static bool add_cell(const struct trial_data *data, size_t cell, enum figure_id figure,
		     size_t round, double *sum)
{
	double a = trial_values(data, cell, figure, TRIAL_A)[round];
	double b = trial_values(data, cell, figure, TRIAL_B)[round];

	if (!(a > 0 && b > 0))
		return false;
	sum[TRIAL_A] += log(a);
	sum[TRIAL_B] += log(b);
	return true;
}

/* One round of an effect: the geometric mean over its cells. */
static void pair_round(const struct trial_data *data, const struct trial_effect *e, size_t round,
		       bool only_clean, struct pairs *pairs)
{
	double sum[TRIAL_ARMS] = { 0 }, n = 0;

	for (size_t cell = 0; cell < data->cells; cell++) {
		if (e->cell != TRIAL_ALL_CELLS && e->cell != cell)
			continue;
		if (e->cell == TRIAL_ALL_CELLS && *trial_few(data, cell, e->figure))
			continue;
		if (!only_clean || is_clean(data, cell, round))
			n += add_cell(data, cell, e->figure, round, sum);
	}
	for (unsigned int arm = 0; arm < TRIAL_ARMS; arm++)
		pairs->value[arm][round] = n > 0 ? exp(sum[arm] / n) : NAN;
}

/* Leaves only the rounds that both arms have, and returns how many. */
static size_t compact(struct pairs *pairs, size_t rounds)
{
	size_t kept = 0;

	for (size_t i = 0; i < rounds; i++) {
		if (!(pairs->value[TRIAL_A][i] > 0 && pairs->value[TRIAL_B][i] > 0))
			continue;
		pairs->value[TRIAL_A][kept] = pairs->value[TRIAL_A][i];
		pairs->value[TRIAL_B][kept++] = pairs->value[TRIAL_B][i];
	}
	return kept;
}

static size_t pair(const struct trial_data *data, const struct trial_effect *e, bool only_clean,
		   struct pairs *pairs)
{
	for (size_t round = 0; round < data->rounds; round++)
		pair_round(data, e, round, only_clean, pairs);
	return compact(pairs, data->rounds);
}

/* -ENODATA is no failure: there are too few rounds for an estimate. */
static int estimate(const struct pairs *pairs, size_t n, struct estimate *ret, bool *known)
{
	int r = effect_paired_values(pairs->value[TRIAL_A], pairs->value[TRIAL_B], n, ret);

	*known = r == 0;
	return r == -ENODATA || r == -E2BIG ? 0 : r;
}

static bool more_is_better(const struct trial_effect *e)
{
	return e->figure == FIGURE_RATE;
}

static int estimate_effect(const struct trial_data *data, const struct trial_rule *rule,
			   struct trial_effect *e)
{
	_cleanup_(pairs_done) struct pairs pairs = { 0 };
	struct estimate clean;
	int r = pairs_make(data->rounds, &pairs);

	if (r < 0)
		return r;
	e->rounds = pair(data, e, false, &pairs);
	for (unsigned int arm = 0; arm < TRIAL_ARMS; arm++)
		e->median[arm] = statistics_median(pairs.value[arm], e->rounds);
	e->has_few = e->cell == TRIAL_ALL_CELLS ? e->rounds == 0
						: *trial_few(data, e->cell, e->figure);
	r = estimate(&pairs, e->rounds, &e->estimate, &e->is_known);
	if (r < 0)
		return r;
	e->clean_rounds = pair(data, e, true, &pairs);
	r = estimate(&pairs, e->clean_rounds, &clean, &e->clean_is_known);
	if (r == 0 && e->clean_is_known)
		e->clean = effect_judge(&clean, clean.rank_p, e->clean_rounds, 1, rule->within_pct,
					more_is_better(e));
	return r;
}

static bool is_tested(const struct trial_effect *e)
{
	return e->is_known && !e->has_few;
}

/* Corrects the p-values (of the signed-rank test) of a family of effects together, then judges each. */
static int judge_family(struct trial_effect *e, size_t count, double within_pct)
{
	_cleanup_free_ double *p = calloc(count + 1, sizeof(*p));
	size_t n = 0, k = 0;
	int r;

	if (!p)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		if (is_tested(&e[i]))
			p[n++] = e[i].estimate.rank_p;
	r = statistics_holm(p, n);
	for (size_t i = 0; i < count && r == 0; i++)
		if (is_tested(&e[i])) {
			e[i].corrected_p = p[k++];
			e[i].judgement = effect_judge(&e[i].estimate, e[i].corrected_p, e[i].rounds,
						      n, within_pct, more_is_better(&e[i]));
		}
	return r;
}

static bool is_decided(const struct trial_effect *e)
{
	return e->judgement.verdict == VERDICT_BETTER || e->judgement.verdict == VERDICT_WORSE;
}

/* The first metric that is decided decides. */
static void decide(struct trial_verdict *v)
{
	bool all_same = v->metrics > 0;

	for (unsigned int i = 0; i < v->metrics; i++) {
		const struct trial_effect *e = &v->metric[i];

		all_same &= e->judgement.verdict == VERDICT_NO_CHANGE;
		v->got_worse |= e->judgement.verdict == VERDICT_WORSE;
		if (!is_decided(e))
			continue;
		if (!v->decided_by)
			v->decided_by = e;
		v->is_mixed |= e->judgement.verdict != v->decided_by->judgement.verdict;
	}
	v->verdict = v->decided_by ? v->decided_by->judgement.verdict
		     : all_same	   ? VERDICT_NO_CHANGE
				   : VERDICT_UNDECIDED;
}

int trial_judge_metrics(const struct trial_data *data, const struct trial_rule *rule,
			struct trial_verdict *ret)
{
	int r = 0;

	*ret = (struct trial_verdict) { .metrics = rule->metrics };
	for (unsigned int i = 0; i < rule->metrics && r == 0; i++) {
		ret->metric[i] = (struct trial_effect) { .figure = rule->metric[i],
							 .cell = TRIAL_ALL_CELLS };
		r = estimate_effect(data, rule, &ret->metric[i]);
	}
	if (r == 0)
		r = judge_family(ret->metric, ret->metrics, rule->within_pct);
	if (r == 0)
		decide(ret);
	return r;
}

static bool has_values(const struct trial_data *data, size_t cell, enum figure_id figure)
{
	for (size_t i = 0; i < data->rounds; i++)
		if (trial_values(data, cell, figure, TRIAL_A)[i] > 0)
			return true;
	return false;
}

static int judge_cells(const struct trial_data *data, const struct trial_rule *rule,
		       struct trial_verdict *v)
{
	int r = 0;

	v->effect = calloc(data->cells * FIGURE_COUNT + 1, sizeof(*v->effect));
	if (!v->effect)
		return -ENOMEM;
	for (size_t i = 0; i < data->cells * FIGURE_COUNT && r == 0; i++) {
		size_t cell = i / FIGURE_COUNT;
		enum figure_id figure = (enum figure_id)(i % FIGURE_COUNT);
		struct trial_effect *e = &v->effect[v->effects];

		if (!has_values(data, cell, figure))
			continue;
		*e = (struct trial_effect) { .figure = figure, .cell = cell };
		r = estimate_effect(data, rule, e);
		v->effects++;
	}
	if (r == 0)
		r = judge_family(v->effect, v->effects, rule->within_pct);
	for (size_t i = 0; i < v->effects; i++)
		v->got_worse |= v->effect[i].judgement.verdict == VERDICT_WORSE;
	return r;
}

typedef double *(*series_fn)(const struct trial_data *data, size_t cell, unsigned int arm);

/* The mean of a round over the cells; NAN if one does not know it. */
static double round_mean(const struct trial_data *data, series_fn series, unsigned int arm,
			 size_t round)
{
	double sum = 0, n = 0;

	for (size_t cell = 0; cell < data->cells; cell++) {
		/* A cell that this machine does not have was never measured. */
		if (isnan(trial_rate(data, cell, arm)[round]))
			continue;
		sum += series(data, cell, arm)[round];
		n++;
	}
	return n > 0 ? sum / n : NAN;
}

static double mean_of(const struct trial_data *data, series_fn series, unsigned int arm)
{
	double sum = 0;

	for (size_t i = 0; i < data->rounds; i++)
		sum += round_mean(data, series, arm, i);
	return data->rounds ? sum / (double)data->rounds : NAN;
}

static int judge_steal(const struct trial_data *data, struct trial_verdict *v)
{
	_cleanup_free_ double *change = calloc(data->rounds + 1, sizeof(*change));
	int r;

	if (!change)
		return -ENOMEM;
	for (unsigned int arm = 0; arm < TRIAL_ARMS; arm++) {
		v->steal.mean[arm] = mean_of(data, trial_steal, arm);
		v->rate[arm] = mean_of(data, trial_rate, arm);
	}
	for (size_t i = 0; i < data->rounds; i++)
		change[i] = round_mean(data, trial_steal, TRIAL_B, i) -
			    round_mean(data, trial_steal, TRIAL_A, i);
	if (isnan(v->steal.mean[TRIAL_A]) || isnan(v->steal.mean[TRIAL_B]))
		return 0;
	r = statistics_signed_rank(change, data->rounds, &v->steal.change);
	v->steal.is_known = r == 0;
	return r == -EINVAL || r == -E2BIG ? 0 : r;
}

int trial_judge(const struct trial_data *data, const struct trial_rule *rule,
		struct trial_verdict *ret)
{
	int r = trial_judge_metrics(data, rule, ret);

	if (r == 0)
		r = judge_cells(data, rule, ret);
	if (r == 0)
		r = judge_steal(data, ret);
	if (r < 0)
		trial_verdict_done(ret);
	return r;
}

bool trial_is_look(size_t rounds_done, size_t rounds_planned)
{
	size_t look = (3 * rounds_planned + 4) / 5;

	return rounds_done < rounds_planned &&
	       rounds_done == (look > TRIAL_LOOK_MIN ? look : TRIAL_LOOK_MIN);
}

bool trial_may_end(const struct trial_verdict *verdict)
{
	return verdict->decided_by && !verdict->is_mixed &&
	       verdict->decided_by->corrected_p < TRIAL_LOOK_P;
}

const char *trial_verdict_word(const struct trial_verdict *verdict)
{
	return verdict->is_mixed ? "mixed" : verdict_word(verdict->verdict);
}
