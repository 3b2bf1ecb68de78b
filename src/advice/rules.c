/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * This file is the table of rules. Ids never change. Within the findings of one severity, and the
 * recommendations of one expected effect, the order of the table is the order of the output.
 */
#include "advice/rules.h"

#define LINUS "https://git.kernel.org/linus/"
#define LORE "https://lore.kernel.org/all/"
#define GOVERNOR LORE "20260928053728.797539-1-sshegde@linux.ibm.com/"

#define SHARED "shared|shared-capped|shared-uncapped"
#define DEDICATED "dedicated|dedicated-donating"
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
	.when = { IS_NOT(FACT_HYPERVISOR, "none|unknown|qemu-tcg"), AT_LEAST(FACT_LOG_RCU_STALLS, 1),
		AT_LEAST(FACT_STEAL_SINCE_BOOT_OF_DEMAND, STEAL_HIGH) },
	.title = "RCU stalls are logged while the hypervisor keeps CPUs waiting",
	.evidence_text = "{log.rcu_stalls} RCU stalls in the kernel log, steal {steal.since_boot_of_demand} of the time "
		"wanted",
	.next = "lpartune sample 1 10 when it happens; see the steal findings for the cause",
	.why = "A CPU that is preempted inside a critical section or while it holds a lock makes every other CPU wait "
		"for it. With steal this high that is the likelier cause than a defect of the kernel.",
	.severity = SEVERITY_CRITICAL,
	.evidence = EVIDENCE_C,
	.source = { "https://docs.kernel.org/RCU/stallwarn.html" } },

{ .id = "soft-lockups-under-steal",
	.when = { IS_NOT(FACT_HYPERVISOR, "none|unknown|qemu-tcg"), AT_LEAST(FACT_LOG_SOFT_LOCKUPS, 1),
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
		WITHIN_FACT(FACT_STEAL_SINCE_BOOT_OF_DEMAND, FACT_STEAL_EXPECTED_AT_FULL_LOAD, STEAL_HIGH) },
	.title = "The cap explains the steal: it is configuration, not a neighbour",
	.evidence_text = "{steal.since_boot_of_demand} of the time wanted was stolen; {lpar.entitlement} on "
		"{lpar.virtual_processors} virtual processors give {steal.expected_at_full_load} at full load",
	.next = "raise the entitlement or uncap the partition on the HMC if it needs more",
	.why = "A capped partition never gets more than its entitlement, and the rest of what its virtual processors "
		"want is counted as steal. Measured on 12 cores of entitlement: 50 % with 24, 69 % with 36 virtual processors.",
	.severity = SEVERITY_NOTE,
	.evidence = EVIDENCE_A,
	.source = { LORE "20240213052635.231597-1-sshegde@linux.ibm.com/" } },

{ .id = "steal-under-reported",
	.when = { IS(FACT_STEAL_KERNEL_ACCOUNTING, "unit-bug") },
	.title = "The kernel shows about half of the steal",
	.evidence_text = "/proc/stat has {steal.stat}, the hypervisor's counters {steal.since_boot}",
	.next = "trust lpartune's steal, not top, vmstat or sar, until the kernel is updated",
	.why = "Kernels 6.1 to 6.8-rc4 add timebase ticks as if they were nanoseconds, which gives 0.512 of the truth. "
		"The fix is also in stable 6.1, 6.6 and 6.7.",
	.severity = SEVERITY_WARNING,
	.action = "Update the kernel to one with commit cbecc9fcbbec (6.8; stable 6.1.79, 6.6.18, 6.7.6)",
	.effect = EFFECT_SMALL, .evidence = EVIDENCE_A, .risk = RISK_LOW, .scope = SCOPE_OUTSIDE,
	.caution = "It changes what is shown, and the capacity that the scheduler computes from steal.",
	.undo = "boot the old kernel",
	.source = { LORE "20240213052635.231597-1-sshegde@linux.ibm.com/", LINUS "cbecc9fcbbec" } },

{ .id = "steal-not-accounted",
	.when = { IS(FACT_STEAL_KERNEL_ACCOUNTING, "none"), IS(FACT_LPAR_MODE, SHARED) },
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
	.title = "The kernel takes idle CPUs of this dedicated partition for preempted",
	.evidence_text = "Dedicated processors never preempted: {kernel:dedicated-never-preempted}",
	.next = "lpartune bench wake: a p99.9 of milliseconds confirms it; then update the kernel",
	.why = "From 4.18 to 5.4 a wakeup avoids every idle (ceded) CPU and queues behind a busy one. On POWER9 with 128 "
		"CPUs schbench p99.9 was 6 to 8 ms, and 0.1 ms with the fix; migrations 1211 and 220.",
	.severity = SEVERITY_CRITICAL,
	.action = "Update the kernel to one with commit 14c73bd344da (5.5; stable 5.4.11; RHEL 8.5, 4.18.0-310)",
	.effect = EFFECT_LARGE, .evidence = EVIDENCE_A, .risk = RISK_LOW, .scope = SCOPE_REBOOT,
	.caution = "By version alone a distribution's backport cannot be seen; the benchmark tells.",
	.confirm = "wake", .undo = "boot the old kernel",
	.source = { LORE "20191204134459.22470-1-srikar@linux.vnet.ibm.com/", LINUS "14c73bd344da" } },

{ .id = "cede-latency-too-small",
	.when = { IS(FACT_HYPERVISOR, "powervm"), NAMES(FACT_CPU_MODEL, "POWER8|POWER9"),
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
	.next = "lpartune recommend",
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
	.when = { IS(FACT_HYPERVISOR, "powervm"), AT_LEAST(FACT_NUMA_CPULESS_NODES, 1) },
	.title = "Memory in nodes where the partition has no CPU",
	.evidence_text = "{numa.cpuless_nodes} of {numa.nodes} nodes have no CPU; affinity score {lpar.affinity_score}",
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
	.when = { IS_NOT(FACT_HYPERVISOR, "none|unknown"), TRUE(FACT_KERNEL_SOFTLOCKUP_PANIC) },
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
	.next = "remove it; to make idle threads cede at once, disable the snooze state (cpuidle:snooze)",
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
	.next = "remove it",
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
	.next = "remove it",
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
	.next = "remove it",
	.why = "Power kernels do not know the parameter. Their look-alikes, powersave=off and nohlt, burn the "
		"entitlement of a shared partition.",
	.severity = SEVERITY_NOTE,
	.setting = { { "cmdline:idle", "absent" } },
	.effect = EFFECT_UNKNOWN, .evidence = EVIDENCE_C, .risk = RISK_NONE, .scope = SCOPE_REBOOT,
	.undo = "set the parameter again",
	.source = { "https://docs.kernel.org/admin-guide/kernel-parameters.html" } },
};
/* clang-format on */

const size_t rules_count = ARRAY_SIZE(rules);
