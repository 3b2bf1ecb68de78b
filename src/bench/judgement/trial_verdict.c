/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file judges the rounds of a trial; it measures nothing and forgets nothing between calls. */
#include "bench/judgement/trial_verdict.h"

#include <errno.h>
#include <math.h>

#include "bench/host/environment.h"
#include "bench/judgement/combine.h"

void trial_verdict_done(struct trial_verdict *verdict)
{
	free(verdict->effect);
	*verdict = (struct trial_verdict) { 0 };
}

/* An effect's rounds: of those that both arms have, what each has and the log ratio. */
struct pairs {
	double *value[TRIAL_ARMS], *ratio;
	size_t count;
};

static void pairs_done(struct pairs *pairs)
{
	free(pairs->value[TRIAL_A]);
	free(pairs->value[TRIAL_B]);
	free(pairs->ratio);
}

static int pairs_make(size_t rounds, struct pairs *ret)
{
	ret->value[TRIAL_A] = calloc(rounds + 1, sizeof(double));
	ret->value[TRIAL_B] = calloc(rounds + 1, sizeof(double));
	ret->ratio = calloc(rounds + 1, sizeof(double));
	return ret->value[TRIAL_A] && ret->value[TRIAL_B] && ret->ratio ? 0 : -ENOMEM;
}

static bool is_clean(const struct trial_data *data, size_t cell, size_t round)
{
	return trial_steal(data, cell, TRIAL_A)[round] <= STEAL_MARK_PCT &&
	       trial_steal(data, cell, TRIAL_B)[round] <= STEAL_MARK_PCT;
}

static bool has_cell(const struct trial_data *data, const struct trial_effect *e, size_t cell)
{
	return e->cell == TRIAL_ALL_CELLS ? !*trial_few(data, cell, e->figure) : e->cell == cell;
}

/* A cell's log ratio of a round; NAN if an arm has no value, or it is not to be used. */
static double ratio_of(const struct trial_data *data, const struct trial_effect *e, size_t cell,
		       size_t round, bool only_clean)
{
	double a = trial_values(data, cell, e->figure, TRIAL_A)[round];
	double b = trial_values(data, cell, e->figure, TRIAL_B)[round];

	if (!has_cell(data, e, cell) || (only_clean && !is_clean(data, cell, round)))
		return NAN;
	return a > 0 && b > 0 ? log(b / a) : NAN;
}

/* What an arm has in a round: the geometric mean of the cells that count, as they weigh. */
static double value_of(const struct trial_data *data, const struct trial_effect *e,
		       unsigned int arm, size_t round, const double *ratio, const double *weight)
{
	double sum = 0, weights = 0;

	for (size_t cell = 0; cell < data->cells; cell++) {
		if (isnan(ratio[cell * data->rounds + round]))
			continue;
		sum += weight[cell] * log(trial_values(data, cell, e->figure, arm)[round]);
		weights += weight[cell];
	}
	return exp(sum / weights);
}

/* [cell][round] */
static double *ratios_of(const struct trial_data *data, const struct trial_effect *e,
			 bool only_clean)
{
	double *ratio = calloc(data->cells * data->rounds + 1, sizeof(*ratio));

	for (size_t cell = 0; ratio && cell < data->cells; cell++)
		for (size_t i = 0; i < data->rounds; i++)
			ratio[cell * data->rounds + i] = ratio_of(data, e, cell, i, only_clean);
	return ratio;
}

static int pair(const struct trial_data *data, const struct trial_effect *e, bool only_clean,
		double *weight, struct pairs *pairs)
{
	_cleanup_free_ double *ratio = ratios_of(data, e, only_clean);
	_cleanup_free_ double *combined = calloc(data->rounds + 1, sizeof(*combined));
	int r = ratio && combined
			? combine_cells(ratio, data->cells, data->rounds, weight, combined)
			: -ENOMEM;

	pairs->count = 0;
	for (size_t i = 0; i < data->rounds && r == 0; i++) {
		if (isnan(combined[i]))
			continue;
		for (unsigned int arm = 0; arm < TRIAL_ARMS; arm++)
			pairs->value[arm][pairs->count] = value_of(data, e, arm, i, ratio, weight);
		pairs->ratio[pairs->count++] = combined[i];
	}
	return r;
}

/* -ENODATA is no failure: there are too few rounds for an estimate. */
static int estimate(const struct pairs *pairs, struct estimate *ret, bool *known)
{
	int r = effect_paired_ratios(pairs->ratio, pairs->count, ret);

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
	_cleanup_free_ double *weight = calloc(data->cells + 1, sizeof(*weight));
	struct estimate clean;
	int r = weight ? pairs_make(data->rounds, &pairs) : -ENOMEM;

	if (r == 0)
		r = pair(data, e, false, weight, &pairs);
	if (r < 0)
		return r;
	e->rounds = pairs.count;
	for (unsigned int arm = 0; arm < TRIAL_ARMS; arm++)
		e->median[arm] = statistics_median(pairs.value[arm], e->rounds);
	e->has_few = e->cell == TRIAL_ALL_CELLS ? e->rounds == 0
						: *trial_few(data, e->cell, e->figure);
	r = estimate(&pairs, &e->estimate, &e->is_known);
	if (r == 0)
		r = pair(data, e, true, weight, &pairs);
	e->clean_rounds = pairs.count;
	if (r == 0)
		r = estimate(&pairs, &clean, &e->clean_is_known);
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

/* How much of each figure over all cells is this cell's. */
static int share_cells(const struct trial_data *data, struct trial_verdict *v)
{
	_cleanup_free_ double *weight = calloc(data->cells + 1, sizeof(*weight));
	_cleanup_free_ double *unused = calloc(data->rounds + 1, sizeof(*unused));

	if (!weight || !unused)
		return -ENOMEM;
	for (size_t i = 0; i < v->effects; i++) {
		const struct trial_effect all = { .figure = v->effect[i].figure,
						  .cell = TRIAL_ALL_CELLS };
		_cleanup_free_ double *ratio = ratios_of(data, &all, false);
		double sum = 0;

		if (!ratio || combine_cells(ratio, data->cells, data->rounds, weight, unused) < 0)
			return -ENOMEM;
		for (size_t cell = 0; cell < data->cells; cell++)
			sum += weight[cell];
		v->effect[i].weight = sum > 0 ? weight[v->effect[i].cell] / sum : 0;
	}
	return 0;
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
	if (r == 0)
		r = share_cells(data, v);
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
