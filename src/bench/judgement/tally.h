/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the machine did over a whole run, from sources that would disturb it if they were read in
 * between: interrupts (a matrix of rows and CPUs), idle states, the hypervisor's dispatches.
 */
#ifndef LPARTUNE_BENCH_TALLY_H
#define LPARTUNE_BENCH_TALLY_H

#include "bench/host/environment.h"

enum tally_figure {
	TALLY_CONTEXT_SWITCHES, /* per second, as all rates here, over all CPUs */
	TALLY_IPIS,		/* inter-processor interrupts, doorbells too */
	TALLY_DOORBELLS,	/* of them: between threads of a core (ppc64) */
	TALLY_IDLE_ENTRIES,	/* into states that give the CPU away: cedes on pseries */
	TALLY_STEAL_PCT,	/* as environment.h */
	TALLY_STEAL_DISPATCH_WAIT_PCT,
	TALLY_STEAL_ENTITLEMENT_WAIT_PCT,
	TALLY_HOME_PCT, /* of the dispatches: on the home node */
	TALLY_OWN_CPU_PCT,
	TALLY_FOREIGN_CPU_PCT,
	TALLY_COUNT,
};

const char *tally_word(enum tally_figure figure); /* as in documents: "ipis_per_s" */

struct tally {
	double value[TALLY_COUNT]; /* NAN: not known */
	enum reason reason[TALLY_COUNT];
};

struct tally_reading;

/* Reads one instant; the caller frees it with tally_reading_free. NULL when memory is out. */
struct tally_reading *tally_read(struct root *root, const struct attribution *a,
				 const struct layout *layout);
void tally_reading_free(struct tally_reading *reading);

/* What happened between two instants; either may be NULL. */
void tally_between(const struct attribution *a, const struct layout *layout,
		   const struct tally_reading *before, const struct tally_reading *after,
		   struct tally *ret);

/* As environment_doubt_zero_steal: not-provided then. */
void tally_doubt_zero_steal(struct tally *t);

#endif
