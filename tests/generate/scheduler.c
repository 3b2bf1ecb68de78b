// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * This file writes the scheduler's features and knobs. They moved: sysctls until 5.12, debugfs since
 * 5.13, and with 6.6 (EEVDF) most went away.
 */
#include "writers.h"

struct era {
	int since;
	const char *features;
	const struct tree_text *knobs;
	size_t count;
};

#define SYSCTL "proc/sys/kernel/sched_"
#define DEBUGFS "sys/kernel/debug/sched/"

static const struct tree_text sysctls[] = {
	{ SYSCTL "latency_ns", "24000000" },
	{ SYSCTL "min_granularity_ns", "3000000" },
	{ SYSCTL "wakeup_granularity_ns", "4000000" },
	{ SYSCTL "migration_cost_ns", "500000" },
	{ SYSCTL "nr_migrate", "32" },
	{ SYSCTL "tunable_scaling", "1" },
	{ SYSCTL "child_runs_first", "0" },
};
static const struct tree_text cfs_knobs[] = {
	{ DEBUGFS "latency_ns", "24000000" },
	{ DEBUGFS "min_granularity_ns", "3000000" },
	{ DEBUGFS "idle_min_granularity_ns", "750000" },
	{ DEBUGFS "wakeup_granularity_ns", "4000000" },
	{ DEBUGFS "migration_cost_ns", "500000" },
	{ DEBUGFS "nr_migrate", "32" },
	{ DEBUGFS "tunable_scaling", "1" },
	{ DEBUGFS "verbose", "N" },
};
static const struct tree_text eevdf_knobs[] = {
	{ DEBUGFS "base_slice_ns", "2800000" },
	{ DEBUGFS "migration_cost_ns", "500000" },
	{ DEBUGFS "nr_migrate", "32" },
	{ DEBUGFS "tunable_scaling", "1" },
	{ DEBUGFS "latency_warn_ms", "100" },
	{ DEBUGFS "latency_warn_once", "1" },
	{ DEBUGFS "verbose", "N" },
	{ DEBUGFS "numa_balancing/scan_size_mb", "256" },
	{ DEBUGFS "numa_balancing/scan_delay_ms", "1000" },
	{ DEBUGFS "numa_balancing/scan_period_min_ms", "1000" },
	{ DEBUGFS "numa_balancing/scan_period_max_ms", "60000" },
	{ DEBUGFS "numa_balancing/hot_threshold_ms", "1000" },
};

#define TABLE(rows) rows, ARRAY_SIZE(rows)

static const struct era eras[] = {
	{ 702,
	  "PLACE_LAG PLACE_DEADLINE_INITIAL PLACE_REL_DEADLINE RUN_TO_PARITY PREEMPT_SHORT "
	  "NO_NEXT_BUDDY PICK_BUDDY CACHE_HOT_BUDDY DELAY_DEQUEUE DELAY_ZERO NO_PARANOID_AVG "
	  "WAKEUP_PREEMPTION NO_HRTICK NO_HRTICK_DL NONTASK_CAPACITY TTWU_QUEUE SIS_UTIL "
	  "NO_WARN_DOUBLE_CLOCK RT_PUSH_IPI NO_RT_RUNTIME_SHARE NO_LB_MIN ATTACH_AGE_LOAD WA_IDLE "
	  "WA_WEIGHT WA_BIAS UTIL_EST NO_LATENCY_WARN NI_RANDOM NI_RATE ",
	  TABLE(eevdf_knobs) },
	{ 606,
	  "PLACE_LAG PLACE_DEADLINE_INITIAL PLACE_REL_DEADLINE RUN_TO_PARITY PREEMPT_SHORT "
	  "NO_NEXT_BUDDY CACHE_HOT_BUDDY DELAY_DEQUEUE DELAY_ZERO WAKEUP_PREEMPTION NO_HRTICK "
	  "NO_HRTICK_DL NONTASK_CAPACITY TTWU_QUEUE SIS_UTIL NO_WARN_DOUBLE_CLOCK RT_PUSH_IPI "
	  "NO_RT_RUNTIME_SHARE NO_LB_MIN ATTACH_AGE_LOAD WA_IDLE WA_WEIGHT WA_BIAS UTIL_EST "
	  "NO_LATENCY_WARN ",
	  TABLE(eevdf_knobs) },
	{ 513,
	  "GENTLE_FAIR_SLEEPERS START_DEBIT NO_NEXT_BUDDY LAST_BUDDY CACHE_HOT_BUDDY "
	  "WAKEUP_PREEMPTION NO_HRTICK NO_HRTICK_DL NO_DOUBLE_TICK NONTASK_CAPACITY TTWU_QUEUE "
	  "NO_SIS_PROP SIS_UTIL NO_WARN_DOUBLE_CLOCK RT_PUSH_IPI NO_RT_RUNTIME_SHARE NO_LB_MIN "
	  "ATTACH_AGE_LOAD WA_IDLE WA_WEIGHT WA_BIAS UTIL_EST UTIL_EST_FASTUP NO_LATENCY_WARN "
	  "ALT_PERIOD BASE_SLICE ",
	  TABLE(cfs_knobs) },
	{ 0,
	  "GENTLE_FAIR_SLEEPERS START_DEBIT NO_NEXT_BUDDY LAST_BUDDY CACHE_HOT_BUDDY "
	  "WAKEUP_PREEMPTION NO_HRTICK NO_DOUBLE_TICK NONTASK_CAPACITY TTWU_QUEUE NO_SIS_AVG_CPU "
	  "SIS_PROP NO_WARN_DOUBLE_CLOCK RT_PUSH_IPI RT_RUNTIME_SHARE NO_LB_MIN ATTACH_AGE_LOAD "
	  "WA_IDLE WA_WEIGHT WA_BIAS UTIL_EST ",
	  TABLE(sysctls) },
};

void write_scheduler(struct tree *tree, const struct machine *m)
{
	const struct era *era = eras;
	bool is_sysctl = m->release->version < 513;

	while (m->release->version < era->since)
		era++;
	if (is_sysctl || m->options.debugfs)
		tree_table(tree, era->knobs, era->count);
	tree_enter(tree, "proc/sys/kernel");
	tree_put(tree, "sched_schedstats", "%d\n", m->options.schedstats);
	if (!m->options.debugfs)
		return;
	tree_enter(tree, "sys/kernel/debug%s", is_sysctl ? "" : "/sched");
	tree_put(tree, is_sysctl ? "sched_features" : "features", "%s\n", era->features);
}
