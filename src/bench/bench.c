/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file plans and runs: cells, rounds, warm-up. What a block does is the benchmark's. */
#include "bench/bench.h"

#include <malloc.h>
#include <math.h>

#include "bench/workload/benchmarks.h"
#include "bench/workload/futex.h"

#define WARMUP_SLICE_NS (100 * NS_PER_MS)
#define WARMUP_MIN_NS (500 * NS_PER_MS)
#define WARMUP_MAX_NS (3 * NS_PER_S)
#define WARMUP_AGREEMENT 0.05
#define JOIN_NS (5 * NS_PER_MS)	   /* threads of a block: made and joined */
#define SLACK_NS (500 * NS_PER_MS) /* by so much may a run pass its plan for one more block */

const struct benchmark *const benchmarks[] = {
	&benchmark_wake, &benchmark_pipe,	&benchmark_messaging, &benchmark_fanout,
	&benchmark_lock, &benchmark_throughput, &benchmark_timer,     NULL,
};

const struct benchmark *benchmark_find(const char *name)
{
	for (unsigned int i = 0; benchmarks[i]; i++)
		if (streq(benchmarks[i]->name, name))
			return benchmarks[i];
	return NULL;
}

static bool is_same_cell(const struct cell *a, const struct cell *b)
{
	return a->benchmark == b->benchmark && a->distance == b->distance &&
	       a->primitive == b->primitive && a->idle_ns == b->idle_ns &&
	       a->load_pct == b->load_pct && a->size == b->size && a->kind == b->kind;
}

