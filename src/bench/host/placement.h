/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where threads run: which CPUs may be used, how far two CPUs are from each other, and pairs of
 * CPUs at a wanted distance on disjoint cores. CPU sets are sized when they are made: ids are
 * sparse and go beyond every compile-time limit.
 */
#ifndef LPARTUNE_BENCH_PLACEMENT_H
#define LPARTUNE_BENCH_PLACEMENT_H

#include "base/idset.h"
#include "machine/root.h"
#include "machine/source/topology.h"

enum distance {
	DISTANCE_SAME, /* one CPU */
	DISTANCE_SMT,  /* threads of a core (of the same half, if it has halves) */
	DISTANCE_HALF, /* the two halves of a big core */
	DISTANCE_CORE, /* cores of one node */
	DISTANCE_NODE, /* cores of different nodes */
	DISTANCE_FREE, /* not pinned: the scheduler's choice */
	DISTANCE_COUNT,
};

/* "same" … "free". */
const char *distance_word(enum distance distance);
/* -EINVAL for an unknown word. */
int distance_parse(const char *word, enum distance *ret);

struct layout {
	struct idset allowed; /* online and permitted by affinity mask and cpuset */
	unsigned int size;    /* of `place`, indexed by CPU id */
	struct {
		int core, half, node; /* -1: not an allowed CPU, or unknown */
	} * place;
	unsigned int cores; /* with an allowed CPU */
};
void layout_done(struct layout *layout);
#define _cleanup_layout_ _cleanup_(layout_done)

/*
 * Makes the layout of the allowed CPUs. `only` restricts them (NULL: all that the process may use;
 * of another machine's tree all that are online). -ENODEV if none is left, -ENOMEM.
 */
int layout_make(struct root *root, const struct topology *topology, const struct idset *only,
		struct layout *ret);

/* How far two allowed CPUs are from each other; DISTANCE_COUNT if one is not allowed. */
enum distance layout_distance(const struct layout *layout, int a, int b);

struct cpu_pair {
	int waker, worker; /* -1: not pinned */
};

/*
 * Finds up to `max` pairs at a distance, on disjoint cores, in the order of CPU ids. Returns their
 * number, 0 if the machine has no such distance, or -ENOMEM.
 */
int layout_pairs(const struct layout *layout, enum distance distance, unsigned int max,
		 struct cpu_pair *ret);

/* Pins the calling thread to one CPU and reads back that it is. -EXDEV if something else widened
 * or narrowed the mask at once. */
int affinity_pin(int cpu);

#endif
