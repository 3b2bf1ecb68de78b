/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file turns differences into the numbers of rows; formulas are those of machine/sample/columns. */
#include "machine/sample/sample.h"

#include <errno.h>

#include "machine/sample/consumption.h"
#include "machine/sample/delta.h"

/* Differences summed over a group of CPUs. A sum stands only if every CPU of the group that was
 * online at both instants gave its part. */
struct tally {
	unsigned int members; /* CPUs online at both instants */
	struct {
		uint64_t sum;
		bool broken; /* some member has none */
		enum reason reason;
	} part[COUNTERS];
};

void sample_done(struct sample *sample)
{
	free(sample->cpus.row);
	free(sample->cores.row);
	free(sample->nodes.row);
	free(sample->deltas);
	*sample = (struct sample) { 0 };
}

static void tally_add(struct tally *tally, const struct cpu_delta *d)
{
	if (!d->in_both)
		return;
	tally->members++;
	for (unsigned int i = 0; i < COUNTERS; i++) {
		const struct delta *delta = &d->delta[i];

		/* A CPU that came or went in the middle of a slow source does not void the sum. */
		if (delta->ok) {
			tally->part[i].sum += delta->value;
		} else if (delta->reason != REASON_OFFLINE) {
			if (!tally->part[i].broken || delta->reason > tally->part[i].reason)
				tally->part[i].reason = delta->reason;
			tally->part[i].broken = true;
		}
	}
}

/* The reason why a part cannot be used, REASON_COUNT if it can. */
static enum reason part_reason(const struct tally *tally, enum counter counter)
{
	if (!tally->members)
		return REASON_OFFLINE;
	return tally->part[counter].broken ? tally->part[counter].reason : REASON_COUNT;
}

/* 100 x part / whole */
static struct number share(const struct tally *tally, enum counter counter, double whole)
{
	enum reason reason = part_reason(tally, counter);

	if (reason != REASON_COUNT)
		return number_absent(reason);
	return whole > 0 ? number_of(100 * (double)tally->part[counter].sum / whole)
			 : number_absent(REASON_NO_DATA);
}

static struct number per_second(const struct tally *tally, enum counter counter, double weight,
				double seconds)
{
	enum reason reason = part_reason(tally, counter);

	if (reason != REASON_COUNT)
		return number_absent(reason);
	return seconds > 0 ? number_of(weight * (double)tally->part[counter].sum / seconds)
			   : number_absent(REASON_NO_DATA);
}

static struct number exact(const struct tally *tally, enum counter counter)
{
	enum reason reason = part_reason(tally, counter);

	return reason == REASON_COUNT ? number_of((double)tally->part[counter].sum)
				      : number_absent(reason);
}

/* A sum of two numbers; the stronger reason of both if one is absent. */
static struct number both(struct number a, struct number b)
{
	if (a.present && b.present)
		return number_of(a.value + b.value);
	if (a.present || (!b.present && b.reason > a.reason))
		return number_absent(b.reason);
	return number_absent(a.reason);
}

/* What makes rows: the sources' intervals. */
struct making {
	const struct sample_context *context;
	const struct reading *before, *now;
	struct sample *sample;
	struct interval at;
};

static double slow_seconds(const struct making *m, enum slow_source source)
{
	struct interval interval = interval_of_slow(m->sample, m->context, m->before, m->now,
						    source);

	return interval.ok ? interval.seconds : 0;
}

static void make_stat(const struct tally *t, struct number *n)
{
	static const struct {
		enum column column;
		enum cputime_kind kind;
	} rows[] = {
		{ COLUMN_SYS, CPUTIME_SYSTEM },	     { COLUMN_IOWAIT, CPUTIME_IOWAIT },
		{ COLUMN_IDLE, CPUTIME_IDLE },	     { COLUMN_IRQ, CPUTIME_IRQ },
		{ COLUMN_SOFTIRQ, CPUTIME_SOFTIRQ }, { COLUMN_STAT_STEAL, CPUTIME_STEAL },
	};
	double whole = 0;

	for (unsigned int i = 0; i < CPUTIME_SUMMED; i++)
		if (!t->part[COUNTER_STAT + i].broken)
			whole += (double)t->part[COUNTER_STAT + i].sum;
	n[COLUMN_USER] = both(share(t, COUNTER_STAT + CPUTIME_USER, whole),
			      share(t, COUNTER_STAT + CPUTIME_NICE, whole));
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		n[rows[i].column] = share(t, (enum counter)(COUNTER_STAT + (int)rows[i].kind),
					  whole);
}

