/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file turns a run into its document; what is not known becomes null, never 0. */
#include "bench/document.h"

#include <errno.h>
#include <math.h>

#include "bench/counted.h"
#include "bench/workload/futex.h"

/* The quantiles that documents and tables have, and their keys. */
static const struct {
	double q;
	const char *key;
} quantiles[] = {
	{ 0.5, "50" },	{ 0.75, "75" },	   { 0.9, "90" },     { 0.95, "95" },
	{ 0.99, "99" }, { 0.995, "99.5" }, { 0.999, "99.9" },
};

/* Buckets repeat in every block: where many are kept, their numbers are made once and shared. */
struct shared_numbers {
	json_t *value[HISTOGRAM_BUCKETS];
	json_t *count[64];
	json_t *pair[HISTOGRAM_BUCKETS][8]; /* by bucket and count */
};

json_t *real_or_null(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *shared_integer(json_t **slot, uint64_t value)
{
	if (!*slot)
		*slot = json_integer((json_int_t)value);
	return json_incref(*slot);
}

static void shared_done(struct shared_numbers *shared)
{
	if (!shared)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(shared->pair); i++)
		for (size_t k = 0; k < ARRAY_SIZE(shared->pair[0]); k++)
			json_decref(shared->pair[i][k]);
	for (size_t i = 0; i < ARRAY_SIZE(shared->value); i++)
		json_decref(shared->value[i]);
	for (size_t i = 0; i < ARRAY_SIZE(shared->count); i++)
		json_decref(shared->count[i]);
	free(shared);
}

static json_t *make_pair(const struct distribution_bucket *b, struct shared_numbers *shared)
{
	json_t *pair = json_array();
	json_t *count = b->count < ARRAY_SIZE(shared->count)
				? shared_integer(&shared->count[b->count], b->count)
				: json_integer((json_int_t)b->count);

	json_array_append_new(
		pair, shared_integer(&shared->value[b->bucket], histogram_value(b->bucket)));
	json_array_append_new(pair, count);
	return pair;
}

static json_t *bucket_to_json(const struct distribution_bucket *b, struct shared_numbers *shared)
{
	json_t **slot;

	if (!shared)
		return json_pack("[I, I]", (json_int_t)histogram_value(b->bucket),
				 (json_int_t)b->count);
	if (b->count >= ARRAY_SIZE(shared->pair[0]))
		return make_pair(b, shared);
	slot = &shared->pair[b->bucket][b->count];
	if (!*slot)
		*slot = make_pair(b, shared);
	return json_incref(*slot);
}

/* How blocks are made into documents. */
struct block_style {
	const struct counters *counters;
	bool with_histograms;	       /* else they stay empty */
	struct shared_numbers *shared; /* NULL: nothing is shared */
};

/* Members of an object: histogram, count, min, max, sum. */
static void add_distribution(json_t *to, const struct distribution *d,
			     const struct block_style *style)
{
	json_t *histogram = json_array();

	for (size_t i = 0; style->with_histograms && i < d->used_count; i++)
		json_array_append_new(histogram, bucket_to_json(&d->used[i], style->shared));
	json_object_set_new(to, "histogram", histogram);
	json_object_set_new(to, "count", json_integer((json_int_t)d->count));
	json_object_set_new(to, "min", d->count ? json_integer((json_int_t)d->min) : json_null());
	json_object_set_new(to, "max", d->count ? json_integer((json_int_t)d->max) : json_null());
	json_object_set_new(to, "sum", json_integer((json_int_t)d->sum));
}

json_t *percentiles_to_json(const struct distribution *d)
{
	json_t *object = json_object();

	for (unsigned int i = 0; i < ARRAY_SIZE(quantiles); i++) {
		uint64_t ns;
		bool known = distribution_quantile(d, quantiles[i].q, &ns);

		json_object_set_new(object, quantiles[i].key,
				    known ? json_integer((json_int_t)ns) : json_null());
	}
	return object;
}

