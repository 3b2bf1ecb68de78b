/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /proc/schedstat, versions 15 (Linux 2.6.39 to 6.7), 16 and 17 (6.14: domains have names and more
 * numbers). Streamed: its domain masks make it megabytes on large machines. Of an unknown version
 * only the CPU lines are kept: their fields have not moved since version 15.
 *
 * "Pulls" are tasks that load balancing moved to this CPU (lb_gained, all three kinds of balancing)
 * at the level of the hardware threads of a core: the sign of tasks bouncing between siblings.
 * Most counters stay 0 while kernel.sched_schedstats is 0; run and wait times always count.
 */
#ifndef LPARTUNE_MACHINE_SCHEDSTAT_H
#define LPARTUNE_MACHINE_SCHEDSTAT_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/root.h"

#define SCHEDSTAT_PATH "proc/schedstat"

struct schedstat_cpu {
	unsigned int cpu;
	bool has_pulls;	     /* there is a domain of sibling threads */
	uint32_t smt_pulls;  /* wraps */
	uint64_t run_ns;     /* tasks ran */
	uint64_t wait_ns;    /* tasks waited on the run queue */
	uint64_t timeslices; /* tasks that got the CPU */
};

/* Start from { 0 }; reading again reuses the memory. */
struct schedstat {
	unsigned int version;
	bool has_domains; /* the version's domain lines are understood */
	struct schedstat_cpu *cpus;
	size_t count, room;
};

static inline void schedstat_done(struct schedstat *stat)
{
	free(stat->cpus);
	*stat = (struct schedstat) { 0 };
}
#define _cleanup_schedstat_ _cleanup_(schedstat_done)

/*
 * Are two CPUs threads of one core? Versions before 17 do not name their domains: the lowest one is
 * the thread level if all its CPUs are threads of one core. NULL: unknown, then such versions give
 * no pulls.
 */
typedef bool (*same_core_fn)(unsigned int a, unsigned int b, void *arg);

/* -EINVAL: no version line; -errno as root_each_line. */
int schedstat_read(struct root *root, same_core_fn same_core, void *arg, struct schedstat *stat);

#endif