/* Absent as `interval` says, if no time has passed on the clock of these numbers. */
static struct number timed(struct number number, const struct interval *interval)
{
	return !interval->ok && (number.present || number.reason == REASON_NO_DATA)
		       ? number_absent(interval->reason)
		       : number;
}

/* How much more was waited than the interval has, at least 1. */
static double steal_excess(const struct tally *t, double ticks)
{
	double waited = (double)t->part[COUNTER_DISPATCH_WAIT].sum +
			(double)t->part[COUNTER_ENTITLEMENT_WAIT].sum;

	return ticks > 0 && waited > ticks ? waited / ticks : 1;
}

static void make_steal(const struct making *m, const struct tally *t, struct sample_row *row)
{
	struct number *n = row->number;
	double ticks = m->at.ticks * t->members, excess = steal_excess(t, ticks);

	n[COLUMN_DISPATCH_WAIT_TB] = exact(t, COUNTER_DISPATCH_WAIT);
	n[COLUMN_ENTITLEMENT_WAIT_TB] = exact(t, COUNTER_ENTITLEMENT_WAIT);
	n[COLUMN_STEAL_DISPATCH_WAIT] = timed(share(t, COUNTER_DISPATCH_WAIT, ticks * excess),
					      &m->at);
	n[COLUMN_STEAL_ENTITLEMENT_WAIT] = timed(share(t, COUNTER_ENTITLEMENT_WAIT, ticks * excess),
						 &m->at);
	row->steal_excess = n[COLUMN_STEAL_DISPATCH_WAIT].present ||
					    n[COLUMN_STEAL_ENTITLEMENT_WAIT].present
				    ? excess
				    : 1;
	n[COLUMN_STEAL] = both(n[COLUMN_STEAL_DISPATCH_WAIT], n[COLUMN_STEAL_ENTITLEMENT_WAIT]);
	if (n[COLUMN_STEAL].value > 100) /* by rounding */
		n[COLUMN_STEAL].value = 100;
	if (!m->sample->steal_is_lppaca)
		n[COLUMN_STEAL] = m->context->is_emulated ? number_absent(REASON_NOT_PROVIDED)
				  : m->context->is_bare	  ? number_absent(REASON_NOT_APPLICABLE)
							  : n[COLUMN_STAT_STEAL];
	/* KVM hosts count only the wait for a processor, and no dispersion. */
	if (m->context->is_kvm && !m->sample->steal_is_lppaca &&
	    n[COLUMN_DISPATCH_WAIT_TB].present) {
		n[COLUMN_STEAL_DISPATCH_WAIT] = number_absent(REASON_NOT_PROVIDED);
		n[COLUMN_DISPATCH_WAIT_TB] = number_absent(REASON_NOT_PROVIDED);
	}
	if (m->context->is_kvm && n[COLUMN_ENTITLEMENT_WAIT_TB].present) {
		n[COLUMN_STEAL_ENTITLEMENT_WAIT] = number_absent(REASON_NOT_PROVIDED);
		n[COLUMN_ENTITLEMENT_WAIT_TB] = number_absent(REASON_NOT_PROVIDED);
	}
}

static void make_dispatching(const struct making *m, const struct tally *t, struct number *n)
{
	double s = m->at.seconds;
	struct number cedes;

	n[COLUMN_DISPATCHES] = timed(per_second(t, COUNTER_YIELDS, 0.5, s), &m->at);
	n[COLUMN_DISPERSIONS] = timed(per_second(t, COUNTER_DISPERSIONS, 1, s), &m->at);
	if (m->context->is_kvm && n[COLUMN_DISPERSIONS].present)
		n[COLUMN_DISPERSIONS] = number_absent(REASON_NOT_PROVIDED);
	cedes = timed(per_second(t, COUNTER_IDLE_ENTRIES, 1, s), &m->at);
	n[COLUMN_IDLE_ENTRIES] = cedes;
	cedes.value = -cedes.value;
	n[COLUMN_PREEMPTIONS] = both(n[COLUMN_DISPATCHES], cedes);
	/* A cede with an interrupt pending returns at once: counted as an entry, not as a yield. */
	if (n[COLUMN_PREEMPTIONS].present && n[COLUMN_PREEMPTIONS].value < 0)
		n[COLUMN_PREEMPTIONS].value = 0;
}