static json_t *exceedances_to_json(const struct distribution *d)
{
	json_t *object = json_object();

	for (unsigned int i = 0; i < ARRAY_SIZE(quantiles); i++)
		json_object_set_new(
			object, quantiles[i].key,
			json_integer((json_int_t)distribution_exceedances(d, quantiles[i].q)));
	return object;
}

json_t *cell_to_json(const struct cell *cell)
{
	json_t *object = json_pack("{s:s, s:I, s:i, s:s}", "distance",
				   distance_word(cell->distance), "idle_ns",
				   (json_int_t)cell->idle_ns, "load", (int)cell->load_pct,
				   "primitive", primitive_word(cell->primitive));

	if (cell->size)
		json_object_set_new(object, "size", json_integer(cell->size));
	if (cell->benchmark->kinds)
		json_object_set_new(object, "kind",
				    json_string(cell->benchmark->kinds[cell->kind]));
	return object;
}

static json_t *environment_to_json(const struct environment *e)
{
	json_t *object = json_object();

	json_object_set_new(object, "steal_pct", real_or_null(e->steal_pct));
	json_object_set_new(object, "steal_source",
			    isnan(e->steal_pct)
				    ? json_null()
				    : json_string(e->steal_is_vpa ? "vpa" : "proc-stat"));
	json_object_set_new(object, "stat_steal_pct", real_or_null(e->stat_steal_pct));
	json_object_set_new(object, "own_cpu_pct", real_or_null(e->own_cpu_pct));
	json_object_set_new(object, "foreign_cpu_pct", real_or_null(e->foreign_cpu_pct));
	json_object_set_new(object, "context_switches_per_s",
			    real_or_null(e->context_switches_per_s));
	return object;
}

static json_t *class_counts_to_json(const uint64_t *classes)
{
	json_t *object = json_object();

	for (unsigned int c = 0; c < CLASS_COUNT; c++)
		json_object_set_new(object, wake_class_word((enum wake_class)c),
				    json_integer((json_int_t)classes[c]));
	return object;
}

static json_t *block_to_json(const struct block *block, const struct block_style *style)
{
	json_t *object = json_object(), *response = json_object();

	add_distribution(object, &block->wake, style);
	add_distribution(response, &block->response, style);
	json_object_set_new(object, "response", response);
	json_object_set_new(object, "start_ns", json_integer((json_int_t)block->start_ns));
	json_object_set_new(object, "duration_ns", json_integer((json_int_t)block->duration_ns));
	json_object_set_new(object, "planned", json_integer((json_int_t)block->planned));
	json_object_set_new(object, "done", json_integer((json_int_t)block->done));
	json_object_set_new(object, "unissued", json_integer((json_int_t)block->unissued));
	json_object_set_new(object, "warmup", json_integer((json_int_t)block->warmup));
	json_object_set_new(object, "classes",
			    block->has_classes ? class_counts_to_json(block->classes)
					       : json_null());
	json_object_set_new(object, "environment", environment_to_json(&block->environment));
	json_object_set_new(object, "counters", block_counters_to_json(style->counters, block));
	return object;
}

json_t *bench_block_to_json(const struct bench *bench, size_t result, size_t block)
{
	const struct block_style style = { .counters = bench->session.counters,
					   .with_histograms = true };

	return block_to_json(&bench->measurement[result].blocks[block], &style);
}

static json_t *blocks_to_json(const struct measurement *m, const struct block_style *style)
{
	json_t *array = json_array();

	for (unsigned int i = 0; i < m->block_count; i++)
		json_array_append_new(array, block_to_json(&m->blocks[i], style));
	return array;
}

/* All blocks of a cell in one, or only those that little was stolen from. */
struct summary {
	struct distribution wake, response;
	unsigned int blocks;
	uint64_t planned, done, duration_ns;
	double steal_sum;
	unsigned int steal_known;
};

static void summary_done(struct summary *s)
{
	distribution_done(&s->wake);
	distribution_done(&s->response);
}

