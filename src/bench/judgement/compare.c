/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * This file compares two sides. All effects of a comparison are estimated first, then their p-values
 * are corrected together (Holm), then each is judged: many figures must not make one false alarm.
 */
#include "bench/judgement/compare.h"

#include <errno.h>
#include <math.h>

#include "bench/document.h"
#include "bench/judgement/compare_counters.h"
#include "bench/judgement/figure.h"
#include "bench/judgement/units.h"
#include "machine/fact/facts.h"

#define SEED 1 /* the same files give the same verdict */

enum { BEFORE, AFTER, SIDES };

struct effect {
	const struct figure *figure;
	struct estimate estimate;
	double value[SIDES]; /* of all blocks pooled */
	double drift;	     /* how far sessions of one side are apart, as a log ratio */
	size_t n;
	bool is_asked; /* of this cell */
	bool is_known, has_few;
	double corrected_p;
};

struct cell_effects {
	const struct saved_cell *cell[SIDES];
	double steal[SIDES];
	struct effect effect[FIGURE_COUNT];
};

struct comparison {
	const struct saved_side *side[SIDES];
	bool paired;
	double within_pct;
	struct cell_effects *cell;
	size_t count;
	size_t tests; /* how many figures are corrected together */
	unsigned int verdicts[VERDICT_WORSE + 1];
};

static void comparison_done(struct comparison *c)
{
	free(c->cell);
}

static const struct block_set *set_of(const struct units *u, const struct figure *f)
{
	return streq(f->metric, "wake") ? &u->wake_set : &u->response_set;
}

/* The pooled quantile of one side, and whether enough samples lie above it. */
static int pool(const struct units *u, const struct figure *f, double *ret, bool *has_few)
{
	_cleanup_distribution_ struct distribution all = { 0 };
	const struct block_set *set = set_of(u, f);
	uint64_t ns;

	for (size_t i = 0; i < set->count; i++)
		if (distribution_merge(&all, set->block[i]) < 0)
			return -ENOMEM;
	*has_few |= distribution_exceedances(&all, f->q) < EXCEEDANCES_ENOUGH;
	*ret = distribution_quantile(&all, f->q, &ns) ? (double)ns : NAN;
	return 0;
}

static int estimate_quantile(struct effect *e, const struct units *u, bool paired)
{
	const struct figure *f = e->figure;
	int r = 0;

	for (unsigned int i = 0; i < SIDES && r == 0; i++)
		r = pool(&u[i], f, &e->value[i], &e->has_few);
	if (r < 0)
		return r;
	if (paired)
		return effect_paired(set_of(&u[BEFORE], f), set_of(&u[AFTER], f), f->q,
				     &e->estimate);
	return effect_pooled(set_of(&u[BEFORE], f), set_of(&u[AFTER], f), f->q, SEED, &e->estimate);
}

static int estimate_rate(struct effect *e, const struct units *u, bool paired)
{
	for (unsigned int i = 0; i < SIDES; i++)
		e->value[i] = statistics_mean_known(u[i].rate, u[i].count);
	if (paired)
		return effect_paired_values(u[BEFORE].rate, u[AFTER].rate, u[BEFORE].count,
					    &e->estimate);
	return effect_pooled_values(u[BEFORE].rate, u[BEFORE].count, u[AFTER].rate, u[AFTER].count,
				    SEED, &e->estimate);
}

/* How far the sessions of a side are from each other in a figure: drift that no change explains. */
static double drift_of(const struct units *sessions, const struct figure *f)
{
	double low = INFINITY, high = -INFINITY;

	for (size_t i = 0; i < sessions->count; i++) {
		double value = f->key ? NAN : sessions->rate[i];
		uint64_t ns;

		if (f->key && distribution_quantile(set_of(sessions, f)->block[i], f->q, &ns))
			value = (double)ns;
		if (!(value > 0))
			continue;
		low = fmin(low, log(value));
		high = fmax(high, log(value));
	}
	return high > low ? high - low : 0;
}

