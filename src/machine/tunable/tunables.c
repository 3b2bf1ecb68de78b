/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * This file is the table of everything that may ever be written. Paths, values and eras are those of
 * the kernel's Documentation/admin-guide (sysctl, mm, kernel-parameters), kernel/sched/debug.c and
 * features.h, and drivers/cpuidle.
 */
#include "machine/tunable/tunables.h"

#include <errno.h>

#define SCHED_DEBUG "sys/kernel/debug/sched/"
#define THP "sys/kernel/mm/transparent_hugepage/"

#define SYSCTL(key, path, lowest, highest, ...)                                             \
	{                                                                                   \
		.id = "sysctl:" key, .where = WHERE_FILE, .grammar = GRAMMAR_PLAIN,         \
		.persist = PERSIST_SYSCTLD, .paths = { "proc/sys/" path }, .min = (lowest), \
		.max = (highest), __VA_ARGS__                                               \
	}

/* A list of VECTOR_LENGTH numbers; of fewer the kernel would set the first. */
#define VECTOR_LENGTH 3
#define SYSCTL_VECTOR(key, path, ...)                                                  \
	{                                                                              \
		.id = "sysctl:" key, .where = WHERE_FILE, .grammar = GRAMMAR_VECTOR,   \
		.persist = PERSIST_SYSCTLD, .paths = { "proc/sys/" path }, __VA_ARGS__ \
	}

/* debugfs/sched/features since 5.13 (8a99b6833c88), debugfs/sched_features before. */
#define FEATURE(feature, ...)                                                              \
	{                                                                                  \
		.id = "feature:" feature, .where = WHERE_FILE, .grammar = GRAMMAR_FEATURE, \
		.persist = PERSIST_BOOT_UNIT, .name = feature, .values = "on off",         \
		.paths = { SCHED_DEBUG "features", "sys/kernel/debug/sched_features" },    \
		__VA_ARGS__                                                                \
	}

#define KNOB(knob, lowest, highest, ...)                                                     \
	{                                                                                    \
		.id = "sched:" knob, .where = WHERE_FILE, .grammar = GRAMMAR_PLAIN,          \
		.persist = PERSIST_BOOT_UNIT, .min = (lowest), .max = (highest), __VA_ARGS__ \
	}

#define SYSFS(key, path, spelling, words, ...)                                                  \
	{                                                                                       \
		.id = key, .where = WHERE_FILE, .grammar = (spelling),                          \
		.persist = PERSIST_BOOT_UNIT, .paths = { path }, .values = (words), __VA_ARGS__ \
	}

#define IDLE(state, kernel_names, ...)                                                      \
	{                                                                                   \
		.id = "cpuidle:" state, .where = WHERE_CPUIDLE, .grammar = GRAMMAR_DISABLE, \
		.persist = PERSIST_BOOT_UNIT, .name = (kernel_names), .values = "on off",   \
		__VA_ARGS__                                                                 \
	}

#define CMDLINE(parameter, words, ...)                                                          \
	{                                                                                       \
		.id = "cmdline:" parameter, .where = WHERE_CMDLINE, .persist = PERSIST_CMDLINE, \
		.name = parameter, .values = (words), __VA_ARGS__                               \
	}

#define MODULE(parameter, lowest, highest, ...)                                                 \
	{                                                                                       \
		.id = "module:" parameter, .where = WHERE_MODULE, .persist = PERSIST_MODPROBED, \
		.name = parameter, .min = (lowest), .max = (highest), __VA_ARGS__               \
	}

#define NS_MAX 1000000000LL
#define INT_MAX_LL 2147483647LL

