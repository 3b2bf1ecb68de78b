/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file differences counters; here it is decided what a step backwards means. */
#include "machine/sample/delta.h"

#include <errno.h>
#include <string.h>

#include "machine/sample/identity.h"

/* No CPU is dispatched or interrupted more often; QEMU moves yield_count 10^5 times a second. */
#define STEPS_MAX_PER_S 1e7

/* No clock moves so far between two readings, in ticks or nanoseconds. */
#define CENTURIES_TB (UINT64_C(1) << 62)

/* A processor cannot have waited much longer than the interval: a wait is counted when it ends, so
 * one may have begun before, but no hypervisor lets one wait for seconds. What exceeds this is a torn
 * or damaged counter. */
#define WAIT_SLACK_S 2

struct delta delta_absent(enum reason reason)
{
	return (struct delta) { .reason = reason };
}

enum reason reason_of(int error)
{
	return error == ENODATA ? REASON_NO_DATA : reason_of_errno(error);
}

/* Of two errors the later, unless it only says that the counter is not there any more. */
static int either_error(int before, int now)
{
	return now && (now != ENODATA || !before) ? now : before;
}

bool is_absurd_step(uint64_t step, double seconds)
{
	return (double)step > STEPS_MAX_PER_S * CPUS_MAX * (seconds > 1 ? seconds : 1);
}

static struct delta delta_of(uint64_t value)
{
	return (struct delta) { .value = value, .ok = true };
}

struct interval interval_between(const struct instant *before, const struct instant *now,
				 uint64_t timebase_hz)
{
	bool by_tb = before->has_tb && now->has_tb;
	uint64_t from = by_tb ? before->tb : before->time_ns, to = by_tb ? now->tb : now->time_ns;
	struct interval interval = { .clock = by_tb ? CLOCK_TIMEBASE : CLOCK_WALL };

	if (!by_tb && !(before->has_time && now->has_time)) {
		interval.clock = CLOCK_NONE;
		interval.reason = REASON_NO_DATA;
		return interval;
	}
	interval.ok = to > from && to - from < CENTURIES_TB;
	interval.reason = to < from ? REASON_RESET : to > from ? REASON_INVALID : REASON_NO_DATA;
	if (!interval.ok)
		return interval;
	if (by_tb) {
		interval.ticks = (double)(to - from);
		interval.seconds = timebase_hz ? interval.ticks / (double)timebase_hz : 0;
		if (!timebase_hz && before->has_time && now->has_time &&
		    now->time_ns > before->time_ns)
			interval.seconds = (double)(now->time_ns - before->time_ns) / 1e9;
	} else {
		interval.seconds = (double)(to - from) / 1e9;
		interval.ticks = interval.seconds * (double)timebase_hz;
	}
	return interval;
}

bool machine_changed_slow(const struct reading *before, const struct reading *now)
{
	return identity_differs(before->slow_machine, now->slow_machine);
}

/* Were the hypervisor's counters those of another machine at `before`?
 * The device tree is read at every instant and knows when; lparcfg only knows that. */
static bool machine_changed(const struct reading *before, const struct reading *now)
{
	if (before->machine && now->machine)
		return before->machine != now->machine;
	return now->slow[SLOW_LPARCFG].taken && machine_changed_slow(before, now);
}

static struct interval interval_by(const struct sample *sample,
				   const struct sample_context *context, bool changed,
				   struct instant from, struct instant to)
{
	struct interval interval;

	if (changed)
		from.has_tb = to.has_tb = false;
	interval = interval_between(&from, &to, context->timebase_hz);
	if (sample->is_frozen || (changed && interval.clock == CLOCK_NONE)) {
		interval.ok = false;
		interval.reason = sample->is_frozen ? REASON_NO_DATA : REASON_RESET;
	}
	return interval;
}

struct interval interval_of(const struct sample *sample, const struct sample_context *context,
			    const struct reading *before, const struct reading *now)
{
	return interval_by(sample, context, machine_changed(before, now), before->at, now->at);
}

struct interval interval_of_slow(const struct sample *sample, const struct sample_context *context,
				 const struct reading *before, const struct reading *now,
				 enum slow_source source)
{
	return interval_by(sample, context, machine_changed_slow(before, now),
			   before->slow[source].at, now->slow[source].at);
}