/* Open arrivals have a planned rate, which is no result; saturated ones have no response time. */
static bool applies(const struct cell_effects *c, const struct figure *f)
{
	const json_t *planned = json_object_get(c->cell[BEFORE]->result, "planned_per_s");

	if (streq(f->metric, "rate"))
		return !json_is_number(planned);
	if (streq(f->metric, "response"))
		return json_is_number(planned) && !c->cell[BEFORE]->is_saturated &&
		       !c->cell[AFTER]->is_saturated;
	return true;
}

static bool has_value(const struct units *u, const struct figure *f, size_t i)
{
	return f->key ? set_of(u, f)->block[i]->count > 0 : !isnan(u->rate[i]);
}

/* Of rounds those that both sides measured; else the blocks of the side that has fewer. */
static size_t count_rounds(const struct units *u, const struct figure *f, bool paired)
{
	size_t n = u[BEFORE].count < u[AFTER].count ? u[BEFORE].count : u[AFTER].count, both = 0;

	for (size_t i = 0; i < n; i++)
		both += has_value(&u[BEFORE], f, i) && has_value(&u[AFTER], f, i);
	return paired ? both : n;
}

static int estimate_effect(struct effect *e, const struct units *u, const struct units *sessions,
			   bool paired)
{
	int r;

	e->is_asked = true;
	e->n = count_rounds(u, e->figure, paired);
	e->estimate = (struct estimate) { NAN, NAN, NAN, NAN, NAN, NAN };
	e->value[BEFORE] = e->value[AFTER] = e->corrected_p = NAN;
	r = e->figure->key ? estimate_quantile(e, u, paired) : estimate_rate(e, u, paired);
	if (!paired)
		e->drift = fmax(drift_of(&sessions[BEFORE], e->figure),
				drift_of(&sessions[AFTER], e->figure));
	e->is_known = r == 0;
	return r == -ENODATA || r == -E2BIG ? 0 : r;
}

static void units_pair_done(struct units *u)
{
	for (unsigned int i = 0; i < SIDES; i++)
		units_done(&u[i]);
}

static int make_units(const struct comparison *c, const struct cell_effects *cell,
		      struct units *blocks, struct units *sessions)
{
	for (unsigned int i = 0; i < SIDES; i++) {
		int r = units_of_blocks(cell->cell[i], &blocks[i]);

		if (r == 0)
			r = units_of_sessions(cell->cell[i], c->side[i]->documents, &sessions[i]);
		if (r < 0)
			return r;
	}
	return 0;
}

static int estimate_cell(struct comparison *c, struct cell_effects *cell)
{
	struct units blocks[SIDES] = { 0 }, sessions[SIDES] = { 0 };
	int r = make_units(c, cell, blocks, sessions);

	for (size_t i = 0; i < FIGURE_COUNT && r == 0; i++) {
		cell->effect[i].figure = &figures[i];
		if (applies(cell, &figures[i]))
			r = estimate_effect(&cell->effect[i], c->paired ? sessions : blocks,
					    sessions, c->paired);
	}
	for (unsigned int i = 0; i < SIDES && r == 0; i++)
		cell->steal[i] = statistics_mean_known(blocks[i].steal, blocks[i].count);
	units_pair_done(blocks);
	units_pair_done(sessions);
	return r;
}

/* On both sides? */
static bool has_blocks(const struct cell_effects *cell)
{
	return cell->cell[BEFORE]->count && cell->cell[AFTER]->count;
}

static int estimate_all(struct comparison *c)
{
	const struct saved_side *before = c->side[BEFORE];
	size_t measured = 0;

	c->cell = calloc(before->count + 1, sizeof(*c->cell));
	if (!c->cell)
		return -ENOMEM;
	for (size_t i = 0; i < before->count; i++) {
		const struct saved_cell *after = saved_cell_find(c->side[AFTER],
								 before->cells[i].result);
		struct cell_effects *cell = &c->cell[c->count];
		int r;

		if (!after)
			continue;
		cell->cell[BEFORE] = &before->cells[i];
		cell->cell[AFTER] = after;
		r = estimate_cell(c, cell);
		if (r < 0)
			return r;
		c->count++;
		measured += has_blocks(cell);
	}
	return measured ? 0 : -ENODATA;
}

