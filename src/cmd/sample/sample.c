/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file is `lpartune sample`: it takes readings at even distances and prints their rows. */
#include "cmd/sample/sample.h"

#include <errno.h>
#include <math.h>
#include <sys/resource.h>
#include <time.h>

#include "base/privilege.h"
#include "base/store.h"
#include "machine/sample/replay.h"
#include "output/csv.h"
#include "output/openmetrics.h"
#include "output/output.h"
#include "output/sample_json.h"
#include "output/sample_live.h"
#include "output/sample_rows.h"

#define SLOW_INTERVAL_S 5

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
	struct sample_parts *parts;
	struct sample_sum *sum;
	struct sample_rows_view rows;
	struct sample_live *live;
	struct sample_statistics *statistics;
	struct sample_counters *counters;
	uint64_t printed;
	uint64_t first_ns; /* of the monotonic clock, for even distances */
	double slow_at_s;  /* when the slow sources were read last */
};

static void run_done(struct run *run)
{
	for (size_t i = 0; i < ARRAY_SIZE(run->readings); i++)
		reading_done(&run->readings[i]);
	sample_done(&run->sample);
	sample_parts_free(run->parts);
	sample_sum_free(run->sum);
	sample_live_free(run->live);
	sample_statistics_end(run->statistics);
	sample_counters_free(run->counters);
	watch_done(&run->watch);
	machine_done(&run->machine);
	replay_close(run->replay);
	root_close(run->root);
}