static bool same_ticks(const struct cputime *a, const struct cputime *b)
{
	return a->kinds == b->kinds && memcmp(a->ticks, b->ticks, sizeof(a->ticks)) == 0;
}

static bool same_lppaca(const struct reading_cpu *x, const struct reading_cpu *y)
{
	const struct lppaca *a = &x->lppaca, *b = &y->lppaca;

	if (x->lppaca_error || y->lppaca_error)
		return x->lppaca_error == y->lppaca_error;
	return a->yield_count == b->yield_count && a->dispersion_count == b->dispersion_count &&
	       lppaca_stolen_tb(a) == lppaca_stolen_tb(b) && a->wait_ready_tb == b->wait_ready_tb &&
	       a->wait_state_cycles == b->wait_state_cycles;
}

bool is_frozen(const struct reading *before, const struct reading *now)
{
	bool same = before->count == now->count &&
		    same_ticks(&before->stat.total, &now->stat.total) &&
		    before->stat.context_switches == now->stat.context_switches;

	for (size_t i = 0; same && i < now->count; i++) {
		const struct reading_cpu *a = &before->cpus[i], *b = &now->cpus[i];

		same = a->cpu == b->cpu && same_ticks(&a->time, &b->time) && same_lppaca(a, b) &&
		       a->idle_entries == b->idle_entries;
	}
	for (unsigned int i = 0; same && now->slow[SLOW_LPARCFG].taken && i < LPARCFG_COUNTERS; i++)
		same = before->lparcfg[i] == now->lparcfg[i];
	return same;
}

struct delta delta_u64(uint64_t before, uint64_t now)
{
	return now < before ? delta_absent(REASON_RESET) : delta_of(now - before);
}

struct delta delta_u32(uint32_t before, uint32_t now, const struct interval *interval)
{
	uint32_t step = now - before;

	if (now >= before && (double)step <= STEPS_MAX_PER_S)
		return delta_of(step); /* whatever the clock says */
	/* A counter that went back by little stands far from where it was, on the way up. */
	if (now < before && step > UINT32_MAX / 2)
		return delta_absent(REASON_RESET);
	if ((double)step > STEPS_MAX_PER_S * (interval->seconds > 1 ? interval->seconds : 1))
		return delta_absent(REASON_RESET);
	return delta_of(step);
}

/* The idle kinds are sums of two clocks and can step back a little; iowait does so in earnest when a
 * task that waited wakes on another CPU (proc(5)). */
void delta_stat(const struct cputime *before, const struct cputime *now,
		const struct interval *interval, size_t cpus, struct delta ret[CPUTIME_SUMMED])
{
	unsigned int kinds = before->kinds < now->kinds ? before->kinds : now->kinds;
	struct cputime moved = { .kinds = kinds };
	enum reason reason = REASON_COUNT;

	for (unsigned int i = 0; i < CPUTIME_SUMMED; i++) {
		ret[i] = i < kinds ? delta_u64(before->ticks[i], now->ticks[i])
				   : delta_absent(kinds ? REASON_NOT_PROVIDED : REASON_INVALID);
		if (i < kinds && ret[i].ok)
			moved.ticks[i] = ret[i].value;
		else if (i < kinds && i != CPUTIME_IOWAIT)
			reason = ret[i].reason;
	}
	if (reason == REASON_COUNT && kinds && cputime_total(&moved) == 0)
		reason = REASON_NO_DATA;
	if (reason == REASON_COUNT && interval->ok && interval->seconds > 0 &&
	    !cputime_is_plausible(&moved, interval->seconds, cpus))
		reason = REASON_INVALID;
	for (unsigned int i = 0; reason != REASON_COUNT && i < kinds && i < CPUTIME_SUMMED; i++)
		ret[i] = delta_absent(reason);
}

/* --- the sources, CPU by CPU --- */

/* What deltas_fill works on. */
struct filling {
	const struct sample_context *context;
	const struct reading *before, *now;
	struct sample *sample;
	struct interval at;
	bool machine_changed;
};

