/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why a wake took as long as it did. Everything is read outside the timed window: once by the waker
 * before it takes its stamp (the hypervisor's account of the worker's vCPU) and once by the worker
 * after it took its own.
 */
#ifndef LPARTUNE_BENCH_ATTRIBUTION_H
#define LPARTUNE_BENCH_ATTRIBUTION_H

#include "bench/host/placement.h"
#include "bench/judgement/histogram.h"
#include "machine/reason.h"
#include "machine/root.h"

/* In the order of the questions; the first that fits names the wake. */
enum wake_class {
	CLASS_NOT_SLEPT,  /* the worker had not slept yet: no wake latency at all */
	CLASS_MIGRATED,	  /* it woke on another CPU than it slept on */
	CLASS_PREEMPTED,  /* it was put off its CPU again before it could take its stamp */
	CLASS_HYPERVISOR, /* its vCPU waited for a physical processor for half of the time or more */
	CLASS_RUN_QUEUE,  /* it waited in the run queue for half of the time or more */
	CLASS_IDLE_EXIT, /* its CPU had to leave an idle state: known from the lppaca, else inferred */
	CLASS_OTHER,
	CLASS_COUNT,
};

const char *wake_class_word(enum wake_class class); /* as in documents: "run_queue" */

/* What this machine lets us read; made once for a run, read by all threads. */
struct attribution {
	struct root *root;
	const struct layout *layout;
	int *vpa;	/* by CPU id: open lppaca file, or -1 */
	double tick_ns; /* of the timebase; 0 without lppaca */
	bool has_vpa, has_schedstat;
	enum reason vpa_reason, schedstat_reason; /* why not */
};

/* `timebase_hz`: of the facts, 0 if unknown. Sources that are missing are noted, not an error. */
int attribution_open(struct root *root, const struct layout *layout, uint64_t timebase_hz,
		     struct attribution *ret);
void attribution_close(struct attribution *a);

/* The hypervisor's account of a vCPU at one instant. */
struct vcpu_account {
	uint64_t wait_ticks;  /* enqueue to dispatch, and ready to enqueue */
	uint32_t yield_count; /* moves at each dispatch and at each yield */
	bool is_valid;
};
struct vcpu_account attribution_read_vcpu(const struct attribution *a, int cpu);

/* A worker's own view: kept between its wakes, not shared. */
struct observer {
	const struct attribution *attribution;
	int schedstat_fd;
	int cpu;		     /* where it last ran */
	uint64_t run_delay_ns, runs; /* totals at the last wake */
};
void observer_begin(struct observer *o, const struct attribution *a);
void observer_end(struct observer *o);

/* One wake, as the worker knows it. */
struct wake_event {
	uint64_t latency_ns;
	bool slept;	     /* a sleep was seen */
	bool sleep_is_known; /* false: the primitive does not tell; asked of the scheduler */
	bool from_same_cpu;  /* the waker ran on the worker's CPU: that CPU cannot have been idle */
	struct vcpu_account before;
};

/* Reads what is to be read and names the class. Costs well under a microsecond. */
enum wake_class observer_classify(struct observer *o, const struct wake_event *event);

/* Classes by latency, in eighths of a power of two. */
#define CLASS_STEPS (HISTOGRAM_BUCKETS >> 4)
struct class_table {
	uint32_t count[CLASS_COUNT][CLASS_STEPS];
};

static inline void class_table_add(struct class_table *t, enum wake_class class, uint64_t ns)
{
	t->count[class][histogram_bucket(ns) >> 4]++;
}

void class_table_merge(struct class_table *t, const struct class_table *other);

/*
 * Where the hypervisor's wait cannot be read for each wake, steal of the whole block stands in:
 * wakes of class "other" at or above `floor_ns` become "hypervisor".
 */
void class_table_blame_steal(struct class_table *t, uint64_t floor_ns);

/* Shares in [0, 1] of all wakes that slept, and of the slowest `part` of them. False if none. */
bool class_table_shares(const struct class_table *t, double part, double ret[CLASS_COUNT]);
uint64_t class_table_total(const struct class_table *t, enum wake_class class);

#endif
