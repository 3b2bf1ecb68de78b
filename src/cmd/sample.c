/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file is `lpartune sample`: it takes readings at even distances and prints their rows. */
#include "cmd/sample.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <time.h>

#include "machine/replay.h"
#include "output/output.h"
#include "output/sample_rows.h"

#define INTERVAL_MIN_S 0.01
#define INTERVAL_MAX_S 1e6
#define SLOW_INTERVAL_S 5

enum {
	OPTION_PER_CPU = 256,
	OPTION_PER_CORE,
	OPTION_PER_NODE,
	OPTION_TOP,
	OPTION_SINCE_BOOT,
	OPTION_SLOW_INTERVAL,
	OPTION_REPLAY,
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
	{ 0 }
};

static volatile sig_atomic_t stop_signal;

static void on_signal(int number)
{
	stop_signal = number;
}

static void parse_number_arg(struct argp_state *state, const char *what, const char *arg,
			     double min, double max, double *ret)
{
	if (parse_real(span_of(arg), ret) < 0 || *ret < min || *ret > max)
		argp_error(state, "%s '%s' is no number from %g to %g", what, arg, min, max);
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

static void check_options(struct argp_state *state, const struct sample_options *o)
{
	if (o->replay && o->common.root)
		argp_error(state, "--replay has a tree of its own; --root cannot be given with it");
	if (o->replay && o->has_interval)
		argp_error(state, "the intervals of a replay are those of its instants");
	if (o->since_boot && (o->has_interval || o->replay))
		argp_error(state,
			   "--since-boot is one row; neither INTERVAL nor --replay go with it");
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct sample_options *o = state->input;
	uint64_t top;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->common;
		return 0;
	case OPTION_PER_CPU:
		o->per_cpu = true;
		return 0;
	case OPTION_PER_CORE:
		o->per_core = true;
		return 0;
	case OPTION_PER_NODE:
		o->per_node = true;
		return 0;
	case OPTION_TOP:
		parse_count_arg(state, "--top", arg, IDSET_MAX, &top);
		o->top = (unsigned int)top;
		return 0;
	case 't':
		o->timestamp = true;
		return 0;
	case OPTION_SINCE_BOOT:
		o->since_boot = true;
		return 0;
	case OPTION_SLOW_INTERVAL:
		parse_number_arg(state, "--slow-interval", arg, 0, INTERVAL_MAX_S,
				 &o->slow_interval_s);
		return 0;
	case OPTION_REPLAY:
		o->replay = arg;
		return 0;
	case ARGP_KEY_ARG:
		parse_positional(state, o, arg);
		return 0;
	case ARGP_KEY_END:
		check_options(state, o);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = { { .argp = &common_argp }, { 0 } };
static const struct argp argp = {
	.options = options,
	.parser = parse_option,
	.args_doc = "[INTERVAL [COUNT]]",
	.doc = "Show at each INTERVAL (seconds, 1 if not given) what the hypervisor did with this "
	       "partition's processors: COUNT times, or until stopped.",
	.children = children,
};

/* Everything of a run. */
struct run {
	struct sample_options options;
	struct root *root;
	struct replay *replay;
	struct machine machine;
	struct watch watch;
	struct sample_context context;
	struct reading readings[2];
	struct sample sample;
	struct sample_sum *sum;
	struct sample_rows_view rows;
	uint64_t printed;
	uint64_t first_ns; /* of the monotonic clock, for even distances */
	double slow_at_s;  /* when the slow sources were read last */
	sigset_t wait_mask;
};

static void run_done(struct run *run)
{
	for (size_t i = 0; i < ARRAY_SIZE(run->readings); i++)
		reading_done(&run->readings[i]);
	sample_done(&run->sample);
	sample_sum_free(run->sum);
	watch_done(&run->watch);
	machine_done(&run->machine);
	replay_close(run->replay);
	root_close(run->root);
}

/* Signals are blocked but while waiting, so that none is lost between a look and a wait. */
static void catch_signals(struct run *run)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = on_signal }, old;
	sigset_t blocked;

	sigemptyset(&blocked);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		sigaction(numbers[i], NULL, &old);
		if (old.sa_handler == SIG_IGN) /* nohup */
			continue;
		sigaction(numbers[i], &action, NULL);
		sigaddset(&blocked, numbers[i]);
	}
	sigprocmask(SIG_BLOCK, &blocked, &run->wait_mask);
}

