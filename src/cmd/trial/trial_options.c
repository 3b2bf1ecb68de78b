/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file parses the command line of `lpartune trial`; every value is checked where it is read. */
#include "cmd/trial/trial_options.h"

#include "base/parse.h"
#include "bench/judgement/compare.h"
#include "bench/workload/benchmarks.h"
#include "bench/workload/futex.h"
#include "cmd/change/change_document.h"
#include "machine/tunable/setting.h"

enum {
	OPT_BENCH = 0x300,
	OPT_ROUNDS,
	OPT_MAX_TIME,
	OPT_SETTLE,
	OPT_ORDER,
	OPT_METRIC,
	OPT_WITHIN,
	OPT_NO_EARLY_END,
	OPT_APPLY_IF_BETTER,
	OPT_SELF_TEST,
	OPT_CHECK,
	OPT_SAVE,
	OPT_PLOT,
	OPT_WAIT,
};

#define SMT_SETTLE_NS (2 * NS_PER_S) /* load moves onto and off whole threads */

static const struct argp_option options[] = {
	{ .name = "json", .key = 'J', .doc = "Print the document as JSON" },
	{ .name = "bench",
	  .key = OPT_BENCH,
	  .arg = "NAME",
	  .doc = "Measure this benchmark (wake); more than once for several" },
	{ .name = "rounds",
	  .key = OPT_ROUNDS,
	  .arg = "N",
	  .doc = "Measure N rounds (20); no verdict below 6" },
	{ .name = "max-time",
	  .key = OPT_MAX_TIME,
	  .arg = "TIME",
	  .doc = "Begin no round that would end after TIME; without --rounds as many as fit" },
	{ .name = "settle",
	  .key = OPT_SETTLE,
	  .arg = "TIME",
	  .doc = "Wait so long after each switch (200ms; smt: 2s)" },
	{ .name = "order",
	  .key = OPT_ORDER,
	  .arg = "WORD",
	  .doc = "\"abba\" (default): AB, BA, AB and so on; \"random\": drawn for each round" },
	{ .name = "metric",
	  .key = OPT_METRIC,
	  .arg = "NAME,NAME",
	  .doc = "Judge by these, the first that is decided (p99,p50)" },
	{ .name = "within",
	  .key = OPT_WITHIN,
	  .arg = "PERCENT",
	  .doc = "Take a change of at most PERCENT (2) for none" },
	{ .name = "no-early-end",
	  .key = OPT_NO_EARLY_END,
	  .doc = "Measure all rounds, however clear it is at the one look before" },
	{ .name = "apply-if-better",
	  .key = OPT_APPLY_IF_BETTER,
	  .doc = "Apply the change if the verdict is better and no figure got worse" },
	{ .name = "self-test",
	  .key = OPT_SELF_TEST,
	  .doc = "Change nothing: tell how often this machine would fool a trial, and what one "
		 "would find" },
	{ .name = "check", .key = OPT_CHECK, .doc = "Exit with status 3 if anything got worse" },
	{ .name = "save",
	  .key = OPT_SAVE,
	  .arg = "FILE",
	  .doc = "Also write the document to FILE" },
	{ .name = "plot",
	  .key = OPT_PLOT,
	  .arg = "FILE",
	  .doc = "Draw the distributions of both sides into FILE (SVG)" },
	{ .name = "wait",
	  .key = OPT_WAIT,
	  .arg = "SECONDS",
	  .doc = "Wait so long for another lpartune to finish, instead of exit status 6 at once" },
	{ 0 }
};

static void check_change(struct argp_state *state, const struct tunable *t, const char *value)
{
	int r = tunable_check(t, value);

	if (tunable_scope(t) != SCOPE_NOW)
		argp_error(
			state,
			"%s takes effect only at the next %s: lpartune apply --confirm measures before and after it",
			t->id, tunable_scope(t) == SCOPE_REBOOT ? "boot" : "load of its module");
	else if (r < 0)
		argp_error(state, "'%s' is no value of %s; lpartune explain %s tells which are",
			   value, t->id, t->id);
}

static const struct tunable *find_tunable(const char *arg, const char *end)
{
	_cleanup_free_ char *id = span_dup((struct span) { arg, (size_t)(end - arg) });

	return id ? tunable_find(id) : NULL;
}

static void check_pair(struct argp_state *state, const struct tunable *t,
		       const struct tunable *other)
{
	if (t == other)
		argp_error(state, "%s is named twice", t->id);
	if (t->twin && streq(t->twin, other->id))
		argp_error(state,
			   "%s and %s exclude one another: the kernel clears one when the other is "
			   "set",
			   t->id, other->id);
}

static void take_change(struct argp_state *state, struct trial_options *o, const char *arg)
{
	const char *equals = strchr(arg, '=');
	const struct tunable *t;

	if (!equals)
		argp_error(state, "'%s' is no KEY=VALUE, such as sysctl:vm.swappiness=10", arg);
	if (o->wishes == TRIAL_CHANGES_MAX)
		argp_error(state, "more than %d changes", TRIAL_CHANGES_MAX);
	t = find_tunable(arg, equals);
	if (!t)
		argp_error(state, "'%.*s' is no tunable; lpartune explain lists them",
			   (int)(equals - arg), arg);
	for (size_t i = 0; i < o->wishes; i++)
		check_pair(state, t, o->wish[i].tunable);
	check_change(state, t, equals + 1);
	o->wish[o->wishes++] = (struct change_wish) { t, equals + 1 };
}

