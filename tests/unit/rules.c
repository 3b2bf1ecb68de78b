/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of rules: form of every row, and for every rule a machine on which it holds and a
 * change to that machine that holds it back. */
#include <ctype.h>

#include "advice.h"
#include "advice/evidence.h"
#include "advice/judge.h"
#include "unit.h"

#define SHARED_CAPPED "hypervisor=powervm;arch=ppc64le;lpar.mode=shared-capped;"
#define SHARED_UNCAPPED "hypervisor=powervm;arch=ppc64le;lpar.mode=shared-uncapped;"
#define X86_KVM "hypervisor=kvm;arch=x86_64;"
#define DEDICATED "hypervisor=powervm;arch=ppc64le;lpar.mode=dedicated;"

static const struct {
	const char *rule, *holds, *held_back;
} cases[] = {
	{ "over-provisioned-vps",
	  SHARED_UNCAPPED "lpar.entitlement_per_vp=0.25;steal.since_boot_of_demand=21",
	  "steal.since_boot_of_demand=1" },
	{ "vps-beyond-entitlement", SHARED_UNCAPPED "lpar.entitlement_per_vp=0.25",
	  "steal.since_boot_of_demand=6" },
	{ "vps-beyond-pool", SHARED_UNCAPPED "lpar.virtual_processors=72;lpar.pool_cores=64",
	  "lpar.pool_cores=72" },
	{ "rcu-stalls-under-steal", SHARED_UNCAPPED "log.rcu_stalls=1;steal.since_boot_of_demand=9",
	  "hypervisor=qemu-tcg" },
	{ "soft-lockups-under-steal",
	  SHARED_UNCAPPED "log.soft_lockups=1;steal.since_boot_of_demand=9",
	  "steal.since_boot_of_demand=" },
	{ "steal-beyond-cap",
	  SHARED_CAPPED "steal.since_boot_of_demand=61;steal.expected_at_full_load=50",
	  "steal.since_boot_of_demand=54" },
	{ "steal-contention", SHARED_UNCAPPED "steal.since_boot_of_demand=5",
	  "steal.since_boot_of_demand=4.9" },
	{ "steal-on-guest", "hypervisor=kvm;arch=x86_64;steal.since_boot_of_demand=7",
	  "hypervisor=none" },
	{ "steal-explained-by-cap",
	  SHARED_CAPPED "steal.since_boot_of_demand=50.2;steal.expected_at_full_load=50;"
			"steal.dispatch_wait=1;steal.entitlement_wait=20",
	  "steal.since_boot_of_demand=69" },
	{ "steal-contention-under-cap",
	  SHARED_CAPPED "steal.since_boot_of_demand=50.2;steal.expected_at_full_load=50;"
			"steal.dispatch_wait=20;steal.entitlement_wait=1",
	  "steal.dispatch_wait=1" },
	{ "steal-within-cap",
	  SHARED_CAPPED "steal.since_boot_of_demand=24;steal.expected_at_full_load=30;"
			"steal.source=proc-stat",
	  "steal.source=vpa" },
	{ "steal-under-reported", SHARED_UNCAPPED "steal.kernel_accounting=unit-bug",
	  "steal.kernel_accounting=sound" },
	{ "steal-not-accounted", SHARED_UNCAPPED "steal.kernel_accounting=none",
	  "steal.kernel_accounting=unknown" },
	{ "dedicated-wakeup-defect", DEDICATED "kernel.release=5.3.0",
	  "kernel.release=5.14.0-427.13.1.el9_4.ppc64le" },
	{ "cede-latency-too-small",
	  DEDICATED "cpu.model=POWER9 (architected), altivec supported;idle.cede_latency=1;"
		    "kernel.release=5.10.0",
	  "cpu.model=POWER10 (architected), altivec supported" },
	{ "never-cedes", SHARED_UNCAPPED "kernel.cmdline=root=/dev/sda2 powersave=off",
	  "lpar.mode=dedicated" },
	{ "cede-disabled", SHARED_UNCAPPED "idle.disabled=Shared Cede (64)",
	  "idle.disabled=snooze (64)" },
	{ "mixed-smt", DEDICATED "cpu.smt=mixed", "cpu.smt=8" },
	{ "cpuless-nodes", SHARED_UNCAPPED "numa.cpuless_nodes=1;numa.empty_nodes=0",
	  "numa.empty_nodes=1" },
	{ "memoryless-nodes", SHARED_UNCAPPED "numa.memoryless_nodes=1", "hypervisor=none" },
	{ "softlockup-panic", "hypervisor=kvm;kernel.softlockup_panic=true", "hypervisor=none" },
	{ "obsolete-smt-snooze-delay",
	  DEDICATED "kernel.release=6.4.0-150600.23.7-default;kernel.cmdline=smt_snooze_delay=0",
	  "arch=x86_64" },
	{ "obsolete-topology-updates",
	  DEDICATED "kernel.release=5.14.0;kernel.cmdline=topology_updates=off",
	  "kernel.release=5.3.0" },
	{ "obsolete-cede-offline",
	  DEDICATED "kernel.release=6.1.0-50-powerpc64le;kernel.cmdline=quiet cede_offline=off",
	  "kernel.cmdline=quiet -- cede_offline=off" },
	{ "idle-poll-on-power", DEDICATED "kernel.cmdline=idle=poll",
	  "kernel.cmdline=idle=nomwait" },
	{ "idle-poll-on-guest", X86_KVM "kernel.cmdline=idle=poll", "hypervisor=none" },
	{ "nohlt-on-shared", SHARED_CAPPED "kernel.cmdline=nohlt", "lpar.mode=dedicated" },
	{ "isolated-on-shared", SHARED_CAPPED "kernel.cmdline=nohz_full=8-15",
	  "lpar.mode=dedicated" },
	{ "offline-threads-ceded",
	  SHARED_UNCAPPED "kernel.release=5.3.18-57-default;cpu.present=8;cpu.online=1;"
			  "kernel.cmdline=quiet",
	  "kernel.cmdline=quiet cede_offline=off" },
	{ "dispatch-stats-left-on", SHARED_UNCAPPED "dispatch.stats=on", "dispatch.stats=off" },
	{ "lpm-watchdog", DEDICATED "kernel.nmi_wd_lpm_factor=0", "kernel.nmi_wd_lpm_factor=200" },
	{ "nmi-watchdog-in-guest", "hypervisor=kvm;arch=ppc64le;kernel.nmi_watchdog=true",
	  "hypervisor=powervm" },
	{ "weight-zero", SHARED_UNCAPPED "lpar.weight=0", "lpar.weight=1" },
	{ "tuned-polls-on-shared", SHARED_CAPPED "tuned.profile=network-latency",
	  "tuned.profile=throughput-performance" },
	{ "nontask-capacity",
	  SHARED_UNCAPPED "kernel.release=6.12.0;kernel.cmdline=quiet;"
			  "steal.since_boot_of_demand=21",
	  "kernel.release=5.14.21" },
	{ "nontask-capacity",
	  SHARED_UNCAPPED "kernel.release=6.12.0;kernel.cmdline=quiet;"
			  "steal.since_boot_of_demand=21",
	  "kernel.cmdline=quiet no-steal-acc" },
	{ "nontask-capacity-with-irq-time",
	  SHARED_UNCAPPED "kernel.release=6.12.0;kernel.cmdline=quiet;"
			  "steal.since_boot_of_demand=21;"
			  "kernel.config=IRQ_TIME_ACCOUNTING=y",
	  "kernel.config=IRQ_TIME_ACCOUNTING=n" },
	{ "steal-governor",
	  SHARED_UNCAPPED "kernel.release=7.2.0;cpu.preferred=0-63;steal.since_boot_of_demand=21",
	  "cpu.preferred=" },
	{ "no-steal-acc-under-lockdown",
	  SHARED_UNCAPPED "kernel.release=6.12.0;kernel.lockdown=integrity;"
			  "steal.since_boot_of_demand=21",
	  "kernel.lockdown=none" },
	{ "kernel-corewise-preemption", SHARED_UNCAPPED "kernel.release=5.10.0",
	  "kernel.release=5.11.0" },
	{ "kernel-shared-packing",
	  SHARED_UNCAPPED "kernel.release=6.7.0;cpu.model=POWER10 (architected)",
	  "kernel.release=6.8.0" },
	{ "kernel-idle-aware-preemption",
	  SHARED_UNCAPPED "kernel.release=6.6.0;cpu.model=POWER8 (architected)",
	  "kernel.release=6.7.0" },
	{ "power10-wake-affine", DEDICATED "kernel.release=5.10.0;cpu.model=POWER10 (architected)",
	  "cpu.model=POWER9 (architected)" },
	{ "dedicated-without-cede", DEDICATED "idle.states=snooze, CEDE", "lpar.mode=shared" },
	{ "donating-latency", "hypervisor=powervm;lpar.mode=dedicated-donating",
	  "lpar.mode=dedicated" },
	{ "guest-haltpoll", X86_KVM "kernel.release=6.12.0;idle.driver=none",
	  "idle.driver=haltpoll" },
	{ "snooze-off-on-shared", SHARED_UNCAPPED "idle.states=snooze, Shared Cede",
	  "lpar.mode=dedicated" },
	{ "guest-l3-shown", X86_KVM "cpu.llc_cpus=8;cpu.threads_per_core=1", "cpu.llc_cpus=1" },
	{ "s390-hiperdispatch",
	  "hypervisor=prsm;arch=s390x;lpar.mode=shared;kernel.release=6.12.0;"
	  "steal.since_boot_of_demand=8",
	  "lpar.mode=dedicated" },
	{ "sap-hana-numa-balancing", "arch=ppc64le", "arch=s390x" },
	{ "sap-hana-ksm", "arch=ppc64le", "arch=s390x" },
	{ "sap-hana-swappiness", "arch=ppc64le;distro.id=rhel", "distro.id=sles" },
	{ "sap-hana-thp-never", "arch=ppc64le;distro.name=SUSE Linux Enterprise Server 15 SP4",
	  "distro.name=SUSE Linux Enterprise Server 15 SP5" },
	{ "sap-hana-thp-madvise", "arch=ppc64le;distro.name=SUSE Linux Enterprise Server 15 SP6",
	  "distro.name=SUSE Linux Enterprise Server 15 SP4" },
	{ "sap-hana-thp-on-rhel", "arch=ppc64le;distro.id=rhel", "distro.id=debian" },
	{ "sap-hana-network", DEDICATED "distro.id=rhel", "distro.id=sles" },
	{ "sap-hana-granularity",
	  "arch=ppc64le;distro.id=rhel;kernel.release=4.18.0-553.el8_10.ppc64le",
	  "kernel.release=5.14.0-427.el9.ppc64le" },
	{ "sap-hana-energy", DEDICATED "cpu.model=POWER8 (architected)", "cpu.model=POWER9" },
	{ "db2-smt8", DEDICATED "cpu.model=POWER9 (architected);cpu.threads_per_core=8",
	  "cpu.threads_per_core=4" },
	{ "popular-numa-balancing-off", DEDICATED "numa.balancing=1", "numa.balancing=0" },
	{ "popular-thp-never", DEDICATED "memory.thp=always", "memory.thp=never" },
	{ "popular-ksm-off", DEDICATED "memory.ksm=1", "memory.ksm=0" },
	{ "popular-migration-cost", DEDICATED "sched.migration_cost=500000",
	  "sched.migration_cost=" },
	{ "popular-granularity", DEDICATED "kernel.release=5.14.0", "kernel.release=5.3.0" },
	{ "popular-wake-features", DEDICATED "sched.features=WA_IDLE NO_NEXT_BUDDY",
	  "sched.features=NO_WA_IDLE NO_WA_WEIGHT NO_TTWU_QUEUE" },
	{ "popular-wake-affine-flag", DEDICATED "kernel.release=6.12.0", "kernel.release=5.7.0" },
	{ "popular-smt-lower", DEDICATED "cpu.smt=8", "cpu.smt=4" },
	{ "popular-idle-governor", DEDICATED "idle.governor=menu", "idle.governor=teo" },
	{ "popular-preempt-model", DEDICATED "kernel.release=6.12.0", "kernel.release=5.3.0" },
	{ "popular-qspinlock-knobs", DEDICATED "kernel.release=6.12.0", "kernel.release=6.1.0" },
	{ "popular-haltpoll-on-power", DEDICATED, "hypervisor=none" },
	{ "popular-weight", SHARED_UNCAPPED "lpar.weight=128", "lpar.mode=shared-capped" },
};

