/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Performance counters of whole CPUs, by the event names that libpfm4 knows (of this processor, and
 * the kernel's own: context-switches, cpu-migrations …). Counting whole CPUs costs the measured
 * threads far less than counting the threads (+5 % against +28 % of a ping-pong's round trip), so
 * only that is done; it needs CAP_PERFMON, or perf_event_paranoid of 0 or less.
 */
#ifndef LPARTUNE_BENCH_COUNTERS_H
#define LPARTUNE_BENCH_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/idset.h"
#include "machine/reason.h"

#define COUNTERS_MAX 24

/* What bench counts unless told otherwise. */
#define COUNTERS_DEFAULT \
	"context-switches,cpu-migrations,page-faults,cycles,instructions,cache-misses"

struct counter {
	char *name;
	int *fd; /* one for each CPU; NULL: not available */
	enum reason reason;
};

struct counters {
	struct counter counter[COUNTERS_MAX];
	unsigned int count;
	unsigned int cpus;
};

/*
 * Opens the events of a comma-separated list on CPUs. An event that cannot be counted stays in the
 * list with its reason: missing (no such name), denied, not-provided (no such counter here). -E2BIG
 * for more than COUNTERS_MAX names, -EINVAL for an empty one, -ENOMEM.
 */
int counters_open(const char *names, const struct idset *cpus, struct counters *ret);
void counters_close(struct counters *counters);

/* Sums over the CPUs since the opening. */
struct counter_reading {
	uint64_t value[COUNTERS_MAX], enabled_ns[COUNTERS_MAX], running_ns[COUNTERS_MAX];
	bool known[COUNTERS_MAX];
};
void counters_read(const struct counters *counters, struct counter_reading *ret);

/*
 * How often an event happened between two readings: scaled up where the processor's counters were
 * shared out among events in turns (`*ret_running`, if wanted: for which part of the time it was
 * counted). False if it is not known.
 */
bool counters_between(const struct counter_reading *before, const struct counter_reading *after,
		      unsigned int i, double *ret, double *ret_running);

#endif