const struct tunable tunables[] = {
	SYSCTL("kernel.numa_balancing", "kernel/numa_balancing", 0, 2,
	       .title = "automatic NUMA balancing", .capability = "CAP_SYS_ADMIN",
	       .about =
		       "Moves memory and tasks towards each other by taking page faults on purpose. "
		       "0 off, 1 on, 2 memory tiering (5.18 and later)."),
	SYSCTL("kernel.sched_schedstats", "kernel/sched_schedstats", 0, 1, .standard = "0",
	       .title = "scheduler statistics", .capability = "CAP_SYS_ADMIN",
	       .about =
		       "Counts wakeups, migrations and delays of each task. Costs a little on each "
		       "context switch."),
	SYSCTL("kernel.sched_autogroup_enabled", "kernel/sched_autogroup_enabled", 0, 1,
	       .title = "task groups by session",
	       .about = "Gives each login session one share of the CPU, whatever it runs."),
	SYSCTL("kernel.timer_migration", "kernel/timer_migration", 0, 1,
	       .title = "timers leave idle CPUs",
	       .about = "Moves timers from idle CPUs to busy ones, so that idle ones stay idle."),
	SYSCTL("kernel.sched_child_runs_first", "kernel/sched_child_runs_first", 0, 1,
	       .title = "child runs before its parent", .gone = TUNABLE_KERNEL(6, 7),
	       .gone_text = "removed in 6.7: it had no effect with EEVDF",
	       .about = "After fork the child ran first."),
	SYSCTL("kernel.nmi_watchdog", "kernel/nmi_watchdog", 0, 1, .title = "hard lockup detector",
	       .about =
		       "Reports CPUs that answer no interrupt. On by default on PowerVM since 5.14, "
		       "off in KVM guests."),
	SYSCTL("kernel.watchdog_thresh", "kernel/watchdog_thresh", 0, 60,
	       .title = "lockup threshold in seconds",
	       .about =
		       "The hard lockup detector waits this long, the soft lockup detector twice."),
	SYSCTL("kernel.softlockup_panic", "kernel/softlockup_panic", 0, 1,
	       .title = "panic on soft lockup",
	       .about = "A preempted virtual processor looks locked up: with this on, lack of "
			"entitlement can end in a panic."),
	SYSCTL("kernel.nmi_wd_lpm_factor", "kernel/nmi_wd_lpm_factor", 0, INT_MAX_LL,
	       .title = "watchdog extension during migration in percent",
	       .about = "Widens the hard lockup threshold while the partition is migrated (6.0 and "
			"later). 0 leaves it as it is."),
	SYSCTL("vm.swappiness", "vm/swappiness", 0, 200, .standard = "60", .title = "swappiness",
	       .about =
		       "How readily anonymous memory is swapped compared with dropping page cache."),
	SYSCTL("vm.stat_interval", "vm/stat_interval", 1, 3600,
	       .title = "seconds between updates of memory statistics",
	       .about = "Each update is a short piece of work on each CPU."),
	SYSCTL("vm.zone_reclaim_mode", "vm/zone_reclaim_mode", 0, 7,
	       .title = "reclaim on the own node",
	       .about = "Reclaims memory of the local node before another node's memory is used."),
	SYSCTL("vm.dirty_ratio", "vm/dirty_ratio", 0, 100, .title = "dirty memory limit in percent",
	       .twin = "sysctl:vm.dirty_bytes",
	       .about = "Writers are held back above it. Setting it clears vm.dirty_bytes."),
	SYSCTL("vm.dirty_bytes", "vm/dirty_bytes", 0, 1LL << 50,
	       .title = "dirty memory limit in bytes", .twin = "sysctl:vm.dirty_ratio",
	       .about = "Writers are held back above it. Setting it clears vm.dirty_ratio."),
	SYSCTL("vm.dirty_background_ratio", "vm/dirty_background_ratio", 0, 100,
	       .title = "background writing from this percentage",
	       .twin = "sysctl:vm.dirty_background_bytes",
	       .about = "Setting it clears vm.dirty_background_bytes."),
	SYSCTL("vm.dirty_background_bytes", "vm/dirty_background_bytes", 0, 1LL << 50,
	       .title = "background writing from this many bytes",
	       .twin = "sysctl:vm.dirty_background_ratio",
	       .about = "Setting it clears vm.dirty_background_ratio."),
	SYSCTL("net.core.rmem_max", "net/core/rmem_max", 2048, INT_MAX_LL,
	       .title = "largest receive buffer in bytes", .about = "What a program may ask for."),
	SYSCTL("net.core.wmem_max", "net/core/wmem_max", 2048, INT_MAX_LL,
	       .title = "largest send buffer in bytes", .about = "What a program may ask for."),
	SYSCTL_VECTOR("net.ipv4.tcp_rmem", "net/ipv4/tcp_rmem",
		      .title = "TCP receive buffer: least, default, most",
		      .about = "Three numbers of bytes."),
	SYSCTL_VECTOR("net.ipv4.tcp_wmem", "net/ipv4/tcp_wmem",
		      .title = "TCP send buffer: least, default, most",
		      .about = "Three numbers of bytes."),
	SYSCTL_VECTOR("net.ipv4.tcp_mem", "net/ipv4/tcp_mem",
		      .title = "TCP memory: low, pressure, high",
		      .about = "Three numbers of pages."),
	SYSCTL("s390.hiperdispatch", "s390/hiperdispatch", 0, 1, .title = "HiperDispatch",
	       .about = "Concentrates work on the CPUs that the hypervisor favours (s390x, 6.12)."),
	SYSCTL("s390.polarization", "s390/polarization", 0, 1, .title = "vertical CPU polarization",
	       .about = "0 horizontal, 1 vertical (s390x, 6.12)."),

	FEATURE("NONTASK_CAPACITY", .standard = "on",
		.title = "steal and interrupts lower CPU capacity",
		.about =
			"With it, stolen time makes a CPU look smaller and the balancer moves tasks "
			"away from it. On shared partitions that can bounce tasks between siblings."),
	FEATURE("TTWU_QUEUE", .standard = "on", .title = "wakeups are queued on the target CPU",
		.about =
			"A wakeup across caches is handed over by an interrupt instead of taking the "
			"other run queue's lock."),
	FEATURE("WA_IDLE", .standard = "on", .title = "wake-affine prefers an idle CPU",
		.about = "A woken task may be pulled to the waking CPU if that one is idle."),
	FEATURE("WA_WEIGHT", .standard = "on", .title = "wake-affine by load",
		.about = "A woken task may be pulled to the waking CPU if that one has less load."),
	FEATURE("WA_BIAS", .standard = "on", .title = "wake-affine counts the domain's imbalance",
		.about = "Weighs the previous CPU's load by the imbalance of the domain."),
	FEATURE("NEXT_BUDDY", .title = "the woken task runs next",
		.about =
			"Prefers the task that was just woken; its default changed more than once."),
	FEATURE("RUN_TO_PARITY", .standard = "on", .title = "a task runs until its slice or parity",
		.about = "Protects a running task from preemption until it has its share (6.6)."),
	FEATURE("WAKEUP_PREEMPTION", .standard = "on", .title = "wakeups preempt",
		.about = "Lets a woken task preempt the running one."),
	FEATURE("SIS_UTIL", .standard = "on", .title = "idle search is bounded by utilization",
		.about =
			"Searches fewer CPUs for an idle one the busier the cache domain is (6.0)."),

	KNOB("migration_cost_ns", 0, NS_MAX, .standard = "500000",
	     .title = "cost of a migration in ns",
	     .paths = { SCHED_DEBUG "migration_cost_ns",
			"proc/sys/kernel/sched_migration_cost_ns" },
	     .about =
		     "A task that ran more recently than this counts as cache-hot and is not moved."),
	KNOB("base_slice_ns", 100000, NS_MAX, .title = "base time slice in ns", .by_cpus = true,
	     .paths = { SCHED_DEBUG "base_slice_ns", SCHED_DEBUG "min_granularity_ns",
			"proc/sys/kernel/sched_min_granularity_ns" },
	     .about = "How long a task may run before another one gets its turn; called "
		      "min_granularity_ns before 6.6."),
	KNOB("latency_ns", 100000, NS_MAX, .title = "scheduling period in ns", .by_cpus = true,
	     .gone = TUNABLE_KERNEL(6, 6), .gone_text = "removed in 6.6: EEVDF has no such period",
	     .paths = { SCHED_DEBUG "latency_ns", "proc/sys/kernel/sched_latency_ns" },
	     .about = "The time in which each runnable task was to run once."),
	KNOB("wakeup_granularity_ns", 0, NS_MAX, .title = "wakeup preemption threshold in ns",
	     .by_cpus = true, .gone = TUNABLE_KERNEL(6, 6),
	     .gone_text = "removed in 6.6: EEVDF decides by deadline",
	     .paths = { SCHED_DEBUG "wakeup_granularity_ns",
			"proc/sys/kernel/sched_wakeup_granularity_ns" },
	     .about = "How far behind a woken task had to be to preempt the running one."),
	KNOB("nr_migrate", 1, 1024, .title = "tasks moved in one balancing",
	     .paths = { SCHED_DEBUG "nr_migrate", "proc/sys/kernel/sched_nr_migrate" },
	     .about = "More makes balancing quicker and its lock hold times longer."),
	KNOB("tunable_scaling", 0, 2, .title = "scaling of the slice with CPUs",
	     .paths = { SCHED_DEBUG "tunable_scaling", "proc/sys/kernel/sched_tunable_scaling" },
	     .about = "0 none, 1 logarithmic, 2 linear."),
	SYSFS("sched:preempt", SCHED_DEBUG "preempt", GRAMMAR_PARENS, "none voluntary full lazy",
	      .title = "preemption model",
	      .about =
		      "Only on kernels with PREEMPT_DYNAMIC, which ppc64 did not have up to 6.12."),

	IDLE("CEDE", "CEDE|Shared Cede", .standard = "on",
	     .title = "idle state that cedes the processor",
	     .about =
		     "In it the virtual processor goes back to the hypervisor. Off, an idle partition "
		     "polls: harmful with shared processors, where it burns entitlement."),
	IDLE("snooze", "snooze", .standard = "on", .title = "idle state that polls at low priority",
	     .about =
		     "A short poll before CEDE: wakeups need no interrupt, but the processor is kept."),
	SYSFS("cpuidle:governor", "sys/devices/system/cpu/cpuidle/current_governor", GRAMMAR_PLAIN,
	      "menu ladder teo haltpoll", .title = "idle governor",
	      .about = "Chooses the idle state by predicting how long the CPU will be idle."),
	{ .id = "smt",
	  .title = "threads per core",
	  .where = WHERE_SMT,
	  .grammar = GRAMMAR_PLAIN,
	  .persist = PERSIST_BOOT_UNIT,
	  .paths = { "sys/devices/system/cpu/smt/control" },
	  .min = 1,
	  .max = 8,
	  .one_way = "forceoff",
	  .about =
		  "How many threads of each core Linux uses. The hypervisor dispatches whole cores "
		  "either way." },

	SYSFS("thp:enabled", THP "enabled", GRAMMAR_BRACKETS, "always madvise never",
	      .title = "transparent huge pages",
	      .about = "Whether programs get huge pages unasked, on request or never."),
	SYSFS("thp:defrag", THP "defrag", GRAMMAR_BRACKETS,
	      "always defer defer+madvise madvise never", .title = "compaction for huge pages",
	      .about = "Whether a fault waits for memory to be compacted."),
	SYSFS("thp:khugepaged_defrag", THP "khugepaged/defrag", GRAMMAR_BOOL, "on off",
	      .title = "khugepaged compacts",
	      .about = "Whether the thread that collapses pages may compact memory."),
	SYSFS("ksm:run", "sys/kernel/mm/ksm/run", GRAMMAR_PLAIN, "0 1 2", .standard = "0",
	      .title = "merging of equal pages",
	      .about = "0 stops, 1 runs, 2 stops and takes all merged pages apart at once."),
	SYSFS("workqueue:cpumask", "sys/devices/virtual/workqueue/cpumask", GRAMMAR_MASK, NULL,
	      .title = "CPUs of unbound kernel work",
	      .about = "The CPUs on which kernel work that is bound to no CPU may run."),
	{ .id = "dispatch:vcpudispatch_stats",
	  .title = "vCPU dispatch statistics",
	  .where = WHERE_FILE,
	  .grammar = GRAMMAR_STATISTICS,
	  .paths = { "proc/powerpc/vcpudispatch_stats" },
	  .persist = PERSIST_NONE,
	  .values = "on off",
	  .about =
		  "Counts where virtual processors are dispatched. Costs 50 short pieces of work a "
		  "second on each CPU while it is on." },
	{ .id = "haltpoll:guest_halt_poll_ns",
	  .title = "polling before halt in ns",
	  .where = WHERE_FILE,
	  .grammar = GRAMMAR_PLAIN,
	  .persist = PERSIST_BOOT_UNIT,
	  .paths = { "sys/module/haltpoll/parameters/guest_halt_poll_ns" },
	  .max = NS_MAX,
	  .about = "x86 guests only: how long an idle CPU polls before it halts." },

	CMDLINE("no-steal-acc", "present absent", .title = "no paravirtual steal accounting",
		.about =
			"Leaves stolen time inside the run time of tasks: capacity is no longer lowered "
			"by it, and fairness no longer knows of it."),
	CMDLINE("powersave", "off absent", .title = "powersave=off",
		.about =
			"Takes all idle states away: idle processors never cede. Harmful with shared "
			"processors."),
	CMDLINE("smt-enabled", "on off 1 2 3 4 5 6 7 8 absent", .title = "threads per core at boot",
		.about = "ppc64: threads that are started at boot."),
	CMDLINE("numa_balancing", "enable disable absent", .title = "NUMA balancing at boot",
		.about =
			"The start value of kernel.numa_balancing; sysctl.d comes later and wins."),
	CMDLINE("transparent_hugepage", "always madvise never absent",
		.title = "transparent huge pages at boot",
		.about = "The start value of thp:enabled."),
	CMDLINE("preempt", "none voluntary full lazy absent", .title = "preemption model at boot",
		.about = "Only on kernels with PREEMPT_DYNAMIC."),
	CMDLINE("nohlt", "present absent", .title = "no halt in the idle loop",
		.about = "Idle CPUs poll. Harmful with shared processors."),
	CMDLINE("idle", "poll halt nomwait absent", .title = "idle loop of x86",
		.about = "x86 only; ppc64 ignores it."),
	CMDLINE("topology_updates", "on off absent", .title = "VPHN topology updates",
		.gone = TUNABLE_KERNEL(5, 9), .gone_text = "removed in 5.9",
		.about = "Followed changes of home nodes."),
	CMDLINE("cede_offline", "on off absent", .title = "offline threads cede",
		.gone = TUNABLE_KERNEL(5, 9),
		.gone_text = "removed in 5.9: offline threads go back to the hypervisor",
		.about = "Kept offline threads ceded instead of returned to the hypervisor."),
	CMDLINE("smt-snooze-delay", NULL, .title = "delay before ceding in us", .max = INT_MAX_LL,
		.gone = TUNABLE_KERNEL(3, 14), .gone_text = "without effect since 3.14",
		.about = "Had threads poll before they ceded."),

	{ .id = "module:steal_governor",
	  .title = "steal governor",
	  .where = WHERE_MODULE,
	  .persist = PERSIST_MODPROBED,
	  .name = "steal_governor",
	  .values = "loaded absent",
	  .about = "Keeps tasks off some virtual processors while steal is high (7.4)." },
	MODULE("steal_governor.interval_ms", 1, 600000, .title = "steal governor: interval in ms",
	       .about = "How often it looks at steal. Set only when the module is loaded."),
	MODULE("steal_governor.high_threshold", 0, 10000,
	       .title = "steal governor: upper threshold in 1/100 %",
	       .about = "Above it one core is given up. Set only when the module is loaded."),
	MODULE("steal_governor.low_threshold", 0, 10000,
	       .title = "steal governor: lower threshold in 1/100 %",
	       .about = "Below it one core is taken back. Set only when the module is loaded."),
};
const size_t tunable_count = ARRAY_SIZE(tunables);

