/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file is the table of kernel behaviours. Ids never change. verdict.c judges by it. */
#include "advice/kernels.h"

#define V(major, minor)         \
	{                       \
		major, minor, 0 \
	}
#define STABLE(major, minor, patch)                          \
	{                                                    \
		BUILDER_UPSTREAM, { major, minor, patch }, 0 \
	}
#define LINUS "https://git.kernel.org/linus/"
#define LORE "https://lore.kernel.org/all/"

/* clang-format off */
const struct behaviour_info behaviour_info[BEHAVIOUR_COUNT] = {
[BEHAVIOUR_PREEMPTED_CHECK_POWERPC] = {
	.id = "preempted-check-powerpc",
	.title = "Takes a CPU that the hypervisor does not run for preempted (Power)",
	.about = "vcpu_is_preempted() looks at the yield count in the lppaca: an odd count means that the "
		"virtual processor is not dispatched. Mutexes, rwsems, queued spinlocks and the scheduler's search "
		"for an idle CPU ask it. On partitions with dedicated processors the answer is meaningless.",
	.arch = "ppc64", .commit = "41946c86876e", .since = V(4, 10),
	.source = LINUS "41946c86876e" },
[BEHAVIOUR_PREEMPTED_CHECK_X86] = {
	.id = "preempted-check-x86",
	.title = "Takes a CPU that the host does not run for preempted (x86 KVM guests)",
	.about = "The host marks a descheduled virtual CPU in the steal time page, and vcpu_is_preempted() reads "
		"it. Needs the KVM steal time feature; locks and the search for an idle CPU use it.",
	.arch = "x86_64", .commit = "0b9f6c4615c9", .since = V(4, 10),
	.symbol = "__raw_callee_save___kvm_vcpu_is_preempted", .config = "PARAVIRT_SPINLOCKS",
	.source = LINUS "0b9f6c4615c9" },
[BEHAVIOUR_PREEMPTED_CHECK_S390] = {
	.id = "preempted-check-s390",
	.title = "Takes a CPU that the hypervisor does not run for preempted (s390x)",
	.about = "arch_vcpu_is_preempted() first asks whether the CPU waits idle by itself, then asks the "
		"hypervisor (SIGP sense running), so that idle CPUs are never taken for preempted.",
	.arch = "s390x", .commit = "760928c0ed4d", .since = V(4, 10),
	.symbol = "arch_vcpu_is_preempted",
	.source = LINUS "760928c0ed4d" },
[BEHAVIOUR_SKIPS_PREEMPTED_CPUS] = {
	.id = "skips-preempted-cpus",
	.title = "The scheduler does not wake tasks on preempted CPUs",
	.about = "An idle CPU counts as available for a wakeup only if it is not preempted. Right where the "
		"preempted check is right; where every ceded CPU looks preempted, wakeups avoid idle CPUs and queue "
		"behind busy ones.",
	.commit = "247f2f6f3c70", .since = V(4, 18),
	.symbol = "available_idle_cpu", .symbol_kind = SYMBOL_HINT,
	.source = LINUS "247f2f6f3c70" },
[BEHAVIOUR_DEDICATED_NEVER_PREEMPTED] = {
	.id = "dedicated-never-preempted",
	.title = "CPUs of a dedicated partition never count as preempted",
	.about = "Without it, kernels from 4.18 on take every idle (ceded) CPU of a dedicated partition for "
		"preempted and wake tasks on busy ones: schbench p99.9 of 6 to 8 ms instead of 0.1 ms (POWER9, 128 "
		"CPUs). Stable 5.4.8 had it and took it back; it is in 5.4.11. RHEL 8 has it at 4.18.0-310.",
	.arch = "ppc64", .commit = "14c73bd344da", .since = V(5, 5),
	.backport = { STABLE(5, 4, 11), { BUILDER_RHEL8, { 4, 18, 0 }, 310 } },
	.symbol = "shared_processor", .symbol_kind = SYMBOL_DATA,
	.source = LORE "20191204134459.22470-1-srikar@linux.vnet.ibm.com/" },
[BEHAVIOUR_COREWISE_PREEMPTION] = {
	.id = "corewise-preemption",
	.title = "Siblings of a running thread do not count as preempted (PowerVM)",
	.about = "PowerVM dispatches whole SMT8 cores, so threads of the core that runs the question are "
		"dispatched too. perf bench sched pipe: 137.2 s before, 117.2 s after; migrations 14465 before, "
		"1110 after.",
	.arch = "ppc64", .commit = "ca3f969dcb11", .since = V(5, 11),
	.backport = { { BUILDER_RHEL8, { 4, 18, 0 }, 310 } },
	.symbol = "check_kvm_guest|kvm_guest", .symbol_kind = SYMBOL_HINT,
	.source = LORE "20201202050456.164005-1-srikar@linux.vnet.ibm.com/" },
[BEHAVIOUR_IDLE_AWARE_PREEMPTION] = {
	.id = "idle-aware-preemption",
	.title = "Idle (ceded) CPUs do not count as preempted on shared processors",
	.about = "vcpu_is_preempted() asks the lppaca's idle flag and the state of the whole core, so that a core "
		"that ceded by itself is a target for wakeups again. It leaves no symbol: only the version tells.",
	.arch = "ppc64", .commit = "efce8422dd53", .since = V(6, 7),
	.source = LINUS "efce8422dd53" },
[BEHAVIOUR_STEAL_ACCOUNTING] = {
	.id = "steal-accounting",
	.title = "Steal is accounted on pseries",
	.about = "/proc/stat's steal comes from the wait counters in the VPA. Kernels without it, built with "
		"VIRT_CPU_ACCOUNTING_GEN as RHEL, SUSE and Debian are, always show 0. Only partitions with shared "
		"processors account it; steal on a dedicated partition is 0 by construction.",
	.arch = "ppc64", .commit = "0e8a63132800", .since = V(6, 1),
	.seen = FACT_STEAL_KERNEL_ACCOUNTING, .seen_yes = "sound|unit-bug", .seen_no = "none",
	.symbol = "pseries_paravirt_steal_clock", .config = "PARAVIRT_TIME_ACCOUNTING", .config_proves = true,
	.source = LORE "20220902085316.2071519-3-npiggin@gmail.com/" },
[BEHAVIOUR_STEAL_IN_NANOSECONDS] = {
	.id = "steal-in-nanoseconds",
	.title = "Steal is accounted in the right unit on pseries",
	.about = "Kernels 6.1 to 6.8-rc4 add timebase ticks as if they were nanoseconds and show 0.512 of the "
		"steal. Measured with it on 12 cores of entitlement: 24 VPs 25.7 to 50.2 %, 36 VPs 37.3 to 69.2 %, 48 "
		"VPs 38.5 to 78.3 %.",
	.arch = "ppc64", .commit = "cbecc9fcbbec", .since = V(6, 8),
	.backport = { STABLE(6, 1, 79), STABLE(6, 6, 18), STABLE(6, 7, 6) },
	.seen = FACT_STEAL_KERNEL_ACCOUNTING, .seen_yes = "sound", .seen_no = "unit-bug",
	.source = LORE "20240213052635.231597-1-sshegde@linux.ibm.com/" },
[BEHAVIOUR_STEAL_LOWERS_CAPACITY] = {
	.id = "steal-lowers-capacity",
	.title = "Steal lowers the capacity that the scheduler sees (feature NONTASK_CAPACITY)",
	.about = "Time stolen from a CPU counts as load of something else, so the CPU looks smaller than its idle "
		"sibling, which pulls the task; then the roles swap. On shared partitions tasks ping-pong between "
		"siblings. NO_NONTASK_CAPACITY switches it off at run time, and where IRQ_TIME_ACCOUNTING is not set "
		"that is exactly the effect of the proposed kernel change.",
	.arch = "ppc64", .commit = "0e8a63132800", .since = V(6, 1),
	.symbol = "pseries_paravirt_steal_clock", .config = "PARAVIRT_TIME_ACCOUNTING", .config_proves = true,
	.source = LORE "20251029060757.2007601-2-srikar@linux.ibm.com/" },
[BEHAVIOUR_NO_STEAL_ACC] = {
	.id = "no-steal-acc",
	.title = "Boot parameter no-steal-acc on pseries",
	.about = "Keeps steal out of the run queue's clock and capacity. It is more than NO_NONTASK_CAPACITY: "
		"stolen time then counts as time that the task has run, which distorts fairness. /proc/stat still "
		"shows steal.",
	.arch = "ppc64", .commit = "0e8a63132800", .since = V(6, 1),
	.symbol = "pseries_paravirt_steal_clock", .config = "PARAVIRT_TIME_ACCOUNTING", .config_proves = true,
	.source = "https://docs.kernel.org/admin-guide/kernel-parameters.html" },
[BEHAVIOUR_STEAL_GOVERNOR] = {
	.id = "preferred-cpus",
	.title = "Preferred CPUs and the steal_governor module",
	.about = "When steal is above a threshold the scheduler uses fewer cores, and more again when it falls. In "
		"tip/sched/core since September 2026, aimed at 7.4; off until the module is loaded, and of use only if "
		"all partitions of the pool run it.",
	.commit = "518b32bd5bb3", .since = V(7, 4),
	.seen = FACT_CPU_PREFERRED,
	.config = "PREFERRED_CPU", .config_proves = true,
	.source = LORE "20260928053728.797539-1-sshegde@linux.ibm.com/" },
[BEHAVIOUR_ASYM_PACKING] = {
	.id = "asym-packing",
	.title = "Packs tasks onto fewer cores on shared partitions",
	.about = "On shared processors with big cores (POWER9 and later) the scheduler fills low-numbered cores "
		"first, and does not build a domain from hemispheres it cannot know. ebizzy on 64 cores of entitlement "
		"and 96 VPs: 26.1 physical cores before, 17.7 after, throughput -3 % (32 threads) to +2 % (128).",
	.arch = "ppc64", .commit = "aa80c6343fcf", .since = V(6, 8),
	.symbol = "powerpc_shared_proc_flags",
	.source = LORE "20230830105244.62477-1-srikar@linux.vnet.ibm.com/" },
[BEHAVIOUR_CEDE_LATENCY_FROM_FIRMWARE] = {
	.id = "cede-latency-from-firmware",
	.title = "Takes firmware's word for the CEDE latency on every processor",
	.about = "POWER8 and POWER9 firmware advertises 1 to 2 us where waking from CEDE takes 6 to 10 us, so the "
		"idle governor enters CEDE for sleeps that are too short for it. Later kernels believe the firmware "
		"from POWER10 on only.",
	.arch = "ppc64", .commit = "d947fb4c965c", .since = V(5, 9), .until = V(5, 15),
	.source = LORE "1619673517-10853-1-git-send-email-ego@linux.vnet.ibm.com/" },
[BEHAVIOUR_SMT_CONTROL] = {
	.id = "smt-control",
	.title = "SMT level changes at run time through /sys/devices/system/cpu/smt/control",
	.about = "Before it, threads are taken offline one by one (ppc64_cpu --smt), and a CPU added later comes "
		"with all its threads.",
	.arch = "ppc64", .commit = "73c58e7e1412", .since = V(6, 6),
	.seen = FACT_CPU_SMT_CONTROL, .seen_no = "notimplemented", .config = "HOTPLUG_SMT", .config_proves = true,
	.source = LINUS "73c58e7e1412" },
[BEHAVIOUR_DISPATCH_STATISTICS] = {
	.id = "dispatch-statistics",
	.title = "Statistics of where virtual processors are dispatched",
	.about = "/proc/powerpc/vcpudispatch_stats counts dispatches at home and away. It costs work 50 times a "
		"second on every CPU, so it is for diagnosis only.",
	.arch = "ppc64", .commit = "d62c8deeb6e6", .since = V(5, 3),
	.seen = FACT_DISPATCH_STATS,
	.source = "https://docs.kernel.org/arch/powerpc/vcpudispatch_stats.html" },
[BEHAVIOUR_POWERPC_QSPINLOCK] = {
	.id = "powerpc-qspinlock",
	.title = "Power's own queued spinlocks",
	.about = "They yield the core to the holder of the lock where processors are shared; debugfs "
		"powerpc/qspl_* tunes them. 5.9 to 6.1 use the generic ones.",
	.arch = "ppc64", .commit = "9f61521c7a28", .since = V(6, 2), .config = "PPC_QUEUED_SPINLOCKS",
	.source = LINUS "9f61521c7a28" },
[BEHAVIOUR_SCHED_DEBUGFS] = {
	.id = "sched-debugfs",
	.title = "The scheduler's knobs are in debugfs, not in sysctl",
	.about = "kernel.sched_min_granularity_ns and its relatives left /proc/sys/kernel; files in sysctl.d that "
		"still set them do nothing.",
	.commit = "8a99b6833c88", .since = V(5, 13),
	.source = LINUS "8a99b6833c88" },
[BEHAVIOUR_EEVDF] = {
	.id = "eevdf",
	.title = "The EEVDF scheduler",
	.about = "Latency, minimal and wakeup granularity are gone; base_slice_ns is the one that is left.",
	.commit = "147f3efaa241", .since = V(6, 6),
	.source = LINUS "147f3efaa241" },
[BEHAVIOUR_WAKE_AFFINE_LLC] = {
	.id = "wake-affine-llc",
	.title = "Wakeups are pulled towards the waker's last level cache",
	.about = "Features WA_IDLE, WA_WEIGHT, WA_BIAS. In an x86 KVM guest it depends on whether the virtual "
		"machine shows an L3 cache. With one, measured on 8 virtual CPUs: perf bench messaging 1.8 to 0.9 s, "
		"pipe 0.2 to 0.5 s, with 400000 reschedule IPIs and 330000 HLT exits a second.",
	.commit = "f2cdd9cc6c97", .since = V(4, 15),
	.source = LINUS "f2cdd9cc6c97" },
[BEHAVIOUR_HALTPOLL] = {
	.id = "haltpoll",
	.title = "Guest halt polling (x86 KVM guests)",
	.about = "An idle virtual CPU polls for up to guest_halt_poll_ns before it halts, which spares the exit and "
		"the IPI and costs CPU time of the host. Not built for Power or s390x.",
	.arch = "x86_64", .commit = "fa86ee90eb11", .since = V(5, 4), .config = "HALTPOLL_CPUIDLE", .config_proves = true,
	.source = "https://docs.kernel.org/virt/guest-halt-polling.html" },
[BEHAVIOUR_S390_HIPERDISPATCH] = {
	.id = "hiperdispatch",
	.title = "HiperDispatch",
	.about = "On shared s390x partitions the kernel follows the polarization of the CPUs and leaves "
		"low-entitled ones alone while steal is high. sysctl s390.hiperdispatch.",
	.arch = "s390x", .since = V(6, 12),
	.source = "https://www.ibm.com/docs/en/linuxonibm/lddd/lddd_t_cpu_vertical.html" },
};
/* clang-format on */
