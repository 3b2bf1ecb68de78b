/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file differences lparcfg and PURR; a difference counts only on the clock it was read with. */
#include "machine/sample/consumption.h"

#include <errno.h>

#include "machine/sample/delta.h"

#define PROCESSORS_MAX 1024 /* no frame has more */

/* Two readings, and what they become. */
struct consuming {
	const struct sample_context *context;
	const struct reading *before, *now;
	struct sample *sample;
};

/* The difference of two numbers of lparcfg. */
static struct delta lparcfg_delta(const struct consuming *m, enum lparcfg_counter counter)
{
	const struct reading *a = m->before, *b = m->now;
	int error;

	if (!m->context->is_power)
		return delta_absent(REASON_NOT_APPLICABLE);
	error = slow_error(a, b, SLOW_LPARCFG);
	if (!error && !b->slow[SLOW_LPARCFG].taken)
		return delta_absent(REASON_NOT_SAMPLED);
	if (!error)
		error = b->lparcfg_error[counter] ? b->lparcfg_error[counter]
						  : a->lparcfg_error[counter];
	if (!error && machine_changed_slow(a, b))
		return delta_absent(REASON_RESET);
	return error ? delta_absent(reason_of(error))
		     : delta_u64(a->lparcfg[counter], b->lparcfg[counter]);
}

/* Time on the clock of lparcfg: its own tbr, or (Linux before 5.0 prints none) the wall clock. */
static struct interval lparcfg_interval(const struct consuming *m)
{
	struct interval interval;
	struct instant a = m->before->slow[SLOW_LPARCFG].at, b = m->now->slow[SLOW_LPARCFG].at;

	a.has_tb = !m->before->lparcfg_error[LPARCFG_TBR];
	b.has_tb = !m->now->lparcfg_error[LPARCFG_TBR];
	a.tb = m->before->lparcfg[LPARCFG_TBR];
	b.tb = m->now->lparcfg[LPARCFG_TBR];
	interval = interval_between(&a, &b, m->context->timebase_hz);
	if (m->sample->is_frozen) {
		interval.ok = false;
		interval.reason = REASON_NO_DATA;
	}
	return interval;
}

/* Growth of a counter of ticks, in cores. */
static struct number cores_used(struct delta d, const struct interval *interval)
{
	if (!d.ok)
		return number_absent(d.reason);
	if (!interval->ok)
		return number_absent(interval->reason);
	return interval->ticks > 0 ? number_of((double)d.value / interval->ticks)
				   : number_absent(REASON_NO_DATA);
}

static double entitlement(const struct consuming *m)
{
	const struct reading *now = m->now;

	if (now->slow[SLOW_LPARCFG].taken && !now->slow[SLOW_LPARCFG].error) {
		if (!now->lparcfg_error[LPARCFG_ENTITLED])
			return (double)now->lparcfg[LPARCFG_ENTITLED] / 100;
		if (!now->lparcfg_error[LPARCFG_ENTITLED_DESIRED])
			return (double)now->lparcfg[LPARCFG_ENTITLED_DESIRED] / 100;
	}
	return m->context->entitlement_cores;
}

/* The value of a key at this instant; 0: not known. */
static double known(const struct consuming *m, enum lparcfg_counter counter)
{
	return m->now->lparcfg_error[counter] ? 0 : (double)m->now->lparcfg[counter];
}

/* The processors that the pool can have at most. Where the hypervisor refuses to tell of the pool,
 * Linux before 6.10 prints what the call left in its registers, for pool_num_procs too: the least of
 * what is known counts. */
static double pool_processors(const struct consuming *m)
{
	static const enum lparcfg_counter counters[] = { LPARCFG_POOL_PROCS, LPARCFG_SYSTEM_PROCS,
							 LPARCFG_SHARED_PROCS };
	double least = 0;

	for (size_t i = 0; i < ARRAY_SIZE(counters); i++) {
		double value = known(m, counters[i]);

		if (value > 0 && (least <= 0 || value < least))
			least = value;
	}
	if (least <= 0)
		least = known(m, LPARCFG_POOL_CAPACITY) / 100;
	return least > 0 ? least : PROCESSORS_MAX;
}

/* A counter of 0 is one that this partition may not know. More processors idle than there are: it is
 * no counter (no authority, another machine). */