static int summarize(const struct measurement *m, bool only_clean, struct summary *s)
{
	*s = (struct summary) { 0 };
	for (unsigned int i = 0; i < m->block_count; i++) {
		const struct block *b = &m->blocks[i];

		if (only_clean && environment_is_stolen(&b->environment))
			continue;
		if (distribution_merge(&s->wake, &b->wake) < 0 ||
		    distribution_merge(&s->response, &b->response) < 0)
			return -ENOMEM;
		s->blocks++;
		s->planned += b->planned;
		s->done += b->done;
		s->duration_ns += b->duration_ns;
		if (!isnan(b->environment.steal_pct)) {
			s->steal_sum += b->environment.steal_pct;
			s->steal_known++;
		}
	}
	return 0;
}

json_t *shares_to_json(const struct class_table *table, double part)
{
	double share[CLASS_COUNT];
	json_t *object;

	if (!table || !class_table_shares(table, part, share))
		return json_null();
	object = json_object();
	for (unsigned int c = CLASS_NOT_SLEPT + 1; c < CLASS_COUNT; c++)
		json_object_set_new(object, wake_class_word((enum wake_class)c),
				    json_real(share[c]));
	return object;
}

static json_t *pairs_to_json(const struct measurement *m)
{
	json_t *array = json_array();

	for (unsigned int i = 0; i < m->pair_count; i++)
		json_array_append_new(array, m->pairs[i].waker < 0
						     ? json_null()
						     : json_pack("[i, i]", m->pairs[i].waker,
								 m->pairs[i].worker));
	return array;
}

static json_t *chosen_to_json(const struct measurement *m)
{
	json_t *object;

	if (m->cell.distance != DISTANCE_FREE)
		return json_null();
	object = json_object();
	for (unsigned int d = 0; d < DISTANCE_FREE; d++)
		json_object_set_new(object, distance_word((enum distance)d),
				    json_integer((json_int_t)m->chosen[d]));
	return object;
}

/* Coefficient of variation of the intervals between wakes: 1 for Poisson, 0 for periodic. */
static double arrival_cv(const struct measurement *m)
{
	double mean, variance;

	if (m->gaps < 2)
		return NAN;
	mean = m->gap_sum / (double)m->gaps;
	variance = m->gap_squares / (double)m->gaps - mean * mean;
	return sqrt(fmax(0, variance)) / mean;
}

/* How the rate differs from block to block. */
static double rate_deviation(const struct measurement *m)
{
	_cleanup_free_ double *rate = reallocarray(NULL, m->block_count + 1, sizeof(*rate));

	if (!rate)
		return NAN;
	for (unsigned int i = 0; i < m->block_count; i++)
		rate[i] = (double)m->blocks[i].done * 1e9 / (double)m->blocks[i].duration_ns;
	return statistics_deviation(rate, m->block_count);
}

/* Arrivals that come faster than they can be served make `response` a matter of the run's length. */
#define SATURATED 0.95

static void add_rates(json_t *object, const struct measurement *m, const struct summary *s)
{
	double seconds = s->duration_ns ? (double)s->duration_ns * 1e-9 : NAN;

	json_object_set_new(object, "planned_per_s",
			    real_or_null(s->planned ? (double)s->planned / seconds : NAN));
	json_object_set_new(object, "achieved_per_s", real_or_null((double)s->done / seconds));
	json_object_set_new(object, "achieved_per_s_deviation", real_or_null(rate_deviation(m)));
	json_object_set_new(object, "arrival_cv", real_or_null(arrival_cv(m)));
	json_object_set_new(
		object, "saturated",
		json_boolean(s->planned && (double)s->done < SATURATED * (double)s->planned));
}

static void add_latencies(json_t *object, const struct measurement *m, const struct summary *s)
{
	json_object_set_new(object, "count", json_integer((json_int_t)s->wake.count));
	json_object_set_new(object, "min",
			    s->wake.count ? json_integer((json_int_t)s->wake.min) : json_null());
	json_object_set_new(object, "max",
			    s->wake.count ? json_integer((json_int_t)s->wake.max) : json_null());
	json_object_set_new(object, "percentiles", percentiles_to_json(&s->wake));
	json_object_set_new(object, "exceedances", exceedances_to_json(&s->wake));
	json_object_set_new(object, "response_percentiles", percentiles_to_json(&s->response));
	json_object_set_new(object, "issue_percentiles", percentiles_to_json(&m->issue));
	json_object_set_new(object, "late_percentiles", percentiles_to_json(&m->late));
}

