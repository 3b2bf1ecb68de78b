/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file turns a trial into its document; what is not known becomes null, never 0. */
#include "bench/trial_document.h"

#include <errno.h>
#include <math.h>

#include "bench/document.h"
#include "bench/workload/futex.h"

#define DRAWN 1000 /* trials of a self-test */

static const char *const arm_keys[TRIAL_ARMS] = { "a", "b" };

static json_t *percent_or_null(bool known, double pct)
{
	return known ? real_or_null(pct) : json_null();
}

/* The members that every judgement has. */
static json_t *judgement_to_json(const struct judgement *j, bool known, size_t rounds)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:s, s:o, s:i}", "change_pct",
			 percent_or_null(known, j->change_pct), "low_pct",
			 percent_or_null(known, j->low_pct), "high_pct",
			 percent_or_null(known, j->high_pct), "detectable_pct",
			 percent_or_null(known, j->detectable_pct), "verdict",
			 verdict_word(j->verdict), "rounds_needed",
			 j->rounds_needed ? json_integer(j->rounds_needed) : json_null(), "rounds",
			 (int)rounds);
}

static bool any_has_few(const struct trial_data *data, enum figure_id figure)
{
	for (size_t cell = 0; cell < data->cells; cell++)
		if (*trial_few(data, cell, figure))
			return true;
	return false;
}

/* Why an effect has no interval; NULL: it has one. */
static const char *reason_of(const struct trial_data *data, const struct trial_effect *e)
{
	if (!data->rounds)
		return "too few rounds";
	/* Open arrivals have no rate, and saturated ones no response time. */
	if (e->cell == TRIAL_ALL_CELLS && !e->rounds && !any_has_few(data, e->figure))
		return "no cell that was measured has this figure";
	if (e->has_few)
		return "too few samples above the quantile";
	if (!e->is_known)
		return "too few rounds";
	return NULL;
}

static json_t *effect_to_json(const struct trial_data *data, const struct trial_effect *e)
{
	static const struct judgement none = { 0 };
	bool judged = e->is_known && !e->has_few;
	json_t *object = judgement_to_json(&e->judgement, judged, e->rounds);
	const char *reason = reason_of(data, e);

	json_object_set_new(object, "metric", json_string(figures[e->figure].metric));
	json_object_set_new(object, "quantile",
			    figures[e->figure].key ? json_string(figures[e->figure].key)
						   : json_null());
	for (unsigned int arm = 0; arm < TRIAL_ARMS; arm++)
		json_object_set_new(object, arm_keys[arm], real_or_null(e->median[arm]));
	json_object_set_new(object, "p", percent_or_null(judged, e->corrected_p));
	json_object_set_new(object, "rank_p", percent_or_null(judged, e->estimate.rank_p));
	if (e->cell != TRIAL_ALL_CELLS)
		json_object_set_new(object, "weight_pct", real_or_null(100 * e->weight));
	json_object_set_new(object, "reason", reason ? json_string(reason) : json_null());
	/* Never without the raw figures. */
	json_object_set_new(object, "steal_free",
			    judgement_to_json(judged ? &e->clean : &none,
					      judged && e->clean_is_known, e->clean_rounds));
	return object;
}

static json_t *metrics_to_json(const struct trial_data *data, const struct trial_verdict *verdict)
{
	json_t *array = json_array();

	for (unsigned int i = 0; i < verdict->metrics; i++)
		json_array_append_new(array, effect_to_json(data, &verdict->metric[i]));
	return array;
}

static json_t *effects_of(const struct trial_data *data, const struct trial_verdict *verdict,
			  size_t cell)
{
	json_t *array = json_array();

	for (size_t i = 0; i < verdict->effects; i++)
		if (verdict->effect[i].cell == cell)
			json_array_append_new(array, effect_to_json(data, &verdict->effect[i]));
	return array;
}

int trial_pool(const struct measurement *m, struct distribution *ret)
{
	int r = 0;

	*ret = (struct distribution) { 0 };
	for (unsigned int i = 0; i < m->block_count && r == 0; i++)
		r = distribution_merge(ret, &m->blocks[i].wake);
	if (r < 0)
		distribution_done(ret);
	return r;
}

