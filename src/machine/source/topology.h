/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPUs, cores and nodes as sysfs tells them. Ids are sparse; CPUs and whole cores can be offline;
 * nodes can be without CPU. Sibling sets that are read while CPUs come and go can be torn: the
 * reading is repeated, and if it never settles the result says so (`is_changing`).
 */
#ifndef LPARTUNE_MACHINE_TOPOLOGY_H
#define LPARTUNE_MACHINE_TOPOLOGY_H

#include <stdbool.h>

#include "base/idset.h"
#include "machine/root.h"

/* A core with at least one thread online. */
struct core {
	struct idset threads; /* online threads */
	int first;	      /* the lowest of them */
	int package;	      /* physical_package_id; -1 unknown (usual on shared LPARs) */
	int node;	      /* node id, -1 unknown */
};

struct node {
	int id;
	struct idset cpus; /* online ones */
	bool has_memory;
	int memory_error; /* 0, or the errno for which has_memory is not known */
};

struct topology {
	struct idset present, possible, online;
	int present_error, online_error; /* 0, or the errno for which the set is not known */
	const char *online_source;	 /* file that told the online set */
	struct core *cores;
	unsigned int core_count;
	int core_error;		       /* 0, or the errno for which cores are not known */
	bool cores_are_derived;	       /* from CPU numbers: sysfs topology was not there */
	unsigned int threads_per_core; /* hardware threads, online or not; 0 unknown */
	struct node *nodes;
	unsigned int node_count;
	int node_error;
	bool is_changing; /* CPUs came or went during every attempt to read */
};

/*
 * Reads the topology. `threads_per_core` is what firmware says (device tree), or 0. Parts that
 * cannot be read carry an errno; only -ENOMEM is returned as an error.
 */
int topology_read(struct root *root, unsigned int threads_per_core, struct topology *ret);
void topology_done(struct topology *topology);
static inline void topology_cleanup(struct topology *topology)
{
	topology_done(topology);
}

/* The core of an online CPU, or NULL. */
const struct core *topology_core_of(const struct topology *topology, int cpu);

/* The node of an online CPU, or -1. */
int topology_node_of(const struct topology *topology, int cpu);

/*
 * The CPUs that share a level-`level` cache with `cpu` (on POWER9 and later big cores the half of
 * the core, for level 1). -ENOENT if sysfs has no such cache.
 */
int topology_cache_siblings(struct root *root, int cpu, unsigned int level, struct idset *ret);

#endif
