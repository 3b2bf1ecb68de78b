/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One reading of everything that counts: what `sample` differences. Cheap sources (lppacas,
 * /proc/stat, cpuidle) are read at every instant; those that disturb the machine (lparcfg and PURR
 * interrupt every CPU) or are large (interrupts, schedstat) only when asked ("slow"), and each
 * keeps the instant at which it was read.
 */
#ifndef LPARTUNE_MACHINE_READING_H
#define LPARTUNE_MACHINE_READING_H

#include "machine/source/cputime.h"
#include "machine/source/dispatch.h"
#include "machine/source/idle.h"
#include "machine/source/interrupts.h"
#include "machine/source/lppaca.h"
#include "machine/source/purr.h"
#include "machine/source/schedstat.h"
#include "machine/source/topology.h"

/* When. Of the two clocks one can be missing. */
struct instant {
	bool has_time, has_tb;
	uint64_t time_ns; /* of any clock that does not jump; only differences mean something */
	uint64_t tb;	  /* the timebase */
};

enum slow_source {
	SLOW_LPARCFG,
	SLOW_PURR,
	SLOW_INTERRUPTS,
	SLOW_SCHEDSTAT,
	SLOW_DISPATCH,
	SLOW_COUNT
};

enum lparcfg_counter {
	LPARCFG_PURR,
	LPARCFG_TBR,
	LPARCFG_POOL_IDLE,
	LPARCFG_POOL_PROCS,
	LPARCFG_ENTITLED,
	LPARCFG_ENTITLED_DESIRED,
	LPARCFG_DISPATCHES,
	LPARCFG_DISPERSIONS,
	LPARCFG_VIRTUAL_PROCESSORS,
	LPARCFG_POOL_IDLE_AT_BOOT,
	LPARCFG_POOL_CAPACITY,
	LPARCFG_SYSTEM_PROCS,
	LPARCFG_SHARED_PROCS,
	LPARCFG_COUNTERS
};

struct reading_cpu {
	unsigned int cpu;
	int lppaca_error; /* 0, or the errno for which there is none */
	int idle_error;
	struct lppaca lppaca;
	uint64_t idle_entries; /* into states that give the CPU away */
	struct cputime time;   /* kinds == 0: none */
};

/* Start from { 0 }; reading again reuses the memory. Errors are positive errnos, 0: it is there. */
struct reading {
	struct instant at;	  /* of the lppacas */
	struct reading_cpu *cpus; /* online CPUs, ascending */
	size_t count, room;
	uint64_t
		machine; /* whose counters these are, by the device tree: see machine/sample/identity */
	uint64_t slow_machine; /* the same when lparcfg was read, by lparcfg if it tells */
	int stat_error;
	struct cputimes stat;
	struct {
		bool taken; /* at this instant; else what is below is of an earlier one */
		int error;
		struct instant at;
	} slow[SLOW_COUNT];
	uint64_t lparcfg[LPARCFG_COUNTERS];
	int lparcfg_error[LPARCFG_COUNTERS];
	struct purr_cpu *purr;
	size_t purr_count, purr_room;
	struct interrupts interrupts;
	struct schedstat schedstat;
	struct dispatches dispatches;
};

void reading_done(struct reading *reading);
#define _cleanup_reading_ _cleanup_(reading_done)

/* The boot as a reading before `now`: what never wraps was 0. The counters that are older than the boot
 * (the timebase, the pool's) and the slow 32-bit ones give no difference to it. -ENOMEM. */
int reading_at_boot(const struct reading *now, struct reading *ret);

/* Moves the slow sources that `now` did not take over from `before`, so that the next difference
 * starts where the last reading of each was. Called when `now` becomes the reading before. */
void reading_inherit(struct reading *now, struct reading *before);

#endif
