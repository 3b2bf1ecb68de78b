/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * This file is the table of rules. Ids never change. Within the findings of one severity, and the
 * recommendations of one expected effect, the order of the table is the order of the output.
 */
#include "advice/rules.h"

#define LINUS "https://git.kernel.org/linus/"
#define LORE "https://lore.kernel.org/all/"
#define GOVERNOR LORE "20260928053728.797539-1-sshegde@linux.ibm.com/"

#define L3_COMMIT "https://gitlab.com/qemu-project/qemu/-/commit/14c985cffa"
#define L3_THREAD "https://lists.gnu.org/archive/html/qemu-devel/2017-11/threads.html"

#define SHARED "shared|shared-capped|shared-uncapped"
#define DEDICATED "dedicated|dedicated-donating"
/* Where nothing may be advised that presumes one. */
#define NO_HYPERVISOR "none|unknown|qemu-tcg"
#define POWER "ppc64|ppc64le"

/* Steal below this share of the time wanted is noise: the steal governor's own threshold. */
#define STEAL_HIGH 5

#define IS(fact_, text_)                                  \
	{                                                 \
		.fact = fact_, .op = OP_IS, .text = text_ \
	}
#define IS_NOT(fact_, text_)                                  \
	{                                                     \
		.fact = fact_, .op = OP_IS_NOT, .text = text_ \
	}
#define NAMES(fact_, text_)                                     \
	{                                                       \
		.fact = fact_, .op = OP_CONTAINS, .text = text_ \
	}
#define AT_LEAST(fact_, number_)                                    \
	{                                                           \
		.fact = fact_, .op = OP_AT_LEAST, .number = number_ \
	}
#define BELOW(fact_, number_)                                    \
	{                                                        \
		.fact = fact_, .op = OP_BELOW, .number = number_ \
	}
#define ABOVE_FACT(fact_, other_, number_)                                             \
	{                                                                              \
		.fact = fact_, .op = OP_ABOVE_FACT, .other = other_, .number = number_ \
	}
#define WITHIN_FACT(fact_, other_, number_)                                             \
	{                                                                               \
		.fact = fact_, .op = OP_WITHIN_FACT, .other = other_, .number = number_ \
	}
#define TRUE(fact_)                          \
	{                                    \
		.fact = fact_, .op = OP_TRUE \
	}
#define HAS_WORD(fact_, text_)                                  \
	{                                                       \
		.fact = fact_, .op = OP_HAS_WORD, .text = text_ \
	}
#define NO_PARAMETER(text_)                                                       \
	{                                                                         \
		.fact = FACT_KERNEL_CMDLINE, .op = OP_NO_PARAMETER, .text = text_ \
	}
#define OLDER(major, minor)                                                                  \
	{                                                                                    \
		.fact = FACT_KERNEL_RELEASE, .op = OP_BEFORE, .version = { major, minor, 0 } \
	}
#define PARAMETER(text_)                                                       \
	{                                                                      \
		.fact = FACT_KERNEL_CMDLINE, .op = OP_PARAMETER, .text = text_ \
	}
#define SINCE(major, minor)                                                                 \
	{                                                                                   \
		.fact = FACT_KERNEL_RELEASE, .op = OP_SINCE, .version = { major, minor, 0 } \
	}
#define HAS(behaviour_)                               \
	{                                             \
		.op = OP_HAS, .behaviour = behaviour_ \
	}
#define MAY_LACK(behaviour_)                               \
	{                                                  \
		.op = OP_MAY_LACK, .behaviour = behaviour_ \
	}