static struct number pool_idle(const struct consuming *m, const struct interval *interval)
{
	struct delta d = lparcfg_delta(m, LPARCFG_POOL_IDLE);
	struct number app = cores_used(d, interval);
	bool told = m->now->lparcfg[LPARCFG_POOL_IDLE] && m->before->lparcfg[LPARCFG_POOL_IDLE];

	if (m->context->is_dedicated && !d.ok && d.reason == REASON_MISSING)
		return number_absent(REASON_NOT_APPLICABLE);
	if (!told && (d.ok || d.reason == REASON_RESET) && !machine_changed_slow(m->before, m->now))
		return number_absent(REASON_NOT_PROVIDED);
	if (app.present && app.value > 1.05 * pool_processors(m) + 0.5)
		return number_absent(REASON_INVALID);
	return app;
}

/* The processors that this partition can use at most. */
static double processors_max(const struct consuming *m)
{
	double processors = known(m, LPARCFG_VIRTUAL_PROCESSORS);

	return processors > 0 ? processors : PROCESSORS_MAX;
}

static void make_consumption(const struct consuming *m, struct number *n)
{
	struct interval interval = lparcfg_interval(m);
	struct delta purr = lparcfg_delta(m, LPARCFG_PURR);
	double entitled = entitlement(m);

	if (m->context->is_kvm || m->context->is_emulated)
		purr = delta_absent(REASON_NOT_APPLICABLE);
	n[COLUMN_PHYSC] = cores_used(purr, &interval);
	if (n[COLUMN_PHYSC].present && !m->context->since_boot &&
	    n[COLUMN_PHYSC].value > 1.05 * processors_max(m) + 0.5)
		n[COLUMN_PHYSC] = number_absent(REASON_INVALID);
	n[COLUMN_ENTC] = n[COLUMN_PHYSC];
	if (n[COLUMN_PHYSC].present)
		n[COLUMN_ENTC] = entitled > 0 ? number_of(100 * n[COLUMN_PHYSC].value / entitled)
					      : number_absent(REASON_MISSING);
	n[COLUMN_APP] = pool_idle(m, &interval);
	if (purr.ok && interval.ok && m->now->slow[SLOW_LPARCFG].taken)
		m->sample->slow_interval_ns[SLOW_LPARCFG] = (uint64_t)(interval.seconds * 1e9);
}

/* Without the lppacas (no root), lparcfg has their sums. A sum of 32-bit counters falls by 2^32 when
 * one of them wraps. */
static struct number lparcfg_rate(const struct consuming *m, enum lparcfg_counter counter,
				  double weight)
{
	struct interval interval = lparcfg_interval(m);
	struct delta d = lparcfg_delta(m, counter);
	uint64_t unwrapped;

	if (!d.ok && d.reason == REASON_RESET) {
		unwrapped = m->now->lparcfg[counter] + (1ULL << 32);
		if (unwrapped >= m->before->lparcfg[counter] && interval.ok &&
		    (double)(unwrapped - m->before->lparcfg[counter]) <=
			    1e7 * (interval.seconds + 1))
			d = delta_u64(m->before->lparcfg[counter], unwrapped);
	}
	if (!d.ok)
		return number_absent(d.reason);
	if (!interval.ok)
		return number_absent(interval.reason);
	if (is_absurd_step(d.value, interval.seconds))
		return number_absent(REASON_INVALID);
	return interval.seconds > 0 ? number_of(weight * (double)d.value / interval.seconds)
				    : number_absent(REASON_NO_DATA);
}

static void make_dispatches_fallback(const struct consuming *m, struct number *n)
{
	if (m->context->uses_lppaca || m->context->is_emulated || m->context->since_boot)
		return;
	n[COLUMN_DISPATCHES] = lparcfg_rate(m, LPARCFG_DISPATCHES, 0.5);
	if (!m->context->is_kvm)
		n[COLUMN_DISPERSIONS] = lparcfg_rate(m, LPARCFG_DISPERSIONS, 1);
}

/* PURR and its relatives, summed over CPUs; ok only if every CPU gave both readings. */
static struct delta purr_sum(const struct consuming *m, enum purr_kind kind)
{
	const struct reading *a = m->before, *b = m->now;
	int error = slow_error(a, b, SLOW_PURR);
	uint64_t sum = 0;

