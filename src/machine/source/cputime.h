/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /proc/stat: what each CPU did with its time, as the kernel accounts it, in ticks of 1/100 s on
 * every architecture. Kernels print 4 to 10 numbers a line (proc(5)); a number that a kernel does
 * not print is absent, not 0.
 */
#ifndef LPARTUNE_MACHINE_CPUTIME_H
#define LPARTUNE_MACHINE_CPUTIME_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/root.h"

#define CPUTIME_HZ 100 /* USER_HZ */
#define CPUTIME_PATH "proc/stat"

/* In the order of the file. */
enum cputime_kind {
	CPUTIME_USER, /* contains guest */
	CPUTIME_NICE, /* contains guest_nice */
	CPUTIME_SYSTEM,
	CPUTIME_IDLE,
	CPUTIME_IOWAIT,
	CPUTIME_IRQ,
	CPUTIME_SOFTIRQ,
	CPUTIME_STEAL,
	CPUTIME_GUEST,
	CPUTIME_GUEST_NICE,
	CPUTIME_KINDS
};
#define CPUTIME_SUMMED CPUTIME_GUEST /* the kinds before this one add up to all time */

struct cputime {
	uint64_t ticks[CPUTIME_KINDS];
	unsigned int kinds; /* how many the kernel printed; 0: the line was damaged */
};

struct cputime_cpu {
	unsigned int cpu;
	struct cputime time;
};

/* A whole /proc/stat. Start from { 0 }; parsing again reuses the memory. */
struct cputimes {
	struct cputime total;	  /* kinds == 0: there was no such line, or a damaged one */
	struct cputime_cpu *cpus; /* online CPUs, in the order of the file */
	size_t count, room;
	bool has_context_switches, has_boot_time, has_forks;
	uint64_t context_switches;
	uint64_t boot_time_s; /* seconds since the epoch */
	uint64_t forks;
};

static inline void cputimes_done(struct cputimes *times)
{
	free(times->cpus);
	*times = (struct cputimes) { 0 };
}
#define _cleanup_cputimes_ _cleanup_(cputimes_done)

/* Parses the file's text into `times`. -EINVAL: no CPU line at all; -ENOMEM. */
int cputimes_parse(struct span text, struct cputimes *times);

/* Reads and parses. -errno as root_read, or as above. */
int cputimes_read(struct root *root, struct cputimes *times);

static inline bool cputime_has(const struct cputime *time, enum cputime_kind kind)
{
	return (unsigned int)kind < time->kinds;
}

/* All time of a line in ticks (guest is inside user); UINT64_MAX if the sum does not fit. */
uint64_t cputime_total(const struct cputime *time);

/*
 * Can this much time have passed on `cpus` CPUs in `elapsed_s` seconds? Counters do run wild (s390x
 * under emulation shows 10^12 ticks a minute after boot). Generous: accounting is by ticks and may
 * lag, and CPUs may have come and gone.
 */
bool cputime_is_plausible(const struct cputime *time, double elapsed_s, size_t cpus);

#endif
