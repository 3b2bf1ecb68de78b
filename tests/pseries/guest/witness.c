/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In a guest: lpartune with a witness. Linked with lpartune's own objects in front of the function
 * that names a wake's class, it writes down each wake of a run, with the class that it got: lines of
 * CPU, issued and running in timebase ticks, class, to the file that WITNESS names. Rule: what is
 * witnessed is not changed; nothing is written before the run's end.
 */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/host/attribution.h"

#define WAKES_MAX 200000
#define TICKS_PER_NS 0.512

static struct witnessed {
	uint64_t issued_tb, running_tb;
	int cpu;
	enum wake_class class;
} wakes[WAKES_MAX];
static _Atomic unsigned int count;

enum wake_class __real_observer_classify(struct observer *o, const struct wake_event *event);
enum wake_class __wrap_observer_classify(struct observer *o, const struct wake_event *event);

enum wake_class __wrap_observer_classify(struct observer *o, const struct wake_event *event)
{
	uint64_t now = __builtin_ppc_get_timebase();
	enum wake_class class = __real_observer_classify(o, event);
	unsigned int i = atomic_fetch_add(&count, 1);

	if (i < WAKES_MAX)
		wakes[i] = (struct witnessed) {
			.issued_tb = now - (uint64_t)((double)event->latency_ns * TICKS_PER_NS),
			.running_tb = now,
			.cpu = o->cpu,
			.class = class,
		};
	return class;
}

static void __attribute__((destructor)) testify(void)
{
	const char *path = getenv("WITNESS");
	FILE *f = path ? fopen(path, "w") : NULL;

	for (unsigned int i = 0; f && i < count && i < WAKES_MAX; i++)
		fprintf(f, "%d %" PRIu64 " %" PRIu64 " %s\n", wakes[i].cpu, wakes[i].issued_tb,
			wakes[i].running_tb, wake_class_word(wakes[i].class));
	if (f && fclose(f))
		abort();
}
