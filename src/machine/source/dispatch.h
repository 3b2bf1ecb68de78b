/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /proc/powerpc/vcpudispatch_stats: where each virtual processor was dispatched, counted since the
 * statistics were switched on (root only; exists only while the lppaca's shared bit is set).
 * Format: the kernel's Documentation/arch/powerpc/vcpudispatch_stats.rst. Eight numbers a CPU; the
 * first version posted (May 2019) had nine, with "same thread" apart from "same core".
 */
#ifndef LPARTUNE_MACHINE_DISPATCH_H
#define LPARTUNE_MACHINE_DISPATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/root.h"

#define DISPATCH_PATH "proc/powerpc/vcpudispatch_stats"

enum dispatch_kind {
	DISPATCH_TOTAL,
	/* on which processor, against the dispatch before */
	DISPATCH_SAME_CORE,
	DISPATCH_SAME_CHIP,
	DISPATCH_OTHER_CHIP,
	DISPATCH_FAR,
	/* on which node, against the home node */
	DISPATCH_HOME,
	DISPATCH_ADJACENT,
	DISPATCH_AWAY,
	DISPATCH_KINDS
};

struct dispatch_cpu {
	unsigned int cpu;
	bool valid; /* eight or nine numbers, none negative */
	uint64_t count[DISPATCH_KINDS];
};

/* Start from { 0 }; parsing again reuses the memory. */
struct dispatches {
	bool off; /* the statistics are switched off: there are no CPUs */
	struct dispatch_cpu *cpus;
	size_t used, room;
};

static inline void dispatches_done(struct dispatches *dispatches)
{
	free(dispatches->cpus);
	*dispatches = (struct dispatches) { 0 };
}
#define _cleanup_dispatches_ _cleanup_(dispatches_done)

/* -EINVAL: neither "off" nor a single CPU line; -ENOMEM. */
int dispatches_parse(struct span text, struct dispatches *dispatches);

/* Reads and parses. -errno as root_read, or as above. */
int dispatches_read(struct root *root, struct dispatches *dispatches);

#endif