static uint64_t monotonic_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

/* Waits until `deadline_ns`; false if a signal stops the run. */
static bool wait_until(const struct run *run, uint64_t deadline_ns)
{
	uint64_t now;

	while (!stop_signal && (now = monotonic_ns()) < deadline_ns) {
		struct timespec left = { .tv_sec = (time_t)((deadline_ns - now) / 1000000000),
					 .tv_nsec = (long)((deadline_ns - now) % 1000000000) };

		pselect(0, NULL, NULL, NULL, &left, &run->wait_mask);
	}
	return !stop_signal;
}

static bool is_power(const struct facts *facts)
{
	static const char *const words[] = { "pseries", "powernv", "powermac", "chrp" };
	const char *arch;

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (facts_is(facts, FACT_PLATFORM, words[i]))
			return true;
	if (facts->value[FACT_PLATFORM].present)
		return false;
	return !facts_string(facts, FACT_ARCH, &arch) || starts_with(arch, "ppc");
}

static void make_context(struct run *run)
{
	const struct facts *f = &run->machine.facts;
	struct sample_context *c = &run->context;
	int64_t timebase;

	*c = (struct sample_context) {
		.is_power = is_power(f),
		.is_emulated = facts_is(f, FACT_HYPERVISOR, "qemu-tcg"),
		.is_kvm = facts_is(f, FACT_HYPERVISOR, "kvm") ||
			  facts_is(f, FACT_HYPERVISOR, "kvm-or-tcg"),
		.topology = &run->machine.topology,
		.since_boot = run->options.since_boot,
		.wants_cpus = run->options.per_cpu || run->options.top,
		.wants_cores = run->options.per_core,
		.wants_nodes = run->options.per_node,
	};
	if (facts_integer(f, FACT_CPU_TIMEBASE, &timebase) && timebase > 0)
		c->timebase_hz = (uint64_t)timebase;
	if (!facts_real(f, FACT_LPAR_ENTITLEMENT, &c->entitlement_cores))
		c->entitlement_cores = 0;
}

static int open_run(struct run *run)
{
	const struct sample_options *o = &run->options;
	const char *name = o->replay ? o->replay : o->common.root ? o->common.root : "/";
	struct root *root;
	int r;

	if (o->replay)
		r = replay_open(name, &run->replay);
	else
		r = root_open(name, &run->root);
	if (r < 0) {
		log_error(r == -ENOENT && o->replay ? "cannot replay '%s': it has no instants: %s"
						    : "cannot read '%s': %s",
			  name, strerror(-r));
		return r;
	}
	root = run->replay ? replay_root(run->replay) : run->root;
	r = machine_read(root, &run->machine);
	if (r < 0)
		return r;
	make_context(run);
	watch_init(&run->watch, root);
	run->watch.topology = &run->machine.topology;
	run->watch.wants_lppaca = run->context.is_power && !run->context.is_emulated;
	run->watch.wants_idle = true;
	return sample_sum_new(&run->sum);
}

/* As many files as the system lets us: two for each CPU stay open. */
static void raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &limit);
	}
}

/* Cores and nodes change when CPUs come or go. */
static int refresh_topology(struct run *run, const struct reading *now)
{
	struct topology *old = &run->machine.topology, fresh;
	bool same = idset_count(&old->online) == now->count;
	int r;

	for (size_t i = 0; same && i < now->count; i++)
		same = idset_has(&old->online, now->cpus[i].cpu);
	if (same || run->replay || !now->count)
		return 0;
	r = topology_read(run->root, old->threads_per_core, &fresh);
	if (r < 0)
		return r;
	topology_done(old);
	*old = fresh;
	return 0;
}

static void note_lppaca(struct run *run, const struct reading *now)
{
	for (size_t i = 0; i < now->count; i++)
		run->context.uses_lppaca |= now->cpus[i].lppaca_error == 0;
	run->context.uses_lppaca &= run->watch.wants_lppaca;
}

