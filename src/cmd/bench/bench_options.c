/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file parses the command line of `lpartune bench`; every value is checked where it is read. */
#include "cmd/bench/bench_options.h"

#include <errno.h>
#include <sched.h>

#include "base/parse.h"
#include "bench/workload/benchmarks.h"
#include "bench/workload/futex.h"

enum {
	OPT_LIST = 0x100,
	OPT_CELLS,
	OPT_CPUS,
	OPT_BLOCK,
	OPT_ROUNDS,
	OPT_PAIRS,
	OPT_PERIODIC,
	OPT_PRIMITIVE,
	OPT_LOAD,
	OPT_SIZE,
	OPT_PROCESSES,
	OPT_FIFO,
	OPT_SEED,
	OPT_NO_ATTRIBUTION,
	OPT_DRY_RUN,
	OPT_SAVE,
	OPT_MAP,
	OPT_EVENTS,
	OPT_SCHBENCH,
	OPT_LABEL,
};

#define DURATION_MAX_NS (30 * 24 * 3600 * NS_PER_S)
#define COUNT_MAX 100000

static const struct argp_option measure_options[] = {
	{ .name = "cells",
	  .key = OPT_CELLS,
	  .arg = "CELL,...",
	  .doc = "Measure these: DISTANCE[/IDLE[/LOAD%]], as in same,core/200us,free/2ms/50%" },
	{ .name = "cpus", .key = OPT_CPUS, .arg = "LIST", .doc = "Use only these CPUs (0-7,16)" },
	{ .name = "block",
	  .key = OPT_BLOCK,
	  .arg = "TIME",
	  .doc = "Length of a block (bench: 400ms; trial: 2s shared by the cells)" },
	{ .name = "pairs",
	  .key = OPT_PAIRS,
	  .arg = "N",
	  .doc = "Run N pairs at once (half the cores, at most 8)" },
	{ .name = "periodic",
	  .key = OPT_PERIODIC,
	  .doc = "Wake at even intervals, not by Poisson" },
	{ .name = "primitive",
	  .key = OPT_PRIMITIVE,
	  .arg = "KIND",
	  .doc = "Wake by futex (default), eventfd or pipe" },
	{ .name = "load",
	  .key = OPT_LOAD,
	  .arg = "PERCENT",
	  .doc = "Keep each worker's CPU busy for this share of the time" },
	{ .name = "size",
	  .key = OPT_SIZE,
	  .arg = "N",
	  .doc = "Workers of fanout, groups of messaging, copies of lock and throughput" },
	{ .name = "processes",
	  .key = OPT_PROCESSES,
	  .doc = "Let messaging run processes, not threads" },
	{ .name = "fifo", .key = OPT_FIFO, .arg = "PRIORITY", .doc = "Run as SCHED_FIFO" },
	{ .name = "seed", .key = OPT_SEED, .arg = "N", .doc = "Seed of the arrival times" },
	{ .name = "events",
	  .key = OPT_EVENTS,
	  .arg = "NAME,...",
	  .doc = "Count these perf events of libpfm4, or \"none\"" },
	{ .name = "no-attribution",
	  .key = OPT_NO_ATTRIBUTION,
	  .doc = "Do not read why each wake was slow" },
	{ 0 }
};

static const struct argp_option options[] = {
	{ .name = "list", .key = OPT_LIST, .doc = "Describe the benchmarks and run nothing" },
	{ .name = "duration",
	  .key = 'd',
	  .arg = "TIME",
	  .doc = "Plan the whole run for TIME (28s); units: ns us ms s m" },
	{ .name = "rounds",
	  .key = OPT_ROUNDS,
	  .arg = "N",
	  .doc = "Measure N blocks of each cell, however long it takes" },
	{ .name = "dry-run",
	  .key = OPT_DRY_RUN,
	  .doc = "Show which CPUs would be measured how, and run nothing" },
	{ .name = "map",
	  .key = OPT_MAP,
	  .doc = "Draw a map of wakes between each two of up to 12 CPUs" },
	{ .name = "schbench",
	  .key = OPT_SCHBENCH,
	  .doc = "Print fanout latencies from the start of each batch, as schbench did" },
	{ .name = "save",
	  .key = OPT_SAVE,
	  .arg = "FILE",
	  .doc = "Also write the document to FILE, for lpartune compare" },
	{ .name = "label", .key = OPT_LABEL, .arg = "TEXT", .doc = "Keep TEXT in the document" },
	{ 0 }
};

