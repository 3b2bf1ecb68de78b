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
	  SHARED_CAPPED "steal.since_boot_of_demand=50.2;steal.expected_at_full_load=50",
	  "steal.since_boot_of_demand=69" },
	{ "steal-under-reported", SHARED_UNCAPPED "steal.kernel_accounting=unit-bug",
	  "steal.kernel_accounting=sound" },
	{ "steal-not-accounted", SHARED_UNCAPPED "steal.kernel_accounting=none",
	  "steal.kernel_accounting=unknown" },
	{ "dedicated-wakeup-defect", DEDICATED "kernel.release=5.3.0",
	  "kernel.release=5.14.0-427.13.1.el9_4.ppc64le" },
	{ "cede-latency-too-small",
	  DEDICATED "cpu.model=POWER9 (architected), altivec supported;idle.cede_latency=1",
	  "cpu.model=POWER10 (architected), altivec supported" },
	{ "never-cedes", SHARED_UNCAPPED "kernel.cmdline=root=/dev/sda2 powersave=off",
	  "lpar.mode=dedicated" },
	{ "cede-disabled", SHARED_UNCAPPED "idle.disabled=Shared Cede (64)",
	  "idle.disabled=snooze (64)" },
	{ "mixed-smt", DEDICATED "cpu.smt=mixed", "cpu.smt=8" },
	{ "cpuless-nodes", SHARED_UNCAPPED "numa.cpuless_nodes=1", "numa.cpuless_nodes=0" },
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
	CHECK(rule->severity != SEVERITY_NONE || acts);
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
	test_conflict();
	test_order();
	return unit_done();
}
