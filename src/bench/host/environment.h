/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What went on around a block: time stolen by the hypervisor, work of others, switches. */
#ifndef LPARTUNE_BENCH_ENVIRONMENT_H
#define LPARTUNE_BENCH_ENVIRONMENT_H

#include "bench/host/attribution.h"
#include "machine/source/cputime.h"

/* A block with more steal than this is marked: its quantiles are not the machine's own. */
#define STEAL_MARK_PCT 0.5

/* Percentages of the time of all online CPUs; NAN where this machine does not tell. */
struct environment {
	double steal_pct; /* by the lppacas where readable, else by /proc/stat (in steps of 10 ms) */
	bool steal_is_vpa;
	double stat_steal_pct; /* /proc/stat */
	double own_cpu_pct;    /* this process and its children */
	double foreign_cpu_pct;
	double context_switches_per_s; /* of the whole system */
};

struct environment_reading {
	uint64_t at_ns;
	struct cputimes times;
	uint64_t own_ns;
	uint64_t wait_ticks; /* over the allowed CPUs */
	bool has_times, has_wait;
};

/* Reads one instant. `a` may be NULL (no lppaca is read then). */
void environment_read(struct root *root, const struct attribution *a,
		      struct environment_reading *ret);
void environment_reading_done(struct environment_reading *reading);

/* What happened between two instants. */
struct environment environment_between(const struct attribution *a,
				       const struct environment_reading *before,
				       const struct environment_reading *after);

/* Where nobody is known to count steal, 0 is no measurement but unknown. */
void environment_doubt_zero_steal(struct environment *e);

/* Was so much stolen that the block is to be marked? False also if unknown. */
static inline bool environment_is_stolen(const struct environment *e)
{
	return e->steal_pct > STEAL_MARK_PCT;
}

#endif