static void fill_absent(struct cpu_delta *d, unsigned int from, unsigned int count,
			enum reason reason)
{
	for (unsigned int i = 0; i < count; i++)
		d->delta[from + i] = delta_absent(reason);
}

static enum reason power_reason(const struct sample_context *context, int error)
{
	return context->is_power ? reason_of(error) : REASON_NOT_APPLICABLE;
}

static bool is_absurd(double wait_tb, const struct filling *f)
{
	double slack = WAIT_SLACK_S * (double)f->context->timebase_hz;

	if (wait_tb >= 0x1p62) /* no processor waited for centuries */
		return true;
	return !f->context->since_boot && f->at.ok && f->at.ticks > 0 && slack > 0 &&
	       wait_tb > f->at.ticks + slack;
}

/* A processor waits for one thing at a time: both waits together are bounded as each is. */
static void fill_waits(const struct filling *f, const struct lppaca *a, const struct lppaca *b,
		       struct delta *d)
{
	struct delta wait = delta_u64(a->enqueue_dispatch_tb, b->enqueue_dispatch_tb);
	struct delta held = delta_u64(a->ready_enqueue_tb, b->ready_enqueue_tb);
	bool wait_absurd = is_absurd((double)wait.value, f);
	bool held_absurd = is_absurd((double)held.value, f);

	if (!wait_absurd && !held_absurd && is_absurd((double)wait.value + (double)held.value, f))
		wait_absurd = held_absurd = true;
	d[COUNTER_DISPATCH_WAIT] = wait_absurd ? delta_absent(REASON_INVALID) : wait;
	d[COUNTER_ENTITLEMENT_WAIT] = held_absurd ? delta_absent(REASON_INVALID) : held;
}

/* When one 64-bit counter of an lppaca went back, the whole area was registered anew. */
static bool lppaca_went_back(const struct lppaca *before, const struct lppaca *now)
{
	return now->enqueue_dispatch_tb < before->enqueue_dispatch_tb ||
	       now->ready_enqueue_tb < before->ready_enqueue_tb ||
	       now->wait_ready_tb < before->wait_ready_tb;
}

static void fill_lppaca(const struct filling *f, const struct reading_cpu *before,
			const struct reading_cpu *now, struct cpu_delta *d)
{
	const struct lppaca *a = &before->lppaca, *b = &now->lppaca;
	int error = either_error(before->lppaca_error, now->lppaca_error);

	if (error || f->context->is_emulated) {
		fill_absent(d, COUNTER_DISPATCH_WAIT, 4,
			    f->context->is_emulated ? REASON_NOT_PROVIDED
						    : power_reason(f->context, error));
		return;
	}
	if (f->machine_changed || lppaca_went_back(a, b)) {
		fill_absent(d, COUNTER_DISPATCH_WAIT, 4, REASON_RESET);
		return;
	}
	fill_waits(f, a, b, d->delta);
	d->delta[COUNTER_YIELDS] = delta_u32(a->yield_count, b->yield_count, &f->at);
	d->delta[COUNTER_DISPERSIONS] = delta_u32(a->dispersion_count, b->dispersion_count, &f->at);
	if (f->context->since_boot)
		fill_absent(d, COUNTER_YIELDS, 2, REASON_NO_DATA);
}

static void fill_idle(const struct filling *f, const struct reading_cpu *before,
		      const struct reading_cpu *now, struct cpu_delta *d)
{
	int error = either_error(before->idle_error, now->idle_error);

	(void)f;
	d->delta[COUNTER_IDLE_ENTRIES] = error ? delta_absent(error == ENODATA ? REASON_NOT_SAMPLED
									       : reason_of(error))
					       : delta_u64(before->idle_entries, now->idle_entries);
}

static void fill_cpu(const struct filling *f, const struct reading_cpu *before,
		     const struct reading_cpu *now, struct cpu_delta *d)
{
	d->in_both = true;
	fill_lppaca(f, before, now, d);
	fill_idle(f, before, now, d);
	delta_stat(&before->time, &now->time, &f->at, 1, &d->delta[COUNTER_STAT]);
	fill_absent(d, COUNTER_IPIS, COUNTERS - COUNTER_IPIS, REASON_MISSING);
}

