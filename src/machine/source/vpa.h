/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lppacas of all online CPUs, summed: what the hypervisor counted since boot. */
#ifndef LPARTUNE_MACHINE_VPA_H
#define LPARTUNE_MACHINE_VPA_H

#include <stdbool.h>
#include <stdint.h>

#include "base/idset.h"
#include "machine/root.h"

struct vpa {
	unsigned int cpus;   /* online CPUs whose lppaca was read */
	int error;	     /* errno of the first that could not be read, or 0 */
	unsigned int shared; /* of them: with the shared bit */
	uint64_t dispatch_wait_tb, entitlement_wait_tb; /* sums, timebase ticks */
	uint64_t wait_ready_tb;				/* not 0 if any CPU has some */
	uint64_t most_wait_tb; /* the largest wait of one CPU; UINT64_MAX if a sum did not fit */
	bool has_wrapped;      /* more cedes than a CPU's yield count can hold: it went round */
	uint64_t yields, dispersions; /* sums of 32-bit counters, each of which wraps */
};

/* Reads the lppaca of every CPU in `online`. Fails never; look at `cpus` and `error`. */
void vpa_read(struct root *root, const struct idset *online, struct vpa *ret);

/* Are the sums of all online CPUs? Without one CPU they would say less than the truth. */
static inline bool vpa_is_whole(const struct vpa *vpa)
{
	return vpa->cpus && !vpa->error;
}

/* Did the hypervisor write any waiting time at all? */
static inline bool vpa_has_waits(const struct vpa *vpa)
{
	return vpa->dispatch_wait_tb || vpa->entitlement_wait_tb || vpa->wait_ready_tb;
}

#endif
