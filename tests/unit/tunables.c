/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tunables: the table is sound, every grammar is read, every era is found, absence is told apart. */
#include "machine/tunable/tunables.h"

#include "tree.h"
#include "unit.h"

static bool grammar_is(enum grammar grammar, const char *name, const char *text, const char *wanted)
{
	_cleanup_free_ char *value = NULL;

	if (grammar_read(grammar, name, span_of(text), &value) < 0)
		return !wanted;
	return wanted && streq(value, wanted);
}

static bool writes(enum grammar grammar, const char *name, const char *value, const char *wanted)
{
	_cleanup_free_ char *text = NULL;

	if (grammar_write(grammar, name, value, &text) < 0)
		return !wanted;
	return wanted && streq(text, wanted);
}

static void test_grammars(void)
{
	static const char features[] = "GENTLE NO_NEXT_BUDDY NONTASK_CAPACITY TTWU_QUEUE\n";

	CHECK(grammar_is(GRAMMAR_PLAIN, NULL, "1\n", "1"));
	CHECK(grammar_is(GRAMMAR_PLAIN, NULL, "", NULL));
	CHECK(grammar_is(GRAMMAR_VECTOR, NULL, "4096\t131072\t6291456\n", "4096 131072 6291456"));
	CHECK(grammar_is(GRAMMAR_BRACKETS, NULL, "always [madvise] never\n", "madvise"));
	CHECK(grammar_is(GRAMMAR_BRACKETS, NULL, "always madvise never\n", NULL));
	CHECK(grammar_is(GRAMMAR_BRACKETS, NULL, "always defer [defer+madvise]", "defer+madvise"));
	CHECK(grammar_is(GRAMMAR_PARENS, NULL, "none voluntary (full)\n", "full"));
	CHECK(grammar_is(GRAMMAR_BOOL, NULL, "Y\n", "on"));
	CHECK(grammar_is(GRAMMAR_BOOL, NULL, "0\n", "off"));
	CHECK(grammar_is(GRAMMAR_BOOL, NULL, "maybe\n", NULL));
	CHECK(grammar_is(GRAMMAR_DISABLE, NULL, "1\n", "off"));
	CHECK(grammar_is(GRAMMAR_FEATURE, "NEXT_BUDDY", features, "off"));
	CHECK(grammar_is(GRAMMAR_FEATURE, "NONTASK_CAPACITY", features, "on"));
	CHECK(grammar_is(GRAMMAR_FEATURE, "BUDDY", features, NULL));
	CHECK(grammar_is(GRAMMAR_MASK, NULL, "0000ff0f,00000001\n", "0,32-35,40-47"));
	CHECK(grammar_is(GRAMMAR_STATISTICS, NULL, "off\n", "off"));
	CHECK(grammar_is(GRAMMAR_STATISTICS, NULL, "cpu0 1 2 3\n", "on"));
	CHECK(writes(GRAMMAR_FEATURE, "NEXT_BUDDY", "off", "NO_NEXT_BUDDY"));
	CHECK(writes(GRAMMAR_FEATURE, "NEXT_BUDDY", "1", NULL));
	CHECK(writes(GRAMMAR_DISABLE, NULL, "off", "1"));
	CHECK(writes(GRAMMAR_MASK, NULL, "0,32-35", "0000000f,00000001"));
	CHECK(writes(GRAMMAR_MASK, NULL, "0xff", "000000ff"));
	CHECK(writes(GRAMMAR_MASK, NULL, "00000001,0000000f", "00000001,0000000f"));
	CHECK(writes(GRAMMAR_MASK, NULL, "3", "00000008"));
	CHECK(writes(GRAMMAR_MASK, NULL, "0xg", NULL));
	CHECK(grammar_same_cpus("0-3", "0xf") && grammar_same_cpus("0,1,2,3", "0000000f"));
	CHECK(!grammar_same_cpus("0-3", "0x1f") && !grammar_same_cpus("", "x"));
	CHECK(grammar_same("4096  8192", "4096\t8192"));
	CHECK(grammar_same("007", "7"));
	CHECK(!grammar_same("1 2", "1 2 3") && !grammar_same("1", ""));
}