/* Takes every known p out of the effects, corrects them together, and puts them back. */
static int correct(struct comparison *c)
{
	_cleanup_free_ double *p = calloc(c->count * FIGURE_COUNT + 1, sizeof(*p));
	size_t n = 0, k = 0;
	int r;

	if (!p)
		return -ENOMEM;
	for (size_t i = 0; i < c->count; i++)
		for (size_t f = 0; f < FIGURE_COUNT; f++)
			if (c->cell[i].effect[f].is_known && !c->cell[i].effect[f].has_few)
				p[n++] = c->cell[i].effect[f].estimate.p;
	c->tests = n ? n : 1;
	r = statistics_holm(p, n);
	for (size_t i = 0; i < c->count && r == 0; i++)
		for (size_t f = 0; f < FIGURE_COUNT; f++)
			if (c->cell[i].effect[f].is_known && !c->cell[i].effect[f].has_few)
				c->cell[i].effect[f].corrected_p = p[k++];
	return r;
}

/* Judges, unless the data themselves forbid it; `*ret_reason` says what does. */
static struct judgement judge(const struct comparison *c, const struct effect *e,
			      const char **ret_reason)
{
	struct judgement j = { .change_pct = NAN, .low_pct = NAN, .high_pct = NAN };
	bool decided;

	*ret_reason = NULL;
	j.detectable_pct = NAN;
	if (e->is_known)
		j = effect_judge(&e->estimate, e->corrected_p, e->n, c->tests, c->within_pct,
				 !e->figure->key);
	decided = j.verdict == VERDICT_BETTER || j.verdict == VERDICT_WORSE;
	if (e->n < EFFECT_ROUNDS_MIN)
		*ret_reason = "too few blocks";
	else if (!e->is_known)
		*ret_reason = e->figure->key ? "no samples" : "a rate of 0 has no ratio";
	else if (e->has_few)
		*ret_reason = "too few samples above the quantile";
	else if (decided && e->drift >= fabs(e->estimate.value))
		*ret_reason = "drift within a side is as large";
	if (*ret_reason)
		j.verdict = VERDICT_UNDECIDED;
	return j;
}

static json_t *effect_to_json(struct comparison *c, const struct effect *e)
{
	const char *reason;
	struct judgement j = judge(c, e, &reason);

	c->verdicts[j.verdict]++;
	return json_pack(
		"{s:s, s:s?, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:s?, s:o, s:i}",
		"metric", e->figure->metric, "quantile", e->figure->key, "before",
		real_or_null(e->value[BEFORE]), "after", real_or_null(e->value[AFTER]), "ratio",
		real_or_null(exp(e->estimate.value)), "change_pct", real_or_null(j.change_pct),
		"low_pct", real_or_null(j.low_pct), "high_pct", real_or_null(j.high_pct), "p",
		real_or_null(e->corrected_p), "detectable_pct", real_or_null(j.detectable_pct),
		"verdict", verdict_word(j.verdict), "reason", reason, "rounds_needed",
		j.rounds_needed ? json_integer(j.rounds_needed) : json_null(), "rounds", (int)e->n);
}

static json_t *cell_to_result(struct comparison *c, const struct cell_effects *cell)
{
	const json_t *result = cell->cell[BEFORE]->result;
	json_t *effects = json_array();

	/* Of a cell that one side lacks the blocks of, one row says so. */
	for (size_t i = 0; i < (has_blocks(cell) ? FIGURE_COUNT : 1); i++)
		if (cell->effect[i].is_asked)
			json_array_append_new(effects, effect_to_json(c, &cell->effect[i]));
	return json_pack("{s:O, s:O, s:o, s:o, s:{s:o, s:o}}", "name",
			 json_object_get(result, "name"), "cell", json_object_get(result, "cell"),
			 "effects", effects, "counters",
			 compare_counters(cell->cell[BEFORE], cell->cell[AFTER], c->paired,
					  c->side[BEFORE]->documents),
			 "steal_pct", "before", real_or_null(cell->steal[BEFORE]), "after",
			 real_or_null(cell->steal[AFTER]));
}

