/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Differences of counters between two readings, CPU by CPU, and their sums over groups of CPUs. Used
 * by machine/sample/sample only.
 */
#ifndef LPARTUNE_MACHINE_DELTA_H
#define LPARTUNE_MACHINE_DELTA_H

#include "machine/sample/sample.h"

#define CPUS_MAX 2048 /* of the largest machine */

enum counter {
	COUNTER_DISPATCH_WAIT,
	COUNTER_ENTITLEMENT_WAIT,
	COUNTER_YIELDS,
	COUNTER_DISPERSIONS,
	COUNTER_IDLE_ENTRIES,
	COUNTER_STAT, /* CPUTIME_SUMMED of them */
	COUNTER_IPIS = COUNTER_STAT + CPUTIME_SUMMED,
	COUNTER_DOORBELLS,
	COUNTER_PULLS,
	COUNTER_DISPATCH, /* DISPATCH_KINDS of them */
	COUNTERS = COUNTER_DISPATCH + DISPATCH_KINDS
};

struct delta {
	uint64_t value;
	bool ok;
	enum reason reason; /* if not ok */
};

struct cpu_delta {
	unsigned int cpu;
	bool in_both; /* online at both instants; else every difference is absent as offline */
	struct delta delta[COUNTERS];
};

/* The time between two instants, by the better clock of both. */
struct interval {
	bool ok;
	enum reason reason; /* if not: no-data (no time passed), reset (clock went back) … */
	enum sample_clock clock;
	double seconds; /* 0: not known, when only ticks are */
	double ticks;	/* of the timebase; 0: not known */
};
struct interval interval_between(const struct instant *before, const struct instant *now,
				 uint64_t timebase_hz);

/* A counter that never wraps. */
struct delta delta_u64(uint64_t before, uint64_t now);

/* A counter of 32 bits that wraps: a step too large for the time is a counter that was reset. */
struct delta delta_u32(uint32_t before, uint32_t now, const struct interval *interval);

struct delta delta_absent(enum reason reason);

/* Have counts of the whole machine grown by more than the largest one can do in that time? */
bool is_absurd_step(uint64_t step, double seconds);

static inline struct number number_of(double value)
{
	return (struct number) { .value = value, .present = true };
}

static inline struct number number_absent(enum reason reason)
{
	return (struct number) { .reason = reason };
}

/* As reason_of_errno; ENODATA is a counter that this instant does not hold. */
enum reason reason_of(int error);

/* Were the hypervisor's counters those of another machine at `before`, by what is read slowly? */
bool machine_changed_slow(const struct reading *before, const struct reading *now);

/* The time between the readings, and between those of a slow source: by the wall if the timebase is
 * another machine's, none if nothing moved. */
struct interval interval_of(const struct sample *sample, const struct sample_context *context,
			    const struct reading *before, const struct reading *now);
struct interval interval_of_slow(const struct sample *sample, const struct sample_context *context,
				 const struct reading *before, const struct reading *now,
				 enum slow_source source);

/* Is it a copy of a machine, in which nothing moved between two readings? */
bool is_frozen(const struct reading *before, const struct reading *now);

/* The errno for which a slow source gives no difference (ENODATA: the instant does not hold it), or
 * 0. A source that failed when it was read last is not merely unread now. */
int slow_error(const struct reading *before, const struct reading *now, enum slow_source source);

/* The differences of one line of /proc/stat, by kind. */
void delta_stat(const struct cputime *before, const struct cputime *now,
		const struct interval *interval, size_t cpus, struct delta ret[CPUTIME_SUMMED]);

/* Fills the sample's differences, ascending by CPU, over the CPUs of either reading. -ENOMEM. */
int deltas_fill(const struct sample_context *context, const struct reading *before,
		const struct reading *now, struct sample *sample);

#endif