/* Ids are unique and of the form class:name; every row can be asked and says what it is. */
static void test_table(void)
{
	bool unique = true, complete = true, twins = true, words = true;

	for (size_t i = 0; i < tunable_count; i++) {
		const struct tunable *t = &tunables[i];

		unique &= tunable_find(t->id) == t;
		complete &= t->title && t->about && (t->paths[0] || t->name);
		words &= t->values || t->grammar == GRAMMAR_MASK || t->max > 0 ||
			 t->grammar == GRAMMAR_VECTOR;
		if (t->twin)
			twins &= tunable_find(t->twin) && streq(tunable_find(t->twin)->twin, t->id);
	}
	CHECK(unique);
	CHECK(complete);
	CHECK(twins);
	CHECK(words);
	CHECK(!tunable_find("sysctl:kernel.nothing"));
	CHECK(tunable_check(tunable_find("smt"), "4") == 0);
	CHECK(tunable_check(tunable_find("smt"), "9") < 0);
	CHECK(tunable_check(tunable_find("smt"), "forceoff") < 0);
	CHECK(tunable_check(tunable_find("thp:enabled"), "never; reboot") < 0);
	CHECK(tunable_check(tunable_find("cmdline:no-steal-acc"), "present") == 0);
	CHECK(tunable_check(tunable_find("sysctl:net.ipv4.tcp_rmem"), "4096 131072 6291456") == 0);
	CHECK(tunable_check(tunable_find("sysctl:vm.swappiness"), "1 2") < 0);
	CHECK(tunable_check(tunable_find("sysctl:vm.swappiness"), "010") < 0);
	CHECK(tunable_check(tunable_find("sysctl:vm.swappiness"), " 10 ") < 0);
	CHECK(tunable_check(tunable_find("sysctl:vm.swappiness"), "0") == 0);
	CHECK(tunable_check(tunable_find("sysctl:net.ipv4.tcp_rmem"), "4096 0131072 6291456") < 0);
	CHECK(tunable_check(tunable_find("sysctl:net.ipv4.tcp_rmem"), "4096 131072") < 0);
	CHECK(tunable_check(tunable_find("workqueue:cpumask"), "") < 0);
	CHECK(tunable_check(tunable_find("workqueue:cpumask"), "0x0") < 0);
	CHECK(tunable_check(tunable_find("workqueue:cpumask"), "0-7") == 0);
}

static struct root *root;

/* What the tree says of a tunable: its value, or the reason of its absence, or "obsolete". */
static bool now_is(const char *id, const char *wanted)
{
	_cleanup_tunable_now_ struct tunable_now now = { 0 };
	const char *got;

	if (tunable_read(root, tunable_find(id), &now) < 0)
		return false;
	got = now.state == TUNABLE_READ	      ? now.value
	      : now.state == TUNABLE_OBSOLETE ? "obsolete"
					      : reason_word(now.reason);
	if (streq(got, wanted))
		return true;
	printf("# %s is %s, not %s\n", id, got, wanted);
	return false;
}

static void test_eras(void)
{
	tree_file("proc/sys/kernel/osrelease", "5.3.18-default\n");
	tree_file("proc/sys/kernel/sched_migration_cost_ns", "500000\n");
	tree_file("proc/sys/kernel/sched_min_granularity_ns", "3000000\n");
	tree_file("sys/kernel/debug/sched_features", "NONTASK_CAPACITY\n");
	CHECK(now_is("sched:migration_cost_ns", "500000"));
	CHECK(now_is("sched:base_slice_ns", "3000000"));
	CHECK(now_is("sched:latency_ns", "missing"));
	CHECK(now_is("feature:NONTASK_CAPACITY", "on"));
	CHECK(now_is("feature:NEXT_BUDDY", "missing"));

	tree_file("proc/sys/kernel/osrelease", "6.12.9+deb13-powerpc64le\n");
	tree_drop("proc/sys/kernel/sched_migration_cost_ns");
	tree_drop("proc/sys/kernel/sched_min_granularity_ns");
	tree_file("sys/kernel/debug/sched/migration_cost_ns", "600000\n");
	tree_file("sys/kernel/debug/sched/base_slice_ns", "2800000\n");
	tree_file("sys/kernel/debug/sched/features", "NO_NONTASK_CAPACITY\n");
	tree_file("sys/kernel/debug/sched/preempt", "none voluntary (full)\n");
	CHECK(now_is("sched:migration_cost_ns", "600000"));
	CHECK(now_is("sched:base_slice_ns", "2800000"));
	CHECK(now_is("sched:latency_ns", "obsolete"));
	CHECK(now_is("sched:preempt", "full"));
	CHECK(now_is("feature:NONTASK_CAPACITY", "off"));
	CHECK(now_is("sysctl:kernel.sched_child_runs_first", "obsolete"));
	CHECK(now_is("sysctl:vm.swappiness", "missing"));
}