static json_t *new_document(struct run *run, const struct reading *now)
{
	const char *name = run->replay ? run->options.replay : root_name(run->root);
	json_t *doc = document_new("sample", run->machine.boot_id, name);
	time_t seconds = (time_t)(now->at.time_ns / 1000000000);
	char text[32];
	struct tm tm;

	/* The instants of a capture carry the time of day at which they were taken. */
	if (run->replay && now->at.has_time && seconds > 1000000000 && gmtime_r(&seconds, &tm) &&
	    strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm))
		json_object_set_new(doc, "time", json_string(text));
	return doc;
}

static int print_row(struct run *run, const json_t *doc)
{
	if (run->options.common.json)
		return output_json_line(doc);
	return sample_rows_print(&run->rows, doc);
}

static int add_extras(struct run *run, json_t *doc, bool is_last)
{
	json_t *notes;

	if (!run->printed) {
		notes = sample_notes(&run->sample);
		if (!notes || json_object_set_new(doc, "notes", notes) < 0)
			return -ENOMEM;
	}
	if (stop_signal && json_object_set_new(doc, "interrupted", json_true()) < 0)
		return -ENOMEM;
	if (is_last &&
	    json_object_set_new(doc, "verdict", sample_sum_verdict(run->sum, &run->machine)) < 0)
		return -ENOMEM;
	return 0;
}

/* The row of two readings. */
static int emit(struct run *run, const struct reading *before, const struct reading *now,
		bool is_last)
{
	json_t *doc;
	int r = sample_make(&run->context, before, now, &run->sample);

	if (r < 0)
		return r;
	r = sample_sum_add(run->sum, &run->sample);
	if (r < 0)
		return r;
	doc = new_document(run, now);
	r = doc ? sample_document_fill(doc, &run->sample, &run->options) : -ENOMEM;
	if (r == 0)
		r = add_extras(run, doc, is_last);
	if (r == 0)
		r = print_row(run, doc);
	json_decref(doc);
	run->printed++;
	return r;
}

/* --- where readings come from --- */

static double elapsed_s(const struct run *run)
{
	return (double)(monotonic_ns() - run->first_ns) / 1e9;
}

/* Takes the reading number `index` of the running machine or a tree, when its time has come. */
static int next_live(struct run *run, uint64_t index, struct reading *ret, bool *is_last)
{
	uint64_t step_ns = (uint64_t)llround(run->options.interval_s * 1e9);
	bool slow, stopped;
	int r;

	if (index == 0)
		run->first_ns = monotonic_ns();
	stopped = !wait_until(run, run->first_ns + index * step_ns);
	*is_last = stopped || (run->options.count && index == run->options.count);
	/* Half an interval early is nearer than half an interval late. */
	slow = index == 0 || *is_last ||
	       elapsed_s(run) - run->slow_at_s >
		       run->options.slow_interval_s - run->options.interval_s / 2;
	if (slow)
		run->slow_at_s = elapsed_s(run);
	r = watch_read(&run->watch, slow, ret);
	return r < 0 ? r : refresh_topology(run, ret);
}

static int next_reading(struct run *run, uint64_t index, struct reading *ret, bool *is_last)
{
	int r;

	if (!run->replay)
		return next_live(run, index, ret, is_last);
	r = replay_next(run->replay, &run->watch, ret);
	*is_last = index + 1 >= replay_count(run->replay) || stop_signal ||
		   (run->options.count && index == run->options.count);
	return r < 0 ? r : 0;
}

/* Is there anything to sample at all? */
static int check_first(const struct run *run, const struct reading *now)
{
	if (!now->stat_error || run->context.uses_lppaca || !now->slow[SLOW_LPARCFG].error)
		return 0;
	log_error("cannot read '%s': %s", CPUTIME_PATH, strerror(now->stat_error));
	return -now->stat_error;
}

