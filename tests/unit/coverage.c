/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every matter that administrators and vendors raise has a rule, or a reason why it has none. */
#include "advice/rules.h"
#include "unit.h"

static const struct {
	const char *matter, *rule, *left_out;
} matters[] = {
	/* tunables, one by one */
	{ "NONTASK_CAPACITY", "nontask-capacity", NULL },
	{ "NONTASK_CAPACITY with IRQ time", "nontask-capacity-with-irq-time", NULL },
	{ "no-steal-acc", "no-steal-acc-under-lockdown", NULL },
	{ "steal_governor", "steal-governor", NULL },
	{ "VP to entitlement ratio", "over-provisioned-vps", NULL },
	{ "kernel, dedicated fix", "dedicated-wakeup-defect", NULL },
	{ "kernel, core-aware", "kernel-corewise-preemption", NULL },
	{ "kernel, idle-aware", "kernel-idle-aware-preemption", NULL },
	{ "kernel, packing", "kernel-shared-packing", NULL },
	{ "snooze off", "snooze-off-on-shared", NULL },
	{ "CEDE off, shared", "cede-disabled", NULL },
	{ "CEDE off, dedicated", "dedicated-without-cede", NULL },
	{ "PM QoS", NULL, "PM QoS (/dev/cpu_dma_latency)" },
	{ "powersave=off", "never-cedes", NULL },
	{ "nohlt", "nohlt-on-shared", NULL },
	{ "SMT mode", "popular-smt-lower", NULL },
	{ "mixed SMT", "mixed-smt", NULL },
	{ "SMT for Db2", "db2-smt8", NULL },
	{ "NUMA balancing", "popular-numa-balancing-off", NULL },
	{ "THP", "popular-thp-never", NULL },
	{ "KSM", "popular-ksm-off", NULL },
	{ "migration_cost_ns", "popular-migration-cost", NULL },
	{ "granularity sysctls, base slice", "popular-granularity", NULL },
	{ "WA_*, TTWU_QUEUE, NEXT_BUDDY", "popular-wake-features", NULL },
	{ "SD_WAKE_AFFINE", "popular-wake-affine-flag", NULL },
	{ "vcpudispatch_stats", "dispatch-stats-left-on", NULL },
	{ "sched_schedstats", NULL, "kernel.sched_schedstats" },
	{ "qspl_*", "popular-qspinlock-knobs", NULL },
	{ "isolcpus, nohz_full", "isolated-on-shared", NULL },
	{ "preempt=", "popular-preempt-model", NULL },
	{ "haltpoll, x86", "guest-haltpoll", NULL },
	{ "haltpoll, Power", "popular-haltpoll-on-power", NULL },
	{ "QEMU l3-cache", "guest-l3-shown", NULL },
	{ "host halt_poll_ns", NULL, "KVM host halt polling (halt_poll_ns)" },
	{ "host CPU pinning", NULL, "Virtual CPU pinning on KVM hosts" },
	{ "s390 hiperdispatch", "s390-hiperdispatch", NULL },
	{ "cpuidle governor", "popular-idle-governor", NULL },
	{ "IRQ affinity", NULL, "IRQ affinity and irqbalance" },
	{ "idle=poll, Power", "idle-poll-on-power", NULL },
	{ "idle=poll, x86 guest", "idle-poll-on-guest", NULL },
	{ "smt-snooze-delay=", "obsolete-smt-snooze-delay", NULL },
	{ "topology_updates=", "obsolete-topology-updates", NULL },
	{ "cede_offline=, later kernels", "obsolete-cede-offline", NULL },
	{ "cede_offline=off, earlier kernels", "offline-threads-ceded", NULL },
	{ "smt-snooze-delay at run time", NULL, "smt-snooze-delay at run time (ppc64_cpu)" },
	{ "TuneD force_latency", "tuned-polls-on-shared", NULL },
	{ "C-state arguments", NULL, "x86 C-state arguments" },
	/* what administrators ask */
	{ "steal within the cap", "steal-explained-by-cap", NULL },
	{ "steal within the cap, cause unknown", "steal-within-cap", NULL },
	{ "steal beyond the cap", "steal-beyond-cap", NULL },
	{ "who is stealing my cycles", "steal-contention", NULL },
	{ "who is stealing my cycles, under a cap", "steal-contention-under-cap", NULL },
	{ "steal on a cloud guest", "steal-on-guest", NULL },
	{ "25 % shown where 50 % is right", "steal-under-reported", NULL },
	{ "no steal at all", "steal-not-accounted", NULL },
	{ "steal of the sibling", NULL,
	  "Steal that counts the sibling thread (RHEL 5 and 6, SLES 10 and 11)" },
	{ "guaranteed and ceiling", "vps-beyond-entitlement", NULL },
	{ "VPs and the pool", "vps-beyond-pool", NULL },
	{ "sum of VPs and the pool", NULL, "sum of VPs against the pool" },
	{ "use beyond the entitlement", NULL, "Use beyond the entitlement" },
	{ "more VPs than use", NULL, "Peak use and the number of virtual processors" },
	{ "weight 0", "weight-zero", NULL },
	{ "weights of thumb", "popular-weight", NULL },
	{ "APP since boot", NULL, "Available pool processors since boot" },
	{ "affinity score", NULL, "Partition affinity score" },
	{ "CPUs without local memory", "memoryless-nodes", NULL },
	{ "memory without CPUs", "cpuless-nodes", NULL },
	{ "stale node maps", NULL, "Home node maps that are stale after a migration" },
	{ "odd NUMA distances", NULL, "Odd NUMA distances in KVM guests of a partition" },
	{ "socket counts", NULL, "Socket counts" },
	{ "CEDE latency", "cede-latency-too-small", NULL },
	{ "advertised idle latency", NULL, "Advertised against real idle latency" },
	{ "watchdog during LPM", "lpm-watchdog", NULL },
	{ "LPM as an event", NULL, "Migration of a partition (LPM) as an event" },
	{ "panic on soft lockup", "softlockup-panic", NULL },
	{ "NMI watchdog in guests", "nmi-watchdog-in-guest", NULL },
	{ "RCU stalls", "rcu-stalls-under-steal", NULL },
	{ "soft lockups", "soft-lockups-under-steal", NULL },
	{ "POWER10 caches", "power10-wake-affine", NULL },
	{ "donation", "donating-latency", NULL },
	{ "conflicting sources", "sources-disagree", NULL },
	/* what vendors require */
	{ "HANA: NUMA balancing", "sap-hana-numa-balancing", NULL },
	{ "HANA: THP, SLES before SP5", "sap-hana-thp-never", NULL },
	{ "HANA: THP, SLES from SP5", "sap-hana-thp-madvise", NULL },
	{ "HANA: THP, the RHEL conflict", "sap-hana-thp-on-rhel", NULL },
	{ "HANA: KSM", "sap-hana-ksm", NULL },
	{ "HANA: granularity", "sap-hana-granularity", NULL },
	{ "HANA: swappiness", "sap-hana-swappiness", NULL },
	{ "HANA: network", "sap-hana-network", NULL },
	{ "HANA: pseries-energy", "sap-hana-energy", NULL },
};

static bool is_left_out(const char *topic)
{
	for (size_t i = 0; i < left_out_count; i++)
		if (streq(left_out[i].topic, topic))
			return *left_out[i].reason;
	return false;
}

static bool is_raised(const char *rule, const char *topic)
{
	for (size_t i = 0; i < ARRAY_SIZE(matters); i++)
		if ((rule && matters[i].rule && streq(matters[i].rule, rule)) ||
		    (topic && matters[i].left_out && streq(matters[i].left_out, topic)))
			return true;
	return false;
}

int main(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(matters); i++) {
		printf("# %s\n", matters[i].matter);
		CHECK(matters[i].rule ? rule_find(matters[i].rule) != NULL
				      : is_left_out(matters[i].left_out));
	}
	/* And nothing is in the tables that nobody raised. */
	for (size_t i = 0; i < rules_count; i++)
		CHECK(is_raised(rules[i].id, NULL));
	for (size_t i = 0; i < left_out_count; i++)
		CHECK(is_raised(NULL, left_out[i].topic));
	return unit_done();
}