static bool holds(const char *id, const char *first, const char *then)
{
	const struct rule *rule = rule_find(id);
	struct facts facts = { 0 };
	struct ruling ruling;
	bool is;

	advice_facts(&facts, first);
	advice_facts(&facts, then);
	is = rule && judge_rule(&facts, rule, &ruling);
	facts_done(&facts);
	return is;
}

static bool has_case(const char *id)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		if (streq(cases[i].rule, id))
			return true;
	return streq(id, "sources-disagree"); /* below */
}

static void test_cases(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		printf("# %s\n", cases[i].rule);
		CHECK(holds(cases[i].rule, cases[i].holds, ""));
		CHECK(!holds(cases[i].rule, cases[i].holds, cases[i].held_back));
		CHECK(!holds(cases[i].rule, "", ""));
	}
}

/* What holds whoever runs the machine; everything else presumes a hypervisor. */
static bool is_neutral(const char *id)
{
	static const char *const ids[] = {
		"obsolete-smt-snooze-delay", "obsolete-topology-updates", "obsolete-cede-offline",
		"idle-poll-on-power",	     "sap-hana-numa-balancing",	  "sap-hana-ksm",
		"sap-hana-swappiness",	     "sap-hana-thp-never",	  "sap-hana-thp-madvise",
		"sap-hana-thp-on-rhel",	     "sap-hana-granularity",	  "popular-thp-never",
		"popular-migration-cost",    "popular-granularity",	  "popular-wake-features",
		"popular-wake-affine-flag",  "popular-idle-governor",	  "popular-preempt-model",
		"popular-qspinlock-knobs",
	};

	for (size_t i = 0; i < ARRAY_SIZE(ids); i++)
		if (streq(ids[i], id))
			return true;
	return false;
}

