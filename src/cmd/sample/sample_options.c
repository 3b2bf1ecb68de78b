/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file holds the options of `lpartune sample` and which of them go together. */
#include "cmd/sample/sample.h"

#define INTERVAL_MIN_S 0.01
#define INTERVAL_MAX_S 1e6

enum {
	OPTION_PER_CPU = 256,
	OPTION_PER_CORE,
	OPTION_PER_NODE,
	OPTION_TOP,
	OPTION_SINCE_BOOT,
	OPTION_SLOW_INTERVAL,
	OPTION_REPLAY,
	OPTION_CSV,
	OPTION_OPENMETRICS,
	OPTION_TEXTFILE,
	OPTION_LIVE,
	OPTION_DISPATCH,
	OPTION_COUNTERS,
};

static const struct argp_option options[] = {
	{ .name = "per-cpu", .key = OPTION_PER_CPU, .doc = "Also a row for each CPU" },
	{ .name = "per-core", .key = OPTION_PER_CORE, .doc = "Also a row for each core" },
	{ .name = "per-node", .key = OPTION_PER_NODE, .doc = "Also a row for each NUMA node" },
	{ .name = "top",
	  .key = OPTION_TOP,
	  .arg = "N",
	  .doc = "Rows of the N CPUs with the most steal" },
	{ .name = "timestamp", .key = 't', .doc = "Begin each row with the time" },
	{ .name = "since-boot", .key = OPTION_SINCE_BOOT, .doc = "One row: the means since boot" },
	{ .name = "slow-interval",
	  .key = OPTION_SLOW_INTERVAL,
	  .arg = "SECONDS",
	  .doc = "Read what disturbs the machine (lparcfg, PURR, interrupts) only so often; 5 if not given, 0: always. It is also read at the first and the last instant" },
	{ .name = "replay",
	  .key = OPTION_REPLAY,
	  .arg = "DIR",
	  .doc = "Take the instants of the capture in DIR" },
	{ .name = "dispatch",
	  .key = OPTION_DISPATCH,
	  .doc = "Switch the kernel's dispatch and scheduler statistics on while sampling (root); they are put back at the end" },
	{ .name = "counters",
	  .key = OPTION_COUNTERS,
	  .doc = "Count migrations of tasks by perf events (CAP_PERFMON)" },
	{ .name = "live",
	  .key = OPTION_LIVE,
	  .doc = "Redraw in place: a cell for each core, the last minutes" },
	{ .name = "csv", .key = OPTION_CSV, .doc = "Print comma-separated values" },
	{ .name = "openmetrics",
	  .key = OPTION_OPENMETRICS,
	  .doc = "Print one interval as an OpenMetrics exposition" },
	{ .name = "textfile",
	  .key = OPTION_TEXTFILE,
	  .arg = "FILE",
	  .doc = "Write the exposition to FILE at each interval, whole or not at all" },
	{ 0 }
};

static void parse_number_arg(struct argp_state *state, const char *what, const char *arg,
			     double min, double max, double *ret)
{
	if (parse_real(span_of(arg), ret) < 0 || *ret < min || *ret > max)
		argp_error(state, "%s '%s' is no number from %.9g to %.9g", what, arg, min, max);
}

static void parse_count_arg(struct argp_state *state, const char *what, const char *arg,
			    uint64_t max, uint64_t *ret)
{
	if (parse_u64(span_of(arg), ret) < 0 || *ret == 0 || *ret > max)
		argp_error(state, "%s '%s' is no number from 1 to %llu", what, arg,
			   (unsigned long long)max);
}

static void parse_positional(struct argp_state *state, struct sample_options *o, const char *arg)
{
	if (state->arg_num == 0) {
		parse_number_arg(state, "INTERVAL", arg, INTERVAL_MIN_S, INTERVAL_MAX_S,
				 &o->interval_s);
		o->has_interval = true;
	} else if (state->arg_num == 1) {
		parse_count_arg(state, "COUNT", arg, UINT64_MAX / 2, &o->count);
	} else {
		argp_error(state, "unexpected argument '%s'", arg);
	}
}