int cell_list_add(struct cell_list *list, const struct cell *cell)
{
	struct cell *grown;

	for (size_t i = 0; i < list->count; i++)
		if (is_same_cell(&list->cell[i], cell))
			return 0;
	grown = reallocarray(list->cell, list->count + 1, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	grown[list->count++] = *cell;
	list->cell = grown;
	return 0;
}

void cell_list_done(struct cell_list *list)
{
	free(list->cell);
	*list = (struct cell_list) { 0 };
}

static unsigned int default_pairs(const struct layout *layout)
{
	unsigned int half = layout->cores / 2;

	if (half < 1)
		return 1;
	return half < BENCH_PAIRS_MAX ? half : BENCH_PAIRS_MAX;
}

static int place_pairs(struct bench *bench, struct measurement *m)
{
	int n;

	m->pairs = reallocarray(NULL, bench->config.pairs, sizeof(*m->pairs));
	if (!m->pairs)
		return -ENOMEM;
	n = layout_pairs(bench->session.layout, m->cell.distance, bench->config.pairs, m->pairs);
	if (n < 0)
		return n;
	m->pair_count = (unsigned int)n;
	m->error = n == 0 ? -ENODEV : 0;
	return 0;
}

/* Threads can be faster to join than planned: time may allow some more blocks than rounds. */
unsigned int bench_blocks_most(const struct bench *bench)
{
	return bench->is_by_rounds ? bench->rounds : bench->rounds + bench->rounds / 8 + 2;
}

static int plan_measurement(struct bench *bench, struct measurement *m, const struct cell *cell)
{
	m->cell = *cell;
	m->classes = calloc(1, sizeof(*m->classes));
	m->blocks = calloc(bench_blocks_most(bench), sizeof(*m->blocks));
	if (!m->classes || !m->blocks)
		return -ENOMEM;
	return place_pairs(bench, m);
}

uint64_t bench_block_cost_ns(const struct bench_config *config)
{
	return config->lead_ns + config->block_ns + JOIN_NS;
}

static unsigned int plan_rounds(const struct bench_config *config, size_t cells)
{
	uint64_t round_ns = bench_block_cost_ns(config) * cells;
	uint64_t left = config->duration_ns > 2 * WARMUP_MIN_NS
				? config->duration_ns - 2 * WARMUP_MIN_NS
				: 0;

	if (config->rounds)
		return config->rounds;
	return round_ns && left > round_ns ? (unsigned int)(left / round_ns) : 1;
}

uint64_t bench_planned_ns(const struct bench *bench)
{
	uint64_t by_rounds = 2 * WARMUP_MIN_NS +
			     bench_block_cost_ns(&bench->config) * bench->count * bench->rounds;

	return !bench->is_by_rounds && by_rounds < bench->config.duration_ns
		       ? bench->config.duration_ns
		       : by_rounds;
}

int bench_plan(const struct bench_config *config, const struct session *session,
	       const struct cell_list *cells, struct bench *ret)
{
	struct bench *bench = ret;

	*bench = (struct bench) { .config = *config, .session = *session };
	bench->session.config = &bench->config;
	bench->session.random = random_seeded(config->seed);
	if (!bench->config.pairs)
		bench->config.pairs = default_pairs(session->layout);
	bench->rounds = plan_rounds(config, cells->count);
	bench->is_by_rounds = config->rounds != 0;
	bench->measurement = calloc(cells->count + 1, sizeof(*bench->measurement));
	if (!bench->measurement)
		return -ENOMEM;
	for (size_t i = 0; i < cells->count; i++) {
		int r = plan_measurement(bench, &bench->measurement[i], &cells->cell[i]);

		bench->count++;
		if (r < 0) {
			bench_done(bench);
			return r;
		}
	}
	return 0;
}

static void block_done(struct block *block)
{
	distribution_done(&block->wake);
	distribution_done(&block->response);
}

static void measurement_done(struct measurement *m)
{
	for (unsigned int i = 0; i < m->block_count; i++)
		block_done(&m->blocks[i]);
	for (unsigned int i = 0; m->position && i < m->cell.size; i++)
		distribution_done(&m->position[i]);
	distribution_done(&m->issue);
	distribution_done(&m->late);
	distribution_done(&m->batch);
	free(m->position);
	free(m->blocks);
	free(m->pairs);
	free(m->classes);
}

void bench_done(struct bench *bench)
{
	if (bench->is_stuck)
		return;
	for (unsigned int i = 0; i < bench->count; i++)
		measurement_done(&bench->measurement[i]);
	free(bench->measurement);
	*bench = (struct bench) { 0 };
}

/* Handles the outcome of a block; false if the run is over. */
static bool note_outcome(struct bench *bench, struct measurement *m, int r)
{
	if (r == -ETIME)
		bench->is_stuck = true;
	if (r == -EINTR)
		bench->is_interrupted = true;
	else if (r < 0)
		m->error = r;
	return !bench->is_stuck && !bench->is_interrupted;
}

static bool run_block(struct bench *bench, struct measurement *m)
{
	struct block *block = &m->blocks[m->block_count];
	int r = m->cell.benchmark->run(&bench->session, m, block);

	if (r == 0)
		m->block_count++;
	else
		block_done(block);
	return note_outcome(bench, m, r);
}

/* Do the last three medians agree? */
static bool has_settled(const double *median, unsigned int n)
{
	double low, high;

	if (n < 3)
		return false;
	low = fmin(median[n - 1], fmin(median[n - 2], median[n - 3]));
	high = fmax(median[n - 1], fmax(median[n - 2], median[n - 3]));
	return high <= low * (1 + WARMUP_AGREEMENT);
}

/* One slice of the warm-up, into a measurement that is thrown away. */
static int warm_slice(struct bench *bench, const struct measurement *like, double *ret_median)
{
	struct block block = { 0 };
	struct measurement m = {
		.cell = like->cell,
		.pairs = like->pairs,
		.pair_count = like->pair_count,
	};
	uint64_t median = 0;
	int r = m.cell.benchmark->run(&bench->session, &m, &block);

	(void)distribution_quantile(&block.wake, 0.5, &median);
	*ret_median = (double)median;
	if (r == -ETIME)
		return r;
	block_done(&block);
	m.pairs = NULL;
	measurement_done(&m);
	return r;
}

/* Of a plan by time at most a quarter, and what leaves room for a block of each cell. */
static uint64_t warmup_most_ns(const struct bench *bench)
{
	uint64_t blocks_ns = bench_block_cost_ns(&bench->config) * bench->count + WARMUP_SLICE_NS;
	uint64_t duration_ns = bench->config.duration_ns, most_ns = WARMUP_MAX_NS;

	if (bench->is_by_rounds)
		return WARMUP_MAX_NS;
	if (most_ns > duration_ns / 4)
		most_ns = duration_ns / 4;
	if (most_ns < WARMUP_MIN_NS)
		most_ns = WARMUP_MIN_NS;
	if (duration_ns < blocks_ns + most_ns)
		most_ns = duration_ns > blocks_ns ? duration_ns - blocks_ns : 0;
	return most_ns;
}

/* Half a second at least, then until three successive medians agree, three seconds at most. */
bool bench_warm_up(struct bench *bench)
{
	struct bench_config *config = &bench->config;
	const struct bench_config wanted = *config;
	double median[WARMUP_MAX_NS / WARMUP_SLICE_NS + 1];
	unsigned int n = 0;
	uint64_t began = clock_ns(), gone = 0, most_ns = warmup_most_ns(bench);
	struct measurement *first = bench->measurement;
	int r = 0;

	while (first < bench->measurement + bench->count - 1 && first->error)
		first++;
	config->lead_ns = 0;
	config->block_ns = WARMUP_SLICE_NS;
	while (r == 0 && !first->error && n < ARRAY_SIZE(median) && gone < most_ns) {
		r = warm_slice(bench, first, &median[n++]);
		gone = clock_ns() - began;
		if (gone >= WARMUP_MIN_NS && has_settled(median, n))
			break;
	}
	*config = wanted;
	bench->warmup_ns = gone;
	return note_outcome(bench, first, r);
}

/* A run that was planned by time goes on until another block would take it too far from its plan: by
 * half a block, or what every cell's first block may take more. */
static bool has_time(const struct bench *bench)
{
	uint64_t gone = clock_ns() - bench->session.began_ns, block_ns = bench->longest_block_ns;
	uint64_t slack = bench->rounds_done && block_ns / 2 < SLACK_NS ? block_ns / 2 : SLACK_NS;

	return bench->is_by_rounds || gone + block_ns <= bench->config.duration_ns + slack;
}

static bool is_full(const struct bench *bench, const struct measurement *m)
{
	return m->block_count == bench_blocks_most(bench);
}

bool bench_play_round(struct bench *bench, bench_progress_fn progress, void *arg)
{
	bool any = false;

	for (unsigned int i = 0; i < bench->count; i++) {
		struct measurement *m = &bench->measurement[i];
		uint64_t began = clock_ns(), took;

		if (m->error || is_full(bench, m))
			continue;
		if (!has_time(bench) || !run_block(bench, m))
			return false;
		took = clock_ns() - began;
		if (took > bench->longest_block_ns)
			bench->longest_block_ns = took;
		any |= !m->error;
		if (progress)
			progress(arg, clock_ns() - bench->session.began_ns,
				 bench_planned_ns(bench));
	}
	return any;
}

/* Cells whose turn never came say so. */
static void note_missed(struct bench *bench)
{
	for (unsigned int i = 0; i < bench->count && !bench->is_interrupted; i++) {
		struct measurement *m = &bench->measurement[i];

		if (!m->error && !m->block_count)
			m->error = -ETIMEDOUT;
	}
}

void bench_begin(struct bench *bench)
{
	bench->session.config = &bench->config;
	bench->session.began_ns = clock_ns();
	bench->longest_block_ns = bench_block_cost_ns(&bench->config);
	/* Threads that allocate at all do so once, at their start: an arena for each would be waste. */
	(void)mallopt(M_ARENA_MAX, 1);
}

void bench_run(struct bench *bench, bench_progress_fn progress, void *arg)
{
	const struct session *s = &bench->session;
	struct tally_reading *before, *after;
	bool go_on;

	bench_begin(bench);
	own_cost_measure(bench->session.attribution, &bench->own_cost);
	go_on = bench_warm_up(bench);
	before = tally_read(s->root, s->attribution, s->layout);
	while (go_on && !(bench->is_by_rounds && bench->rounds_done == bench->rounds)) {
		go_on = bench_play_round(bench, progress, arg);
		bench->rounds_done += go_on;
	}
	note_missed(bench);
	after = tally_read(s->root, s->attribution, s->layout);
	tally_between(s->attribution, s->layout, before, after, &bench->tally);
	if (s->zero_steal_is_unknown)
		tally_doubt_zero_steal(&bench->tally);
	tally_reading_free(before);
	tally_reading_free(after);
	bench->took_ns = clock_ns() - bench->session.began_ns;
}