static void test_hypervisors(void)
{
	static const char *const others[] = { "hypervisor=qemu-tcg", "hypervisor=none",
					      "hypervisor=unknown", "hypervisor=" };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		for (size_t k = 0; k < ARRAY_SIZE(others); k++) {
			printf("# %s with %s\n", cases[i].rule, others[k]);
			CHECK(holds(cases[i].rule, cases[i].holds, others[k]) ==
			      is_neutral(cases[i].rule));
		}
}

/* A rule for one architecture says nothing on another. */
static void test_architectures(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		bool is_x86 = strstr(cases[i].holds, "arch=x86_64") != NULL;

		if (is_x86 && !streq(cases[i].rule, "steal-on-guest"))
			CHECK(!holds(cases[i].rule, cases[i].holds, "arch=ppc64le"));
	}
}

static void test_conflict(void)
{
	const struct rule *rule = rule_find("sources-disagree");
	struct facts facts = { 0 };
	struct ruling ruling;
	_cleanup_free_ char *evidence = NULL;

	facts_set_string(&facts, FACT_LPAR_MODE, "dedicated", "lparcfg");
	CHECK(!judge_rule(&facts, rule, &ruling));
	facts_set_string(&facts, FACT_LPAR_MODE, "shared", "cpuidle");
	CHECK(judge_rule(&facts, rule, &ruling));
	evidence = evidence_render(rule->evidence_text, &facts);
	CHECK(streq(evidence, "lpar.mode is dedicated (lparcfg), but cpuidle says shared"));
	facts_done(&facts);
}