const struct tunable *tunable_find(const char *id)
{
	for (size_t i = 0; i < ARRAY_SIZE(tunables); i++)
		if (streq(tunables[i].id, id))
			return &tunables[i];
	return NULL;
}

static bool is_word_of(const char *words, const char *value)
{
	struct span rest = span_of(words), word;

	while (span_word(&rest, &word))
		if (span_is(word, value))
			return true;
	return false;
}

/* For the kernel's files 010 is eight. */
static bool is_octal(struct span number)
{
	return number.len > 1 && (number.text[0] == '0' || span_starts(number, "-0"));
}

static int check_numbers(const struct tunable *t, const char *value)
{
	bool is_vector = t->grammar == GRAMMAR_VECTOR;
	struct span rest = span_of(value), word;
	int64_t number;
	unsigned int count = 0;

	for (; span_word(&rest, &word); count++) {
		int r = is_octal(word) ? -EINVAL : parse_i64(word, &number);

		if (r < 0)
			return r;
		if (t->max && (number < t->min || number > t->max))
			return -ERANGE;
	}
	/* A single number stands in files and on command lines as it is: without blanks. */
	if (!is_vector && strpbrk(value, " \t\r\n"))
		return -EINVAL;
	return count == (is_vector ? VECTOR_LENGTH : 1) ? 0 : -EINVAL;
}

int tunable_check(const struct tunable *t, const char *value)
{
	_cleanup_free_ char *text = NULL;

	if (t->values)
		return is_word_of(t->values, value) ? 0 : -EINVAL;
	if (t->where == WHERE_CMDLINE && streq(value, "absent"))
		return 0;
	if (t->where == WHERE_MODULE && streq(value, "absent"))
		return 0;
	if (t->grammar == GRAMMAR_MASK)
		return grammar_same_cpus(value, "")
			       ? -EINVAL
			       : grammar_write(t->grammar, t->name, value, &text);
	return check_numbers(t, value);
}

bool tunable_same(const struct tunable *t, const char *a, const char *b)
{
	if (t->grammar == GRAMMAR_MASK)
		return grammar_same_cpus(a, b);
	/* A word such as 1 is not the number 1 where only words are accepted. */
	return t->values ? streq(a, b) : grammar_same(a, b);
}