static json_t *clean_to_json(const struct measurement *m)
{
	struct summary clean;
	json_t *object;

	if (summarize(m, true, &clean) < 0)
		return NULL;
	object = json_pack("{s:i, s:I, s:o, s:o}", "blocks", (int)clean.blocks, "count",
			   (json_int_t)clean.wake.count, "percentiles",
			   percentiles_to_json(&clean.wake), "response_percentiles",
			   percentiles_to_json(&clean.response));
	summary_done(&clean);
	return object;
}

static json_t *own_cost_to_json(const struct bench *bench, const struct measurement *m,
				const struct summary *s)
{
	const struct own_cost *cost = &bench->own_cost;
	double rate = s->duration_ns ? (double)s->done * 1e9 / (double)s->duration_ns : NAN;
	double per_pair = rate / (m->pair_count ? m->pair_count : 1);
	double share[CLASS_COUNT];
	bool has_classes = m->classes && class_table_shares(m->classes, 1, share);

	return json_pack("{s:o, s:o, s:o, s:o}", "clock_ns", real_or_null(cost->clock_ns),
			 "record_ns", real_or_null(cost->record_ns), "attribution_ns",
			 real_or_null(cost->attribution_ns), "attribution_pct_of_cpu",
			 real_or_null(has_classes ? cost->attribution_ns * per_pair * 1e-7 : NAN));
}

static json_t *error_to_json(const struct measurement *m, int fifo)
{
	if (!m->error)
		return json_null();
	if (m->error == -ENODEV)
		return json_string("this machine has no such distance");
	if (m->error == -ETIMEDOUT)
		return json_string("no time was left for it");
	if (m->error == -EPERM && fifo)
		return json_string("SCHED_FIFO takes CAP_SYS_NICE");
	return json_string(strerror(-m->error));
}

/* Fanout: wake latency by position, and from the first stamp of the batch. */
static void add_fanout(json_t *object, const struct measurement *m)
{
	json_t *positions = json_array();

	for (unsigned int i = 0; m->position && i < m->cell.size; i++)
		json_array_append_new(positions, percentiles_to_json(&m->position[i]));
	json_object_set_new(object, "positions", positions);
	json_object_set_new(object, "batch_percentiles", percentiles_to_json(&m->batch));
	json_object_set_new(object, "batch_max",
			    m->batch.count ? json_integer((json_int_t)m->batch.max) : json_null());
	json_object_set_new(object, "batch_min",
			    m->batch.count ? json_integer((json_int_t)m->batch.min) : json_null());
}

static json_t *measurement_to_json(const struct bench *bench, const struct measurement *m,
				   const struct block_style *style)
{
	struct summary all;
	json_t *object;

	if (summarize(m, false, &all) < 0)
		return NULL;
	object = json_pack("{s:s, s:s, s:o, s:o, s:o}", "name", m->cell.benchmark->name,
			   "operation", m->cell.benchmark->operation, "cell",
			   cell_to_json(&m->cell), "error", error_to_json(m, bench->config.fifo),
			   "pairs", pairs_to_json(m));
	add_rates(object, m, &all);
	add_latencies(object, m, &all);
	add_fanout(object, m);
	json_object_set_new(object, "switches_per_operation",
			    real_or_null((double)m->switches / (double)m->switch_operations));
	json_object_set_new(object, "steal_pct",
			    real_or_null(all.steal_known ? all.steal_sum / all.steal_known : NAN));
	json_object_set_new(object, "clean", clean_to_json(m));
	json_object_set_new(object, "classes", shares_to_json(m->classes, 1));
	json_object_set_new(object, "slow_classes", shares_to_json(m->classes, 0.01));
	json_object_set_new(object, "chosen", chosen_to_json(m));
	json_object_set_new(object, "counters", counters_to_json(bench->session.counters, m));
	json_object_set_new(object, "own_cost", own_cost_to_json(bench, m, &all));
	json_object_set_new(object, "blocks", blocks_to_json(m, style));
	summary_done(&all);
	return object;
}