/* "200us": a number with a unit; without one it is seconds. */
static int parse_duration(struct span text, uint64_t *ret)
{
	static const struct {
		const char *suffix;
		double ns;
	} units[] = { { "ns", 1 },  { "us", 1e3 }, { "ms", 1e6 },
		      { "s", 1e9 }, { "m", 60e9 }, { "", 1e9 } };
	double value;

	text = span_trim(text);
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		size_t len = strlen(units[i].suffix);

		if (text.len < len || memcmp(text.text + text.len - len, units[i].suffix, len) != 0)
			continue;
		text.len -= len;
		if (parse_real(text, &value) < 0 || value < 0)
			return -EINVAL;
		if (value * units[i].ns > (double)DURATION_MAX_NS)
			return -ERANGE;
		*ret = (uint64_t)(value * units[i].ns + 0.5);
		return 0;
	}
	return -EINVAL;
}

uint64_t option_duration(struct argp_state *state, const char *name, const char *arg)
{
	uint64_t ns = 0;
	int r = parse_duration(span_of(arg), &ns);

	if (r == -ERANGE)
		argp_error(state, "%s '%s' is longer than 30 days", name, arg);
	else if (r < 0 || !ns)
		argp_error(state, "%s '%s' is no time above 0 in ns, us, ms, s or m, such as 30s",
			   name, arg);
	return ns;
}

/* Below a millisecond a block is its own beginning and end, and a rate is reading noise. */
static uint64_t option_block(struct argp_state *state, const char *name, const char *arg)
{
	uint64_t ns = option_duration(state, name, arg);

	if (ns < NS_PER_MS)
		argp_error(state, "%s '%s' is too short: at least 1ms", name, arg);
	return ns;
}

double option_percent(struct argp_state *state, const char *name, const char *arg)
{
	double pct = 0;

	if (parse_real(span_of(arg), &pct) < 0 || pct < 0 || pct > 1000)
		argp_error(state, "%s '%s' is no percentage from 0 to 1000", name, arg);
	return pct;
}

unsigned int option_count(struct argp_state *state, const char *name, const char *arg,
			  unsigned int low, unsigned int high)
{
	uint64_t n = 0;

	if (parse_u64(span_of(arg), &n) < 0 || n < low || n > high)
		argp_error(state, "%s '%s' is no number from %u to %u", name, arg, low, high);
	return (unsigned int)n;
}

/* Takes the next piece of `rest` up to `sep`. False if nothing is left. */
static bool next_piece(struct span *rest, char sep, struct span *piece)
{
	const char *end;

	if (!rest->text)
		return false;
	end = memchr(rest->text, sep, rest->len);
	*piece = (struct span) { rest->text, end ? (size_t)(end - rest->text) : rest->len };
	*rest = end ? (struct span) { end + 1, rest->len - piece->len - 1 } : (struct span) { 0 };
	return true;
}

static int parse_load(struct span text, unsigned int *ret)
{
	uint64_t pct;

	if (text.len && text.text[text.len - 1] == '%')
		text.len--;
	if (parse_u64(text, &pct) < 0 || pct > 100)
		return -EINVAL;
	*ret = (unsigned int)pct;
	return 0;
}

/* DISTANCE[/IDLE[/LOAD]]; parts that are not given stay 0. */
static int parse_cell(struct span text, struct cell *cell)
{
	struct span part;
	_cleanup_free_ char *word = NULL;
	int r;

	next_piece(&text, '/', &part);
	word = span_dup(part);
	r = word ? distance_parse(word, &cell->distance) : -ENOMEM;
	if (r == 0 && next_piece(&text, '/', &part)) {
		r = parse_duration(part, &cell->idle_ns);
		if (r == 0 && !cell->idle_ns)
			r = -EINVAL;
	}
	if (r == 0 && next_piece(&text, '/', &part))
		r = parse_load(part, &cell->load_pct);
	return r == 0 && text.text ? -EINVAL : r;
}

static void cells_option(struct argp_state *state, struct bench_options *o, const char *arg)
{
	struct span rest = span_of(arg), piece;

	while (next_piece(&rest, ',', &piece)) {
		struct cell cell = { 0 };
		int r = parse_cell(piece, &cell);

		if (r == 0)
			r = cell_list_add(&o->cells, &cell);
		if (r < 0)
			argp_error(state,
				   "'%.*s' is no cell: DISTANCE[/IDLE[/LOAD%%]], where DISTANCE is "
				   "same, smt, half, core, node or free",
				   (int)piece.len, piece.text);
	}
}

void bench_options_name(struct argp_state *state, struct bench_options *o, const char *arg)
{
	const struct benchmark *benchmark = benchmark_find(arg);

	if (!benchmark)
		argp_error(state, "unknown benchmark '%s': see lpartune bench --list", arg);
	if (o->benchmark_count == ARRAY_SIZE(o->benchmark))
		argp_error(state, "too many benchmarks");
	o->benchmark[o->benchmark_count++] = benchmark;
}

