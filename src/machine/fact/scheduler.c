/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * This file makes facts of the scheduler's settings. They moved: sysctls until 5.12, debugfs from
 * 5.13, and EEVDF (6.6) has a base slice where there was a minimal granularity.
 */
#include <errno.h>

#include "machine/fact/machine.h"

/* The places of a setting, the newest first. */
struct place {
	enum fact fact;
	const char *path;
};

static const struct place knobs[] = {
	{ FACT_SCHED_BASE_SLICE, "sys/kernel/debug/sched/base_slice_ns" },
	{ FACT_SCHED_BASE_SLICE, "sys/kernel/debug/sched/min_granularity_ns" },
	{ FACT_SCHED_BASE_SLICE, "proc/sys/kernel/sched_min_granularity_ns" },
	{ FACT_SCHED_MIGRATION_COST, "sys/kernel/debug/sched/migration_cost_ns" },
	{ FACT_SCHED_MIGRATION_COST, "proc/sys/kernel/sched_migration_cost_ns" },
};

/* Lockdown refuses writable debugfs files even to root and even for reading. */
static enum reason reason_at(const struct machine *m, const char *path, int error)
{
	enum reason reason = reason_of_errno(error);

	if (reason == REASON_DENIED && starts_with(path, "sys/kernel/debug/") &&
	    (facts_is(&m->facts, FACT_KERNEL_LOCKDOWN, "integrity") ||
	     facts_is(&m->facts, FACT_KERNEL_LOCKDOWN, "confidentiality")))
		return REASON_LOCKED_DOWN;
	return reason;
}

static void set_knobs(struct machine *m)
{
	for (size_t i = 0; i < ARRAY_SIZE(knobs); i++) {
		_cleanup_free_ char *text = NULL;
		int64_t ns;
		int r;

		if (m->facts.value[knobs[i].fact].present)
			continue;
		r = root_read_string(m->root, &text, "%s", knobs[i].path);
		if (r >= 0 && parse_i64(span_of(text), &ns) == 0)
			facts_set_integer(&m->facts, knobs[i].fact, ns, "%s", knobs[i].path);
		else
			facts_absent(&m->facts, knobs[i].fact,
				     r < 0 ? reason_at(m, knobs[i].path, -r) : REASON_INVALID, "%s",
				     knobs[i].path);
	}
}

static void set_features(struct machine *m)
{
	static const char *const paths[] = { "sys/kernel/debug/sched/features",
					     "sys/kernel/debug/sched_features" };

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		_cleanup_free_ char *text = NULL;
		int r = root_read_string(m->root, &text, "%s", paths[i]);

		if (r >= 0 && *text) {
			facts_set_string(&m->facts, FACT_SCHED_FEATURES, text, "%s", paths[i]);
			return;
		}
		facts_absent(&m->facts, FACT_SCHED_FEATURES,
			     r < 0 ? reason_at(m, paths[i], -r) : REASON_INVALID, "%s", paths[i]);
	}
}

static void set_schedstats(struct machine *m)
{
	static const char path[] = "proc/sys/kernel/sched_schedstats";
	_cleanup_free_ char *text = NULL;
	bool on;
	int r = root_read_string(m->root, &text, "%s", path);

	if (r >= 0 && parse_bool(span_of(text), &on) == 0)
		facts_set_bool(&m->facts, FACT_SCHED_SCHEDSTATS, on, "%s", path);
	else
		facts_absent(&m->facts, FACT_SCHED_SCHEDSTATS,
			     r < 0 ? reason_of_errno(-r) : REASON_INVALID, "%s", path);
}

/* The first line: "version 16". */
static int find_version(struct span line, void *arg)
{
	struct span word;
	uint64_t version;

	if (!span_word(&line, &word) || !span_is(word, "version") || !span_word(&line, &word) ||
	    parse_u64(word, &version) < 0 || version > 1000)
		return -EINVAL;
	*(int64_t *)arg = (int64_t)version;
	return 1;
}

static void set_schedstat_version(struct machine *m)
{
	int64_t version = 0;
	int r = root_each_line(m->root, find_version, &version, "proc/schedstat");

	if (r == 1)
		facts_set_integer(&m->facts, FACT_SCHED_SCHEDSTAT_VERSION, version,
				  "proc/schedstat");
	else
		facts_absent(&m->facts, FACT_SCHED_SCHEDSTAT_VERSION,
			     r < 0 ? reason_of_errno(-r) : REASON_INVALID, "proc/schedstat");
}

int scheduler_read(struct machine *m)
{
	set_features(m);
	set_knobs(m);
	set_schedstats(m);
	set_schedstat_version(m);
	return 0;
}