/* All blocks of one arm in one. */
static json_t *arm_to_json(const struct measurement *m)
{
	_cleanup_distribution_ struct distribution all;
	json_t *histogram = json_array();

	if (trial_pool(m, &all) < 0)
		return histogram;
	for (size_t i = 0; i < all.used_count; i++)
		json_array_append_new(histogram,
				      json_pack("[I, I]",
						(json_int_t)histogram_value(all.used[i].bucket),
						(json_int_t)all.used[i].count));
	return json_pack("{s:I, s:o, s:o, s:o}", "count", (json_int_t)all.count, "percentiles",
			 percentiles_to_json(&all), "slow_classes",
			 shares_to_json(m->classes, 0.01), "histogram", histogram);
}

static json_t *error_to_json(const struct measurement *m)
{
	if (!m->error)
		return json_null();
	return json_string(m->error == -ENODEV ? "this machine has no such distance"
					       : strerror(-m->error));
}

static json_t *cells_to_json(const struct trial *trial, const struct trial_verdict *verdict)
{
	json_t *array = json_array();

	for (unsigned int i = 0; i < trial->arm[TRIAL_A].count; i++) {
		const struct measurement *a = &trial->arm[TRIAL_A].measurement[i];
		const struct measurement *b = &trial->arm[TRIAL_B].measurement[i];

		json_array_append_new(array,
				      json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "name",
						a->cell.benchmark->name, "operation",
						a->cell.benchmark->operation, "cell",
						cell_to_json(&a->cell), "error",
						error_to_json(a->error ? a : b), "a",
						arm_to_json(a), "b", arm_to_json(b), "effects",
						effects_of(&trial->data, verdict, i)));
	}
	return array;
}

/* The figures of one cell in one half of a round. */
static json_t *half_to_json(const struct trial *trial, size_t cell, unsigned int arm, size_t round)
{
	const struct trial_data *data = &trial->data;
	json_t *object = json_object();

	for (unsigned int f = 0; f < FIGURE_COUNT; f++)
		json_object_set_new(
			object, figures[f].word,
			real_or_null(trial_values(data, cell, (enum figure_id)f, arm)[round]));
	json_object_set_new(object, "steal_pct", real_or_null(trial_steal(data, cell, arm)[round]));
	json_object_set_new(object, "operations_per_s",
			    real_or_null(trial_rate(data, cell, arm)[round]));
	if (trial->config.keeps_tail)
		json_object_set_new(
			object, "delayed_p99",
			real_or_null(trial_values(&trial->tail, cell, FIGURE_P99, arm)[round]));
	return object;
}

static json_t *round_to_json(const struct trial *trial, size_t round)
{
	json_t *halves[TRIAL_ARMS];

	for (unsigned int arm = 0; arm < TRIAL_ARMS; arm++) {
		halves[arm] = json_array();
		for (size_t cell = 0; cell < trial->data.cells; cell++)
			json_array_append_new(halves[arm], half_to_json(trial, cell, arm, round));
	}
	return json_pack("{s:s, s:o, s:o}", "first", arm_keys[trial->first[round]], "a",
			 halves[TRIAL_A], "b", halves[TRIAL_B]);
}

static json_t *rounds_to_json(const struct trial *trial)
{
	json_t *array = json_array();

	for (size_t i = 0; i < trial->data.rounds; i++)
		json_array_append_new(array, round_to_json(trial, i));
	return array;
}

static json_t *metric_words(const struct trial_rule *rule)
{
	json_t *array = json_array();

	for (unsigned int i = 0; i < rule->metrics; i++)
		json_array_append_new(array, json_string(figures[rule->metric[i]].word));
	return array;
}

static json_t *config_to_json(const struct trial *trial)
{
	const struct trial_config *c = &trial->config;
	const struct bench_config *b = &trial->arm[TRIAL_A].config;

	return json_pack("{s:i, s:o, s:I, s:s, s:b, s:f, s:o, s:I, s:I, s:i, s:s, s:o, s:I}",
			 "rounds", (int)c->rounds, "max_time_ns",
			 c->max_ns ? json_integer((json_int_t)c->max_ns) : json_null(), "settle_ns",
			 (json_int_t)c->settle_ns, "order", c->is_random ? "random" : "abba",
			 "may_end_early", c->may_end_early, "within_pct", c->rule.within_pct,
			 "metrics", metric_words(&c->rule), "block_ns", (json_int_t)b->block_ns,
			 "lead_ns", (json_int_t)b->lead_ns, "pairs", (int)b->pairs, "arrivals",
			 b->periodic ? "periodic" : "poisson", "fifo",
			 b->fifo ? json_integer(b->fifo) : json_null(), "seed",
			 (json_int_t)(b->seed & INT64_MAX));
}