static bool is_kebab(const char *id)
{
	return id[0] && id[strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0';
}

static bool is_unique(size_t i)
{
	for (size_t k = 0; k < rules_count; k++)
		if (k != i && streq(rules[k].id, rules[i].id))
			return false;
	return true;
}

/* Every name in braces must stand for something. */
static bool placeholders_are_known(const char *text)
{
	struct facts facts = { 0 };
	_cleanup_free_ char *rendered = evidence_render(text, &facts);

	facts_done(&facts);
	return rendered && !strchr(rendered, '{');
}

static unsigned int sentences(const char *text)
{
	unsigned int n = 0;

	for (; *text; text++)
		n += (*text == '.' || *text == ':') && (text[1] == ' ' || !text[1]);
	return n;
}

/* What a rule wants must be something that may be written at all. */
static bool settings_are_tunables(const struct rule *rule)
{
	for (const struct rule_setting *s = rule->setting; s->tunable; s++) {
		const struct tunable *tunable = tunable_find(s->tunable);

		if (!tunable || tunable_check(tunable, s->value) < 0 ||
		    tunable_scope(tunable) != rule->scope)
			return false;
	}
	return true;
}

static void test_row(size_t i)
{
	const struct rule *rule = &rules[i];
	bool acts = rule->action || rule->setting[0].tunable;

	printf("# %s\n", rule->id);
	CHECK(is_kebab(rule->id) && is_unique(i));
	CHECK(rule->when[0].op != OP_END);
	CHECK(rule->title && rule->evidence_text && rule->why);
	CHECK(placeholders_are_known(rule->evidence_text));
	CHECK(sentences(rule->why) >= 2);
	CHECK(rule->source[0] && starts_with(rule->source[0], "http"));
	CHECK(rule->severity == SEVERITY_NONE || rule->next);
	CHECK(!rule->unless || rule_find(rule->unless));
	/* A finding, a recommendation, or popular advice, which recommends nothing. */
	CHECK(rule->severity != SEVERITY_NONE || acts || rule->popular);
	CHECK((rule->evidence == EVIDENCE_N) == (rule->popular != NULL));
	CHECK(!rule->popular || (!acts && rule->severity == SEVERITY_NONE));
	CHECK(!rule->workload || workload_find(rule->workload));
	CHECK(rule->evidence != EVIDENCE_V || rule->workload);
	CHECK(!acts || rule->undo);
	CHECK(settings_are_tunables(rule));
	CHECK(has_case(rule->id));
}

static bool finds(const char *machine, const char *first)
{
	_cleanup_findings_ struct findings found = { 0 };
	struct facts facts = { 0 };
	bool is;

	advice_facts(&facts, machine);
	is = judge(&facts, &found) == 0 &&
	     (first ? found.count && streq(found.list[0].rule->id, first) : !found.count);
	for (size_t i = 0; i < found.count; i++)
		printf("# %s: %s\n", found.list[i].rule->id, found.list[i].evidence);
	facts_done(&facts);
	return is;
}

static void test_order(void)
{
	CHECK(finds("", NULL));
	CHECK(finds("hypervisor=qemu-tcg;arch=ppc64le;steal.since_boot_of_demand=40;cpu.smt=mixed",
		    NULL));
	CHECK(finds(SHARED_UNCAPPED "lpar.entitlement=2;lpar.virtual_processors=8;"
				    "lpar.entitlement_per_vp=0.25;steal.since_boot_of_demand=21",
		    "over-provisioned-vps"));
	CHECK(finds(SHARED_UNCAPPED "lpar.entitlement_per_vp=0.25;steal.since_boot_of_demand=21;"
				    "kernel.cmdline=powersave=off",
		    "never-cedes"));
}

int main(void)
{
	for (size_t i = 0; i < rules_count; i++)
		test_row(i);
	test_cases();
	test_hypervisors();
	test_architectures();
	test_conflict();
	test_order();
	return unit_done();
}