static void set_format(struct argp_state *state, struct sample_options *o,
		       enum sample_format format)
{
	if (o->format != FORMAT_TEXT && o->format != format)
		argp_error(state, "--live, --csv and --openmetrics exclude one another");
	o->format = format;
}

/* An exposition is one interval; a file can be replaced again and again. */
static void check_format(struct argp_state *state, struct sample_options *o)
{
	if (o->common.json && o->format != FORMAT_TEXT)
		argp_error(state, "--json excludes --live, --csv and --openmetrics");
	if (o->common.json)
		o->format = FORMAT_JSON;
	if (o->format != FORMAT_OPENMETRICS || o->textfile || o->replay)
		return;
	if (o->count > 1)
		argp_error(state,
			   "an exposition holds one interval: --textfile FILE replaces it at each");
	o->count = 1;
}

static void check_options(struct argp_state *state, const struct sample_options *o)
{
	if (o->replay && o->common.root)
		argp_error(state, "--replay has a tree of its own; --root cannot be given with it");
	if (o->replay && o->has_interval)
		argp_error(state, "the intervals of a replay are those of its instants");
	if (o->dispatch && (o->replay || o->since_boot))
		argp_error(state, "--dispatch needs intervals of a running machine");
	if (o->counters && (o->replay || o->since_boot || o->common.root))
		argp_error(state, "--counters needs intervals of the machine that runs it");
	if (o->since_boot && (o->has_interval || o->replay))
		argp_error(state,
			   "--since-boot is one row; neither INTERVAL nor --replay go with it");
}

/* The member that a plain switch turns on, or NULL. */
static bool *switch_of(struct sample_options *o, int key)
{
	switch (key) {
	case OPTION_PER_CPU:
		return &o->per_cpu;
	case OPTION_PER_CORE:
		return &o->per_core;
	case OPTION_PER_NODE:
		return &o->per_node;
	case 't':
		return &o->timestamp;
	case OPTION_SINCE_BOOT:
		return &o->since_boot;
	case OPTION_DISPATCH:
		return &o->dispatch;
	default:
		return NULL;
	}
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct sample_options *o = state->input;
	bool *flag = switch_of(o, key);
	uint64_t top;

	if (flag) {
		*flag = true;
		return 0;
	}
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->common;
		return 0;
	case OPTION_TOP:
		parse_count_arg(state, "--top", arg, IDSET_MAX, &top);
		o->top = (unsigned int)top;
		return 0;
	case OPTION_SLOW_INTERVAL:
		parse_number_arg(state, "--slow-interval", arg, 0, INTERVAL_MAX_S,
				 &o->slow_interval_s);
		return 0;
	case OPTION_REPLAY:
		o->replay = arg;
		return 0;
	case OPTION_COUNTERS:
		o->counters = true;
		return 0;
	case OPTION_LIVE:
		set_format(state, o, FORMAT_LIVE);
		return 0;
	case OPTION_CSV:
		set_format(state, o, FORMAT_CSV);
		return 0;
	case OPTION_OPENMETRICS:
		set_format(state, o, FORMAT_OPENMETRICS);
		return 0;
	case OPTION_TEXTFILE:
		set_format(state, o, FORMAT_OPENMETRICS);
		o->textfile = arg;
		return 0;
	case ARGP_KEY_ARG:
		parse_positional(state, o, arg);
		return 0;
	case ARGP_KEY_END:
		check_options(state, o);
		check_format(state, o);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = { { .argp = &common_argp }, { 0 } };
const struct argp sample_argp = {
	.options = options,
	.parser = parse_option,
	.args_doc = "[INTERVAL [COUNT]]",
	.doc = "Show at each INTERVAL (seconds, 1 if not given) what the hypervisor did with this "
	       "partition's processors: COUNT times, or until stopped.",
	.children = children,
};