/* clang-format off */
const struct rule rules[] = {

/* ---- sizing: the strongest levers, on the HMC ---- */

{ .id = "over-provisioned-vps",
	.when = { IS(FACT_HYPERVISOR, "powervm"), IS(FACT_LPAR_MODE, SHARED),
		BELOW(FACT_LPAR_ENTITLEMENT_PER_VP, 0.6), AT_LEAST(FACT_STEAL_SINCE_BOOT_OF_DEMAND, STEAL_HIGH) },
	.title = "More virtual processors than the entitlement carries, and steal shows it",
	.evidence_text = "{lpar.virtual_processors} virtual processors on {lpar.entitlement}: {lpar.entitlement_per_vp} "
		"each; {steal.since_boot_of_demand} of the time wanted was stolen since boot",
	.next = "lpartune sample 1 10 under load, then fewer virtual processors or more entitlement on the HMC",
	.why = "Each virtual processor beyond the entitlement adds waiting, not capacity, when the pool is busy: at "
		"full load 12 cores of entitlement show 50, 69 and 78 % steal with 24, 36 and 48 virtual processors. Two "
		"contending partitions had wakeup p99 of 3084 us, and 345 us once each ran only the cores it was entitled to.",
	.severity = SEVERITY_WARNING,
	.action = "On the HMC: raise the entitlement to the average use, or take virtual processors away (DLPAR) until "
		"entitlement / VPs is 0.6 or more; or use fewer cores now (ppc64_cpu --cores-on=N)",
	.effect = EFFECT_LARGE, .evidence = EVIDENCE_A, .risk = RISK_MEDIUM, .scope = SCOPE_OUTSIDE,
	.caution = "Fewer virtual processors lower the ceiling of an uncapped partition. The threshold 0.6 is field "
		"practice, not a measurement.",
	.confirm = "wake", .undo = "add the virtual processors again (DLPAR)",
	.source = { LORE "20250910174210.1969750-1-sshegde@linux.ibm.com/",
		LORE "20240213052635.231597-1-sshegde@linux.ibm.com/",
		"https://www.ibm.com/support/pages/ibm-power-virtualization-best-practices-guide" } },

{ .id = "vps-beyond-entitlement",
	.when = { IS(FACT_HYPERVISOR, "powervm"), IS(FACT_LPAR_MODE, SHARED),
		BELOW(FACT_LPAR_ENTITLEMENT_PER_VP, 0.6) },
	.unless = "over-provisioned-vps",
	.title = "What is guaranteed is far below what the partition can use",
	.evidence_text = "{lpar.entitlement} are guaranteed, {lpar.virtual_processors} virtual processors can run: "
		"{lpar.entitlement_per_vp} each",
	.next = "lpartune sample 1 10 while the machine is busy",
	.why = "Performance varies between the entitlement and the number of virtual processors with the load of the "
		"other partitions. It does no harm while the pool has idle cores; steal tells when it has none.",
	.severity = SEVERITY_NOTE,
	.evidence = EVIDENCE_C,
	.source = { "https://www.ibm.com/support/pages/assigning-appropriate-processor-entitled-capacity" } },

{ .id = "vps-beyond-pool",
	.when = { IS(FACT_HYPERVISOR, "powervm"), IS(FACT_LPAR_MODE, SHARED),
		ABOVE_FACT(FACT_LPAR_VIRTUAL_PROCESSORS, FACT_LPAR_POOL_CORES, 0), AT_LEAST(FACT_LPAR_POOL_CORES, 1) },
	.title = "More virtual processors than the shared pool has cores",
	.evidence_text = "{lpar.virtual_processors} virtual processors, pool of {lpar.pool_cores}",
	.next = "take virtual processors away on the HMC until they fit the pool",
	.why = "The pool can never run them all at once, whatever the other partitions do. The virtual processors beyond "
		"it only wait, with the locks that their tasks hold.",
	.severity = SEVERITY_WARNING,
	.action = "On the HMC: no more virtual processors than the pool has cores",
	.effect = EFFECT_MODERATE, .evidence = EVIDENCE_C, .risk = RISK_LOW, .scope = SCOPE_OUTSIDE,
	.confirm = "wake", .undo = "add the virtual processors again (DLPAR)",
	.source = { "https://www.ibm.com/support/pages/ibm-power-virtualization-best-practices-guide" } },

/* ---- steal ---- */

{ .id = "rcu-stalls-under-steal",
	.when = { IS_NOT(FACT_HYPERVISOR, NO_HYPERVISOR), AT_LEAST(FACT_LOG_RCU_STALLS, 1),
		AT_LEAST(FACT_STEAL_SINCE_BOOT_OF_DEMAND, STEAL_HIGH) },
	.title = "RCU stalls are logged while the hypervisor keeps CPUs waiting",
	.evidence_text = "RCU stalls in the kernel log: {log.rcu_stalls}; steal {steal.since_boot_of_demand} of the time "
		"wanted",
	.next = "lpartune sample 1 10 when it happens; see the steal findings for the cause",
	.why = "A CPU that is preempted inside a critical section or while it holds a lock makes every other CPU wait "
		"for it. With steal this high that is the likelier cause than a defect of the kernel.",
	.severity = SEVERITY_CRITICAL,
	.evidence = EVIDENCE_C,
	.source = { "https://docs.kernel.org/RCU/stallwarn.html" } },

{ .id = "soft-lockups-under-steal",
	.when = { IS_NOT(FACT_HYPERVISOR, NO_HYPERVISOR), AT_LEAST(FACT_LOG_SOFT_LOCKUPS, 1),
		AT_LEAST(FACT_STEAL_SINCE_BOOT_OF_DEMAND, STEAL_HIGH) },
	.title = "Soft lockups are logged while the hypervisor keeps CPUs waiting",
	.evidence_text = "{log.soft_lockups} soft lockups in the kernel log, steal {steal.since_boot_of_demand} of the "
		"time wanted",
	.next = "lpartune sample 1 10 when it happens; see the steal findings for the cause",
	.why = "The watchdog measures wall time, so a virtual processor that was not dispatched for long looks locked "
		"up. Migration of the partition (LPM) does the same without steal.",
	.severity = SEVERITY_CRITICAL,
	.evidence = EVIDENCE_C,
	.source = { "https://docs.kernel.org/admin-guide/lockup-watchdogs.html" } },

{ .id = "steal-beyond-cap",
	.when = { IS(FACT_HYPERVISOR, "powervm"), IS(FACT_LPAR_MODE, "shared-capped"),
		ABOVE_FACT(FACT_STEAL_SINCE_BOOT_OF_DEMAND, FACT_STEAL_EXPECTED_AT_FULL_LOAD, STEAL_HIGH) },
	.title = "More steal than the cap explains",
	.evidence_text = "{steal.since_boot_of_demand} of the time wanted was stolen; the cap explains at most "
		"{steal.expected_at_full_load}; waiting for a core {steal.dispatch_wait}, held back {steal.entitlement_wait}",
	.next = "lpartune sample 1 10 splits it by cause",
	.why = "On a capped partition steal at full load is 1 - entitlement / virtual processors; what is above comes "
		"from the machine. Waiting between enqueue and dispatch means that no physical core was free.",
	.severity = SEVERITY_WARNING,
	.evidence = EVIDENCE_A,
	.source = { LORE "20240213052635.231597-1-sshegde@linux.ibm.com/", GOVERNOR } },

{ .id = "steal-contention",
	.when = { IS(FACT_HYPERVISOR, "powervm"), IS(FACT_LPAR_MODE, "shared|shared-uncapped"),
		AT_LEAST(FACT_STEAL_SINCE_BOOT_OF_DEMAND, STEAL_HIGH) },
	.title = "The hypervisor keeps ready CPUs waiting",
	.evidence_text = "{steal.since_boot_of_demand} of the time wanted was stolen since boot; waiting for a core "
		"{steal.dispatch_wait}, held back {steal.entitlement_wait} of all CPU time (source: {steal.source})",
	.next = "lpartune sample 1 10 shows whether it happens now, and splits it by cause",
	.why = "Steal counts only while a CPU wanted to run, so together with idle time it is harmless and without idle "
		"time it hurts. Above 5 % of the time wanted the kernel's own steal governor begins to use fewer cores.",
	.severity = SEVERITY_WARNING,
	.evidence = EVIDENCE_A,
	.source = { GOVERNOR, LORE "20251204175405.1511340-1-srikar@linux.ibm.com/" } },

{ .id = "steal-on-guest",
	.when = { IS(FACT_HYPERVISOR, "kvm|xen|vmware|zvm|prsm"), AT_LEAST(FACT_STEAL_SINCE_BOOT_OF_DEMAND, STEAL_HIGH) },
	.title = "The host keeps ready CPUs waiting",
	.evidence_text = "{steal.since_boot_of_demand} of the time wanted was stolen since boot (source: {steal.source})",
	.next = "lpartune sample 1 10, and ask the host's administrator for its load and CPU pinning",
	.why = "The host has more runnable virtual CPUs than it has cores for. A guest cannot tell whose they are, and no "
		"setting inside it adds CPU time.",
	.severity = SEVERITY_WARNING,
	.evidence = EVIDENCE_C,
	.source = { GOVERNOR, "https://tilaa.com/en/blog/should-i-be-worried-about-cpu-steal-time" } },

{ .id = "steal-explained-by-cap",
	.when = { IS(FACT_HYPERVISOR, "powervm"), IS(FACT_LPAR_MODE, "shared-capped"),
		AT_LEAST(FACT_STEAL_SINCE_BOOT_OF_DEMAND, STEAL_HIGH),
		WITHIN_FACT(FACT_STEAL_SINCE_BOOT_OF_DEMAND, FACT_STEAL_EXPECTED_AT_FULL_LOAD, STEAL_HIGH),
		WITHIN_FACT(FACT_STEAL_DISPATCH_WAIT, FACT_STEAL_ENTITLEMENT_WAIT, 0) },
	.title = "Most of the steal is the cap: configuration, not a neighbour",
	.evidence_text = "{steal.since_boot_of_demand} of the time wanted was stolen; {lpar.entitlement} on "
		"{lpar.virtual_processors} virtual processors give {steal.expected_at_full_load} at full load; held back "
		"{steal.entitlement_wait}, waiting for a core {steal.dispatch_wait} of all CPU time",
	.next = "raise the entitlement or uncap the partition on the HMC if it needs more",
	.why = "A capped partition never gets more than its entitlement, and the rest of what its virtual processors "
		"want is counted as steal. Measured on 12 cores of entitlement: 50 % with 24, 69 % with 36 virtual processors.",
	.severity = SEVERITY_NOTE,
	.evidence = EVIDENCE_A,
	.source = { LORE "20240213052635.231597-1-sshegde@linux.ibm.com/" } },

{ .id = "steal-contention-under-cap",
	.when = { IS(FACT_HYPERVISOR, "powervm"), IS(FACT_LPAR_MODE, "shared-capped"),
		AT_LEAST(FACT_STEAL_SINCE_BOOT_OF_DEMAND, STEAL_HIGH),
		WITHIN_FACT(FACT_STEAL_SINCE_BOOT_OF_DEMAND, FACT_STEAL_EXPECTED_AT_FULL_LOAD, STEAL_HIGH),
		ABOVE_FACT(FACT_STEAL_DISPATCH_WAIT, FACT_STEAL_ENTITLEMENT_WAIT, 0) },
	.title = "Ready CPUs wait for a core more than for the cap",
	.evidence_text = "{steal.since_boot_of_demand} of the time wanted was stolen, no more than the cap allows "
		"({steal.expected_at_full_load}); but waiting for a core {steal.dispatch_wait}, held back "
		"{steal.entitlement_wait} of all CPU time",
	.next = "lpartune sample 1 10 shows whether it happens now, and splits it by cause",
	.why = "The hypervisor counts apart the time in which a processor was held back by its cap and the time in which "
		"no physical processor was free. Where the latter leads, neighbours take the time, whatever the cap allows.",
	.severity = SEVERITY_WARNING,
	.evidence = EVIDENCE_C,
	.source = { LORE "20240213052635.231597-1-sshegde@linux.ibm.com/" } },

{ .id = "steal-within-cap",
	.when = { IS(FACT_HYPERVISOR, "powervm"), IS(FACT_LPAR_MODE, "shared-capped"),
		IS(FACT_STEAL_SOURCE, "proc-stat"), AT_LEAST(FACT_STEAL_SINCE_BOOT_OF_DEMAND, STEAL_HIGH),
		WITHIN_FACT(FACT_STEAL_SINCE_BOOT_OF_DEMAND, FACT_STEAL_EXPECTED_AT_FULL_LOAD, STEAL_HIGH) },
	.title = "Steal that the cap can explain, and that neighbours can",
	.evidence_text = "{steal.since_boot_of_demand} of the time wanted was stolen; {lpar.entitlement} on "
		"{lpar.virtual_processors} virtual processors give {steal.expected_at_full_load} at full load "
		"(source: {steal.source})",
	.next = "lpartune sample 1 10 as root splits it by cause, where debugfs can be read",
	.why = "Steal in /proc/stat is one number for two causes: held back by the cap, and no physical processor free. "
		"Only the hypervisor's own counters, the VPA, count them apart.",
	.severity = SEVERITY_NOTE,
	.evidence = EVIDENCE_C,
	.source = { LORE "20240213052635.231597-1-sshegde@linux.ibm.com/" } },

{ .id = "steal-under-reported",
	.when = { IS(FACT_HYPERVISOR, "powervm|kvm"), IS(FACT_STEAL_KERNEL_ACCOUNTING, "unit-bug") },
	.title = "The kernel shows about half of the steal",
	.evidence_text = "/proc/stat has {steal.stat}, the hypervisor's counters {steal.since_boot}",
	.next = "trust lpartune's steal, not top, vmstat or sar, until the kernel is updated",
	.why = "Kernels 6.1 to 6.8-rc4 add timebase ticks as if they were nanoseconds, which gives 0.512 of the truth. "
		"The fix is also in stable 6.1, 6.6 and 6.7.",
	.severity = SEVERITY_WARNING,
	.action = "Update the kernel to one with commit cbecc9fcbbec (6.8; stable 6.1.79, 6.6.18, 6.7.6)",
	.effect = EFFECT_SMALL, .evidence = EVIDENCE_A, .risk = RISK_LOW, .scope = SCOPE_REBOOT,
	.caution = "It changes what is shown, and the capacity that the scheduler computes from steal.",
	.undo = "boot the old kernel",
	.source = { LORE "20240213052635.231597-1-sshegde@linux.ibm.com/", LINUS "cbecc9fcbbec" } },

{ .id = "steal-not-accounted",
	.when = { IS(FACT_HYPERVISOR, "powervm|kvm"), IS(FACT_STEAL_KERNEL_ACCOUNTING, "none") },
	.title = "The kernel does not account steal: its 0 means nothing",
	.evidence_text = "/proc/stat has {steal.stat}, the hypervisor's counters {steal.since_boot}; steal accounting: "
		"{kernel:steal-accounting}",
	.next = "trust lpartune's steal, not top, vmstat or sar",
	.why = "Kernels before 6.1 that account CPU time the tickless way (RHEL, SUSE and Debian do) never fill the steal "
		"column. The hypervisor counts the waits all the same, in the VPA.",
	.severity = SEVERITY_WARNING,
	.evidence = EVIDENCE_A,
	.source = { LORE "20220902085316.2071519-3-npiggin@gmail.com/", LINUS "0e8a63132800" } },

/* ---- kernels ---- */

{ .id = "dedicated-wakeup-defect",
	.when = { IS(FACT_HYPERVISOR, "powervm"), IS(FACT_LPAR_MODE, DEDICATED),
		HAS(BEHAVIOUR_SKIPS_PREEMPTED_CPUS), MAY_LACK(BEHAVIOUR_DEDICATED_NEVER_PREEMPTED) },
	.title = "The kernel may take idle CPUs of this dedicated partition for preempted",
	.evidence_text = "Dedicated processors never preempted: {kernel:dedicated-never-preempted}",
	.next = "lpartune bench wake: a p99.9 of milliseconds confirms it; then update the kernel",
	.why = "From 4.18 to 5.4 a wakeup avoids every idle (ceded) CPU and queues behind a busy one. On POWER9 with 128 "
		"CPUs schbench p99.9 was 6 to 8 ms, and 0.1 ms with the fix; migrations 1211 and 220.",
	.severity = SEVERITY_WARNING,
	.action = "Update the kernel to one with commit 14c73bd344da (5.5; stable 5.4.11; RHEL 8.5, 4.18.0-310)",
	.effect = EFFECT_LARGE, .evidence = EVIDENCE_A, .risk = RISK_LOW, .scope = SCOPE_REBOOT,
	.caution = "By version alone a distribution's backport cannot be seen; the benchmark tells.",
	.confirm = "wake", .undo = "boot the old kernel",
	.source = { LORE "20191204134459.22470-1-srikar@linux.vnet.ibm.com/", LINUS "14c73bd344da" } },

{ .id = "cede-latency-too-small",
	/* From 5.15 on, a smaller number is of a POWER10 in POWER9 mode, where firmware is right. */
	.when = { IS(FACT_HYPERVISOR, "powervm"), NAMES(FACT_CPU_MODEL, "POWER8|POWER9"), OLDER(5, 15),
		BELOW(FACT_IDLE_CEDE_LATENCY, 10) },
	.title = "The kernel believes that waking from CEDE is faster than it is",
	.evidence_text = "CEDE exit latency {idle.cede_latency} on {cpu.model}; 10 us is right",
	.next = "update the kernel (5.15 or later); lpartune bench wake measures the real latency",
	.why = "Kernels 5.9 to 5.14 take 1 to 2 us from firmware, where a wakeup by timer takes 6.4 us and by IPI 9.5 us "
		"(p99, POWER9). The idle governor then enters CEDE for sleeps too short to pay for it.",
	.severity = SEVERITY_WARNING,
	.action = "Update the kernel to 5.15 or later",
	.effect = EFFECT_SMALL, .evidence = EVIDENCE_A, .risk = RISK_LOW, .scope = SCOPE_REBOOT,
	.confirm = "wake", .undo = "boot the old kernel",
	.source = { LORE "1619673517-10853-1-git-send-email-ego@linux.vnet.ibm.com/" } },

/* ---- idle ---- */

{ .id = "never-cedes",
	.when = { IS(FACT_HYPERVISOR, "powervm"), IS(FACT_LPAR_MODE, SHARED), PARAMETER("powersave=off") },
	.title = "This shared partition never gives an idle core back (powersave=off)",
	.evidence_text = "powersave=off on the kernel's command line, mode {lpar.mode}",
	.next = "remove powersave=off from the boot parameters",
	.why = "powersave=off removes cpuidle, so idle CPUs spin and spend the entitlement: the hypervisor and the HMC see "
		"100 % use. Its virtual processors are then preempted when they have work.",
	.severity = SEVERITY_CRITICAL,
	.setting = { { "cmdline:powersave", "absent" } },
	.effect = EFFECT_LARGE, .evidence = EVIDENCE_C, .risk = RISK_LOW, .scope = SCOPE_REBOOT,
	.confirm = "wake", .undo = "set the parameter again",
	.source = { "https://lists.ozlabs.org/pipermail/linuxppc-dev/2014-January/114569.html" } },

{ .id = "cede-disabled",
	.when = { IS(FACT_HYPERVISOR, "powervm"), IS(FACT_LPAR_MODE, SHARED), NAMES(FACT_IDLE_DISABLED, "CEDE") },
	.title = "Idle CPUs of this shared partition poll instead of ceding",
	.evidence_text = "disabled idle states: {idle.disabled}",
	.next = "lpartune apply cede-disabled enables the state again",
	.why = "A virtual processor that never cedes spends its entitlement idle and is preempted when it has work. What "
		"it gains in wakeup latency on a quiet machine it loses many times over on a busy one.",
	.severity = SEVERITY_CRITICAL,
	.setting = { { "cpuidle:CEDE", "on" } },
	.effect = EFFECT_LARGE, .evidence = EVIDENCE_C, .risk = RISK_LOW, .scope = SCOPE_NOW,
	.confirm = "wake", .undo = "disable the state again",
	.source = { "https://lists.ozlabs.org/pipermail/linuxppc-dev/2014-January/114569.html" } },

/* ---- topology ---- */

{ .id = "mixed-smt",
	.when = { IS(FACT_ARCH, POWER), IS(FACT_HYPERVISOR, "powervm|kvm"), IS(FACT_CPU_SMT, "mixed") },
	.title = "Cores run different numbers of threads",
	.evidence_text = "cores by threads online: {cpu.smt_cores}",
	.next = "ppc64_cpu --smt=N, or write N to /sys/devices/system/cpu/smt/control, to make them equal",
	.why = "The scheduler spreads load by threads, so cores with fewer threads are not used like the others. It is "
		"usually left behind by hotplug or by an SMT change that stopped half way.",
	.severity = SEVERITY_WARNING,
	.evidence = EVIDENCE_C,
	.source = { LINUS "73c58e7e1412" } },

{ .id = "cpuless-nodes",
	.when = { IS(FACT_HYPERVISOR, "powervm"), ABOVE_FACT(FACT_NUMA_CPULESS_NODES, FACT_NUMA_EMPTY_NODES, 0) },
	.title = "Memory in nodes where the partition has no CPU",
	.evidence_text = "{numa.cpuless_nodes} of {numa.nodes} nodes have no CPU, {numa.empty_nodes} of them no memory either; "
		"affinity score {lpar.affinity_score}",
	.next = "optmem or DPO on the HMC (lsmemopt -o currscore shows the score), then compare",
	.why = "Every access to that memory crosses the machine. It comes from how the hypervisor placed the partition, "
		"at its activation or after a migration.",
	.severity = SEVERITY_WARNING,
	.action = "On the HMC: run the Dynamic Platform Optimizer (optmem) for this partition",
	.effect = EFFECT_UNKNOWN, .evidence = EVIDENCE_C, .risk = RISK_MEDIUM, .scope = SCOPE_OUTSIDE,
	.caution = "DPO moves memory while the partition runs and costs performance meanwhile.",
	.confirm = "throughput", .undo = "none",
	.source = { "http://www.ibm.com/support/knowledgecenter/POWER9/p9hc3/p9hc3_hmcaffinity.htm" } },

{ .id = "memoryless-nodes",
	.when = { IS(FACT_HYPERVISOR, "powervm"), AT_LEAST(FACT_NUMA_MEMORYLESS_NODES, 1) },
	.title = "CPUs in nodes where the partition has no memory",
	.evidence_text = "{numa.memoryless_nodes} of {numa.nodes} nodes have no memory; affinity score "
		"{lpar.affinity_score}",
	.next = "optmem or DPO on the HMC (lsmemopt -o currscore shows the score), then compare",
	.why = "Whatever these CPUs touch is remote. After a migration, or after processors were added, the kernel's map "
		"can also be stale: since 5.9 it is read only when a CPU comes online.",
	.severity = SEVERITY_WARNING,
	.action = "On the HMC: run the Dynamic Platform Optimizer (optmem) for this partition",
	.effect = EFFECT_UNKNOWN, .evidence = EVIDENCE_C, .risk = RISK_MEDIUM, .scope = SCOPE_OUTSIDE,
	.caution = "DPO moves memory while the partition runs and costs performance meanwhile.",
	.confirm = "throughput", .undo = "none",
	.source = { "http://www.ibm.com/support/knowledgecenter/POWER9/p9hc3/p9hc3_hmcaffinity.htm",
		LORE "20220330135123.1868197-1-srikar@linux.vnet.ibm.com/" } },

/* ---- what the sources say ---- */

{ .id = "sources-disagree",
	.when = { { .op = OP_CONFLICT } },
	.title = "Two sources say different things of this machine",
	.evidence_text = "{conflicts}",
	.next = "lpartune inspect --all shows each fact with its source",
	.why = "lpartune keeps the more trustworthy source and shows the other. A capture whose files are from different "
		"moments or machines does this, and so does a change while it was read.",
	.severity = SEVERITY_WARNING,
	.evidence = EVIDENCE_C,
	.source = { "https://docs.kernel.org/filesystems/proc.html" } },

/* ---- watchdogs ---- */

{ .id = "softlockup-panic",
	.when = { IS_NOT(FACT_HYPERVISOR, NO_HYPERVISOR), TRUE(FACT_KERNEL_SOFTLOCKUP_PANIC) },
	.title = "A soft lockup panics this guest, and steal can look like one",
	.evidence_text = "kernel.softlockup_panic is set, hypervisor {hypervisor}",
	.next = "lpartune explain softlockup-panic",
	.why = "A virtual CPU that is not dispatched, or a partition that is migrated, fires the watchdog although "
		"nothing is locked up. Red Hat's documentation says to keep these panics off in virtual machines.",
	.severity = SEVERITY_WARNING,
	.setting = { { "sysctl:kernel.softlockup_panic", "0" } },
	.effect = EFFECT_UNKNOWN, .evidence = EVIDENCE_C, .risk = RISK_LOW, .scope = SCOPE_NOW,
	.caution = "A real lockup then needs someone to look: the log still has it.",
	.undo = "set it to 1 again",
	.source = { "https://docs.redhat.com/en/documentation/red_hat_enterprise_linux/8/html/managing_monitoring_and_updating_the_kernel/keeping-kernel-panic-parameters-disabled-in-virtualized-environments_managing-monitoring-and-updating-the-kernel" } },

/* ---- boot parameters that do nothing any more ---- */

{ .id = "obsolete-smt-snooze-delay",
	.when = { IS(FACT_ARCH, POWER), PARAMETER("smt-snooze-delay"), SINCE(3, 14) },
	.title = "smt-snooze-delay= does nothing on this kernel",
	.evidence_text = "smt-snooze-delay on the command line of {kernel.release}",
	.next = "lpartune apply obsolete-smt-snooze-delay removes it; to make idle threads cede at once, disable the "
		"snooze state (cpuidle:snooze)",
	.why = "Since 3.14 the idle governor decides, and later kernels log that the parameter is ignored. The tools "
		"dropped it in 2020.",
	.severity = SEVERITY_NOTE,
	.setting = { { "cmdline:smt-snooze-delay", "absent" } },
	.effect = EFFECT_UNKNOWN, .evidence = EVIDENCE_C, .risk = RISK_NONE, .scope = SCOPE_REBOOT,
	.undo = "set the parameter again",
	.source = { LINUS "3fa8cad82b94" } },

{ .id = "obsolete-topology-updates",
	.when = { IS(FACT_ARCH, POWER), PARAMETER("topology_updates"), SINCE(5, 9) },
	.title = "topology_updates= does nothing on this kernel",
	.evidence_text = "topology_updates on the command line of {kernel.release}",
	.next = "lpartune apply obsolete-topology-updates removes it from the boot parameters",
	.why = "Kernels from 5.9 on no longer poll the hypervisor for home node changes and do not know the parameter. "
		"The node of a CPU is read when it comes online.",
	.severity = SEVERITY_NOTE,
	.setting = { { "cmdline:topology_updates", "absent" } },
	.effect = EFFECT_UNKNOWN, .evidence = EVIDENCE_C, .risk = RISK_NONE, .scope = SCOPE_REBOOT,
	.undo = "set the parameter again",
	.source = { LINUS "c30f931e891e" } },

{ .id = "obsolete-cede-offline",
	.when = { IS(FACT_ARCH, POWER), PARAMETER("cede_offline"), SINCE(5, 9) },
	.title = "cede_offline= does nothing on this kernel",
	.evidence_text = "cede_offline on the command line of {kernel.release}",
	.next = "lpartune apply obsolete-cede-offline removes it from the boot parameters",
	.why = "Since 5.9 an offline thread is always given back to the hypervisor, as cede_offline=off did before. That "
		"is what keeps PURR based utilisation right with SMT off.",
	.severity = SEVERITY_NOTE,
	.setting = { { "cmdline:cede_offline", "absent" } },
	.effect = EFFECT_UNKNOWN, .evidence = EVIDENCE_C, .risk = RISK_NONE, .scope = SCOPE_REBOOT,
	.undo = "set the parameter again",
	.source = { LORE "1568284541-15169-1-git-send-email-ego@linux.vnet.ibm.com/", LINUS "48f6e7f6d948" } },

{ .id = "idle-poll-on-power",
	.when = { IS(FACT_ARCH, POWER), PARAMETER("idle=poll") },
	.title = "idle=poll is an x86 parameter: it does nothing here",
	.evidence_text = "idle=poll on the command line, architecture {arch}",
	.next = "lpartune apply idle-poll-on-power removes it from the boot parameters",
	.why = "Power kernels do not know the parameter. Their look-alikes, powersave=off and nohlt, burn the "
		"entitlement of a shared partition.",
	.severity = SEVERITY_NOTE,
	.setting = { { "cmdline:idle", "absent" } },
	.effect = EFFECT_UNKNOWN, .evidence = EVIDENCE_C, .risk = RISK_NONE, .scope = SCOPE_REBOOT,
	.undo = "set the parameter again",
	.source = { "https://docs.kernel.org/admin-guide/kernel-parameters.html" } },

{ .id = "idle-poll-on-guest",
	.when = { IS(FACT_ARCH, "x86_64"), IS(FACT_HYPERVISOR, "kvm"), PARAMETER("idle=poll") },
	.title = "idle=poll: this guest never gives an idle CPU back to its host",
	.evidence_text = "idle=poll on the command line, hypervisor {hypervisor}",
	.next = "lpartune bench wake pipe with and without it; guest halt polling is the milder form",
	.why = "Polling spares the HLT exit and the IPI of each wakeup, and takes the CPU away from other guests and from "
		"the sibling thread. Whether it pays depends on whether the host's CPUs are shared.",
	.severity = SEVERITY_NOTE,
	.setting = { { "cmdline:idle", "absent" } },
	.effect = EFFECT_UNKNOWN, .evidence = EVIDENCE_B, .risk = RISK_MEDIUM, .scope = SCOPE_REBOOT,
	.caution = "Wakeups become slower by an exit where the host is not shared.",
	.confirm = "wake", .undo = "set the parameter again",
	.source = { "https://docs.kernel.org/virt/guest-halt-polling.html", L3_THREAD } },

{ .id = "nohlt-on-shared",
	.when = { IS(FACT_HYPERVISOR, "powervm"), IS(FACT_LPAR_MODE, SHARED), PARAMETER("nohlt") },
	.title = "This shared partition polls while it is idle (nohlt)",
	.evidence_text = "nohlt on the command line, mode {lpar.mode}",
	.next = "remove nohlt from the boot parameters",
	.why = "nohlt keeps idle CPUs in the polling loop, so they spend the entitlement and look busy to the hypervisor. "
		"Its virtual processors are then preempted when they have work.",
	.severity = SEVERITY_CRITICAL,
	.setting = { { "cmdline:nohlt", "absent" } },
	.effect = EFFECT_LARGE, .evidence = EVIDENCE_C, .risk = RISK_LOW, .scope = SCOPE_REBOOT,
	.confirm = "wake", .undo = "set the parameter again",
	.source = { "https://docs.kernel.org/admin-guide/kernel-parameters.html" } },

{ .id = "isolated-on-shared",
	.when = { IS(FACT_HYPERVISOR, "powervm"), IS(FACT_LPAR_MODE, SHARED), PARAMETER("isolcpus|nohz_full") },
	.title = "CPUs are isolated, but the hypervisor still preempts them",
	.evidence_text = "isolcpus or nohz_full on the command line, mode {lpar.mode}",
	.next = "lpartune bench wake on the isolated CPUs; for real-time work use dedicated processors",
	.why = "Isolation keeps other tasks of this partition away from a CPU, not other partitions. The tail of the "
		"latency is the hypervisor's, and it stays.",
	.severity = SEVERITY_NOTE,
	.evidence = EVIDENCE_C,
	.source = { "https://docs.kernel.org/admin-guide/kernel-parameters.html" } },

{ .id = "offline-threads-ceded",
	.when = { IS(FACT_HYPERVISOR, "powervm"), OLDER(5, 9), ABOVE_FACT(FACT_CPU_PRESENT, FACT_CPU_ONLINE, 0),
		NO_PARAMETER("cede_offline=off") },
	.title = "Utilisation by PURR is too low: offline threads are ceded, not returned",
	.evidence_text = "kernel {kernel.release}, {cpu.online} of {cpu.present} CPUs online",
	.next = "set the boot parameter cede_offline=off, or update the kernel to 5.9",
	.why = "Before 5.9 an offline thread stays in extended cede and its PURR counts as idle time, so lparstat and "
		"billing show about half with SMT off. With cede_offline=off the thread goes back to the hypervisor.",
	.severity = SEVERITY_WARNING,
	.setting = { { "cmdline:cede_offline", "off" } },
	.effect = EFFECT_SMALL, .evidence = EVIDENCE_A, .risk = RISK_LOW, .scope = SCOPE_REBOOT,
	.caution = "It makes numbers right; it makes nothing faster.",
	.undo = "remove the parameter",
	.source = { LORE "1568284541-15169-1-git-send-email-ego@linux.vnet.ibm.com/" } },

{ .id = "dispatch-stats-left-on",
	.when = { IS(FACT_HYPERVISOR, "powervm"), IS(FACT_DISPATCH_STATS, "on") },
	.title = "The dispatch statistics are on",
	.evidence_text = "vcpudispatch_stats is on; {dispatch.home} of dispatches at home",
	.next = "lpartune apply dispatch-stats-left-on, unless a diagnosis is running",
	.why = "They read the dispatch trace log of every CPU 50 times a second. That is noise in every latency "
		"measurement.",
	.severity = SEVERITY_NOTE,
	.setting = { { "dispatch:vcpudispatch_stats", "off" } },
	.effect = EFFECT_SMALL, .evidence = EVIDENCE_C, .risk = RISK_NONE, .scope = SCOPE_NOW,
	.confirm = "timer", .undo = "switch them on again",
	.source = { "https://docs.kernel.org/arch/powerpc/vcpudispatch_stats.html" } },

{ .id = "lpm-watchdog",
	.when = { IS(FACT_HYPERVISOR, "powervm"), BELOW(FACT_KERNEL_NMI_WD_LPM_FACTOR, 1) },
	.title = "The hard lockup detector has no patience during migration",
	.evidence_text = "kernel.nmi_wd_lpm_factor is {kernel.nmi_wd_lpm_factor}",
	.next = "lpartune apply lpm-watchdog sets the kernel's default of 200: before the next migration (LPM)",
	.why = "While a large partition is migrated its CPUs stop for seconds, and the detector reports lockups that are "
		"none. With 200 its threshold of 10 s becomes 30 s; the soft lockup detector is not affected.",
	.severity = SEVERITY_NOTE,
	.setting = { { "sysctl:kernel.nmi_wd_lpm_factor", "200" } },
	.effect = EFFECT_SMALL, .evidence = EVIDENCE_C, .risk = RISK_NONE, .scope = SCOPE_NOW,
	.undo = "set it to 0 again",
	.source = { "https://docs.kernel.org/admin-guide/sysctl/kernel.html",
		"https://lists.ozlabs.org/pipermail/linuxppc-dev/2022-June/244209.html" } },

{ .id = "nmi-watchdog-in-guest",
	.when = { IS(FACT_HYPERVISOR, "kvm|kvm-or-tcg"), IS(FACT_ARCH, POWER), TRUE(FACT_KERNEL_NMI_WATCHDOG) },
	.title = "The hard lockup detector runs in a KVM guest",
	.evidence_text = "kernel.nmi_watchdog is 1, hypervisor {hypervisor}",
	.next = "lpartune explain nmi-watchdog-in-guest",
	.why = "Kernels for Power switch it off in KVM guests by default, because a virtual CPU that the host does not run "
		"looks locked up. On PowerVM the same kernels switch it on.",
	.severity = SEVERITY_NOTE,
	.setting = { { "sysctl:kernel.nmi_watchdog", "0" } },
	.effect = EFFECT_UNKNOWN, .evidence = EVIDENCE_C, .risk = RISK_LOW, .scope = SCOPE_NOW,
	.caution = "Real hard lockups then go unreported.",
	.undo = "set it to 1 again",
	.source = { "https://docs.kernel.org/admin-guide/sysctl/kernel.html",
		LORE "20210503111822.758423-1-npiggin@gmail.com/" } },

{ .id = "weight-zero",
	.when = { IS(FACT_HYPERVISOR, "powervm"), IS(FACT_LPAR_MODE, "shared-uncapped"), BELOW(FACT_LPAR_WEIGHT, 1) },
	.title = "An uncapped partition of weight 0 gets nothing beyond its entitlement",
	.evidence_text = "mode {lpar.mode}, weight {lpar.weight}",
	.next = "raise the weight on the HMC, or say capped",
	.why = "Unused capacity of the pool is shared out in proportion to the weights, so weight 0 is a cap. The "
		"partition looks uncapped and behaves as if it were not.",
	.severity = SEVERITY_WARNING,
	.action = "On the HMC: give the partition a weight above 0 if it shall use idle capacity",
	.effect = EFFECT_MODERATE, .evidence = EVIDENCE_C, .risk = RISK_LOW, .scope = SCOPE_OUTSIDE,
	.caution = "It then competes with the other uncapped partitions of the pool.",
	.confirm = "throughput", .undo = "set the weight back (DLPAR)",
	.source = { "https://www.ibm.com/support/pages/ibm-power-virtualization-best-practices-guide" } },

{ .id = "tuned-polls-on-shared",
	.when = { IS(FACT_HYPERVISOR, "powervm"), IS(FACT_LPAR_MODE, SHARED),
		NAMES(FACT_TUNED_PROFILE, "latency-performance|network-latency|realtime|cpu-partitioning") },
	.title = "TuneD's profile forbids deep idle, which a shared partition pays for",
	.evidence_text = "TuneD profile {tuned.profile}, mode {lpar.mode}",
	.next = "tuned-adm profile throughput-performance, or dedicated processors",
	.why = "These profiles hold /dev/cpu_dma_latency open with a value that was chosen for x86 idle states; on Power it "
		"can keep idle CPUs polling in snooze. On shared processors that burns the entitlement.",
	.severity = SEVERITY_WARNING,
	.action = "Choose a TuneD profile without force_latency for this partition",
	.effect = EFFECT_UNKNOWN, .evidence = EVIDENCE_C, .risk = RISK_LOW, .scope = SCOPE_NOW,
	.caution = "Look at cede/s of lpartune sample first: idle CPUs that enter CEDE do not poll.",
	.confirm = "wake", .undo = "tuned-adm profile with the old name",
	.source = { "https://github.com/redhat-performance/tuned" } },

/* ---- the scheduler and steal ---- */

{ .id = "nontask-capacity",
	.when = { IS(FACT_HYPERVISOR, "powervm"), IS(FACT_LPAR_MODE, SHARED),
		AT_LEAST(FACT_STEAL_SINCE_BOOT_OF_DEMAND, STEAL_HIGH), NO_PARAMETER("no-steal-acc"), HAS(BEHAVIOUR_STEAL_LOWERS_CAPACITY) },
	.unless = "nontask-capacity-with-irq-time",
	.title = "Do not let stolen time make CPUs look smaller",
	.evidence_text = "steal is {steal.since_boot_of_demand} of the time wanted; steal lowers capacity: "
		"{kernel:steal-lowers-capacity}",
	.next = "lpartune trial feature:NONTASK_CAPACITY=off tells whether it helps here",
	.why = "Steal lowers the capacity of busy CPUs, so the balancer moves their tasks to idle siblings, where the roles "
		"swap. With 72 virtual processors on 24 cores of entitlement and 72 threads, ebizzy gained 12.9 % beside "
		"noisy neighbours and 6.2 % without, with a ninth of the migrations.",
	.setting = { { "feature:NONTASK_CAPACITY", "off" } },
	.effect = EFFECT_MODERATE, .evidence = EVIDENCE_A, .risk = RISK_LOW, .scope = SCOPE_NOW,
	.caution = "Measured with a kernel change that has the same effect where IRQ_TIME_ACCOUNTING is not set. With every "
		"CPU busy (256 to 384 threads) it lost 1 to 3 %. Kernel lockdown forbids it; it does not survive a reboot "
		"by itself.",
	.confirm = "wake", .undo = "switch the feature on again",
	.source = { LORE "20251029060757.2007601-2-srikar@linux.ibm.com/" } },

{ .id = "nontask-capacity-with-irq-time",
	.when = { IS(FACT_HYPERVISOR, "powervm"), IS(FACT_LPAR_MODE, SHARED),
		AT_LEAST(FACT_STEAL_SINCE_BOOT_OF_DEMAND, STEAL_HIGH), NO_PARAMETER("no-steal-acc"), HAS(BEHAVIOUR_STEAL_LOWERS_CAPACITY),
		HAS_WORD(FACT_KERNEL_CONFIG, "IRQ_TIME_ACCOUNTING=y") },
	.title = "Do not let stolen time make CPUs look smaller, at the price of interrupts",
	.evidence_text = "steal is {steal.since_boot_of_demand} of the time wanted; IRQ_TIME_ACCOUNTING is set",
	.next = "lpartune trial feature:NONTASK_CAPACITY=off tells whether it helps here",
	.why = "The feature covers steal and interrupt time alike. This kernel accounts interrupt time, so with the feature "
		"off a CPU that serves many interrupts looks as large as any other, which was never measured.",
	.setting = { { "feature:NONTASK_CAPACITY", "off" } },
	.effect = EFFECT_MODERATE, .evidence = EVIDENCE_C, .risk = RISK_MEDIUM, .scope = SCOPE_NOW,
	.caution = "Tasks can be placed on CPUs that are busy with interrupts.",
	.confirm = "wake", .undo = "switch the feature on again",
	.source = { LORE "20251029060757.2007601-2-srikar@linux.ibm.com/" } },

{ .id = "steal-governor",
	.when = { IS(FACT_HYPERVISOR, "powervm"), IS(FACT_LPAR_MODE, SHARED),
		AT_LEAST(FACT_STEAL_SINCE_BOOT_OF_DEMAND, STEAL_HIGH), HAS(BEHAVIOUR_STEAL_GOVERNOR) },
	.title = "Let the kernel use fewer cores while steal is high",
	.evidence_text = "steal is {steal.since_boot_of_demand} of the time wanted; {kernel:preferred-cpus}",
	.next = "evaluate it on all partitions of the pool together",
	.why = "The module takes one core after the other out of use while steal is above 5 %, and back below 2 %. Two "
		"partitions of 60 and 30 virtual processors on a pool of 50: hackbench +38 to +44 %, one case -8 %; an "
		"independent test saw 3 to 5 % less.",
	.setting = { { "module:steal_governor", "loaded" } },
	.effect = EFFECT_MODERATE, .evidence = EVIDENCE_A, .risk = RISK_MEDIUM, .scope = SCOPE_NEXT_LOAD,
	.caution = "It helps only if all partitions of the pool run it. Tasks pinned to cores out of use are not balanced.",
	.confirm = "messaging", .undo = "rmmod steal_governor brings all cores back",
	.source = { GOVERNOR } },

{ .id = "no-steal-acc-under-lockdown",
	.when = { IS(FACT_HYPERVISOR, "powervm"), IS(FACT_LPAR_MODE, SHARED),
		IS(FACT_KERNEL_LOCKDOWN, "integrity|confidentiality"),
		AT_LEAST(FACT_STEAL_SINCE_BOOT_OF_DEMAND, STEAL_HIGH), HAS(BEHAVIOUR_NO_STEAL_ACC) },
	.title = "Keep steal out of the scheduler by boot parameter",
	.evidence_text = "lockdown is {kernel.lockdown}: scheduler features cannot be changed; steal is "
		"{steal.since_boot_of_demand} of the time wanted",
	.next = "lpartune explain no-steal-acc",
	.why = "no-steal-acc has the effect of NO_NONTASK_CAPACITY where lockdown forbids that. It does more: stolen time "
		"then counts as time the task has run, so tasks on contended CPUs get less than their share.",
	.setting = { { "cmdline:no-steal-acc", "present" } },
	.effect = EFFECT_MODERATE, .evidence = EVIDENCE_C, .risk = RISK_MEDIUM, .scope = SCOPE_REBOOT,
	.caution = "Not measured on Power. It changes fairness between tasks.",
	.confirm = "wake", .undo = "remove the parameter",
	.source = { "https://docs.kernel.org/admin-guide/kernel-parameters.html" } },

/* ---- kernel updates for shared processors ---- */

{ .id = "kernel-corewise-preemption",
	.when = { IS(FACT_HYPERVISOR, "powervm"), IS(FACT_LPAR_MODE, SHARED), HAS(BEHAVIOUR_SKIPS_PREEMPTED_CPUS),
		MAY_LACK(BEHAVIOUR_COREWISE_PREEMPTION) },
	.title = "A kernel that knows that PowerVM dispatches whole cores",
	.evidence_text = "Core-wise preemption check: {kernel:corewise-preemption}",
	.next = "update the kernel to 6.8 or later (5.11 at least)",
	.why = "Without it the siblings of a running thread count as preempted and wakeups go elsewhere. perf bench sched "
		"pipe took 137.2 s before and 117.2 s after, migrations fell from 14465 to 1110.",
	.action = "Update the kernel to 6.8 or later (5.11 at least; RHEL 8.5 has it)",
	.effect = EFFECT_MODERATE, .evidence = EVIDENCE_A, .risk = RISK_LOW, .scope = SCOPE_REBOOT,
	.caution = "By version alone a distribution's backport cannot be seen.",
	.confirm = "pipe", .undo = "boot the old kernel",
	.source = { LORE "20201202050456.164005-1-srikar@linux.vnet.ibm.com/" } },

{ .id = "kernel-shared-packing",
	.when = { IS(FACT_HYPERVISOR, "powervm"), IS(FACT_LPAR_MODE, SHARED),
		NAMES(FACT_CPU_MODEL, "POWER9|POWER10|POWER11"), MAY_LACK(BEHAVIOUR_ASYM_PACKING) },
	.unless = "kernel-corewise-preemption",
	.title = "A kernel that packs tasks on fewer cores of a shared partition",
	.evidence_text = "Packing on shared processors: {kernel:asym-packing}",
	.next = "update the kernel to 6.8 or later",
	.why = "Older kernels spread few tasks over all virtual processors, and each costs a physical core. ebizzy with 32 "
		"threads on 96 virtual processors used 26.1 cores before and 17.7 after, at 3 % less throughput; 6.7 also "
		"stopped taking idle cores for preempted ones.",
	.action = "Update the kernel to 6.8 or later",
	.effect = EFFECT_MODERATE, .evidence = EVIDENCE_A, .risk = RISK_LOW, .scope = SCOPE_REBOOT,
	.caution = "By version alone a distribution's backport cannot be seen.",
	.confirm = "throughput", .undo = "boot the old kernel",
	.source = { LORE "20230830105244.62477-1-srikar@linux.vnet.ibm.com/", LINUS "aa80c6343fcf",
		LINUS "efce8422dd53" } },

{ .id = "kernel-idle-aware-preemption",
	.when = { IS(FACT_HYPERVISOR, "powervm"), IS(FACT_LPAR_MODE, SHARED), HAS(BEHAVIOUR_SKIPS_PREEMPTED_CPUS),
		MAY_LACK(BEHAVIOUR_IDLE_AWARE_PREEMPTION) },
	.unless = "kernel-shared-packing",
	.title = "A kernel that does not take idle cores for preempted ones",
	.evidence_text = "Idle-aware preemption check: {kernel:idle-aware-preemption}",
	.next = "update the kernel to 6.7 or later",
	.why = "From 4.18 to 6.6 every ceded core but the waker's own looks preempted on shared processors, so wakeups pass "
		"idle cores by. From 6.7 on the lppaca's idle flag decides.",
	.action = "Update the kernel to 6.7 or later",
	.effect = EFFECT_SMALL, .evidence = EVIDENCE_C, .risk = RISK_LOW, .scope = SCOPE_REBOOT,
	.caution = "By version alone a distribution's backport cannot be seen.",
	.confirm = "wake", .undo = "boot the old kernel",
	.source = { LINUS "efce8422dd53" } },

{ .id = "power10-wake-affine",
	.when = { IS(FACT_HYPERVISOR, "powervm"), NAMES(FACT_CPU_MODEL, "POWER10"), OLDER(5, 14) },
	.title = "A kernel that knows POWER10's caches",
	.evidence_text = "{cpu.model}, kernel {kernel.release}",
	.next = "update the kernel to 5.14 or later",
	.why = "Mainline before 5.14 sees the last level cache of POWER10 at the level of a small core, and wakeups are not "
		"pulled together. The patches gave DayTrader 44 %.",
	.action = "Update the kernel to 5.14 or later, or to a distribution's with POWER10 support",
	.effect = EFFECT_MODERATE, .evidence = EVIDENCE_A, .risk = RISK_LOW, .scope = SCOPE_REBOOT,
	.caution = "Distributions that support POWER10 backported it to older releases; the version does not tell.",
	.confirm = "pipe", .undo = "boot the old kernel",
	.source = { "https://undercodenews.com/ibm-continues-to-improve-linux-on-the-power10-platform/25/04/2021/" } },

/* ---- for latency ---- */

{ .id = "dedicated-without-cede",
	/* The word, not "Shared Cede": where sources disagree on the mode, nothing harmful is advised. */
	.when = { IS(FACT_HYPERVISOR, "powervm"), IS(FACT_LPAR_MODE, DEDICATED), HAS_WORD(FACT_IDLE_STATES, "CEDE") },
	.title = "Poll instead of ceding, on dedicated processors",
	.evidence_text = "mode {lpar.mode}, idle states {idle.states}, disabled {idle.disabled}",
	.next = "lpartune trial cpuidle:CEDE=off tells what it gains here",
	.why = "A polling CPU is woken without an interrupt and without being dispatched again. schbench p50 fell from 34 to "
		"20 us, p99 from 62 to 40 us with CEDE disabled.",
	.setting = { { "cpuidle:CEDE", "off" } },
	.effect = EFFECT_MODERATE, .evidence = EVIDENCE_A, .risk = RISK_MEDIUM, .scope = SCOPE_NOW,
	.caution = "Burns power, slows the other threads of each core although polling has low priority, and ends the "
		"donation of idle cores. Never on shared processors.",
	.workload = "latency",
	.confirm = "wake", .undo = "enable the state again",
	.source = { LINUS "f3232321db58" } },

{ .id = "donating-latency",
	.when = { IS(FACT_HYPERVISOR, "powervm"), IS(FACT_LPAR_MODE, "dedicated-donating") },
	.title = "Keep idle cores instead of donating them",
	.evidence_text = "mode {lpar.mode}",
	.next = "on the HMC, processor sharing: never, or only while the partition is off",
	.why = "A donated core must be taken back from another partition before it runs a woken task. That adds to the "
		"wakeup latency of idle cores.",
	.action = "On the HMC: set the processor sharing mode of the partition to keep idle processors",
	.effect = EFFECT_UNKNOWN, .evidence = EVIDENCE_C, .risk = RISK_LOW, .scope = SCOPE_OUTSIDE,
	.caution = "The shared pool loses these cores.",
	.workload = "latency",
	.confirm = "wake", .undo = "share idle processors again",
	.source = { "https://www.ibm.com/support/pages/ibm-power-virtualization-best-practices-guide" } },

{ .id = "guest-haltpoll",
	.when = { IS(FACT_ARCH, "x86_64"), IS(FACT_HYPERVISOR, "kvm"), HAS(BEHAVIOUR_HALTPOLL),
		IS_NOT(FACT_IDLE_DRIVER, "haltpoll") },
	.title = "Poll briefly before halting",
	.evidence_text = "idle driver {idle.driver}, kernel {kernel.release}",
	.next = "load the module cpuidle-haltpoll, then lpartune bench wake",
	.why = "A guest that polls up to 200 us before it halts is woken without an exit and an IPI. It improved SAP HANA's "
		"single-threaded requests by 4 to 12 % and costs CPU time of the host.",
	.action = "Load the module cpuidle-haltpoll (force=1 where the host does not advertise the hint)",
	.effect = EFFECT_MODERATE, .evidence = EVIDENCE_B, .risk = RISK_MEDIUM, .scope = SCOPE_NOW,
	.caution = "On a host whose CPUs are shared it takes time from other guests, which they see as steal.",
	.workload = "latency",
	.confirm = "wake", .undo = "unload the module",
	.source = { "https://docs.kernel.org/virt/guest-halt-polling.html",
		"http://mail.spinics.net/lists/kvm/msg190510.html" } },

/* ---- for throughput ---- */

{ .id = "snooze-off-on-shared",
	.when = { IS(FACT_HYPERVISOR, "powervm"), IS(FACT_LPAR_MODE, SHARED), NAMES(FACT_IDLE_STATES, "snooze") },
	.title = "Give idle threads back at once instead of snoozing",
	.evidence_text = "mode {lpar.mode}, idle states {idle.states}, disabled {idle.disabled}",
	.next = "lpartune trial cpuidle:snooze=off tells what it gains and costs here",
	.why = "In snooze a thread polls, and keeps the virtual processor dispatched, for up to 100 us before it cedes. "
		"Without it the cycles go to the pool and the siblings at once, and each short idle costs a dispatch.",
	.setting = { { "cpuidle:snooze", "off" } },
	.effect = EFFECT_UNKNOWN, .evidence = EVIDENCE_C, .risk = RISK_MEDIUM, .scope = SCOPE_NOW,
	.caution = "Wakeup latency and IPIs rise.",
	.workload = "throughput",
	.confirm = "throughput", .undo = "enable the state again",
	.source = { LINUS "3fa8cad82b94" } },

/* ---- x86 guests: caches ---- */

{ .id = "guest-l3-shown",
	.when = { IS(FACT_ARCH, "x86_64"), IS(FACT_HYPERVISOR, "kvm"),
		ABOVE_FACT(FACT_CPU_LLC_CPUS, FACT_CPU_THREADS_PER_CORE, 0) },
	.title = "The virtual machine shows a cache that several cores share",
	.evidence_text = "{cpu.llc_cpus} CPUs share the last level cache, {cpu.threads_per_core} threads a core",
	.next = "lpartune bench pipe messaging, with and without l3-cache on the host",
	.why = "Wakeups within a shared cache are done directly and pulled to the waker, which spares IPIs between busy CPUs "
		"and makes idle ones exit more. Measured with and without: messaging 0.9 and 1.8 s, pipe 0.5 and 0.2 s; SAP "
		"HANA's tests sent 85 % fewer reschedule IPIs with it.",
	.action = "On the host: choose l3-cache=on or off (QEMU) by what the workload is; idle=poll or haltpoll in the guest "
		"takes the edge off the slow case",
	.effect = EFFECT_UNKNOWN, .evidence = EVIDENCE_B, .risk = RISK_MEDIUM, .scope = SCOPE_OUTSIDE,
	.caution = "It cuts both ways: message passing among many tasks wins, a pair of tasks that alternate loses.",
	.workload = "latency",
	.confirm = "pipe", .undo = "set the property back",
	.source = { L3_COMMIT, L3_THREAD } },

/* ---- s390x ---- */

{ .id = "s390-hiperdispatch",
	.when = { IS(FACT_HYPERVISOR, "prsm"), IS_NOT(FACT_LPAR_MODE, DEDICATED), HAS(BEHAVIOUR_S390_HIPERDISPATCH),
		AT_LEAST(FACT_STEAL_SINCE_BOOT_OF_DEMAND, STEAL_HIGH) },
	.title = "Follow the hypervisor's favourite CPUs",
	.evidence_text = "steal is {steal.since_boot_of_demand} of the time wanted; kernel {kernel.release}",
	.next = "lpartune trial sysctl:s390.hiperdispatch=1 tells whether it helps here",
	.why = "With vertical polarization the hypervisor concentrates the entitlement on few CPUs. HiperDispatch lowers the "
		"capacity of the others while they see steal.",
	.setting = { { "sysctl:s390.hiperdispatch", "1" } },
	.effect = EFFECT_UNKNOWN, .evidence = EVIDENCE_C, .risk = RISK_MEDIUM, .scope = SCOPE_NOW,
	.caution = "Workloads that spread over all CPUs can lose.",
	.confirm = "throughput", .undo = "set it to 0 again",
	.source = { "https://www.ibm.com/docs/en/linuxonibm/lddd/lddd_t_cpu_vertical.html" } },

/* ---- what a workload's vendor requires ---- */

{ .id = "sap-hana-numa-balancing",
	.when = { IS(FACT_ARCH, POWER "|x86_64") },
	.title = "SAP HANA places its memory itself",
	.evidence_text = "SAP Note 2684254 asks for kernel.numa_balancing = 0; it is {numa.balancing}",
	.why = "HANA binds memory and threads to nodes, so the kernel's page faults for NUMA balancing only cost. It is no "
		"general advice: without such a program nothing was measured.",
	.setting = { { "sysctl:kernel.numa_balancing", "0" } },
	.effect = EFFECT_SMALL, .evidence = EVIDENCE_V, .risk = RISK_LOW, .scope = SCOPE_NOW,
	.workload = "sap-hana", .undo = "set it back",
	.source = { "https://me.sap.com/notes/2684254", "https://github.com/SUSE/saptune" } },

{ .id = "sap-hana-ksm",
	.when = { IS(FACT_ARCH, POWER "|x86_64") },
	.title = "SAP HANA wants no page merging",
	.evidence_text = "SAP Note 2684254 asks for ksm/run = 0; it is {memory.ksm}",
	.why = "Merging scans memory all the time and makes writes to merged pages fault. HANA has no equal pages to merge.",
	.setting = { { "ksm:run", "0" } },
	.effect = EFFECT_SMALL, .evidence = EVIDENCE_V, .risk = RISK_LOW, .scope = SCOPE_NOW,
	.workload = "sap-hana", .undo = "set it back",
	.source = { "https://me.sap.com/notes/2684254", "https://github.com/SUSE/saptune" } },

{ .id = "sap-hana-swappiness",
	.when = { IS(FACT_ARCH, POWER "|x86_64"), NAMES(FACT_DISTRO_ID, "rhel") },
	.title = "SAP HANA on RHEL: swap late",
	.evidence_text = "TuneD's profile sap-hana sets vm.swappiness to 10",
	.why = "HANA's working set must stay in memory. The value is the one of the profile that Red Hat ships for it.",
	.setting = { { "sysctl:vm.swappiness", "10" } },
	.effect = EFFECT_SMALL, .evidence = EVIDENCE_V, .risk = RISK_LOW, .scope = SCOPE_NOW,
	.workload = "sap-hana", .undo = "set it back",
	.source = { "https://github.com/redhat-performance/tuned" } },

{ .id = "sap-hana-thp-never",
	.when = { IS(FACT_ARCH, POWER "|x86_64"), NAMES(FACT_DISTRO_NAME, "Server 15 SP1|Server 15 SP2|Server 15 SP3|"
		"Server 15 SP4") },
	.title = "SAP HANA on SLES 15 up to SP4: no transparent huge pages",
	.evidence_text = "SAP Note 2684254 asks for never; it is {memory.thp}; {distro.name}",
	.why = "The note asks for never up to SP4 and for madvise from SP5 on. HANA allocates large amounts at once, and "
		"assembling huge pages for them takes time.",
	.setting = { { "thp:enabled", "never" } },
	.effect = EFFECT_SMALL, .evidence = EVIDENCE_V, .risk = RISK_LOW, .scope = SCOPE_NOW,
	.workload = "sap-hana", .undo = "set it back",
	.source = { "https://me.sap.com/notes/2684254", "https://github.com/SUSE/saptune" } },

{ .id = "sap-hana-thp-madvise",
	.when = { IS(FACT_ARCH, POWER "|x86_64"), NAMES(FACT_DISTRO_NAME, "Server 15 SP5|Server 15 SP6|Server 15 SP7") },
	.title = "SAP HANA on SLES 15 from SP5 on: huge pages on request",
	.evidence_text = "SAP Note 2684254 asks for madvise; it is {memory.thp}; {distro.name}",
	.why = "From SP5 on HANA asks for huge pages itself where it wants them. Older service packs: never.",
	.setting = { { "thp:enabled", "madvise" } },
	.effect = EFFECT_SMALL, .evidence = EVIDENCE_V, .risk = RISK_LOW, .scope = SCOPE_NOW,
	.workload = "sap-hana", .undo = "set it back",
	.source = { "https://me.sap.com/notes/2684254", "https://github.com/SUSE/saptune" } },

{ .id = "sap-hana-thp-on-rhel",
	.when = { IS(FACT_ARCH, POWER "|x86_64"), NAMES(FACT_DISTRO_ID, "rhel") },
	.title = "SAP HANA on RHEL: the documents disagree on huge pages",
	.evidence_text = "TuneD's profile sap-hana says madvise, the SAP role for RHEL 9 boots with never; it is {memory.thp}",
	.next = "follow the document that your support contract names",
	.why = "Both come from Red Hat's own repositories. lpartune shows the conflict and changes nothing.",
	.action = "Decide between transparent_hugepage=never and madvise with SAP's or Red Hat's support",
	.effect = EFFECT_UNKNOWN, .evidence = EVIDENCE_V, .risk = RISK_LOW, .scope = SCOPE_OUTSIDE,
	.workload = "sap-hana", .undo = "none",
	.source = { "https://github.com/redhat-performance/tuned", "https://github.com/sap-linuxlab/community.sap_install" } },

{ .id = "sap-hana-network",
	.when = { IS(FACT_ARCH, POWER), IS(FACT_HYPERVISOR, "powervm"), NAMES(FACT_DISTRO_ID, "rhel") },
	.title = "SAP HANA on Power: network buffers for Ethernet through VIOS",
	.evidence_text = "SAP Note 2055470 and IBM WP102502 ask for buffers of up to 54 MiB",
	.why = "HANA's nodes move large amounts between each other through the virtual I/O server. The values are those of "
		"the role that Red Hat ships for it; MTU 9000 and TSO belong to them.",
	.setting = { { "sysctl:net.core.rmem_max", "56623104" }, { "sysctl:net.core.wmem_max", "56623104" },
		{ "sysctl:net.ipv4.tcp_rmem", "65536 262088 56623104" },
		{ "sysctl:net.ipv4.tcp_wmem", "65536 262088 56623104" },
		{ "sysctl:net.ipv4.tcp_mem", "56623104 56623104 56623104" } },
	.effect = EFFECT_SMALL, .evidence = EVIDENCE_V, .risk = RISK_MEDIUM, .scope = SCOPE_NOW,
	.caution = "tcp_mem counts pages: this takes TCP's memory limit away. Nothing here concerns scheduling.",
	.workload = "sap-hana", .undo = "set them back",
	.source = { "https://me.sap.com/notes/2055470", "https://github.com/sap-linuxlab/community.sap_install" } },

{ .id = "sap-hana-granularity",
	.when = { IS(FACT_ARCH, POWER), NAMES(FACT_DISTRO_ID, "rhel"), OLDER(5, 13) },
	.title = "SAP HANA on Power with RHEL 8: scheduler granularity",
	.evidence_text = "profile sap-hana-ppc64le sets 3 ms and 4 ms; base slice is {sched.base_slice}",
	.why = "The values are those of the TuneD profile for HANA on Power with RHEL 8.0. Kernels from 5.13 on have no such "
		"sysctl, and from 6.6 on no wakeup granularity at all.",
	.setting = { { "sched:base_slice_ns", "3000000" }, { "sched:wakeup_granularity_ns", "4000000" } },
	.effect = EFFECT_SMALL, .evidence = EVIDENCE_V, .risk = RISK_LOW, .scope = SCOPE_NOW,
	.workload = "sap-hana", .undo = "set them back",
	.source = { "https://github.com/sap-linuxlab/community.sap_install" } },

{ .id = "sap-hana-energy",
	.when = { IS(FACT_ARCH, POWER), IS(FACT_HYPERVISOR, "powervm"), NAMES(FACT_CPU_MODEL, "POWER8") },
	.title = "SAP HANA on POWER8: no pseries-energy",
	.evidence_text = "{cpu.model}; SAP Note 2292690 asks to remove the package pseries-energy",
	.why = "The package lets a daemon take cores offline and online by load, which HANA does not expect. EnergyScale's "
		"mode is set outside the operating system.",
	.action = "Remove the package pseries-energy if it is installed",
	.effect = EFFECT_SMALL, .evidence = EVIDENCE_V, .risk = RISK_LOW, .scope = SCOPE_NOW,
	.workload = "sap-hana", .undo = "install it again",
	.source = { "https://me.sap.com/notes/2292690", "https://github.com/sap-linuxlab/community.sap_install" } },

{ .id = "db2-smt8",
	.when = { IS(FACT_ARCH, POWER), IS(FACT_HYPERVISOR, "powervm"), NAMES(FACT_CPU_MODEL, "POWER9"),
		AT_LEAST(FACT_CPU_THREADS_PER_CORE, 8) },
	.title = "Db2 on POWER9: keep SMT8",
	.evidence_text = "SMT {cpu.smt} on {cpu.model}",
	.why = "IBM measured SMT8 against SMT4: analytics +10 to +18 %, transactions +2.5 % on a quiet and +30 % on a loaded "
		"system. It is the default of Linux on POWER9.",
	.setting = { { "smt", "8" } },
	.effect = EFFECT_MODERATE, .evidence = EVIDENCE_A, .risk = RISK_LOW, .scope = SCOPE_NOW,
	.workload = "db2", .confirm = "throughput", .undo = "set the old SMT level",
	.source = { "https://developer.ibm.com/linuxonpower/2018/04/19/ibm-power9-smt-performance-db2" } },

/* ---- popular advice without evidence: told as what it is ---- */

{ .id = "popular-numa-balancing-off",
	.when = { IS(FACT_HYPERVISOR, "powervm"), AT_LEAST(FACT_NUMA_BALANCING, 1) },
	.title = "NUMA balancing and latency",
	.popular = "Set kernel.numa_balancing=0 for latency",
	.evidence_text = "kernel.numa_balancing is {numa.balancing}, {numa.nodes} nodes",
	.why = "No measurement of wakeup latency was found. On shared partitions the nodes are only hints, which speaks for "
		"trying it; programs that place their own memory ask for it (see --workload sap-hana).",
	.evidence = EVIDENCE_N, .confirm = "wake",
	.source = { "https://docs.kernel.org/admin-guide/sysctl/kernel.html" } },

{ .id = "popular-thp-never",
	.when = { IS(FACT_ARCH, POWER), IS(FACT_MEMORY_THP, "always|madvise") },
	.title = "Transparent huge pages and latency",
	.popular = "Set transparent_hugepage=never for latency",
	.evidence_text = "transparent huge pages: {memory.thp}",
	.why = "khugepaged is a little noise; nothing shows an effect on dispatch or wakeups. Vendors contradict each other "
		"even for one product.",
	.evidence = EVIDENCE_N, .confirm = "wake",
	.source = { "https://docs.kernel.org/admin-guide/mm/transhuge.html" } },

{ .id = "popular-ksm-off",
	.when = { IS_NOT(FACT_HYPERVISOR, NO_HYPERVISOR), AT_LEAST(FACT_MEMORY_KSM, 1) },
	.title = "Page merging inside a guest",
	.popular = "Switch KSM off in guests",
	.evidence_text = "ksm/run is {memory.ksm}",
	.why = "ksmd costs CPU time in the guest, and what it saves is the guest's own memory. No measurement of its effect "
		"on latency was found.",
	.evidence = EVIDENCE_N, .confirm = "wake",
	.source = { "https://docs.kernel.org/admin-guide/mm/ksm.html" } },

{ .id = "popular-migration-cost",
	.when = { IS(FACT_ARCH, POWER), AT_LEAST(FACT_SCHED_MIGRATION_COST, 1) },
	.title = "Migration cost",
	.popular = "Lower sched_migration_cost_ns to 50000",
	.evidence_text = "migration cost is {sched.migration_cost}",
	.why = "The one number behind it, 50 % more transactions, is of an s390x KVM host. Against ping-pong of tasks lower "
		"is the wrong direction; higher was not measured on Power either.",
	.evidence = EVIDENCE_N, .confirm = "wake",
	.source = { "https://docs.kernel.org/scheduler/sched-design-CFS.html" } },

{ .id = "popular-granularity",
	.when = { IS(FACT_ARCH, POWER), SINCE(5, 13) },
	.title = "Scheduler granularity sysctls",
	.popular = "Set kernel.sched_min_granularity_ns, sched_wakeup_granularity_ns, sched_latency_ns",
	.evidence_text = "kernel {kernel.release}; base slice is {sched.base_slice}",
	.why = "These sysctls left in 5.13, and their debugfs successors but base_slice_ns in 6.6: profiles that set them do "
		"nothing. No measurement on Power was found for any value.",
	.evidence = EVIDENCE_N, .confirm = "wake",
	.source = { LINUS "8a99b6833c88", LINUS "147f3efaa241" } },

{ .id = "popular-wake-features",
	.when = { IS(FACT_ARCH, POWER), HAS_WORD(FACT_SCHED_FEATURES, "WA_IDLE|WA_WEIGHT|TTWU_QUEUE") },
	.title = "Wakeup features of the scheduler",
	.popular = "Switch off WA_IDLE, WA_WEIGHT, WA_BIAS, TTWU_QUEUE, or switch NEXT_BUDDY on",
	.evidence_text = "the features are there",
	.why = "Pulling wakeups to the waker's cache cuts both ways: measured on x86 guests, messaging gained half and pipe "
		"lost more than half. On Power there is no measurement; lpartune trial can make one here.",
	.evidence = EVIDENCE_N, .confirm = "pipe",
	.source = { L3_THREAD } },

{ .id = "popular-wake-affine-flag",
	.when = { IS(FACT_ARCH, POWER), SINCE(5, 8) },
	.title = "Clearing SD_WAKE_AFFINE",
	.popular = "Clear SD_WAKE_AFFINE in the flags of the scheduling domains",
	.evidence_text = "kernel {kernel.release}",
	.why = "The flags are read-only since 5.8. Where they could be written, the scheduler's cached pointers to the "
		"domains did not follow.",
	.evidence = EVIDENCE_N, .confirm = "pipe",
	.source = { LINUS "9818427c6270" } },

{ .id = "popular-smt-lower",
	.when = { IS(FACT_ARCH, POWER), IS(FACT_HYPERVISOR, "powervm"), IS(FACT_CPU_SMT, "8") },
	.title = "A lower SMT level for latency",
	.popular = "Run SMT4 or SMT2 instead of SMT8 for latency",
	.evidence_text = "SMT {cpu.smt}",
	.why = "Plausible, because fewer threads share a core, and not measured. The hypervisor still dispatches whole cores, "
		"so capacity can fall; Db2 on POWER9 gained from SMT8 in every case.",
	.evidence = EVIDENCE_N, .confirm = "wake",
	.source = { "https://developer.ibm.com/linuxonpower/2018/04/19/ibm-power9-smt-performance-db2" } },

{ .id = "popular-idle-governor",
	.when = { IS(FACT_ARCH, POWER), IS(FACT_IDLE_GOVERNOR, "menu") },
	.title = "Another idle governor",
	.popular = "Use the teo or ladder governor instead of menu",
	.evidence_text = "idle governor {idle.governor}",
	.why = "On pseries there are two idle states to choose between, and no measurement says which governor chooses "
		"better. Only SUSE builds teo for Power.",
	.evidence = EVIDENCE_N, .confirm = "wake",
	.source = { "https://docs.kernel.org/admin-guide/pm/cpuidle.html" } },

{ .id = "popular-preempt-model",
	.when = { IS(FACT_ARCH, POWER), SINCE(5, 12) },
	.title = "The preemption model",
	.popular = "Boot with preempt=full for latency",
	.evidence_text = "kernel {kernel.release}",
	.why = "Power kernels up to 6.12 cannot switch the model at run time and ignore the parameter. No measurement on "
		"Power was found for those that can.",
	.evidence = EVIDENCE_N, .confirm = "wake",
	.source = { "https://docs.kernel.org/admin-guide/kernel-parameters.html" } },

{ .id = "popular-qspinlock-knobs",
	.when = { IS(FACT_ARCH, POWER), HAS(BEHAVIOUR_POWERPC_QSPINLOCK) },
	.title = "The knobs of Power's queued spinlocks",
	.popular = "Change debugfs powerpc/qspl_* to yield sooner or later",
	.evidence_text = "queued spinlocks: {kernel:powerpc-qspinlock}",
	.why = "They are for the developers' experiments and have no measured values. The files for paravirtual yielding "
		"exist only where processors are shared.",
	.evidence = EVIDENCE_N, .confirm = "lock",
	.source = { LINUS "9f61521c7a28" } },

{ .id = "popular-haltpoll-on-power",
	.when = { IS(FACT_ARCH, POWER), IS_NOT(FACT_HYPERVISOR, NO_HYPERVISOR) },
	.title = "Guest halt polling on Power",
	.popular = "Load cpuidle-haltpoll and raise guest_halt_poll_ns",
	.evidence_text = "architecture {arch}, idle driver {idle.driver}",
	.why = "The driver is built for x86 only. Power's snooze state is the same idea and always there.",
	.evidence = EVIDENCE_N, .confirm = "wake",
	.source = { "https://docs.kernel.org/virt/guest-halt-polling.html" } },

{ .id = "popular-weight",
	.when = { IS(FACT_HYPERVISOR, "powervm"), IS(FACT_LPAR_MODE, "shared-uncapped"), AT_LEAST(FACT_LPAR_WEIGHT, 1) },
	.title = "Rules of thumb for weights",
	.popular = "VIOS 255, production 180 to 200, test 128 to 160",
	.evidence_text = "weight {lpar.weight}",
	.why = "Weights only matter against each other, and only while the pool has unused capacity that several partitions "
		"want. The numbers are practitioners' custom.",
	.evidence = EVIDENCE_N, .confirm = "throughput",
	.source = { "https://www.ibm.com/support/pages/ibm-power-virtualization-best-practices-guide" } },
};
/* clang-format on */

const size_t rules_count = ARRAY_SIZE(rules);
