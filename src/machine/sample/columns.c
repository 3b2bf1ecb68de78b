/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file is the table of columns. Names never change. */
#include "machine/sample/columns.h"

#include "base/util.h"

#define LPPACA "lppaca (debugfs powerpc/vpa)"
#define STAT "proc/stat"
#define LPARCFG "proc/powerpc/lparcfg"
#define DISPATCH "proc/powerpc/vcpudispatch_stats"
#define PURR "cpuN/{purr,idle_purr}, else lparcfg purr; lparcfg tbr"

/* clang-format off */
const struct column_info column_info[COLUMN_COUNT] = {
[COLUMN_STEAL] = { "steal_pct", "steal", "%", 6, 2, 0,
	"Time in which virtual processors were ready to run and the hypervisor ran them not: the growth of both waiting times of the lppaca over interval x online CPUs. A wait is counted when it ends, so that one that began before the interval can be longer than it: the share is then that of a whole interval (100, and its parts in proportion), the row is marked steal_bounded, and dispatch_wait_tb and entitlement_wait_tb, the means and the verdict keep all that was counted. More than two seconds beyond the interval is no wait but a damaged counter (invalid). Where the lppaca cannot be read it is the steal of /proc/stat; steal_source tells.",
	LPPACA ", else " STAT },
[COLUMN_STEAL_DISPATCH_WAIT] = { "steal_dispatch_wait_pct", "cont", "%", 6, 2, 0,
	"The part of the steal spent waiting for a physical processor (enqueue to dispatch): contention with other partitions.",
	LPPACA },
[COLUMN_STEAL_ENTITLEMENT_WAIT] = { "steal_entitlement_wait_pct", "held", "%", 6, 2, 0,
	"The part of the steal in which the processor was held back (ready to enqueue): the cap, or the entitlement of this dispatch wheel, was used up. Configuration, not contention.",
	LPPACA },
[COLUMN_USER] = { "user_pct", "user", "%", 5, 1, 0,
	"User time (nice and guests included), of all time that /proc/stat accounts, steal included.", STAT },
[COLUMN_SYS] = { "sys_pct", "sys", "%", 5, 1, 0,
	"Kernel time without interrupts.", STAT },
[COLUMN_IOWAIT] = { "iowait_pct", "iowt", "%", 5, 1, 0,
	"Idle time with input or output pending.", STAT },
[COLUMN_IDLE] = { "idle_pct", "idle", "%", 5, 1, 0,
	"Idle time.", STAT },
[COLUMN_IRQ] = { "irq_pct", "irq", "%", 5, 1, 0,
	"Time in interrupt handlers, where the kernel accounts it apart.", STAT },
[COLUMN_SOFTIRQ] = { "softirq_pct", "sirq", "%", 5, 1, 0,
	"Time in soft interrupts.", STAT },
[COLUMN_STAT_STEAL] = { "stat_steal_pct", "st", "%", 5, 1, 0,
	"Steal as the kernel accounts it. It closes the sum of the /proc/stat columns to 100. Compare it with steal_pct: about equal is sound; about half (0.512) is the unit error of Linux 6.1 to 6.7; 0 beside a steal_pct above 0 means that this kernel does not account steal. On dedicated partitions it is 0 by construction.",
	STAT },
[COLUMN_DISPATCHES] = { "dispatches_per_s", "disp/s", "1/s", 8, 0, 0,
	"Times that the hypervisor put a virtual processor on a physical one: half the growth of yield_count, which moves at each dispatch and at each yield. Voluntary cedes count too: a high number alone is no trouble.",
	LPPACA ", else lparcfg dispatches" },
[COLUMN_PREEMPTIONS] = { "preemptions_per_s", "pre/s", "1/s", 8, 0, 0,
	"Dispatches that did not follow a cede: half the growth of yield_count less the entries into ceding idle states. Contains conferred time; a little low, because a cede with an interrupt pending returns at once.",
	LPPACA ", cpuidle usage" },
[COLUMN_DISPERSIONS] = { "dispersions_per_s", "far/s", "1/s", 8, 0, 0,
	"Dispatches on another physical processor than the one before: caches are cold there.",
	LPPACA ", else lparcfg dispatch_dispersions" },
[COLUMN_HOME] = { "home_pct", "home", "%", 5, 1, 0,
	"Dispatches in the home node of the virtual processor, of all dispatches.", DISPATCH },
[COLUMN_HOME_ADJACENT] = { "home_adjacent_pct", "adj", "%", 5, 1, 0,
	"Dispatches in a node next to the home node.", DISPATCH },
[COLUMN_HOME_AWAY] = { "home_away_pct", "away", "%", 5, 1, 0,
	"Dispatches farther away.", DISPATCH },
[COLUMN_SAME_CORE] = { "same_core_pct", "core", "%", 5, 1, 0,
	"Dispatches on the same core as the dispatch before.", DISPATCH },
[COLUMN_PHYSC] = { "physc", "physc", "cores", 6, 2, 1,
	"Physical processor capacity consumed: growth of PURR over growth of the timebase, both from one reading. PURR is a sum over online CPUs: when threads go offline it falls, and the number is void. It is void too after a migration to another machine.",
	LPARCFG " (purr, tbr)" },
[COLUMN_ENTC] = { "entc_pct", "entc", "%", 6, 1, 1,
	"physc in percent of the current entitlement.", LPARCFG " (purr, tbr, partition_entitled_capacity)" },
[COLUMN_APP] = { "app", "app", "cores", 6, 2, 1,
	"Idle physical processors in the shared pool. Needs the HMC setting \"Allow performance information collection\". More than the pool can have (pool_num_procs, else what lparcfg tells of the frame) is invalid.",
	LPARCFG " (pool_idle_time, tbr)" },
[COLUMN_PURR_BUSY] = { "purr_busy_pct", "pbusy", "%", 6, 2, 1,
	"Capacity used while not idle, of interval x online cores: (PURR - idle PURR). With purr_idle_pct and purr_away_pct it adds up to 100.", PURR },
[COLUMN_PURR_IDLE] = { "purr_idle_pct", "pidle", "%", 6, 2, 1,
	"Capacity dispatched but idle (snoozing, or a dedicated core at rest), of interval x online cores.", PURR },
[COLUMN_PURR_AWAY] = { "purr_away_pct", "paway", "%", 6, 2, 1,
	"Capacity not dispatched: ceded, donated or stolen.", PURR },
[COLUMN_SPURR_BUSY] = { "spurr_busy_pct", "sbusy", "%", 6, 2, 1,
	"purr_busy_pct scaled to the nominal frequency: (SPURR - idle SPURR) of interval x online cores.",
	"cpuN/{spurr,idle_spurr}" },
[COLUMN_FREQUENCY] = { "frequency_pct", "freq", "%", 6, 1, 1,
	"Effective frequency of the nominal one: growth of SPURR over growth of PURR.", "cpuN/{spurr,purr}" },
[COLUMN_IPIS] = { "ipis_per_s", "ipi/s", "1/s", 8, 0, 0,
	"Inter-processor interrupts received: IPI and doorbell rows on Power, RES and CAL on x86, EXC and EMS on s390x. On Power reschedule and function-call messages share the rows.",
	"proc/interrupts" },
[COLUMN_DOORBELLS] = { "doorbells_per_s", "dbl/s", "1/s", 8, 0, 0,
	"The part of ipis_per_s that went as doorbells between threads of a core.", "proc/interrupts" },
[COLUMN_IDLE_ENTRIES] = { "idle_entries_per_s", "cede/s", "1/s", 8, 0, 0,
	"Entries into idle states that give the CPU away (cedes on pseries); polling states do not count.",
	"cpuidle usage; idle_count on s390x" },
[COLUMN_SMT_PULLS] = { "smt_pulls_per_s", "pull/s", "1/s", 8, 0, 0,
	"Tasks that load balancing moved between threads of one core. Many of them beside steal are tasks that bounce between siblings because steal lowers the capacity that the scheduler sees. Needs kernel.sched_schedstats=1.",
	"proc/schedstat" },
[COLUMN_MIGRATIONS] = { "migrations_per_s", "migr/s", "1/s", 8, 0, 1,
	"Tasks that moved to another CPU. No file counts them for the whole system: --counters does.",
	"perf event cpu-migrations" },
[COLUMN_CONTEXT_SWITCHES] = { "context_switches_per_s", "ctxt/s", "1/s", 8, 0, 1,
	"Context switches.", STAT " (ctxt)" },
[COLUMN_INTERVAL_TB] = { "interval_tb", "tb", "timebase ticks", 12, 0, 1,
	"The interval in timebase ticks, between the two readings of the lppacas.", "tbr, mftb, or the clock x timebase; clock tells" },
[COLUMN_DISPATCH_WAIT_TB] = { "dispatch_wait_tb", "cont_tb", "timebase ticks", 12, 0, 0,
	"Growth of enqueue_dispatch_tb, exactly.", LPPACA },
[COLUMN_ENTITLEMENT_WAIT_TB] = { "entitlement_wait_tb", "held_tb", "timebase ticks", 12, 0, 0,
	"Growth of ready_enqueue_tb, exactly.", LPPACA },
};
/* clang-format on */

int column_find(const char *name)
{
	for (int i = 0; i < COLUMN_COUNT; i++)
		if (streq(column_info[i].name, name))
			return i;
	return -1;
}
