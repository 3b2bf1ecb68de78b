/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file times the parts of a measurement by themselves. */
#include "bench/host/own_cost.h"

#include <math.h>

#include "bench/host/memory.h"
#include "bench/judgement/statistics.h"
#include "bench/workload/futex.h"

#define BATCHES 25
#define LOOPS 100

struct parts {
	struct histogram histogram;
	struct observer observer;
	uint64_t value;
};

static void take_stamp(struct parts *parts)
{
	parts->value ^= clock_ns();
}

static void record(struct parts *parts)
{
	parts->value += 7919;
	histogram_add(&parts->histogram, parts->value & 0xfffff);
}

static void classify(struct parts *parts)
{
	struct observer *observer = &parts->observer;
	const struct wake_event event = {
		.latency_ns = 1000,
		.slept = true,
		.sleep_is_known = true,
		.before = attribution_read_vcpu(observer->attribution, observer->cpu),
	};

	(void)observer_classify(observer, &event);
}

static double time_of(void (*part)(struct parts *), struct parts *parts)
{
	double took[BATCHES];

	for (unsigned int i = 0; i < BATCHES; i++) {
		uint64_t before = clock_ns();

		for (unsigned int k = 0; k < LOOPS; k++)
			part(parts);
		took[i] = (double)(clock_ns() - before) / LOOPS;
	}
	return statistics_median(took, BATCHES);
}

void own_cost_measure(const struct attribution *attribution, struct own_cost *ret)
{
	struct parts *parts = own_memory(sizeof(*parts));

	*ret = (struct own_cost) { NAN, NAN, NAN };
	if (!parts)
		return;
	observer_begin(&parts->observer, attribution);
	ret->clock_ns = time_of(take_stamp, parts);
	ret->record_ns = time_of(record, parts);
	if (attribution)
		ret->attribution_ns = time_of(classify, parts);
	observer_end(&parts->observer);
	own_memory_free(parts, sizeof(*parts));
}