static json_t *steal_to_json(const struct trial_steal_effect *s)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "a", real_or_null(s->mean[TRIAL_A]), "b",
			 real_or_null(s->mean[TRIAL_B]), "change",
			 percent_or_null(s->is_known, s->change.value), "low",
			 percent_or_null(s->is_known, s->change.low), "high",
			 percent_or_null(s->is_known, s->change.high), "p",
			 percent_or_null(s->is_known, s->change.rank_p));
}

/* Events a second of one round: the mean over the cells. NAN if none is known. */
static double round_count(const struct bench *bench, unsigned int counter, size_t round)
{
	double sum = 0, n = 0;

	for (unsigned int i = 0; i < bench->count; i++) {
		const struct measurement *m = &bench->measurement[i];

		if (m->block_count <= round || isnan(m->blocks[round].counter_per_s[counter]))
			continue;
		sum += m->blocks[round].counter_per_s[counter];
		n++;
	}
	return n > 0 ? sum / n : NAN;
}

static json_t *counter_to_json(const struct trial *trial, unsigned int counter)
{
	size_t n = trial->data.rounds;
	_cleanup_free_ double *a = calloc(n + 1, sizeof(*a)), *b = calloc(n + 1, sizeof(*b));
	struct estimate e = { 0 };
	bool known;

	if (!a || !b)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		a[i] = round_count(&trial->arm[TRIAL_A], counter, i);
		b[i] = round_count(&trial->arm[TRIAL_B], counter, i);
	}
	known = effect_paired_values(a, b, n, &e) == 0;
	return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "name",
			 trial->arm[TRIAL_A].session.counters->counter[counter].name, "a",
			 real_or_null(statistics_mean(a, n)), "b",
			 real_or_null(statistics_mean(b, n)), "change_pct",
			 percent_or_null(known, 100 * expm1(e.value)), "low_pct",
			 percent_or_null(known, 100 * expm1(e.low)), "high_pct",
			 percent_or_null(known, 100 * expm1(e.high)));
}

static json_t *counters_of(const struct trial *trial)
{
	const struct counters *counters = trial->arm[TRIAL_A].session.counters;
	json_t *array = json_array();

	for (unsigned int i = 0; counters && i < counters->count; i++)
		if (counters->counter[i].fd)
			json_array_append_new(array, counter_to_json(trial, i));
	return array;
}

/* Why there is no verdict, whatever the figures are. */
static const char *no_verdict(const struct trial *trial)
{
	if (trial->end == TRIAL_INTERRUPTED)
		return "interrupted: it did not end as planned";
	if (trial->end == TRIAL_SWITCH_FAILED)
		return "the values could not be switched";
	if (trial->end == TRIAL_STUCK)
		return "a thread did not come back";
	return trial->data.rounds < EFFECT_ROUNDS_MIN ? "fewer than 6 rounds" : NULL;
}

static void add_verdict(const struct trial *trial, const struct trial_verdict *v, json_t *doc)
{
	const char *reason = no_verdict(trial);

	json_object_set_new(doc, "verdict",
			    json_string(reason ? "undecided" : trial_verdict_word(v)));
	json_object_set_new(doc, "decided_by",
			    v->decided_by && !reason
				    ? json_string(figures[v->decided_by->figure].word)
				    : json_null());
	json_object_set_new(doc, "reason", reason ? json_string(reason) : json_null());
	json_object_set_new(doc, "got_worse", json_boolean(v->got_worse));
}