/* Cells that only one side has. */
static json_t *cells_without(const struct saved_side *side, const struct saved_side *other)
{
	json_t *array = json_array();

	for (size_t i = 0; i < side->count; i++) {
		const json_t *result = side->cells[i].result;

		if (!saved_cell_find(other, result))
			json_array_append_new(array,
					      json_pack("{s:O, s:O}", "name",
							json_object_get(result, "name"), "cell",
							json_object_get(result, "cell")));
	}
	return array;
}

static const char *overall(const struct comparison *c)
{
	const unsigned int *n = c->verdicts;

	if (n[VERDICT_WORSE] && n[VERDICT_BETTER])
		return "mixed";
	if (n[VERDICT_WORSE])
		return "worse";
	if (n[VERDICT_BETTER])
		return "better";
	return n[VERDICT_UNDECIDED] || !n[VERDICT_NO_CHANGE] ? "undecided" : "no change";
}

static void add_difference(json_t *list, const char *key, const json_t *before, const json_t *after)
{
	if (before == after || json_equal(before, after))
		return;
	json_array_append_new(
		list, json_pack("{s:s, s:O?, s:O?}", "key", key, "before", before, "after", after));
}

/* What the machine is and how it is set; what it has been doing differs every time. */
static bool is_lasting(enum fact fact)
{
	return fact_info[fact].group != GROUP_DOING && fact != FACT_UPTIME;
}

/* What differs in machine or settings between two documents. */
static json_t *differences(const json_t *before, const json_t *after)
{
	static const char *const settings[] = { "block_ns", "lead_ns",	 "pairs",      "arrivals",
						"fifo",	    "processes", "attribution" };
	const json_t *facts = json_object_get(before, "facts");
	const json_t *facts_after = json_object_get(after, "facts");
	json_t *list = json_array();

	for (int i = 0; i < FACT_COUNT; i++)
		if (is_lasting((enum fact)i))
			add_difference(
				list, fact_info[i].key,
				json_object_get(json_object_get(facts, fact_info[i].key), "value"),
				json_object_get(json_object_get(facts_after, fact_info[i].key),
						"value"));
	for (size_t i = 0; i < ARRAY_SIZE(settings); i++)
		add_difference(list, settings[i],
			       json_object_get(json_object_get(before, "config"), settings[i]),
			       json_object_get(json_object_get(after, "config"), settings[i]));
	add_difference(list, "cpus", json_object_get(json_object_get(before, "placement"), "cpus"),
		       json_object_get(json_object_get(after, "placement"), "cpus"));
	return list;
}

/* Appends the keys of a list of differences to `text`, each once. -ENOMEM. */
static int append_keys(const json_t *list, char **text)
{
	const json_t *one;
	size_t i;

	json_array_foreach (list, i, one) {
		const char *key = json_string_value(json_object_get(one, "key"));
		_cleanup_free_ char *old = *text;

		*text = NULL;
		if (asprintf(text, "%s%s%s", old ? old : "", old ? ", " : "", key) < 0) {
			*text = NULL;
			return -ENOMEM;
		}
	}
	return 0;
}

/* A side of several runs stands for one state of one machine; runs that do not agree are told. */
static void note_unlike(json_t *list, const struct saved_side *side, const char *name)
{
	for (size_t i = 1; i < side->documents; i++) {
		json_t *differ = differences(side->document[0], side->document[i]);
		_cleanup_free_ char *keys = NULL;
		int r = append_keys(differ, &keys);

		json_decref(differ);
		if (r < 0 || !keys)
			continue;
		json_array_append_new(
			list,
			json_sprintf("the runs of %s differ among themselves in %s", name, keys));
		return;
	}
}