static json_t *config_to_json(const struct bench *bench)
{
	const struct bench_config *c = &bench->config;

	return json_pack("{s:I, s:I, s:I, s:i, s:i, s:s, s:b, s:b, s:o, s:I}", "duration_ns",
			 (json_int_t)c->duration_ns, "block_ns", (json_int_t)c->block_ns, "lead_ns",
			 (json_int_t)c->lead_ns, "rounds", (int)bench->rounds, "pairs",
			 (int)c->pairs, "arrivals", c->periodic ? "periodic" : "poisson",
			 "processes", c->processes, "attribution", c->attribution, "fifo",
			 c->fifo ? json_integer(c->fifo) : json_null(), "seed",
			 (json_int_t)(c->seed & INT64_MAX));
}

json_t *layout_to_json(const struct layout *layout)
{
	_cleanup_free_ char *cpus = idset_format(&layout->allowed);

	return json_pack("{s:s?, s:i, s:i}", "cpus", cpus, "cpu_count",
			 (int)idset_count(&layout->allowed), "cores", (int)layout->cores);
}

static json_t *attribution_to_json(const struct attribution *a)
{
	json_t *missing = json_object();

	if (!a) {
		json_decref(missing);
		return json_null();
	}
	if (!a->has_vpa)
		json_object_set_new(missing, "vpa", json_string(reason_word(a->vpa_reason)));
	if (!a->has_schedstat)
		json_object_set_new(missing, "schedstat",
				    json_string(reason_word(a->schedstat_reason)));
	return json_pack("{s:s, s:o}", "hypervisor", a->has_vpa ? "wake" : "block", "missing",
			 missing);
}

/* The rate against that of the first cell of the same benchmark and kind. */
static void add_scale(json_t *results, size_t i)
{
	json_t *result = json_array_get(results, i), *other;
	double own = json_number_value(json_object_get(result, "achieved_per_s")), first = 0;
	size_t k;

	json_array_foreach (results, k, other) {
		if (!json_equal(json_object_get(other, "name"), json_object_get(result, "name")) ||
		    !json_equal(json_object_get(json_object_get(other, "cell"), "kind"),
				json_object_get(json_object_get(result, "cell"), "kind")))
			continue;
		first = json_number_value(json_object_get(other, "achieved_per_s"));
		break;
	}
	json_object_set_new(result, "scaled", first > 0 ? json_real(own / first) : json_null());
}

static json_t *results_to_json(const struct bench *bench, bool with_histograms)
{
	const struct block_style style = {
		.counters = bench->session.counters,
		.with_histograms = with_histograms,
		.shared = with_histograms ? calloc(1, sizeof(struct shared_numbers)) : NULL,
	};
	json_t *array = json_array();

	for (unsigned int i = 0; i < bench->count; i++) {
		json_array_append_new(array,
				      measurement_to_json(bench, &bench->measurement[i], &style));
		add_scale(array, i);
	}
	shared_done(style.shared);
	return array;
}

int bench_to_json(const struct bench *bench, bool with_histograms, json_t *doc)
{
	json_t *own = json_pack("{s:i, s:o, s:o, s:o, s:o, s:b, s:b, s:i, s:I, s:I, s:I, s:o}",
				"definition", BENCH_DEFINITION, "config", config_to_json(bench),
				"placement", layout_to_json(bench->session.layout), "attribution",
				attribution_to_json(bench->session.attribution), "counters",
				tally_to_json(&bench->tally), "interrupted", bench->is_interrupted,
				"stuck", bench->is_stuck, "rounds_done", (int)bench->rounds_done,
				"planned_ns", (json_int_t)bench_planned_ns(bench), "took_ns",
				(json_int_t)bench->took_ns, "warmup_ns",
				(json_int_t)bench->warmup_ns, "results",
				results_to_json(bench, with_histograms));
	int r = own ? json_object_update(doc, own) : -1;

	json_decref(own);
	return r < 0 ? -ENOMEM : 0;
}
