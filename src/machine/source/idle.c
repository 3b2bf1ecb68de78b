/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file reads cpuidle; a CPU's counters are small files and are read without allocation. */
#include "machine/source/idle.h"

#include <errno.h>

#define STATE_PATH "sys/devices/system/cpu/cpu%u/cpuidle/state%u/%s"
#define S390_PATH "sys/devices/system/cpu/cpu%u/%s"

void idle_states_done(struct idle_states *states)
{
	for (unsigned int i = 0; i < states->count; i++) {
		free(states->state[i].name);
		free(states->state[i].description);
	}
	*states = (struct idle_states) { 0 };
}

static int read_number(struct root *root, uint64_t *ret, unsigned int cpu, unsigned int state,
		       const char *file)
{
	char buf[32];
	ssize_t len = root_read_into(root, buf, sizeof(buf), STATE_PATH, cpu, state, file);

	return len < 0 ? (int)len : parse_u64((struct span) { buf, (size_t)len }, ret);
}

static int read_s390_number(struct root *root, uint64_t *ret, unsigned int cpu, const char *file)
{
	char buf[32];
	ssize_t len = root_read_into(root, buf, sizeof(buf), S390_PATH, cpu, file);

	return len < 0 ? (int)len : parse_u64((struct span) { buf, (size_t)len }, ret);
}

/* Kernels name their polling state so; nothing else in sysfs tells. */
static bool is_polling(const char *name)
{
	return streq(name, "snooze") || streq(name, "POLL");
}

static int read_state(struct root *root, unsigned int cpu, unsigned int index,
		      struct idle_state *ret)
{
	struct idle_state state = { 0 };
	int r = root_read_string(root, &state.name, STATE_PATH, cpu, index, "name");

	if (r < 0)
		return r;
	state.polls = is_polling(state.name);
	if (root_read_string(root, &state.description, STATE_PATH, cpu, index, "desc") < 0)
		state.description = NULL;
	state.has_latency = read_number(root, &state.latency_us, cpu, index, "latency") == 0;
	state.has_residency = read_number(root, &state.residency_us, cpu, index, "residency") == 0;
	*ret = state;
	return 0;
}

int idle_states_read(struct root *root, unsigned int cpu, struct idle_states *ret)
{
	_cleanup_idle_states_ struct idle_states states = { 0 };
	uint64_t count;
	int r = 0;

	while (states.count < IDLE_STATES_MAX) {
		r = read_state(root, cpu, states.count, &states.state[states.count]);
		if (r < 0)
			break;
		states.count++;
	}
	if (!states.count) {
		if (read_s390_number(root, &count, cpu, "idle_count") < 0)
			return r;
		states.s390 = true;
	}
	*ret = states;
	states = (struct idle_states) { 0 };
	return 0;
}

int idle_driver_read(struct root *root, char **ret)
{
	return root_read_string(root, ret, "sys/devices/system/cpu/cpuidle/current_driver");
}

int idle_governor_read(struct root *root, char **ret)
{
	int r = root_read_string(root, ret, "sys/devices/system/cpu/cpuidle/current_governor");

	if (r == -ENOENT) /* before Linux 5.8 without cpuidle_sysfs_switch */
		r = root_read_string(root, ret,
				     "sys/devices/system/cpu/cpuidle/current_governor_ro");
	return r;
}

int idle_entries_read(struct root *root, const struct idle_states *states, unsigned int cpu,
		      bool with_polls, struct idle_use *ret)
{
	struct idle_use use = { 0 };
	uint64_t usage;
	int r = 0;

	if (states->s390)
		r = read_s390_number(root, &use.entries, cpu, "idle_count");
	for (unsigned int i = 0; r == 0 && i < states->count; i++) {
		bool polls = states->state[i].polls;

		if (polls && !with_polls)
			continue;
		r = read_number(root, &usage, cpu, i, "usage");
		if (r == 0)
			*(polls ? &use.polls : &use.entries) += usage;
	}
	if (r == 0)
		*ret = use;
	return r;
}

int idle_disabled_read(struct root *root, unsigned int state, const struct idset *cpus,
		       struct idset *ret)
{
	_cleanup_idset_ struct idset disabled = { 0 };
	int error = -ENOENT;
	bool any = false;

	idset_for_each (cpu, cpus) {
		uint64_t value;
		int r = read_number(root, &value, (unsigned int)cpu, state, "disable");

		if (r < 0) {
			error = r;
			continue;
		}
		any = true;
		if (value)
			r = idset_add(&disabled, (unsigned int)cpu);
		if (r < 0)
			return r;
	}
	if (!any)
		return error;
	*ret = disabled;
	disabled = (struct idset) { 0 };
	return 0;
}