static bool is_same_data(const struct comparison *c)
{
	const struct saved_side *b = c->side[BEFORE], *a = c->side[AFTER];
	bool same = b->documents == a->documents;

	for (size_t i = 0; same && i < b->documents; i++)
		same = json_equal((json_t *)b->document[i], (json_t *)a->document[i]);
	return same;
}

static json_t *notes(const struct comparison *c)
{
	json_t *list = json_array();

	if (is_same_data(c))
		json_array_append_new(list, json_string("BEFORE and AFTER are the same data"));
	if (!c->paired)
		json_array_append_new(
			list,
			json_string("the sides were measured one after the other: drift of the "
				    "machine is not told from an effect; measure in turns and name "
				    "the files of each side, or use lpartune trial"));
	for (unsigned int i = 0; i < SIDES; i++)
		note_unlike(list, c->side[i], i == BEFORE ? "BEFORE" : "AFTER");
	for (unsigned int i = 0; i < SIDES; i++)
		for (size_t k = 0; k < c->side[i]->documents; k++)
			if (json_is_true(json_object_get(c->side[i]->document[k], "interrupted")))
				json_array_append_new(
					list,
					json_string(i == BEFORE
							    ? "a run of BEFORE was interrupted"
							    : "a run of AFTER was interrupted"));
	return list;
}

static void add_members(struct comparison *c, json_t *doc)
{
	json_t *results = json_array();

	for (size_t i = 0; i < c->count; i++)
		json_array_append_new(results, cell_to_result(c, &c->cell[i]));
	json_object_set_new(doc, "definition",
			    json_integer(saved_definition(c->side[BEFORE]->document[0])));
	json_object_set_new(doc, "paired", json_boolean(c->paired));
	json_object_set_new(doc, "within_pct", json_real(c->within_pct));
	json_object_set_new(doc, "facts_differ",
			    differences(c->side[BEFORE]->document[0], c->side[AFTER]->document[0]));
	json_object_set_new(doc, "results", results);
	json_object_set_new(doc, "only_before", cells_without(c->side[BEFORE], c->side[AFTER]));
	json_object_set_new(doc, "only_after", cells_without(c->side[AFTER], c->side[BEFORE]));
	json_object_set_new(doc, "notes", notes(c));
	json_object_set_new(doc, "verdict", json_string(overall(c)));
}

int compare_to_json(const struct saved_side *before, const struct saved_side *after, bool paired,
		    double within_pct, json_t *doc)
{
	_cleanup_(comparison_done) struct comparison c = {
		.side = { before, after },
		.paired = paired,
		.within_pct = within_pct,
	};
	int r;

	if (saved_definition(before->document[0]) != saved_definition(after->document[0]))
		return -EPROTO;
	r = estimate_all(&c);
	if (r == 0)
		r = correct(&c);
	if (r == 0)
		add_members(&c, doc);
	return r;
}

struct dated {
	const char *time; /* RFC 3339 in UTC sorts as text */
	unsigned int side;
};

static int by_time(const void *a, const void *b)
{
	const struct dated *x = a, *y = b;
	int order = strcmp(x->time, y->time);

	return order ? order : (int)x->side - (int)y->side;
}

bool compare_is_interleaved(const struct saved_side *before, const struct saved_side *after)
{
	const struct saved_side *side[SIDES] = { before, after };
	size_t n = before->documents, k = 0;
	_cleanup_free_ struct dated *all = calloc(2 * n + 1, sizeof(*all));
	bool in_turns = all && n >= EFFECT_ROUNDS_MIN && after->documents == n;

	for (unsigned int i = 0; i < SIDES && in_turns; i++)
		for (size_t d = 0; d < n; d++) {
			const json_t *time = json_object_get(side[i]->document[d], "time");

			all[k++] = (struct dated) { json_string_value(time), i };
			in_turns &= json_is_string(time);
		}
	if (!in_turns)
		return false;
	qsort(all, k, sizeof(*all), by_time);
	for (size_t i = 0; i < k; i += 2)
		in_turns &= all[i].side != all[i + 1].side;
	return in_turns;
}
