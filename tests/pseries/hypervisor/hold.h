/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Holding virtual processors off their host CPU: each held one's thread is pinned to one host CPU,
 * all of QEMU's other threads to the others, and a burst is this process itself, as a real-time
 * thread on that CPU, spinning. A thread that wants to run then really waits, as a virtual
 * processor does whose physical processor another partition has.
 */
#ifndef LAB_HOLD_H
#define LAB_HOLD_H

#include <sched.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/idset.h"

struct hold {
	unsigned int cpus;
	int *states; /* for each virtual processor its thread's stat file, or -1 if never held */
	cpu_set_t host_cpu, other_host_cpus;
};

/* What a burst did to one virtual processor. */
struct hold_wait {
	uint64_t
		since_ns; /* when it first wanted to run, at the earliest the burst's start; or 0 */
};

/* Pins threads: `held` to the last host CPU, all others (this process too) to the rest. Returns
 * negative errno, -EBUSY on a machine with one CPU. */
int hold_prepare(struct hold *hold, pid_t qemu, unsigned int cpus, const pid_t *threads,
		 const struct idset *held);
void hold_done(struct hold *hold);

/* Takes the host CPU and keeps it for `length_ns`; on return it is still taken, so that the caller
 * can account the waiting before the virtual processors run again. Gives one hold_wait for each
 * virtual processor and the monotonic time of the start. */
int hold_burst(const struct hold *hold, uint64_t length_ns, struct hold_wait *ret_waits,
	       uint64_t *ret_start_ns);
int hold_release(const struct hold *hold);

#endif
