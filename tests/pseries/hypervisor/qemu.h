/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is asked of QEMU itself: its virtual processors' threads and the guest's timebase by the
 * monitor (QMP), and one breakpoint by the debug stub.
 */
#ifndef LAB_QEMU_H
#define LAB_QEMU_H

#include <stdint.h>
#include <sys/types.h>

#include "guest.h"

/*
 * The guest's timebase as a function of the host's CLOCK_MONOTONIC. Under TCG it is QEMU's virtual
 * clock, which is that clock less the time of the start, so it is one line for the whole run.
 */
struct timebase {
	int64_t offset_ticks; /* timebase = monotonic ticks + offset */
	uint64_t error_ticks; /* the offset is right within this */
};

/* Connects to a local socket, waiting up to 10 s for it. Returns a descriptor or negative errno. */
int qemu_connect(const char *path);

/* Starts the dialogue on a fresh monitor connection. Returns negative errno. */
int qemu_greet(int qmp);

/* The thread that runs each virtual processor. Returns negative errno, -ENODATA if not all are
 * listed. */
int qemu_cpu_threads(int qmp, unsigned int cpus, pid_t *ret);

/* Reads the timebase between two readings of the host's clock, several times. -ENODATA if the
 * readings do not fit together. */
int qemu_timebase(int qmp, struct timebase *ret);

uint64_t timebase_ticks(uint64_t duration_ns);
uint64_t timebase_at(const struct timebase *timebase, uint64_t monotonic_ns);
uint64_t monotonic_now_ns(void);

/*
 * Runs a guest that was started stopped until its boot CPU has registered its lppaca, clears the
 * shared-processor bit there, before the kernel looks, and lets it go. Returns negative errno,
 * -ENXIO if there was no such lppaca.
 */
int qemu_boot_dedicated(const char *stub, const struct guest *guest);

#endif