int trial_to_json(const struct trial *trial, const struct trial_verdict *v, json_t *doc)
{
	const struct bench *a = &trial->arm[TRIAL_A];
	json_t *own = json_pack(
		"{s:i, s:o, s:o, s:s, s:i, s:I, s:I, s:o, s:o, s:{s:o, s:o}, s:o, s:o, s:o}",
		"definition", BENCH_DEFINITION, "config", config_to_json(trial), "placement",
		layout_to_json(a->session.layout), "ended", trial_end_word(trial->end),
		"rounds_done", (int)trial->data.rounds, "planned_ns",
		(json_int_t)trial_planned_ns(trial), "took_ns", (json_int_t)trial->took_ns,
		"metrics", metrics_to_json(&trial->data, v), "steal_pct", steal_to_json(&v->steal),
		"operations_per_s", "a", real_or_null(v->rate[TRIAL_A]), "b",
		real_or_null(v->rate[TRIAL_B]), "counters", counters_of(trial), "cells",
		cells_to_json(trial, v), "rounds", rounds_to_json(trial));
	int r = own ? json_object_update(doc, own) : -1;

	json_decref(own);
	add_verdict(trial, v, doc);
	return r < 0 ? -ENOMEM : 0;
}

static json_t *share_to_json(unsigned int hits, unsigned int trials)
{
	struct share_interval s = share_interval(hits, trials);

	return json_pack("{s:i, s:i, s:f, s:f, s:f}", "hits", (int)hits, "trials", (int)trials,
			 "pct", trials ? 100.0 * hits / trials : 0, "low_pct", 100 * s.low,
			 "high_pct", 100 * s.high);
}

/* How often each metric was judged worse. */
static json_t *found_to_json(const struct trial_rule *rule, const struct trial_odds *odds)
{
	json_t *object = json_object();

	for (unsigned int i = 0; i < rule->metrics; i++)
		json_object_set_new(object, figures[rule->metric[i]].word,
				    share_to_json(odds->metric_worse[i], odds->trials));
	return object;
}

/* Draws trials of so many rounds without a change and with each delay. */
static int drawn_to_json(const struct trial *trial, const struct trial_data *slowed, size_t rounds,
			 json_t **ret)
{
	const struct trial_rule *rule = &trial->config.rule;
	struct trial_odds same = { 0 }, slow = { 0 }, tail = { 0 };
	uint64_t seed = trial->arm[TRIAL_A].config.seed;
	int r = trial_draw(&trial->data, &trial->data, rule, rounds, DRAWN, seed, &same);

	if (r == 0)
		r = trial_draw(&trial->data, slowed, rule, rounds, DRAWN, seed, &slow);
	if (r == 0)
		r = trial_draw(&trial->data, &trial->tail, rule, rounds, DRAWN, seed, &tail);
	if (r < 0)
		return r;
	*ret = json_pack("{s:i, s:o, s:o, s:o}", "rounds", (int)rounds, "false_alarms",
			 share_to_json(same.better + same.worse, same.trials), "delayed_all",
			 found_to_json(rule, &slow), "delayed_some", found_to_json(rule, &tail));
	return *ret ? 0 : -ENOMEM;
}

/* Half, as many and twice as many rounds as were measured. */
static int draw_sizes(const struct trial *trial, const struct trial_data *slowed, json_t *array)
{
	size_t n = trial->data.rounds;
	const size_t sizes[] = { n / 2, n, 2 * n };
	int r = 0;

	for (size_t i = 0; i < ARRAY_SIZE(sizes) && r == 0; i++) {
		json_t *drawn = NULL;

		if (sizes[i] < EFFECT_ROUNDS_MIN)
			continue;
		r = drawn_to_json(trial, slowed, sizes[i], &drawn);
		if (r == 0 && json_array_append_new(array, drawn) < 0)
			r = -ENOMEM;
	}
	return r;
}

int trial_self_test_to_json(const struct trial *trial, json_t **ret)
{
	_cleanup_trial_data_ struct trial_data slowed = { 0 };
	json_t *drawn;
	int r = trial->data.rounds < EFFECT_ROUNDS_MIN
			? -ENODATA
			: trial_data_slowed(&trial->data, TRIAL_DELAY_SHARE, &slowed);

	if (r < 0)
		return r;
	drawn = json_array();
	r = drawn ? draw_sizes(trial, &slowed, drawn) : -ENOMEM;
	if (r < 0) {
		json_decref(drawn);
		return r;
	}
	*ret = json_pack("{s:i, s:{s:f}, s:{s:I, s:i}, s:o}", "recorded_rounds",
			 (int)trial->data.rounds, "delayed_all", "pct_of_p50",
			 100 * TRIAL_DELAY_SHARE, "delayed_some", "ns", (json_int_t)TRIAL_DELAY_NS,
			 "one_in", TRIAL_DELAY_ONE_IN, "drawn", drawn);
	return *ret ? 0 : -ENOMEM;
}