static void make_places(const struct tally *t, struct number *n)
{
	bool known = part_reason(t, COUNTER_DISPATCH) == REASON_COUNT;
	double whole = known ? (double)t->part[COUNTER_DISPATCH + DISPATCH_TOTAL].sum : 0;

	n[COLUMN_HOME] = share(t, COUNTER_DISPATCH + DISPATCH_HOME, whole);
	n[COLUMN_HOME_ADJACENT] = share(t, COUNTER_DISPATCH + DISPATCH_ADJACENT, whole);
	n[COLUMN_HOME_AWAY] = share(t, COUNTER_DISPATCH + DISPATCH_AWAY, whole);
	n[COLUMN_SAME_CORE] = share(t, COUNTER_DISPATCH + DISPATCH_SAME_CORE, whole);
}

static void make_row(const struct making *m, const struct tally *t, int id, struct sample_row *ret)
{
	struct number *n = ret->number;

	ret->id = id;
	for (unsigned int i = 0; i < COLUMN_COUNT; i++)
		n[i] = number_absent(REASON_NOT_APPLICABLE);
	make_stat(t, n);
	make_steal(m, t, ret);
	make_dispatching(m, t, n);
	make_places(t, n);
	n[COLUMN_IPIS] = per_second(t, COUNTER_IPIS, 1, slow_seconds(m, SLOW_INTERRUPTS));
	n[COLUMN_DOORBELLS] = per_second(t, COUNTER_DOORBELLS, 1, slow_seconds(m, SLOW_INTERRUPTS));
	if (n[COLUMN_DOORBELLS].present && !m->now->interrupts.doorbell_rows)
		n[COLUMN_DOORBELLS] = number_absent(REASON_NOT_PROVIDED);
	n[COLUMN_SMT_PULLS] = per_second(t, COUNTER_PULLS, 1, slow_seconds(m, SLOW_SCHEDSTAT));
}

/* --- the system's own numbers --- */

/* The kernel's own line for the whole system: it also holds what CPUs did before they went. */
static void use_total_line(const struct making *m, struct tally *t)
{
	/* CPUs of both readings; how many there have been since the boot nobody knows. */
	size_t cpus = m->context->since_boot ? CPUS_MAX : m->sample->delta_count;
	struct delta d[CPUTIME_SUMMED];

	if (!m->before->stat.total.kinds || !m->now->stat.total.kinds)
		return;
	delta_stat(&m->before->stat.total, &m->now->stat.total, &m->at, cpus, d);
	for (unsigned int i = 0; i < CPUTIME_SUMMED; i++) {
		t->part[COUNTER_STAT + i].sum = d[i].ok ? d[i].value : 0;
		t->part[COUNTER_STAT + i].broken = !d[i].ok;
		t->part[COUNTER_STAT + i].reason = d[i].reason;
	}
}

static struct number context_switches(const struct making *m)
{
	const struct cputimes *a = &m->before->stat, *b = &m->now->stat;
	struct delta d;

	if (!a->has_context_switches || !b->has_context_switches)
		return number_absent(m->now->stat_error ? reason_of_errno(m->now->stat_error)
							: REASON_MISSING);
	d = delta_u64(a->context_switches, b->context_switches);
	if (!d.ok || !m->at.ok)
		return number_absent(d.ok ? m->at.reason : d.reason);
	if (is_absurd_step(d.value, m->at.seconds))
		return number_absent(REASON_INVALID);
	return m->at.seconds > 0 ? number_of((double)d.value / m->at.seconds)
				 : number_absent(REASON_NO_DATA);
}

static void make_system(const struct making *m)
{
	struct sample_row *row = &m->sample->system;
	struct tally tally = { 0 };
	bool stat_only;

	for (size_t i = 0; i < m->sample->delta_count; i++)
		tally_add(&tally, &m->sample->deltas[i]);
	use_total_line(m, &tally);
	stat_only = !tally.members; /* no CPU is known, yet the total line counts */
	tally.members += stat_only;
	for (unsigned int i = 0; stat_only && i < COUNTERS; i++)
		if (i < COUNTER_STAT || i >= COUNTER_IPIS) {
			tally.part[i].broken = true;
			tally.part[i].reason = m->context->is_power ? REASON_MISSING
								    : REASON_NOT_APPLICABLE;
		}
	make_row(m, &tally, -1, row);
	consumption_set(m->context, m->before, m->now, m->sample);
	row->number[COLUMN_MIGRATIONS] = number_absent(REASON_NOT_SAMPLED);
	row->number[COLUMN_CONTEXT_SWITCHES] = context_switches(m);
	row->number[COLUMN_INTERVAL_TB] = m->at.ok && m->at.ticks > 0
						  ? number_of(m->at.ticks)
						  : number_absent(m->at.ok ? REASON_NO_DATA
									   : m->at.reason);
}