	if (!m->context->is_power || m->context->is_kvm || m->context->is_emulated)
		return delta_absent(REASON_NOT_APPLICABLE);
	if (error)
		return delta_absent(reason_of(error));
	if (!b->slow[SLOW_PURR].taken)
		return delta_absent(REASON_NOT_SAMPLED);
	if (a->purr_count != b->purr_count || machine_changed_slow(a, b))
		return delta_absent(REASON_RESET); /* CPUs came or went */
	for (size_t i = 0; i < b->purr_count; i++) {
		const struct purr_cpu *x = &a->purr[i], *y = &b->purr[i];
		struct delta d;

		if (x->error[kind] || y->error[kind])
			return delta_absent(
				reason_of_errno(y->error[kind] ? y->error[kind] : x->error[kind]));
		d = delta_u64(x->ticks[kind], y->ticks[kind]);
		if (!d.ok || x->cpu != y->cpu)
			return delta_absent(REASON_RESET);
		sum += d.value;
	}
	return (struct delta) { .value = sum, .ok = true };
}

static struct number ratio(struct delta part, struct delta less, double whole)
{
	double value;

	if (!part.ok || !less.ok)
		return number_absent(part.ok ? less.reason : part.reason);
	if (whole <= 0)
		return number_absent(REASON_NO_DATA);
	/* Idle time is summed by Linux at other moments than PURR: it can run ahead a little. */
	value = less.value > part.value ? 0 : (double)(part.value - less.value);
	return number_of(100 * value / whole);
}

/* Cores that are online; where no topology is known, the partition's virtual processors. */
static double online_cores(const struct consuming *m)
{
	const struct topology *topology = m->context->topology;

	if (topology && topology->core_count)
		return topology->core_count;
	if (m->now->slow[SLOW_LPARCFG].error || m->now->lparcfg_error[LPARCFG_VIRTUAL_PROCESSORS])
		return 0;
	return (double)m->now->lparcfg[LPARCFG_VIRTUAL_PROCESSORS];
}

static void make_purr(const struct consuming *m, struct number *n)
{
	struct delta none = { .ok = true }, purr = purr_sum(m, PURR), spurr = purr_sum(m, SPURR);
	struct delta idle = purr_sum(m, IDLE_PURR), idle_spurr = purr_sum(m, IDLE_SPURR);
	bool by_lparcfg = !purr.ok && idle.ok && lparcfg_delta(m, LPARCFG_PURR).ok;
	struct interval interval = interval_of_slow(m->sample, m->context, m->before, m->now,
						    SLOW_PURR);
	double whole;

	if (by_lparcfg) {
		purr = lparcfg_delta(m, LPARCFG_PURR);
		interval = lparcfg_interval(m);
	}
	whole = interval.ok ? interval.ticks * online_cores(m) : 0;
	n[COLUMN_PURR_BUSY] = ratio(purr, idle, whole);
	n[COLUMN_PURR_IDLE] = ratio(idle, none, whole);
	n[COLUMN_PURR_AWAY] = number_absent(n[COLUMN_PURR_BUSY].reason);
	if (n[COLUMN_PURR_BUSY].present && n[COLUMN_PURR_IDLE].present) {
		double rest = 100 - n[COLUMN_PURR_BUSY].value - n[COLUMN_PURR_IDLE].value;

		n[COLUMN_PURR_AWAY] = number_of(rest > 0 ? rest : 0);
	}
	n[COLUMN_SPURR_BUSY] = ratio(spurr, idle_spurr, whole);
	n[COLUMN_FREQUENCY] = ratio(spurr, none, purr.ok ? (double)purr.value : 0);
	if (purr.ok && interval.ok && m->now->slow[SLOW_PURR].taken)
		m->sample->slow_interval_ns[SLOW_PURR] = (uint64_t)(interval.seconds * 1e9);
}

void consumption_set(const struct sample_context *context, const struct reading *before,
		     const struct reading *now, struct sample *sample)
{
	const struct consuming m = { context, before, now, sample };

	make_consumption(&m, sample->system.number);
	make_dispatches_fallback(&m, sample->system.number);
	make_purr(&m, sample->system.number);
}
