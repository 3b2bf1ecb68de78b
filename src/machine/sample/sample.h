/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two readings make a sample: rates, percentages, exact counts. Each number stands or falls alone:
 * a counter that wrapped is followed; one that went back, vanished, or moved in no time makes the
 * numbers that need it absent, with the reason, and leaves the rest of the row.
 *
 * The clock of a number is the clock of its counter: the timebase for the lppaca, tbr for purr and
 * the pool, both from the same read of lparcfg.
 */
#ifndef LPARTUNE_MACHINE_SAMPLE_H
#define LPARTUNE_MACHINE_SAMPLE_H

#include "machine/reason.h"
#include "machine/sample/columns.h"
#include "machine/sample/reading.h"

struct number {
	double value;
	bool present;
	enum reason reason; /* if absent */
};

/* What must be known of the machine to judge its counters. */
struct sample_context {
	bool is_power;	   /* lppaca, lparcfg and PURR can exist */
	bool is_bare;	   /* no hypervisor: nothing can be stolen */
	bool is_emulated;  /* QEMU TCG: yield_count follows the emulator, nobody counts waiting */
	bool is_kvm;	   /* (perhaps): only waiting for a processor is counted; PURR is void */
	bool is_dedicated; /* it uses no pool */
	bool is_tree;	   /* files of another time or machine, by our clock: they may be a copy */
	bool uses_lppaca;  /* steal comes from the lppaca, for the whole run */
	uint64_t timebase_hz;	  /* 0: unknown */
	double entitlement_cores; /* where lparcfg does not tell it with purr; 0: unknown */
	const struct topology *topology;
	bool since_boot; /* `before` is the boot: 32-bit counters may have wrapped any number of times */
	bool wants_cpus, wants_cores, wants_nodes;
};

struct sample_row {
	int id; /* CPU, first CPU of the core, node; -1: the system */
	struct number number[COLUMN_COUNT];
	/* How much more than all of the interval was waited, as counted: 1 if it is not more. A wait is
	 * counted when it ends, and one that began before the interval can be longer than it. The
	 * shares of steal are then those of a whole interval. */
	double steal_excess;
};

struct sample_rows {
	struct sample_row *row;
	size_t count, room;
};

enum sample_clock { CLOCK_NONE, CLOCK_TIMEBASE, CLOCK_WALL };

struct sample {
	uint64_t interval_ns;	 /* 0: not known, or no time has passed */
	enum sample_clock clock; /* of the lppaca's numbers */
	bool steal_is_lppaca;
	bool is_frozen; /* nothing at all moved in a tree: no number is known */
	bool has_tb;
	uint64_t tb_from, tb_to; /* the timebase at both instants */
	size_t online;
	/* The interval of each slow source; 0: it gave no difference at this instant. */
	uint64_t slow_interval_ns[SLOW_COUNT];
	struct sample_row system;
	struct sample_rows cpus, cores, nodes;
	/* private */
	struct cpu_delta *deltas;
	size_t delta_count, delta_room;
};

void sample_done(struct sample *sample);
#define _cleanup_sample_ _cleanup_(sample_done)

/* Makes the sample of two readings. Start from { 0 }; again reuses the memory. -ENOMEM. */
int sample_make(const struct sample_context *context, const struct reading *before,
		const struct reading *now, struct sample *ret);

/* For each CPU online at both instants: the ticks that it was stolen, where known. */
typedef void (*sample_stolen_fn)(void *arg, unsigned int cpu, uint64_t stolen_tb);
void sample_each_stolen(const struct sample *sample, sample_stolen_fn each, void *arg);

#endif