static void test_lockdown(void)
{
	tree_drop("sys/kernel/debug/sched/migration_cost_ns");
	tree_file("sys/kernel/security/lockdown", "[none] integrity confidentiality\n");
	CHECK(now_is("sched:migration_cost_ns", "missing"));
	tree_file("sys/kernel/security/lockdown", "none [integrity] confidentiality\n");
	CHECK(now_is("sched:migration_cost_ns", "locked-down"));
	CHECK(now_is("sysctl:vm.swappiness", "missing"));
}

static void put_state(unsigned int cpu, unsigned int state, const char *name, const char *disable)
{
	char path[128];

	snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%u/cpuidle/state%u/name", cpu,
		 state);
	tree_file(path, name);
	snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%u/cpuidle/state%u/disable", cpu,
		 state);
	tree_file(path, disable);
}

static void test_cpuidle(void)
{
	_cleanup_tunable_places_ struct tunable_places places = { 0 };

	CHECK(now_is("cpuidle:CEDE", "missing"));
	put_state(0, 0, "snooze\n", "0\n");
	put_state(0, 1, "Shared Cede\n", "0\n");
	put_state(10, 0, "snooze\n", "0\n");
	put_state(10, 1, "Shared Cede\n", "1\n");
	tree_file("sys/devices/system/cpu/cpu2/online", "0\n"); /* offline: no cpuidle directory */
	CHECK(now_is("cpuidle:snooze", "on"));
	CHECK(now_is("cpuidle:CEDE", "mixed"));
	CHECK(tunable_places(root, tunable_find("cpuidle:CEDE"), &places) == 0);
	CHECK(places.count == 2 && streq(places.place[1].instance, "cpu10"));
	CHECK(streq(places.place[1].value, "off") && streq(places.place[1].text, "1"));
}

static void test_smt(void)
{
	_cleanup_tunable_places_ struct tunable_places places = { 0 };
	static const char *const online[] = { "1\n", "1\n", "0\n", "0\n" };

	tree_file("sys/devices/system/cpu/smt/control", "on\n");
	tree_file("sys/devices/system/cpu/online", "0-1\n");
	tree_file("sys/devices/system/cpu/present", "0-3\n");
	tree_file("sys/devices/system/cpu/possible", "0-3\n");
	for (unsigned int i = 0; i < 4; i++) {
		char path[128];

		snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%u/online", i);
		tree_file(path, online[i]);
		snprintf(path, sizeof(path),
			 "sys/devices/system/cpu/cpu%u/topology/thread_siblings_list", i);
		tree_file(path, "0-1\n");
	}
	CHECK(now_is("smt", "2"));
	tree_file("sys/devices/system/cpu/smt/control", "off\n");
	CHECK(now_is("smt", "1"));
	tree_file("sys/devices/system/cpu/smt/control", "4\n");
	CHECK(now_is("smt", "4"));
	tree_file("sys/devices/system/cpu/smt/control", "notsupported\n");
	CHECK(now_is("smt", "not-provided"));
	tree_file("sys/devices/system/cpu/smt/control", "notimplemented\n");
	CHECK(now_is("smt", "2"));
	CHECK(tunable_places(root, tunable_find("smt"), &places) == 0);
	CHECK(places.count == 4 && places.place[3].thread == 1);
	/* The lists of a tree do not follow the CPUs' files. */
	tree_file("sys/devices/system/cpu/cpu2/online", "1\n");
	CHECK(now_is("smt", "mixed"));
	tree_file("sys/devices/system/cpu/cpu1/online", "0\n");
	CHECK(now_is("smt", "1"));
}

static void test_boot_and_modules(void)
{
	CHECK(now_is("cmdline:no-steal-acc", "missing"));
	tree_file("proc/cmdline",
		  "root=UUID=x no_steal_acc smt-enabled=2 smt-enabled=4 -- powersave=off\n");
	CHECK(now_is("cmdline:no-steal-acc", "present"));
	CHECK(now_is("cmdline:smt-enabled", "4"));
	CHECK(now_is("cmdline:powersave", "absent"));
	CHECK(now_is("module:steal_governor", "absent"));
	CHECK(now_is("module:steal_governor.interval_ms", "missing"));
	tree_file("sys/module/steal_governor/parameters/interval_ms", "1000\n");
	CHECK(now_is("module:steal_governor", "loaded"));
	CHECK(now_is("module:steal_governor.interval_ms", "1000"));
}

int main(void)
{
	test_grammars();
	test_table();
	tree_new();
	root = tree_root();
	test_eras();
	test_lockdown();
	test_cpuidle();
	test_smt();
	test_boot_and_modules();
	root_close(root);
	return unit_done();
}