static int sample_intervals(struct run *run)
{
	bool is_last = false;
	int r;

	r = next_reading(run, 0, &run->readings[0], &is_last);
	if (r < 0)
		return r;
	note_lppaca(run, &run->readings[0]);
	r = check_first(run, &run->readings[0]);
	if (r < 0)
		return r;
	is_last = stop_signal != 0;
	for (uint64_t i = 1; r >= 0 && !is_last; i++) {
		struct reading *before = &run->readings[(i - 1) % 2], *now = &run->readings[i % 2];

		r = next_reading(run, i, now, &is_last);
		if (r >= 0)
			r = emit(run, before, now, is_last);
		reading_inherit(now, before);
	}
	return r;
}

/* The boot as a reading: every counter that never wraps was 0. */
static int make_boot(const struct run *run, const struct reading *now, struct reading *boot)
{
	double uptime;

	boot->cpus = calloc(now->count + 1, sizeof(*boot->cpus));
	if (!boot->cpus)
		return -ENOMEM;
	boot->count = now->count;
	for (size_t i = 0; i < now->count; i++) {
		boot->cpus[i].cpu = now->cpus[i].cpu;
		boot->cpus[i].lppaca_error = now->cpus[i].lppaca_error;
		boot->cpus[i].idle_error = now->cpus[i].idle_error;
		boot->cpus[i].time.kinds = now->cpus[i].time.kinds;
	}
	boot->stat.total.kinds = now->stat.total.kinds;
	boot->stat.has_context_switches = now->stat.has_context_switches;
	for (unsigned int i = 0; i < SLOW_COUNT; i++)
		boot->slow[i].error = ENODATA;
	boot->slow[SLOW_LPARCFG].error = 0;
	boot->lparcfg_error[LPARCFG_TBR] = ENODATA;	  /* the timebase is older than this boot */
	boot->lparcfg_error[LPARCFG_POOL_IDLE] = ENODATA; /* so is the pool */
	if (!facts_real(&run->machine.facts, FACT_UPTIME, &uptime) || uptime <= 0)
		return 0;
	boot->at = (struct instant) { .has_time = true };
	boot->slow[SLOW_LPARCFG].at = boot->at;
	return 0;
}

static int sample_since_boot(struct run *run)
{
	struct reading *boot = &run->readings[0], *now = &run->readings[1];
	double uptime;
	int r = watch_read(&run->watch, true, now);

	if (r < 0)
		return r;
	note_lppaca(run, now);
	r = check_first(run, now);
	if (r == 0)
		r = make_boot(run, now, boot);
	if (r < 0)
		return r;
	/* Both clocks start at 0 with the boot. */
	now->at = (struct instant) { 0 };
	if (facts_real(&run->machine.facts, FACT_UPTIME, &uptime) && uptime > 0)
		now->at = (struct instant) { .has_time = true,
					     .time_ns = (uint64_t)(uptime * 1e9) };
	for (unsigned int i = 0; i < SLOW_COUNT; i++)
		now->slow[i].at = now->at;
	return emit(run, boot, now, true);
}

static enum status run_sample(const struct command *self, int argc, char **argv)
{
	_cleanup_(run_done) struct run run = {
		.options = { .interval_s = 1, .slow_interval_s = SLOW_INTERVAL_S },
		.watch = { .stat_fd = -1 },
	};
	const struct sample_options *o = &run.options;
	int r;

	command_parse(self, argc, argv, &run.options);
	raise_file_limit();
	r = open_run(&run);
	if (r < 0)
		return STATUS_FAILED;
	sample_rows_init(&run.rows, o->timestamp,
			 o->per_cpu || o->per_core || o->per_node || o->top);
	catch_signals(&run);
	r = o->since_boot ? sample_since_boot(&run) : sample_intervals(&run);
	if (r == -EPIPE)
		return STATUS_OK; /* the reader has seen enough */
	if (r < 0 && !run.printed)
		log_error("cannot sample: %s", strerror(-r));
	if (r < 0)
		return STATUS_FAILED;
	return stop_signal ? STATUS_INTERRUPTED : STATUS_OK;
}

const struct command cmd_sample = {
	.name = "sample",
	.summary = "Show steal, dispatches and consumption at intervals",
	.argp = &argp,
	.needs = NEEDS_READ,
	.run = run_sample,
};
