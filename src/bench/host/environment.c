/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file reads what surrounds a block, at its edges only; nothing perturbing is read here. */
#include "bench/host/environment.h"

#include <math.h>
#include <sys/resource.h>

#include "bench/workload/futex.h"

static uint64_t timeval_ns(const struct timeval *t)
{
	return (uint64_t)t->tv_sec * NS_PER_S + (uint64_t)t->tv_usec * NS_PER_US;
}

static uint64_t cpu_time_of(int who)
{
	struct rusage use;

	if (getrusage(who, &use) < 0)
		return 0;
	return timeval_ns(&use.ru_utime) + timeval_ns(&use.ru_stime);
}

static bool read_waits(const struct attribution *a, uint64_t *ret)
{
	uint64_t sum = 0;

	if (!a || !a->has_vpa)
		return false;
	idset_for_each (cpu, &a->layout->allowed) {
		struct vcpu_account account = attribution_read_vcpu(a, cpu);

		if (!account.is_valid)
			return false;
		sum += account.wait_ticks;
	}
	*ret = sum;
	return true;
}

void environment_read(struct root *root, const struct attribution *a,
		      struct environment_reading *ret)
{
	ret->at_ns = clock_ns();
	ret->has_times = cputimes_read(root, &ret->times) == 0 && ret->times.total.kinds;
	ret->own_ns = cpu_time_of(RUSAGE_SELF) + cpu_time_of(RUSAGE_CHILDREN);
	ret->has_wait = read_waits(a, &ret->wait_ticks);
}

void environment_reading_done(struct environment_reading *reading)
{
	cputimes_done(&reading->times);
}

/* Ticks of a kind between two readings; NAN if the kernel does not print it or it went back. */
static double ticks_of(const struct environment_reading *before,
		       const struct environment_reading *after, enum cputime_kind kind)
{
	const struct cputime *b = &before->times.total, *a = &after->times.total;

	if (!cputime_has(b, kind) || !cputime_has(a, kind) || a->ticks[kind] < b->ticks[kind])
		return NAN;
	return (double)(a->ticks[kind] - b->ticks[kind]);
}

static double busy_ticks(const struct environment_reading *before,
			 const struct environment_reading *after)
{
	static const enum cputime_kind kinds[] = { CPUTIME_USER, CPUTIME_NICE, CPUTIME_SYSTEM,
						   CPUTIME_IRQ, CPUTIME_SOFTIRQ };
	double sum = 0;

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		double ticks = ticks_of(before, after, kinds[i]);

		sum += isnan(ticks) ? 0 : ticks;
	}
	return sum;
}

static void judge_times(struct environment *e, const struct environment_reading *before,
			const struct environment_reading *after, double seconds)
{
	double cpus = (double)after->times.count;
	double per_tick = 100.0 / (CPUTIME_HZ * seconds * cpus);

	e->stat_steal_pct = ticks_of(before, after, CPUTIME_STEAL) * per_tick;
	e->own_cpu_pct = (double)(after->own_ns - before->own_ns) * 1e-7 / (seconds * cpus);
	e->foreign_cpu_pct = fmax(0, busy_ticks(before, after) * per_tick - e->own_cpu_pct);
	e->steal_pct = e->stat_steal_pct;
	if (before->times.has_context_switches && after->times.has_context_switches)
		e->context_switches_per_s = (double)(after->times.context_switches -
						     before->times.context_switches) /
					    seconds;
}

void environment_doubt_zero_steal(struct environment *e)
{
	if (e->steal_pct <= 0)
		e->steal_pct = NAN;
	if (e->stat_steal_pct <= 0)
		e->stat_steal_pct = NAN;
}

struct environment environment_between(const struct attribution *a,
				       const struct environment_reading *before,
				       const struct environment_reading *after)
{
	struct environment e = { NAN, false, NAN, NAN, NAN, NAN };
	double seconds = (double)(after->at_ns - before->at_ns) * 1e-9;

	if (seconds <= 0)
		return e;
	if (before->has_times && after->has_times && after->times.count)
		judge_times(&e, before, after, seconds);
	if (before->has_wait && after->has_wait && after->wait_ticks >= before->wait_ticks) {
		double stolen_s = (double)(after->wait_ticks - before->wait_ticks) * a->tick_ns *
				  1e-9;

		e.steal_pct = 100 * stolen_s / (seconds * (double)idset_count(&a->layout->allowed));
		e.steal_is_vpa = true;
	}
	return e;
}