static struct cpu_delta *add_delta(struct sample *sample, unsigned int cpu)
{
	struct cpu_delta *d;

	if (sample->delta_count == sample->delta_room) {
		size_t room = sample->delta_room ? sample->delta_room * 2 : 64;
		struct cpu_delta *grown = reallocarray(sample->deltas, room, sizeof(*grown));

		if (!grown)
			return NULL;
		sample->deltas = grown;
		sample->delta_room = room;
	}
	d = &sample->deltas[sample->delta_count++];
	d->cpu = cpu;
	d->in_both = false;
	fill_absent(d, 0, COUNTERS, REASON_OFFLINE);
	return d;
}

/* Walks the CPUs of both readings, in step. */
static int join_cpus(const struct filling *f, struct sample *sample)
{
	const struct reading *a = f->before, *b = f->now;
	size_t i = 0, j = 0;

	sample->delta_count = 0;
	while (i < a->count || j < b->count) {
		bool in_a = i < a->count && (j == b->count || a->cpus[i].cpu <= b->cpus[j].cpu);
		bool in_b = j < b->count && (i == a->count || b->cpus[j].cpu <= a->cpus[i].cpu);
		struct cpu_delta *d = add_delta(sample, in_a ? a->cpus[i].cpu : b->cpus[j].cpu);

		if (!d)
			return -ENOMEM;
		if (in_a && in_b)
			fill_cpu(f, &a->cpus[i], &b->cpus[j], d);
		i += in_a;
		j += in_b;
	}
	return 0;
}

/* --- the slow sources --- */

/* A slow source as two arrays of elements that begin with their CPU's number. */
struct columnar {
	enum slow_source source;
	enum counter first;
	unsigned int counters;
	const void *before, *now;
	size_t before_count, now_count, size;
	void (*fill)(const void *before, const void *now, const struct interval *interval,
		     struct delta *ret);
};

static void fill_interrupts(const void *before, const void *now, const struct interval *interval,
			    struct delta *ret)
{
	const struct interrupts_cpu *a = before, *b = now;

	ret[0] = delta_u32(a->ipis, b->ipis, interval);
	ret[1] = delta_u32(a->doorbells, b->doorbells, interval);
}

static void fill_pulls(const void *before, const void *now, const struct interval *interval,
		       struct delta *ret)
{
	const struct schedstat_cpu *a = before, *b = now;

	*ret = a->has_pulls && b->has_pulls ? delta_u32(a->smt_pulls, b->smt_pulls, interval)
					    : delta_absent(REASON_NOT_PROVIDED);
}

/* The total is printed first: parts may have run ahead by a few dispatches, not by more. */
static bool is_too_large_a_part(uint64_t part, uint64_t total)
{
	return part > total && part - total > total / 16 + 8;
}

static void fill_dispatch(const void *before, const void *now, const struct interval *interval,
			  struct delta *ret)
{
	const struct dispatch_cpu *a = before, *b = now;

	(void)interval;
	for (unsigned int i = 0; i < DISPATCH_KINDS; i++) {
		ret[i] = a->valid && b->valid ? delta_u64(a->count[i], b->count[i])
					      : delta_absent(REASON_INVALID);
		if (ret[i].ok && ret[0].ok && is_too_large_a_part(ret[i].value, ret[0].value))
			ret[i] = delta_absent(REASON_INVALID);
		else if (ret[i].ok && ret[0].ok && ret[i].value > ret[0].value)
			ret[i] = ret[0];
	}
}

int slow_error(const struct reading *before, const struct reading *now, enum slow_source source)
{
	return either_error(before->slow[source].error, now->slow[source].error);
}