/* --- groups --- */

static struct sample_row *add_row(struct sample_rows *rows)
{
	if (rows->count == rows->room) {
		size_t room = rows->room ? rows->room * 2 : 64;
		struct sample_row *grown = reallocarray(rows->row, room, sizeof(*grown));

		if (!grown)
			return NULL;
		rows->row = grown;
		rows->room = room;
	}
	return &rows->row[rows->count++];
}

static int make_group(const struct making *m, struct sample_rows *rows, int id,
		      const struct idset *cpus)
{
	struct sample_row *row = add_row(rows);
	struct tally tally = { 0 };

	if (!row)
		return -ENOMEM;
	for (size_t i = 0; i < m->sample->delta_count; i++)
		if (idset_has(cpus, m->sample->deltas[i].cpu))
			tally_add(&tally, &m->sample->deltas[i]);
	make_row(m, &tally, id, row);
	return 0;
}

static int make_cpus(const struct making *m)
{
	for (size_t i = 0; i < m->sample->delta_count; i++) {
		struct sample_row *row = add_row(&m->sample->cpus);
		struct tally tally = { 0 };

		if (!row)
			return -ENOMEM;
		tally_add(&tally, &m->sample->deltas[i]);
		make_row(m, &tally, (int)m->sample->deltas[i].cpu, row);
	}
	return 0;
}

static int make_groups(const struct making *m)
{
	const struct topology *topology = m->context->topology;
	int r = 0;

	m->sample->cpus.count = m->sample->cores.count = m->sample->nodes.count = 0;
	if (m->context->wants_cpus)
		r = make_cpus(m);
	if (r < 0 || !topology)
		return r;
	for (unsigned int i = 0; r == 0 && m->context->wants_cores && i < topology->core_count; i++)
		r = make_group(m, &m->sample->cores, topology->cores[i].first,
			       &topology->cores[i].threads);
	for (unsigned int i = 0; r == 0 && m->context->wants_nodes && i < topology->node_count; i++)
		if (idset_next(&topology->nodes[i].cpus, 0) >= 0)
			r = make_group(m, &m->sample->nodes, topology->nodes[i].id,
				       &topology->nodes[i].cpus);
	return r;
}

/* A hypervisor that counts no waiting at all leaves all three sums at 0 on every CPU. PowerVM does
 * count, so there 0 is a number. */
static bool counts_waiting(const struct sample_context *context, const struct reading *now)
{
	if (!context->is_kvm)
		return true;
	for (size_t i = 0; i < now->count; i++) {
		const struct lppaca *l = &now->cpus[i].lppaca;

		if (!now->cpus[i].lppaca_error &&
		    (l->enqueue_dispatch_tb || l->ready_enqueue_tb || l->wait_ready_tb))
			return true;
	}
	return false;
}

int sample_make(const struct sample_context *context, const struct reading *before,
		const struct reading *now, struct sample *sample)
{
	struct making m = { context, before, now, sample, { 0 } };
	int r;

	sample->is_frozen = context->is_tree && !context->since_boot && is_frozen(before, now);
	m.at = interval_of(sample, context, before, now);
	memset(sample->slow_interval_ns, 0, sizeof(sample->slow_interval_ns));
	sample->interval_ns = m.at.ok ? (uint64_t)(m.at.seconds * 1e9 + 0.5) : 0;
	sample->clock = m.at.clock;
	sample->has_tb = m.at.clock == CLOCK_TIMEBASE;
	sample->tb_from = before->at.tb;
	sample->tb_to = now->at.tb;
	sample->online = now->count;
	sample->steal_is_lppaca = context->uses_lppaca && !context->is_emulated &&
				  counts_waiting(context, now);
	r = deltas_fill(context, before, now, sample);
	if (r < 0)
		return r;
	make_system(&m);
	return make_groups(&m);
}

void sample_each_stolen(const struct sample *sample, sample_stolen_fn each, void *arg)
{
	for (size_t i = 0; i < sample->delta_count; i++) {
		const struct cpu_delta *d = &sample->deltas[i];

		if (d->delta[COUNTER_DISPATCH_WAIT].ok && d->delta[COUNTER_ENTITLEMENT_WAIT].ok)
			each(arg, d->cpu,
			     d->delta[COUNTER_DISPATCH_WAIT].value +
				     d->delta[COUNTER_ENTITLEMENT_WAIT].value);
	}
}