static void primitive_option(struct argp_state *state, struct bench_options *o, const char *arg)
{
	if (primitive_parse(arg, &o->primitive) < 0)
		argp_error(state, "--primitive '%s' is none of futex, eventfd, pipe", arg);
	o->has_primitive = true;
}

static void cpus_option(struct argp_state *state, struct bench_options *o, const char *arg)
{
	if (idset_parse_list(arg, &o->cpus) < 0 || !idset_count(&o->cpus))
		argp_error(state, "--cpus '%s' is no list of CPUs, such as 0-7,16", arg);
	o->has_cpus = true;
}

static void seed_option(struct argp_state *state, struct bench_options *o, const char *arg)
{
	if (parse_u64(span_of(arg), &o->config.seed) < 0)
		argp_error(state, "--seed '%s' is no number", arg);
}

/* Options without a value. */
static error_t parse_measure_flag(int key, struct bench_options *o)
{
	switch (key) {
	case OPT_PERIODIC:
		o->config.periodic = true;
		return 0;
	case OPT_PROCESSES:
		o->config.processes = true;
		return 0;
	case OPT_NO_ATTRIBUTION:
		o->config.attribution = false;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse_measure_count(int key, char *arg, struct argp_state *state)
{
	struct bench_options *o = state->input;

	switch (key) {
	case OPT_PAIRS:
		o->config.pairs = option_count(state, "--pairs", arg, 1, 4096);
		return 0;
	case OPT_SIZE:
		o->size = option_count(state, "--size", arg, 1, 4096);
		return 0;
	case OPT_LOAD:
		o->load_pct = option_count(state, "--load", arg, 0, 100);
		return 0;
	case OPT_FIFO:
		o->config.fifo = (int)option_count(state, "--fifo", arg, 1, 99);
		return 0;
	default:
		return parse_measure_flag(key, o);
	}
}

static error_t parse_measure_option(int key, char *arg, struct argp_state *state)
{
	struct bench_options *o = state->input;

	switch (key) {
	case OPT_BLOCK:
		o->config.block_ns = option_block(state, "--block", arg);
		return 0;
	case OPT_CELLS:
		cells_option(state, o, arg);
		return 0;
	case OPT_CPUS:
		cpus_option(state, o, arg);
		return 0;
	case OPT_PRIMITIVE:
		primitive_option(state, o, arg);
		return 0;
	case OPT_SEED:
		seed_option(state, o, arg);
		return 0;
	case OPT_EVENTS:
		if (!arg[strspn(arg, ", ")])
			argp_error(state, "--events '%s' names no event: see lpartune bench --help",
				   arg);
		o->events = arg;
		return 0;
	default:
		return parse_measure_count(key, arg, state);
	}
}

const struct argp measure_argp = { .options = measure_options, .parser = parse_measure_option };

/* Options without a value. */
static error_t parse_flag(int key, struct bench_options *o)
{
	switch (key) {
	case OPT_LIST:
		o->list = true;
		return 0;
	case OPT_MAP:
		o->map = true;
		return 0;
	case OPT_SCHBENCH:
		o->schbench = true;
		return 0;
	case OPT_DRY_RUN:
		o->dry_run = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct bench_options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = o;
		state->child_inputs[1] = &o->common;
		return 0;
	case ARGP_KEY_ARG:
		bench_options_name(state, o, arg);
		return 0;
	case 'd':
		o->config.duration_ns = option_duration(state, "--duration", arg);
		return 0;
	case OPT_ROUNDS:
		o->config.rounds = option_count(state, "--rounds", arg, 1, COUNT_MAX);
		return 0;
	case OPT_SAVE:
		o->save = arg;
		return 0;
	case OPT_LABEL:
		o->label = arg;
		return 0;
	default:
		return parse_flag(key, o);
	}
}

static const struct argp_child children[] = { { .argp = &measure_argp },
					      { .argp = &common_argp },
					      { 0 } };

const struct argp bench_argp = {
	.options = options,
	.parser = parse_option,
	.args_doc = "[NAME...]",
	.doc = "Measure wakeup latency (the default benchmark, wake) and its relatives, with the reason "
	       "for slow wakes and the steal beside each figure.",
	.children = children,
};

void bench_options_init(struct bench_options *o)
{
	*o = (struct bench_options) {
		.config = {
			.duration_ns = BENCH_DURATION_NS,
			.block_ns = BENCH_BLOCK_NS,
			.lead_ns = BENCH_LEAD_NS,
			.attribution = true,
			.seed = clock_ns(),
		},
		.events = COUNTERS_DEFAULT,
	};
}

void bench_options_done(struct bench_options *o)
{
	cell_list_done(&o->cells);
	idset_done(&o->cpus);
}