/* Why a slow source gives no difference now; REASON_COUNT if it does. */
static enum reason slow_reason(const struct filling *f, enum slow_source source)
{
	if (!f->now->slow[source].taken)
		return f->now->slow[source].error == ENODATA ? REASON_NO_DATA : REASON_NOT_SAMPLED;
	if (f->now->slow[source].error)
		return source == SLOW_DISPATCH
			       ? power_reason(f->context, f->now->slow[source].error)
			       : reason_of(f->now->slow[source].error);
	if (f->before->slow[source].error)
		return reason_of(f->before->slow[source].error);
	if (source == SLOW_DISPATCH && (f->before->dispatches.off || f->now->dispatches.off))
		return REASON_NOT_SAMPLED;
	if (source == SLOW_INTERRUPTS && !f->now->interrupts.ipi_rows &&
	    !f->now->interrupts.doorbell_rows)
		return REASON_NOT_PROVIDED;
	if (source == SLOW_INTERRUPTS &&
	    (f->now->interrupts.ipi_rows != f->before->interrupts.ipi_rows ||
	     f->now->interrupts.doorbell_rows != f->before->interrupts.doorbell_rows))
		return REASON_RESET;
	return REASON_COUNT;
}

static unsigned int cpu_at(const void *array, size_t size, size_t index)
{
	return *(const unsigned int *)((const char *)array + size * index);
}

/* The element of a CPU, looked for from *at on; NULL if it has none. */
static const void *element_of(const void *array, size_t count, size_t size, size_t *at,
			      unsigned int cpu)
{
	while (*at < count && cpu_at(array, size, *at) < cpu)
		(*at)++;
	if (*at < count && cpu_at(array, size, *at) == cpu)
		return (const char *)array + size * *at;
	return NULL;
}

static void join_columnar(const struct filling *f, const struct columnar *c, struct sample *sample)
{
	enum reason reason = slow_reason(f, c->source);
	struct interval interval = interval_of_slow(f->sample, f->context, f->before, f->now,
						    c->source);
	size_t i = 0, j = 0;

	if (reason == REASON_COUNT && !interval.ok)
		reason = interval.reason;
	for (size_t k = 0; k < sample->delta_count; k++) {
		struct cpu_delta *d = &sample->deltas[k];
		const void *a, *b;

		if (!d->in_both)
			continue;
		if (reason != REASON_COUNT) {
			fill_absent(d, c->first, c->counters, reason);
			continue;
		}
		a = element_of(c->before, c->before_count, c->size, &i, d->cpu);
		b = element_of(c->now, c->now_count, c->size, &j, d->cpu);
		if (a && b)
			c->fill(a, b, &interval, &d->delta[c->first]);
		else
			fill_absent(d, c->first, c->counters,
				    a || b ? REASON_OFFLINE : REASON_MISSING);
	}
	if (reason == REASON_COUNT)
		sample->slow_interval_ns[c->source] = (uint64_t)(interval.seconds * 1e9);
}

/* That nothing moved in a copy says nothing about the machine. */
static void void_all(struct sample *sample)
{
	for (size_t k = 0; k < sample->delta_count; k++)
		for (unsigned int i = 0; i < COUNTERS; i++)
			if (sample->deltas[k].delta[i].ok)
				sample->deltas[k].delta[i] = delta_absent(REASON_NO_DATA);
}

int deltas_fill(const struct sample_context *context, const struct reading *before,
		const struct reading *now, struct sample *sample)
{
	const struct filling f = { context,
				   before,
				   now,
				   sample,
				   interval_of(sample, context, before, now),
				   machine_changed(before, now) };
	const struct columnar columns[] = {
		{ SLOW_INTERRUPTS, COUNTER_IPIS, 2, before->interrupts.cpus, now->interrupts.cpus,
		  before->interrupts.count, now->interrupts.count, sizeof(struct interrupts_cpu),
		  fill_interrupts },
		{ SLOW_SCHEDSTAT, COUNTER_PULLS, 1, before->schedstat.cpus, now->schedstat.cpus,
		  before->schedstat.count, now->schedstat.count, sizeof(struct schedstat_cpu),
		  fill_pulls },
		{ SLOW_DISPATCH, COUNTER_DISPATCH, DISPATCH_KINDS, before->dispatches.cpus,
		  now->dispatches.cpus, before->dispatches.used, now->dispatches.used,
		  sizeof(struct dispatch_cpu), fill_dispatch },
	};
	int r = join_cpus(&f, sample);

	for (size_t i = 0; r == 0 && i < ARRAY_SIZE(columns); i++)
		join_columnar(&f, &columns[i], sample);
	if (sample->is_frozen)
		void_all(sample);
	return r;
}