static bool is_power(const struct facts *facts)
{
	static const char *const words[] = { "pseries", "powernv", "powermac", "chrp" };
	const char *arch;

	if (facts_is(facts, FACT_HYPERVISOR, "none")) /* PowerNV: no VPA, no lparcfg */
		return false;
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
		.is_bare = facts_is(f, FACT_HYPERVISOR, "none"),
		.is_kvm = facts_is(f, FACT_HYPERVISOR, "kvm") ||
			  facts_is(f, FACT_HYPERVISOR, "kvm-or-tcg"),
		.is_dedicated = facts_is(f, FACT_LPAR_MODE, "dedicated") ||
				facts_is(f, FACT_LPAR_MODE, "dedicated-donating"),
		.is_tree = !run->replay && !root_is_live(run->root),
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
	r = sample_parts_new(&run->parts);
	return r < 0 ? r : sample_sum_new(&run->sum);
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

static int write_textfile(const struct run *run, const json_t *doc)
{
	const char *path = run->options.textfile;
	_cleanup_free_ char *text = NULL;
	size_t len;
	int r;

	text = openmetrics_render(doc, &len);
	if (!text)
		return -ENOMEM;
	r = store_write_atomic(path, text, len, 0666);
	if (r < 0)
		log_error("cannot write '%s': %s", path, strerror(-r));
	return r;
}

static int write_row(struct run *run, json_t *doc, const struct sample_groups *groups)
{
	enum sample_format format = run->options.format;

	if ((format == FORMAT_OPENMETRICS || format == FORMAT_LIVE) &&
	    sample_parts_collect(groups, doc) < 0)
		return -ENOMEM;
	switch (format) {
	case FORMAT_JSON:
		return sample_json_print(doc, groups);
	case FORMAT_CSV:
		return csv_print(doc, groups, !run->printed);
	case FORMAT_OPENMETRICS:
		if (run->options.textfile)
			return write_textfile(run, doc);
		return json_object_get(doc, "verdict") ? openmetrics_print(doc) : 0;
	case FORMAT_LIVE:
		return sample_live_print(run->live, doc);
	case FORMAT_TEXT:
		break;
	}
	return sample_rows_print(&run->rows, doc, groups);
}

static int print_row(struct run *run, json_t *doc)
{
	struct sample_groups groups;
	int r = sample_parts_set(run->parts, &run->sample, &run->options, &groups);

	if (r == 0)
		r = write_row(run, doc, &groups);

	if (r < 0 && r != -EPIPE && !run->options.textfile)
		(void)command_finish(r); /* says it */
	return r;
}

static int add_extras(struct run *run, json_t *doc, bool is_last)
{
	json_t *notes;

	if (!run->printed) {
		notes = sample_notes(&run->sample);
		if (!notes || json_object_set_new(doc, "notes", notes) < 0)
			return -ENOMEM;
	}
	if (sample_is_stopped() && json_object_set_new(doc, "interrupted", json_true()) < 0)
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
	if (run->counters)
		sample_counters_set(run->counters, &run->sample);
	r = sample_sum_add(run->sum, &run->sample);
	if (r < 0)
		return r;
	doc = new_document(run, now);
	r = doc ? sample_document_fill(doc, &run->sample) : -ENOMEM;
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
	return (double)(sample_now_ns() - run->first_ns) / 1e9;
}

/* Intervals that were missed (stopped, suspended, a slow tree) are not made up for by short ones: the
 * one at hand ends now, and the others follow it. */
static void skip_missed(struct run *run, uint64_t index, uint64_t step_ns)
{
	uint64_t now = sample_now_ns();

	if (index && now > run->first_ns + index * step_ns)
		run->first_ns = now - index * step_ns;
}

/* Takes the reading number `index` of the running machine or a tree, when its time has come. */
static int next_live(struct run *run, uint64_t index, struct reading *ret, bool *is_last)
{
	uint64_t step_ns = (uint64_t)llround(run->options.interval_s * 1e9);
	bool slow, stopped;
	int r;

	if (index == 0)
		run->first_ns = sample_now_ns();
	skip_missed(run, index, step_ns);
	stopped = !sample_wait_until(run->first_ns + index * step_ns);
	*is_last = stopped || (run->options.count && index == run->options.count);
	/* Half an interval early is nearer than half an interval late. */
	slow = index == 0 || *is_last ||
	       elapsed_s(run) - run->slow_at_s >
		       run->options.slow_interval_s - run->options.interval_s / 2;
	if (slow)
		run->slow_at_s = elapsed_s(run);
	r = watch_read(&run->watch, slow, ret);
	if (r == 0 && run->counters)
		r = sample_counters_read(run->counters, ret);
	return r < 0 ? r : refresh_topology(run, ret);
}

static int next_reading(struct run *run, uint64_t index, struct reading *ret, bool *is_last)
{
	int r;

	if (!run->replay)
		return next_live(run, index, ret, is_last);
	(void)sample_wait_until(0);
	r = replay_next(run->replay, &run->watch, ret);
	*is_last = index + 1 >= replay_count(run->replay) || sample_is_stopped() ||
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
	is_last = sample_is_stopped();
	for (uint64_t i = 1; r >= 0 && !is_last; i++) {
		struct reading *before = &run->readings[(i - 1) % 2], *now = &run->readings[i % 2];

		r = next_reading(run, i, now, &is_last);
		note_lppaca(run, now); /* those of the first reading may have been torn */
		if (r >= 0)
			r = emit(run, before, now, is_last);
		reading_inherit(now, before);
	}
	return r;
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
		r = reading_at_boot(now, boot);
	if (r < 0)
		return r;
	/* The clock starts at 0 with the boot. */
	now->at = (struct instant) { 0 };
	if (facts_real(&run->machine.facts, FACT_UPTIME, &uptime) && uptime > 0) {
		boot->at.has_time = now->at.has_time = true;
		now->at.time_ns = (uint64_t)(uptime * 1e9);
	}
	for (unsigned int i = 0; i < SLOW_COUNT; i++) {
		boot->slow[i].at = boot->at;
		now->slow[i].at = now->at;
	}
	return emit(run, boot, now, true);
}

/* Everything that must be there before the first reading, and undone after the last. */
static int open_outputs(struct run *run)
{
	struct sample_options *o = &run->options;
	int r = 0;

	if (o->format == FORMAT_LIVE) {
		o->per_core = run->context.wants_cores = true;
		r = sample_live_new(&run->live);
	}
	if (r < 0) {
		log_error("cannot draw on stdout: %s", strerror(-r));
		return r;
	}
	sample_rows_init(&run->rows, o->timestamp,
			 o->per_cpu || o->per_core || o->per_node || o->top);
	sample_wait_begin(run->live);
	if (o->counters)
		r = sample_counters_new(&run->counters);
	if (r == 0 && o->dispatch)
		r = sample_statistics_begin(run->root, &run->statistics);
	return r;
}

/* The row keeps what --dispatch needs; without it that goes now. */
static int keep_privileges(const struct sample_options *o)
{
	enum privilege privilege = o->dispatch	 ? PRIVILEGE_WRITE
				   : o->counters ? PRIVILEGE_MEASURE
						 : PRIVILEGE_READ;
	int r = privilege_drop(privilege);

	if (r < 0)
		log_error("cannot give up capabilities: %s", strerror(-r));
	return r;
}

static enum status run_sample(const struct command *self, int argc, char **argv)
{
	_cleanup_(run_done) struct run run = {
		.options = { .interval_s = 1, .slow_interval_s = SLOW_INTERVAL_S },
		.watch = { .stat_fd = -1 },
	};
	int r;

	command_parse(self, argc, argv, &run.options);
	r = keep_privileges(&run.options);
	if (r < 0)
		return STATUS_FAILED;
	raise_file_limit();
	r = open_run(&run);
	if (r == 0)
		r = open_outputs(&run);
	if (r < 0)
		return STATUS_FAILED;
	r = run.options.since_boot ? sample_since_boot(&run) : sample_intervals(&run);
	sample_live_pause(run.live);
	if (r == -EPIPE)
		return STATUS_OK; /* the reader has seen enough */
	if (r < 0 && !run.printed)
		log_error("cannot sample: %s", strerror(-r));
	if (r < 0)
		return STATUS_FAILED;
	return sample_is_stopped() ? STATUS_INTERRUPTED : STATUS_OK;
}

const struct command cmd_sample = {
	.name = "sample",
	.summary = "Show steal, dispatches and consumption at intervals",
	.argp = &sample_argp,
	.needs = NEEDS_WRITE, /* for --dispatch; run_sample gives up the rest */
	.run = run_sample,
};
