/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file owns the memory of readings and carries slow sources from one to the next. */
#include "machine/sample/reading.h"

#include <errno.h>

void reading_done(struct reading *reading)
{
	free(reading->cpus);
	free(reading->purr);
	cputimes_done(&reading->stat);
	interrupts_done(&reading->interrupts);
	schedstat_done(&reading->schedstat);
	dispatches_done(&reading->dispatches);
	*reading = (struct reading) { 0 };
}

#define SWAP(a, b)                    \
	do {                          \
		__typeof__(a) t_ = a; \
		a = b;                \
		b = t_;               \
	} while (0)

static void swap_source(struct reading *a, struct reading *b, enum slow_source source)
{
	SWAP(a->slow[source], b->slow[source]);
	switch (source) {
	case SLOW_LPARCFG:
		SWAP(a->slow_machine, b->slow_machine);
		for (unsigned int i = 0; i < LPARCFG_COUNTERS; i++) {
			SWAP(a->lparcfg[i], b->lparcfg[i]);
			SWAP(a->lparcfg_error[i], b->lparcfg_error[i]);
		}
		break;
	case SLOW_PURR:
		SWAP(a->purr, b->purr);
		SWAP(a->purr_count, b->purr_count);
		SWAP(a->purr_room, b->purr_room);
		break;
	case SLOW_INTERRUPTS:
		SWAP(a->interrupts, b->interrupts);
		break;
	case SLOW_SCHEDSTAT:
		SWAP(a->schedstat, b->schedstat);
		break;
	case SLOW_DISPATCH:
		SWAP(a->dispatches, b->dispatches);
		break;
	case SLOW_COUNT:
		break;
	}
}

void reading_inherit(struct reading *now, struct reading *before)
{
	for (unsigned int i = 0; i < SLOW_COUNT; i++)
		if (!now->slow[i].taken)
			swap_source(now, before, (enum slow_source)i);
}

int reading_at_boot(const struct reading *now, struct reading *boot)
{
	boot->cpus = calloc(now->count + 1, sizeof(*boot->cpus));
	if (!boot->cpus)
		return -ENOMEM;
	boot->count = now->count;
	for (size_t i = 0; i < now->count; i++) {
		boot->cpus[i].cpu = now->cpus[i].cpu;
		boot->cpus[i].lppaca_error = now->cpus[i].lppaca_error;
		boot->cpus[i].idle_error = now->cpus[i].idle_error;
		boot->cpus[i].time.kinds = now->cpus[i].time.kinds;
	}
	boot->stat.total.kinds = now->stat.total.kinds;
	boot->stat.has_context_switches = now->stat.has_context_switches;
	for (unsigned int i = 0; i < SLOW_COUNT; i++)
		boot->slow[i].error = i == SLOW_LPARCFG ? 0 : ENODATA;
	boot->lparcfg_error[LPARCFG_TBR] = ENODATA;
	boot->lparcfg[LPARCFG_POOL_IDLE] = now->lparcfg[LPARCFG_POOL_IDLE_AT_BOOT];
	/* 0: the right to know the pool came later than the boot. */
	if (now->lparcfg_error[LPARCFG_POOL_IDLE_AT_BOOT] || !boot->lparcfg[LPARCFG_POOL_IDLE])
		boot->lparcfg_error[LPARCFG_POOL_IDLE] = ENODATA;
	return 0;
}