static void metric_option(struct argp_state *state, struct trial_rule *rule, const char *arg)
{
	struct span rest = span_of(arg);
	bool more = true;

	for (rule->metrics = 0; more;) {
		const char *comma = memchr(rest.text, ',', rest.len);
		size_t len = comma ? (size_t)(comma - rest.text) : rest.len;
		_cleanup_free_ char *word = span_dup((struct span) { rest.text, len });

		if (rule->metrics == TRIAL_METRICS_MAX || !word ||
		    figure_parse(word, &rule->metric[rule->metrics++]) < 0)
			argp_error(
				state,
				"--metric '%s' is not one or two of p50, p90, p99, p99.9, response-p99, rate",
				arg);
		more = comma != NULL;
		rest.text += len + more;
		rest.len -= len + more;
	}
	if (rule->metrics == TRIAL_METRICS_MAX && rule->metric[0] == rule->metric[1])
		argp_error(state, "--metric '%s' names a metric twice", arg);
}

static void order_option(struct argp_state *state, struct trial_config *config, const char *arg)
{
	if (!streq(arg, "abba") && !streq(arg, "random"))
		argp_error(state, "--order '%s' is neither abba nor random", arg);
	config->is_random = streq(arg, "random");
}

static void settle_option(struct argp_state *state, struct trial_options *o, const char *arg)
{
	o->config.settle_ns = option_duration(state, "--settle", arg);
	o->has_settle = true;
}

static error_t parse_flag(int key, struct trial_options *o)
{
	switch (key) {
	case 'J':
		o->json = true;
		return 0;
	case OPT_NO_EARLY_END:
		o->config.may_end_early = false;
		return 0;
	case OPT_APPLY_IF_BETTER:
		o->apply_if_better = true;
		return 0;
	case OPT_SELF_TEST:
		o->self_test = true;
		return 0;
	case OPT_CHECK:
		o->check = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse_plan(int key, char *arg, struct argp_state *state)
{
	struct trial_options *o = state->input;

	switch (key) {
	case OPT_BENCH:
		bench_options_name(state, &o->bench, arg);
		return 0;
	case OPT_ROUNDS:
		o->config.rounds = option_count(state, "--rounds", arg, 1, TRIAL_ROUNDS_MAX);
		return 0;
	case OPT_MAX_TIME:
		o->config.max_ns = option_duration(state, "--max-time", arg);
		return 0;
	case OPT_SETTLE:
		settle_option(state, o, arg);
		return 0;
	case OPT_ORDER:
		order_option(state, &o->config, arg);
		return 0;
	case OPT_METRIC:
		metric_option(state, &o->config.rule, arg);
		return 0;
	case OPT_WITHIN:
		o->config.rule.within_pct = option_percent(state, "--within", arg);
		return 0;
	default:
		return parse_flag(key, o);
	}
}

void trial_options_complete(struct trial_options *o)
{
	if (!o->config.rounds && !o->config.max_ns)
		o->config.rounds = TRIAL_ROUNDS;
	for (size_t i = 0; i < o->wishes && !o->has_settle; i++)
		if (o->wish[i].tunable->where == WHERE_SMT)
			o->config.settle_ns = SMT_SETTLE_NS;
	if (!o->bench.benchmark_count)
		o->bench.benchmark[o->bench.benchmark_count++] = &benchmark_wake;
	o->config.keeps_tail = o->self_test;
	o->config.may_end_early = o->config.may_end_early && !o->self_test;
}

/* What can be told only when all options are known. */
static void finish(struct argp_state *state, struct trial_options *o)
{
	if (o->self_test == (o->wishes > 0))
		argp_error(state, o->self_test ? "a self-test changes nothing: no KEY=VALUE"
					       : "KEY=VALUE is needed");
	if (o->self_test && o->apply_if_better)
		argp_error(state, "--self-test and --apply-if-better do not go together");
	trial_options_complete(o);
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct trial_options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->bench;
		return 0;
	case ARGP_KEY_ARG:
		take_change(state, o, arg);
		return 0;
	case ARGP_KEY_END:
		finish(state, o);
		return 0;
	case OPT_SAVE:
		o->save = arg;
		return 0;
	case OPT_PLOT:
		o->plot = arg;
		return 0;
	case OPT_WAIT:
		change_parse_wait(state, arg, &o->wait_s);
		return 0;
	default:
		return parse_plan(key, arg, state);
	}
}

static const struct argp_child children[] = { { .argp = &measure_argp }, { 0 } };

const struct argp trial_argp = {
	.options = options,
	.parser = parse_option,
	.args_doc = "KEY=VALUE...",
	.doc = "Measure in turns as the machine is and with the change, put everything back, and "
	       "say whether the change helps here. What can be changed at run time can be tried; "
	       "lpartune explain lists it.",
	.children = children,
};

void trial_options_init(struct trial_options *o)
{
	*o = (struct trial_options) {
		.config = {
			.settle_ns = TRIAL_SETTLE_NS,
			.may_end_early = true,
			.rule = {
				.metric = { FIGURE_P99, FIGURE_P50 },
				.metrics = 2,
				.within_pct = COMPARE_WITHIN_PCT,
			},
		},
	};
	bench_options_init(&o->bench);
	o->bench.config.block_ns = 0; /* by the number of cells */
}

void trial_options_done(struct trial_options *o)
{
	bench_options_done(&o->bench);
}
