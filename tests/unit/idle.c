/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file tests reading cpuidle. */
#include "machine/source/idle.h"

#include <errno.h>

#include "tree.h"
#include "unit.h"

static void make_state(unsigned int cpu, unsigned int state, const char *name, const char *usage,
		       const char *time, const char *disable)
{
	const struct {
		const char *file, *text;
	} files[] = { { "name", name },	     { "desc", name },	    { "usage", usage },
		      { "time", time },	     { "latency", "10\n" }, { "residency", "100\n" },
		      { "disable", disable } };
	char path[128];

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%u/cpuidle/state%u/%s", cpu,
			 state, files[i].file);
		tree_file(path, files[i].text);
	}
}

static void test_pseries(void)
{
	_cleanup_root_ struct root *root = NULL;
	_cleanup_idle_states_ struct idle_states states = { 0 };
	_cleanup_idset_ struct idset cpus = { 0 }, disabled = { 0 };
	_cleanup_free_ char *driver = NULL, *governor = NULL;
	struct idle_use use;

	tree_new();
	tree_file("sys/devices/system/cpu/cpuidle/current_driver", "pseries_idle\n");
	tree_file("sys/devices/system/cpu/cpuidle/current_governor_ro", "menu\n");
	make_state(0, 0, "snooze\n", "1000\n", "5\n", "0\n");
	make_state(0, 1, "Shared Cede\n", "42\n", "7000\n", "0\n");
	make_state(9, 0, "snooze\n", "1\n", "1\n", "1\n");
	make_state(9, 1, "Shared Cede\n", "2\n", "3\n", "0\n");
	make_state(10, 0, "snooze\n", "1\n", "1\n", "0\n");
	make_state(10, 1, "Shared Cede\n", "no number\n", "3\n", "0\n");
	root = tree_root();
	CHECK(idle_driver_read(root, &driver) == 0 && streq(driver, "pseries_idle"));
	CHECK(idle_governor_read(root, &governor) == 0 && streq(governor, "menu"));
	CHECK(idle_states_read(root, 0, &states) == 0 && states.count == 2);
	CHECK(states.state[0].polls && !states.state[1].polls);
	CHECK(streq(states.state[1].name, "Shared Cede") && states.state[1].has_latency);
	CHECK(states.state[1].latency_us == 10 && states.state[1].residency_us == 100);
	CHECK(idle_entries_read(root, &states, 0, false, &use) == 0 && use.entries == 42 &&
	      use.polls == 0);
	CHECK(idle_entries_read(root, &states, 0, true, &use) == 0 && use.entries == 42 &&
	      use.polls == 1000);
	CHECK(idle_entries_read(root, &states, 10, false, &use) == -EINVAL);
	CHECK(idle_entries_read(root, &states, 11, false, &use) == -ENOENT);
	CHECK(idset_parse_list("0,9,11", &cpus) == 0);
	CHECK(idle_disabled_read(root, 0, &cpus, &disabled) == 0);
	CHECK(idset_count(&disabled) == 1 && idset_has(&disabled, 9));
	CHECK(idle_disabled_read(root, 5, &cpus, &disabled) == -ENOENT);
}

static void test_others(void)
{
	_cleanup_root_ struct root *root = NULL;
	_cleanup_idle_states_ struct idle_states states = { 0 };
	struct idle_use use;

	tree_new();
	tree_file("sys/devices/system/cpu/cpu1/idle_count", "77\n");
	tree_file("sys/devices/system/cpu/cpu1/idle_time_us", "12345\n");
	root = tree_root();
	CHECK(idle_states_read(root, 0, &states) == -ENOENT);
	CHECK(idle_states_read(root, 1, &states) == 0 && states.s390 && states.count == 0);
	CHECK(idle_entries_read(root, &states, 1, true, &use) == 0 && use.entries == 77);
}

int main(void)
{
	test_pseries();
	test_others();
	return unit_done();
}
