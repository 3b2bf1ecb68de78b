/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How CPUs idle: the cpuidle states and how often each CPU entered them. Entering a state that
 * polls (snooze, POLL) keeps the virtual processor dispatched and is counted apart; on pseries every
 * other entry is a cede. s390x has no cpuidle but a count of its own.
 */
#ifndef LPARTUNE_MACHINE_IDLE_H
#define LPARTUNE_MACHINE_IDLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/idset.h"
#include "machine/root.h"

#define IDLE_STATES_MAX 16

struct idle_state {
	char *name;	   /* "Shared Cede", "CEDE", "snooze", "POLL" … */
	char *description; /* NULL: none */
	uint64_t latency_us;
	uint64_t residency_us;
	bool has_latency, has_residency;
	bool polls;
};

/* The states of one CPU; the same on all CPUs of a machine that lpartune knows. */
struct idle_states {
	struct idle_state state[IDLE_STATES_MAX];
	unsigned int count;
	bool s390; /* no states, but idle_count and idle_time_us */
};

void idle_states_done(struct idle_states *states);
#define _cleanup_idle_states_ _cleanup_(idle_states_done)

/* Reads the states of a CPU. -ENOENT: it has none (powersave=off, no cpuidle); -errno. */
int idle_states_read(struct root *root, unsigned int cpu, struct idle_states *ret);

/* Names of the cpuidle driver ("pseries_idle", "none") and governor, owned by the caller. -errno. */
int idle_driver_read(struct root *root, char **ret);
int idle_governor_read(struct root *root, char **ret);

/* What a CPU did since boot. */
struct idle_use {
	uint64_t entries; /* into states that give the CPU away */
	uint64_t polls;	  /* into states that poll */
};

/* Reads the entries of a CPU (no time). `with_polls`: also those of polling states. -errno. */
int idle_entries_read(struct root *root, const struct idle_states *states, unsigned int cpu,
		      bool with_polls, struct idle_use *ret);

/* The CPUs of `cpus` on which a state is disabled by its `disable` file. -errno if none can be
 * read; CPUs without the file are left out. */
int idle_disabled_read(struct root *root, unsigned int state, const struct idset *cpus,
		       struct idset *ret);

#endif
