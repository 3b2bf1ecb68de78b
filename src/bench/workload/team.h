/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A team: the threads of one block. They are created for the block, pin themselves, touch their own
 * memory first, meet at a gate and start together; at the end they are told to stop and are joined.
 * A thread that does not come back within the grace is left alone and reported: a run always ends.
 */
#ifndef LPARTUNE_BENCH_TEAM_H
#define LPARTUNE_BENCH_TEAM_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "bench/workload/stop.h"

struct team;

struct member {
	/* Set by the benchmark before team_gather. */
	void (*body)(struct member *self); /* calls team_gate, then measures */
	void *arg;
	const char *name; /* of the thread, at most 15 bytes */
	int cpu;	  /* -1: not pinned */
	bool ends_itself; /* after the end, without being told */
	/* Set by the team. */
	struct team *team;
	pthread_t thread;
	pid_t pid; /* of a child */
	bool is_running;
	int error; /* why this member could not take its place */
};

struct team {
	/* Set by the benchmark. */
	struct member *member;
	unsigned int count;
	int fifo;	/* SCHED_FIFO priority, 0: none */
	bool processes; /* members are children; team, members and all they use are shared memory */
	void (*wake_all)(struct team *team); /* wakes members that sleep, after a stop; or NULL */
	uint64_t
		finish_ns; /* members that end themselves have this long after the end; 0: none do */
	void *arg;
	/* Instants of CLOCK_MONOTONIC, valid behind the gate. */
	uint64_t start_ns;   /* work begins, nothing is recorded yet */
	uint64_t measure_ns; /* recording begins */
	uint64_t end_ns;
	/* Private. */
	_Atomic uint32_t arrived, gate, stopped;
};

/* Starts all members and waits until they stand at the gate. -errno of the first that could not, or
 * -ETIMEDOUT; all are gone then. -ETIME: one is not. */
int team_gather(struct team *team);

/* In a member, once prepared: waits for the start. False, for all members, if there will be none. True
 * can come late, when the work is over. */
bool team_gate(struct member *self);

/* In a member: a failure of its own preparation; it must return at once. */
void team_fail(struct member *self, int error);

/* Opens the gate: the start is now, recording from `lead_ns` later for `duration_ns`. */
void team_go(struct team *team, uint64_t lead_ns, uint64_t duration_ns);

/* Has the stop been called? */
static inline bool team_is_stopped(struct team *team)
{
	return atomic_load_explicit(&team->stopped, memory_order_relaxed) != 0;
}

/* How many arrivals, at this mean gap, were planned to be measured from the one at `next_ns` on, where
 * that one is before the end. The others are not drawn but counted by their mean: there can be very
 * many. */
static inline uint64_t team_left(const struct team *team, uint64_t next_ns, uint64_t gap_ns)
{
	if (next_ns < team->measure_ns)
		return (team->end_ns - team->measure_ns) / gap_ns;
	return 1 + (team->end_ns - next_ns) / gap_ns;
}

/* Joins the members that end themselves, within team->finish_ns; late ones are left to team_disband. */
void team_finish(struct team *team);

/* Tells every member to stop and joins them. -ETIME if one did not come within ten seconds: its
 * memory must then be left alone for ever. */
int team_disband(struct team *team);

#endif
