/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file is the table of facts: key, title, type, place, unit, meaning. Keys never change. */
#include "machine/fact/facts.h"

/* clang-format off */
#define STRING .type = FACT_TYPE_STRING
#define INTEGER .type = FACT_TYPE_INTEGER
#define REAL .type = FACT_TYPE_REAL
#define BOOL .type = FACT_TYPE_BOOL
#define COUNTS .type = FACT_TYPE_COUNTS

const struct fact_info fact_info[FACT_COUNT] = {
[FACT_ARCH] = { .key = "arch", .title = "Architecture", STRING, .group = GROUP_PARTITION, .on = ON_ANY,
	.unit = NULL, .about =
	"The architecture of the machine or tree that is read, never of the reader." },
[FACT_HYPERVISOR] = { .key = "hypervisor", .title = "Hypervisor", STRING, .group = GROUP_PARTITION, .on = ON_ANY,
	.unit = NULL, .about =
	"Who runs this machine: powervm, kvm, qemu-tcg, kvm-or-tcg (a QEMU guest, not provable which), xen, vmware, hyperv, virtualbox, zvm, prsm, none (bare metal) or unknown." },
[FACT_PLATFORM] = { .key = "platform", .title = "Platform", STRING, .group = GROUP_PARTITION, .on = ON_ANY,
	.unit = NULL, .about =
	"The kind of machine as firmware tells it: pseries, powernv, powermac, s390, pc." },
[FACT_LPAR_MODE] = { .key = "lpar.mode", .title = "Mode", STRING, .group = GROUP_PARTITION, .on = ON_LPAR,
	.unit = NULL, .about =
	"shared-capped, shared-uncapped, shared (capping unknown), dedicated, dedicated-donating or unknown; not-applicable on every machine that is not a PowerVM or PR/SM partition. Absence of a file never makes a mode." },
[FACT_LPAR_SHARED] = { .key = "lpar.shared", .title = "Shares processors", BOOL, .group = GROUP_PARTITION, .on = ON_POWERVM,
	.unit = NULL, .about =
	"Whether the partition's processors come from the shared pool. Several sources know it; they are compared." },
[FACT_LPAR_NAME] = { .key = "lpar.name", .title = "Name", STRING, .group = GROUP_PARTITION, .on = ON_LPAR,
	.unit = NULL, .about =
	"The partition's name on the HMC. Kernels before 5.18 know only the name at boot." },
[FACT_LPAR_ID] = { .key = "lpar.id", .title = "Partition id", INTEGER, .group = GROUP_PARTITION, .on = ON_LPAR,
	.unit = NULL, .about =
	"The partition's number on its machine." },
[FACT_LPAR_MODEL] = { .key = "lpar.model", .title = "Machine", STRING, .group = GROUP_PARTITION, .on = ON_ANY,
	.unit = NULL, .about =
	"Machine type and model as firmware gives it." },
[FACT_LPAR_ENTITLEMENT] = { .key = "lpar.entitlement", .title = "Entitlement", REAL, .group = GROUP_PARTITION, .on = ON_POWERVM,
	.unit = "cores", .about =
	"Processor capacity that the hypervisor guarantees, now (H_GET_PPP). DLPAR changes it while the partition runs." },
[FACT_LPAR_ENTITLEMENT_DESIRED] = { .key = "lpar.entitlement_desired", .title = "Entitlement, desired", REAL, .group = GROUP_PARTITION, .on = ON_POWERVM,
	.unit = "cores", .about =
	"The entitlement that the partition's profile asks for." },
[FACT_LPAR_ENTITLEMENT_MIN] = { .key = "lpar.entitlement_min", .title = "Entitlement, minimum", REAL, .group = GROUP_PARTITION, .on = ON_POWERVM,
	.unit = "cores", .about =
	"The least entitlement with which the partition starts." },
[FACT_LPAR_ENTITLEMENT_MAX] = { .key = "lpar.entitlement_max", .title = "Entitlement, maximum", REAL, .group = GROUP_PARTITION, .on = ON_POWERVM,
	.unit = "cores", .about =
	"The most entitlement that DLPAR can give." },
[FACT_LPAR_VIRTUAL_PROCESSORS] = { .key = "lpar.virtual_processors", .title = "Virtual processors", INTEGER, .group = GROUP_PARTITION, .on = ON_LPAR,
	.unit = NULL, .about =
	"Virtual processors (cores) that the partition has now." },
[FACT_LPAR_VIRTUAL_PROCESSORS_MAX] = { .key = "lpar.virtual_processors_max", .title = "Virtual processors, maximum", INTEGER, .group = GROUP_PARTITION, .on = ON_LPAR,
	.unit = NULL, .about =
	"The most virtual processors that DLPAR can give." },
[FACT_LPAR_ENTITLEMENT_PER_VP] = { .key = "lpar.entitlement_per_vp", .title = "Entitlement per VP", REAL, .group = GROUP_PARTITION, .on = ON_POWERVM,
	.unit = "cores", .about =
	"Entitlement divided by virtual processors. Below about 0.6 each VP waits for the hypervisor much of its time when the pool is busy." },
[FACT_LPAR_ENTITLEMENT_PER_VP_MIN] = { .key = "lpar.entitlement_per_vp_min", .title = "Entitlement per VP, least", REAL, .group = GROUP_PARTITION, .on = ON_POWERVM,
	.unit = "cores", .about =
	"The least entitlement per virtual processor that this machine's firmware allows." },
[FACT_LPAR_WEIGHT] = { .key = "lpar.weight", .title = "Uncapped weight", INTEGER, .group = GROUP_PARTITION, .on = ON_SHARED,
	.unit = NULL, .about =
	"0 to 255: the share of unused pool capacity that an uncapped partition gets, against the weights of the others." },
[FACT_LPAR_CAPPED] = { .key = "lpar.capped", .title = "Capped", BOOL, .group = GROUP_PARTITION, .on = ON_SHARED,
	.unit = NULL, .about =
	"Whether the partition may never use more than its entitlement. Dedicated partitions also print capped=1; it then means nothing." },
[FACT_LPAR_DONATING] = { .key = "lpar.donating", .title = "Donates idle cores", BOOL, .group = GROUP_PARTITION, .on = ON_POWERVM,
	.unit = NULL, .about =
	"Whether a dedicated partition lends idle cores to the shared pool (DedDonMode)." },
[FACT_LPAR_POOL_ID] = { .key = "lpar.pool_id", .title = "Shared pool", INTEGER, .group = GROUP_PARTITION, .on = ON_SHARED,
	.unit = NULL, .about =
	"The shared processor pool of the partition." },
[FACT_LPAR_POOL_CORES] = { .key = "lpar.pool_cores", .title = "Pool cores", INTEGER, .group = GROUP_PARTITION, .on = ON_SHARED,
	.unit = "cores", .about =
	"Physical cores in that pool." },
[FACT_LPAR_GROUP_ID] = { .key = "lpar.group_id", .title = "Partition group", INTEGER, .group = GROUP_PARTITION, .on = ON_POWERVM,
	.unit = NULL, .about =
	"Workload group of the partition." },
[FACT_LPAR_FRAME_CORES] = { .key = "lpar.frame_cores", .title = "Cores in the machine", INTEGER, .group = GROUP_PARTITION, .on = ON_POWERVM,
	.unit = "cores", .about =
	"Active physical cores of the whole machine (not of the pool)." },
[FACT_LPAR_AFFINITY_SCORE] = { .key = "lpar.affinity_score", .title = "Affinity score", INTEGER, .group = GROUP_PARTITION, .on = ON_POWERVM,
	.unit = NULL, .about =
	"0 to 100: how well the hypervisor placed the partition's cores and memory. Needs \"Enable Performance Information Collection\" on the HMC." },
[FACT_LPAR_DISPATCH_WHEEL] = { .key = "lpar.dispatch_wheel", .title = "Dispatch wheel", INTEGER, .group = GROUP_PARTITION, .on = ON_SHARED,
	.unit = "ns", .about =
	"The period in which each virtual processor gets its entitlement; usually 10 ms." },
[FACT_LPAR_MEMORY_POOL] = { .key = "lpar.memory_pool", .title = "Shared memory pool", INTEGER, .group = GROUP_PARTITION, .on = ON_POWERVM,
	.unit = NULL, .about =
	"Active Memory Sharing pool; 65535 is dedicated memory. Gone with POWER10." },
[FACT_LPAR_SECURITY_FLAVOR] = { .key = "lpar.security_flavor", .title = "Security flavor", INTEGER, .group = GROUP_PARTITION, .on = ON_POWERVM,
	.unit = NULL, .about =
	"The speculative execution controls that the HMC chose: 0, 1 or 2." },
[FACT_LPPACA_SHARED] = { .key = "lppaca.shared", .title = "lppaca shared bit", BOOL, .group = GROUP_PARTITION, .on = ON_PSERIES,
	.unit = NULL, .about =
	"The raw shared-processor bit of the lppaca. KVM and QEMU set it for every guest, so it is a mode only under PowerVM." },
[FACT_CPU_MODEL] = { .key = "cpu.model", .title = "Processor", STRING, .group = GROUP_PROCESSORS, .on = ON_ANY,
	.unit = NULL, .about =
	"Processor model as /proc/cpuinfo names it." },
[FACT_CPU_TIMEBASE] = { .key = "cpu.timebase", .title = "Timebase", INTEGER, .group = GROUP_PROCESSORS, .on = ON_POWER,
	.unit = "Hz", .about =
	"Frequency of the timebase register, in which the hypervisor counts." },
[FACT_CPU_PRESENT] = { .key = "cpu.present", .title = "CPUs present", INTEGER, .group = GROUP_PROCESSORS, .on = ON_ANY,
	.unit = NULL, .about =
	"Logical CPUs (hardware threads) that are there, online or not." },
[FACT_CPU_ONLINE] = { .key = "cpu.online", .title = "CPUs online", INTEGER, .group = GROUP_PROCESSORS, .on = ON_ANY,
	.unit = NULL, .about =
	"Logical CPUs that run." },
[FACT_CPU_CORES] = { .key = "cpu.cores", .title = "Cores", INTEGER, .group = GROUP_PROCESSORS, .on = ON_ANY,
	.unit = NULL, .about =
	"Cores with at least one thread online. On PowerVM a core is a virtual processor." },
[FACT_CPU_THREADS_PER_CORE] = { .key = "cpu.threads_per_core", .title = "Threads per core", INTEGER, .group = GROUP_PROCESSORS, .on = ON_ANY,
	.unit = NULL, .about =
	"Hardware threads of a core, online or not." },
[FACT_CPU_SMT] = { .key = "cpu.smt", .title = "SMT", STRING, .group = GROUP_PROCESSORS, .on = ON_ANY,
	.unit = NULL, .about =
	"Threads online in every core, or mixed if cores differ." },
[FACT_CPU_SMT_CORES] = { .key = "cpu.smt_cores", .title = "Cores by threads online", COUNTS, .group = GROUP_PROCESSORS, .on = ON_ANY,
	.unit = NULL, .about =
	"How many cores run how many threads." },
[FACT_CPU_SMT_CONTROL] = { .key = "cpu.smt_control", .title = "SMT control", STRING, .group = GROUP_PROCESSORS, .on = ON_ANY,
	.unit = NULL, .about =
	"What /sys/devices/system/cpu/smt/control says; Power kernels have it from 6.6." },
[FACT_CPU_BIG_CORES] = { .key = "cpu.big_cores", .title = "Big cores", BOOL, .group = GROUP_PROCESSORS, .on = ON_POWER,
	.unit = NULL, .about =
	"Whether an SMT8 core is two halves with caches of their own (POWER9 and later); the kernel then schedules by halves." },
[FACT_CPU_PREFERRED] = { .key = "cpu.preferred", .title = "CPUs preferred", STRING, .group = GROUP_PROCESSORS, .on = ON_ANY,
	.unit = NULL, .about =
	"The CPUs that the scheduler prefers while steal is high (/sys/devices/system/cpu/preferred): kernels with the steal governor." },
[FACT_CPU_LLC_CPUS] = { .key = "cpu.llc_cpus", .title = "CPUs sharing a cache", INTEGER, .group = GROUP_PROCESSORS, .on = ON_ANY,
	.unit = NULL, .about =
	"CPUs that share the last level cache with the first CPU online, as sysfs shows it. Shared partitions and many virtual machines hide caches." },
[FACT_NUMA_NODES] = { .key = "numa.nodes", .title = "NUMA nodes", INTEGER, .group = GROUP_PROCESSORS, .on = ON_ANY,
	.unit = NULL, .about =
	"Memory nodes that are online." },
[FACT_NUMA_CPULESS_NODES] = { .key = "numa.cpuless_nodes", .title = "Nodes without CPU", INTEGER, .group = GROUP_PROCESSORS, .on = ON_ANY,
	.unit = NULL, .about =
	"Nodes with no online CPU. Those that have memory (numa.empty_nodes tells how many have none) are remote to all." },
[FACT_NUMA_EMPTY_NODES] = { .key = "numa.empty_nodes", .title = "Empty nodes", INTEGER, .group = GROUP_PROCESSORS, .on = ON_ANY,
	.unit = NULL, .about =
	"Nodes without CPU and without memory: they are numbers and cost nothing. Node 0 of many PowerVM partitions is one." },
[FACT_NUMA_MEMORYLESS_NODES] = { .key = "numa.memoryless_nodes", .title = "Nodes without memory", INTEGER, .group = GROUP_PROCESSORS, .on = ON_ANY,
	.unit = NULL, .about =
	"Nodes with CPUs and no memory: everything they touch is remote." },
[FACT_MEMORY_TOTAL] = { .key = "memory.total", .title = "Memory", INTEGER, .group = GROUP_SYSTEM, .on = ON_ANY,
	.unit = "bytes", .about =
	"MemTotal of /proc/meminfo." },
[FACT_KERNEL_RELEASE] = { .key = "kernel.release", .title = "Kernel", STRING, .group = GROUP_SYSTEM, .on = ON_ANY,
	.unit = NULL, .about =
	"Release of the running kernel." },
[FACT_KERNEL_CMDLINE] = { .key = "kernel.cmdline", .title = "Boot parameters", STRING, .group = GROUP_SYSTEM, .on = ON_ANY,
	.unit = NULL, .about =
	"The command line with which the kernel was started." },
[FACT_KERNEL_LOCKDOWN] = { .key = "kernel.lockdown", .title = "Lockdown", STRING, .group = GROUP_SYSTEM, .on = ON_ANY,
	.unit = NULL, .about =
	"Kernel lockdown: none, integrity or confidentiality. integrity makes most of debugfs unreadable even to root." },
[FACT_KERNEL_CONFIG] = { .key = "kernel.config", .title = "Kernel configuration", STRING, .group = GROUP_SYSTEM, .on = ON_ANY,
	.unit = NULL, .about =
	"The options of the kernel's configuration that change what lpartune's numbers mean." },
[FACT_KERNEL_SYMBOLS] = { .key = "kernel.symbols", .title = "Kernel symbols", STRING, .group = GROUP_SYSTEM, .on = ON_ANY,
	.unit = NULL, .about =
	"Those symbols of the running kernel that tell its behaviours, as far as it has them (kallsyms, else System.map)." },
[FACT_KERNEL_SOFTLOCKUP_PANIC] = { .key = "kernel.softlockup_panic", .title = "Panics on soft lockups", BOOL, .group = GROUP_SETTINGS, .on = ON_ANY,
	.unit = NULL, .about =
	"Whether a soft lockup stops the kernel (kernel.softlockup_panic)." },
[FACT_KERNEL_NMI_WATCHDOG] = { .key = "kernel.nmi_watchdog", .title = "Hard lockup detector", BOOL, .group = GROUP_SETTINGS, .on = ON_ANY,
	.unit = NULL, .about =
	"Whether the hard lockup detector runs (kernel.nmi_watchdog). On by default on PowerVM from 5.14 on, off in KVM guests." },
[FACT_KERNEL_NMI_WD_LPM_FACTOR] = { .key = "kernel.nmi_wd_lpm_factor", .title = "Watchdog patience in LPM", INTEGER, .group = GROUP_SETTINGS, .on = ON_POWERVM,
	.unit = "%", .about =
	"By how much the hard lockup detector's threshold grows while the partition is migrated; 0: not at all (6.0 and later)." },
[FACT_DISTRO_ID] = { .key = "distro.id", .title = "Distribution id", STRING, .group = GROUP_SYSTEM, .on = ON_ANY,
	.unit = NULL, .about =
	"ID of os-release." },
[FACT_DISTRO_NAME] = { .key = "distro.name", .title = "Distribution", STRING, .group = GROUP_SYSTEM, .on = ON_ANY,
	.unit = NULL, .about =
	"PRETTY_NAME of os-release." },
[FACT_UPTIME] = { .key = "uptime", .title = "Up", INTEGER, .group = GROUP_DOING, .on = ON_ANY,
	.unit = "s", .about =
	"Time since boot." },
[FACT_STEAL_SINCE_BOOT] = { .key = "steal.since_boot", .title = "Steal since boot", REAL, .group = GROUP_DOING, .on = ON_GUEST,
	.unit = "%", .about =
	"Share of all CPU time since boot in which a CPU was ready to run and the hypervisor did not run it. From the VPA where it can be read, else from /proc/stat." },
[FACT_STEAL_SINCE_BOOT_OF_DEMAND] = { .key = "steal.since_boot_of_demand", .title = "Steal of demand", REAL, .group = GROUP_DOING, .on = ON_GUEST,
	.unit = "%", .about =
	"Steal as a share of the time wanted (busy + stolen): what a busy thread felt." },
[FACT_STEAL_SOURCE] = { .key = "steal.source", .title = "Steal is from", STRING, .group = GROUP_DOING, .on = ON_GUEST,
	.unit = NULL, .about =
	"vpa (the hypervisor's own counters) or proc-stat (what the kernel accounts)." },
[FACT_STEAL_DISPATCH_WAIT] = { .key = "steal.dispatch_wait", .title = "Steal, waiting for a core", REAL, .group = GROUP_DOING, .on = ON_PSERIES,
	.unit = "%", .about =
	"The part of steal between enqueue and dispatch: no physical processor was free (contention)." },
[FACT_STEAL_ENTITLEMENT_WAIT] = { .key = "steal.entitlement_wait", .title = "Steal, held back", REAL, .group = GROUP_DOING, .on = ON_PSERIES,
	.unit = "%", .about =
	"The part of steal between ready and enqueue: the cap or the entitlement was used up." },
[FACT_STEAL_STAT] = { .key = "steal.stat", .title = "Steal in /proc/stat", REAL, .group = GROUP_DOING, .on = ON_GUEST,
	.unit = "%", .about =
	"Share of CPU time since boot that the kernel accounts as steal." },
[FACT_STEAL_EXPECTED_AT_FULL_LOAD] = { .key = "steal.expected_at_full_load", .title = "Steal expected at full load", REAL, .group = GROUP_DOING, .on = ON_SHARED,
	.unit = "%", .about =
	"On a capped partition steal at full load is 1 - entitlement / virtual processors: configuration, not a neighbour." },
[FACT_STEAL_KERNEL_ACCOUNTING] = { .key = "steal.kernel_accounting", .title = "Kernel's steal accounting", STRING, .group = GROUP_DOING, .on = ON_PSERIES,
	.unit = NULL, .about =
	"/proc/stat judged against the VPA: sound, unit-bug (shows 0.512 of the truth: kernels 6.1 to 6.8-rc4), none (the kernel does not account steal) or unknown." },
[FACT_CPU_BUSY] = { .key = "cpu.busy", .title = "Busy since boot", REAL, .group = GROUP_DOING, .on = ON_ANY,
	.unit = "%", .about =
	"Share of CPU time since boot spent in user, system and interrupts." },
[FACT_DISPATCH_COUNT] = { .key = "dispatch.count", .title = "Dispatches", INTEGER, .group = GROUP_DOING, .on = ON_LPAR,
	.unit = NULL, .about =
	"How often the hypervisor put the virtual processors on a physical one: half the sum of the yield counts, which are 32-bit counters and wrap." },
[FACT_DISPATCH_DISPERSION] = { .key = "dispatch.dispersion", .title = "Dispersions", REAL, .group = GROUP_DOING, .on = ON_SHARED,
	.unit = "%", .about =
	"Share of dispatches onto another physical processor than last time." },
[FACT_DISPATCH_STATS] = { .key = "dispatch.stats", .title = "Dispatch statistics", STRING, .group = GROUP_DOING, .on = ON_SHARED,
	.unit = NULL, .about =
	"Whether vcpudispatch_stats collects: on or off. Collecting costs work 50 times a second on every CPU." },
[FACT_DISPATCH_HOME] = { .key = "dispatch.home", .title = "Dispatched at home", REAL, .group = GROUP_DOING, .on = ON_SHARED,
	.unit = "%", .about =
	"Share of dispatches in the virtual processor's home node since the statistics were switched on." },
[FACT_INTERRUPTS_IPI] = { .key = "interrupts.ipi", .title = "IPIs since boot", INTEGER, .group = GROUP_DOING, .on = ON_ANY,
	.unit = NULL, .about =
	"Interrupts between CPUs: on Power IPI and doorbell rows, on x86 RES and CAL, on s390x EXC and EMS." },
[FACT_INTERRUPTS_DOORBELL] = { .key = "interrupts.doorbell", .title = "Doorbells since boot", INTEGER, .group = GROUP_DOING, .on = ON_POWER,
	.unit = NULL, .about =
	"The part of them between threads of one core (DBL)." },
[FACT_LOG_RCU_STALLS] = { .key = "log.rcu_stalls", .title = "RCU stalls logged", INTEGER, .group = GROUP_DOING, .on = ON_ANY,
	.unit = NULL, .about =
	"RCU stall warnings in the kernel log." },
[FACT_LOG_SOFT_LOCKUPS] = { .key = "log.soft_lockups", .title = "Soft lockups logged", INTEGER, .group = GROUP_DOING, .on = ON_ANY,
	.unit = NULL, .about =
	"Soft lockup warnings in the kernel log." },
[FACT_LOG_CEDE_LATENCY] = { .key = "log.cede_latency", .title = "CEDE latency set at boot", INTEGER, .group = GROUP_DOING, .on = ON_POWERVM,
	.unit = "us", .about =
	"What the kernel log says of \"Fixed up CEDE exit latency\"." },
[FACT_LOG_HYPERVISOR] = { .key = "log.hypervisor", .title = "Kernel log names", STRING, .group = GROUP_PARTITION, .on = ON_POWER,
	.unit = NULL, .about =
	"The hypervisor in the log's hardware name: phyp or kvm." },
[FACT_IDLE_DRIVER] = { .key = "idle.driver", .title = "Idle driver", STRING, .group = GROUP_SETTINGS, .on = ON_ANY,
	.unit = NULL, .about =
	"cpuidle driver." },
[FACT_IDLE_GOVERNOR] = { .key = "idle.governor", .title = "Idle governor", STRING, .group = GROUP_SETTINGS, .on = ON_ANY,
	.unit = NULL, .about =
	"cpuidle governor." },
[FACT_IDLE_STATES] = { .key = "idle.states", .title = "Idle states", STRING, .group = GROUP_SETTINGS, .on = ON_ANY,
	.unit = NULL, .about =
	"Names of the idle states, shallow first. On PowerVM and KVM: snooze and CEDE (\"Shared Cede\" where processors are shared)." },
[FACT_IDLE_DISABLED] = { .key = "idle.disabled", .title = "Idle states disabled", STRING, .group = GROUP_SETTINGS, .on = ON_ANY,
	.unit = NULL, .about =
	"States that are disabled, with the number of CPUs; none if all are enabled." },
[FACT_IDLE_CEDE_LATENCY] = { .key = "idle.cede_latency", .title = "CEDE exit latency", INTEGER, .group = GROUP_SETTINGS, .on = ON_PSERIES,
	.unit = "us", .about =
	"What the kernel believes waking from CEDE takes. 10 us is right for POWER8 and POWER9." },
[FACT_IDLE_GUEST_HALT_POLL] = { .key = "idle.guest_halt_poll", .title = "Polls before halting", INTEGER, .group = GROUP_SETTINGS, .on = ON_GUEST,
	.unit = "ns", .about =
	"How long an idle CPU of an x86 guest polls before it halts (haltpoll's guest_halt_poll_ns)." },
[FACT_SCHED_FEATURES] = { .key = "sched.features", .title = "Scheduler features", STRING, .group = GROUP_SETTINGS, .on = ON_ANY,
	.unit = NULL, .about =
	"The scheduler's feature flags (debugfs)." },
[FACT_SCHED_BASE_SLICE] = { .key = "sched.base_slice", .title = "Base slice", INTEGER, .group = GROUP_SETTINGS, .on = ON_ANY,
	.unit = "ns", .about =
	"EEVDF's base slice (6.6 and later), else the minimal granularity." },
[FACT_SCHED_MIGRATION_COST] = { .key = "sched.migration_cost", .title = "Migration cost", INTEGER, .group = GROUP_SETTINGS, .on = ON_ANY,
	.unit = "ns", .about =
	"How long after running a task counts as cache-hot." },
[FACT_SCHED_SCHEDSTATS] = { .key = "sched.schedstats", .title = "Scheduler statistics", BOOL, .group = GROUP_SETTINGS, .on = ON_ANY,
	.unit = NULL, .about =
	"Whether kernel.sched_schedstats collects." },
[FACT_SCHED_SCHEDSTAT_VERSION] = { .key = "sched.schedstat_version", .title = "schedstat version", INTEGER, .group = GROUP_SETTINGS, .on = ON_ANY,
	.unit = NULL, .about =
	"Format of /proc/schedstat." },
[FACT_NUMA_BALANCING] = { .key = "numa.balancing", .title = "NUMA balancing", INTEGER, .group = GROUP_SETTINGS, .on = ON_ANY,
	.unit = NULL, .about =
	"kernel.numa_balancing: 0 off, 1 on, 2 memory tiering." },
[FACT_MEMORY_THP] = { .key = "memory.thp", .title = "Transparent huge pages", STRING, .group = GROUP_SETTINGS, .on = ON_ANY,
	.unit = NULL, .about =
	"always, madvise or never." },
[FACT_MEMORY_THP_DEFRAG] = { .key = "memory.thp_defrag", .title = "THP defragmentation", STRING, .group = GROUP_SETTINGS, .on = ON_ANY,
	.unit = NULL, .about =
	"How hard a page fault tries for a huge page." },
[FACT_MEMORY_KSM] = { .key = "memory.ksm", .title = "Kernel samepage merging", INTEGER, .group = GROUP_SETTINGS, .on = ON_ANY,
	.unit = NULL, .about =
	"0 stopped, 1 running, 2 stopped and unmerged." },
[FACT_TUNED_PROFILE] = { .key = "tuned.profile", .title = "TuneD profile", STRING, .group = GROUP_SETTINGS, .on = ON_ANY,
	.unit = NULL, .about =
	"The active profile of TuneD." },
};
/* clang-format on */
