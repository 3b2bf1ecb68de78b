/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file counts what went on during a run; a source that is not there leaves a reason. */
#include "bench/judgement/tally.h"

#include <errno.h>
#include <math.h>

#include "machine/source/dispatch.h"
#include "machine/source/idle.h"
#include "machine/source/interrupts.h"
#include "machine/source/vpa.h"

static const char *const words[TALLY_COUNT] = {
	[TALLY_CONTEXT_SWITCHES] = "context_switches_per_s",
	[TALLY_IPIS] = "ipis_per_s",
	[TALLY_DOORBELLS] = "doorbells_per_s",
	[TALLY_IDLE_ENTRIES] = "idle_entries_per_s",
	[TALLY_STEAL_PCT] = "steal_pct",
	[TALLY_STEAL_DISPATCH_WAIT_PCT] = "steal_dispatch_wait_pct",
	[TALLY_STEAL_ENTITLEMENT_WAIT_PCT] = "steal_entitlement_wait_pct",
	[TALLY_HOME_PCT] = "home_pct",
	[TALLY_OWN_CPU_PCT] = "own_cpu_pct",
	[TALLY_FOREIGN_CPU_PCT] = "foreign_cpu_pct",
};

const char *tally_word(enum tally_figure figure)
{
	return words[figure];
}

struct tally_reading {
	struct environment_reading environment;
	struct interrupts interrupts;
	struct dispatches dispatches;
	struct vpa vpa;
	uint64_t idle_entries;
	int interrupts_error, dispatches_error, idle_error;
	bool is_power;
};

static int read_idle(struct root *root, const struct layout *layout, uint64_t *ret)
{
	_cleanup_idle_states_ struct idle_states states = { 0 };
	uint64_t sum = 0;
	int r = idle_states_read(root, (unsigned int)idset_next(&layout->allowed, 0), &states);

	if (r < 0)
		return r;
	idset_for_each (cpu, &layout->allowed) {
		struct idle_use use;

		r = idle_entries_read(root, &states, (unsigned int)cpu, false, &use);
		if (r < 0)
			return r;
		sum += use.entries;
	}
	*ret = sum;
	return 0;
}

struct tally_reading *tally_read(struct root *root, const struct attribution *a,
				 const struct layout *layout)
{
	struct tally_reading *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->interrupts_error = interrupts_read(root, &t->interrupts);
	t->dispatches_error = dispatches_read(root, &t->dispatches);
	t->idle_error = read_idle(root, layout, &t->idle_entries);
	vpa_read(root, &layout->allowed, &t->vpa);
	t->is_power = root_exists(root, "proc/ppc64") != -ENOENT;
	environment_read(root, a, &t->environment);
	return t;
}

void tally_reading_free(struct tally_reading *t)
{
	if (!t)
		return;
	environment_reading_done(&t->environment);
	interrupts_done(&t->interrupts);
	dispatches_done(&t->dispatches);
	free(t);
}

static void set(struct tally *t, enum tally_figure figure, double value)
{
	t->value[figure] = value;
	if (!isfinite(value))
		t->value[figure] = NAN;
}

static void tally_environment(const struct attribution *a, const struct tally_reading *before,
			      const struct tally_reading *after, struct tally *t)
{
	struct environment e = environment_between(a, &before->environment, &after->environment);

	set(t, TALLY_CONTEXT_SWITCHES, e.context_switches_per_s);
	set(t, TALLY_STEAL_PCT, e.steal_pct);
	set(t, TALLY_OWN_CPU_PCT, e.own_cpu_pct);
	set(t, TALLY_FOREIGN_CPU_PCT, e.foreign_cpu_pct);
}

/* 32-bit counters, CPU by CPU; a CPU that came or went makes the sum unknown. */
static void tally_interrupts(const struct tally_reading *before, const struct tally_reading *after,
			     double seconds, struct tally *t)
{
	const struct interrupts *b = &before->interrupts, *a = &after->interrupts;
	double ipis = 0, doorbells = 0;

	if (after->interrupts_error || before->interrupts_error || a->count != b->count) {
		t->reason[TALLY_IPIS] = reason_of_errno(-after->interrupts_error);
		t->reason[TALLY_DOORBELLS] = t->reason[TALLY_IPIS];
		return;
	}
	for (size_t i = 0; i < a->count; i++) {
		if (a->cpus[i].cpu != b->cpus[i].cpu)
			return;
		ipis += (uint32_t)(a->cpus[i].ipis - b->cpus[i].ipis);
		doorbells += (uint32_t)(a->cpus[i].doorbells - b->cpus[i].doorbells);
	}
	t->reason[TALLY_IPIS] = t->reason[TALLY_DOORBELLS] = REASON_NOT_PROVIDED;
	if (a->ipi_rows)
		set(t, TALLY_IPIS, ipis / seconds);
	if (a->doorbell_rows)
		set(t, TALLY_DOORBELLS, doorbells / seconds);
}

static void tally_idle(const struct tally_reading *before, const struct tally_reading *after,
		       double seconds, struct tally *t)
{
	t->reason[TALLY_IDLE_ENTRIES] = reason_of_errno(-after->idle_error);
	if (!before->idle_error && !after->idle_error &&
	    after->idle_entries >= before->idle_entries)
		set(t, TALLY_IDLE_ENTRIES,
		    (double)(after->idle_entries - before->idle_entries) / seconds);
}

/* Why the growth of the waits is not known; REASON_COUNT if it is. A sum that went back is that of
 * another machine, or of lppacas that were registered anew. */
static enum reason waits_reason(const struct attribution *a, const struct vpa *b,
				const struct vpa *n)
{
	if (n->error || b->error)
		return reason_of_errno(n->error ? n->error : b->error);
	if (!a)
		return REASON_NOT_SAMPLED;
	if (!a->has_vpa)
		return a->vpa_reason;
	if (!vpa_has_waits(n))
		return REASON_NOT_PROVIDED;
	if (b->cpus != n->cpus || n->dispatch_wait_tb < b->dispatch_wait_tb ||
	    n->entitlement_wait_tb < b->entitlement_wait_tb)
		return REASON_RESET;
	return REASON_COUNT;
}

static void tally_waits(const struct attribution *a, const struct layout *layout,
			const struct tally_reading *before, const struct tally_reading *after,
			double seconds, struct tally *t)
{
	const struct vpa *b = &before->vpa, *n = &after->vpa;
	enum reason reason = waits_reason(a, b, n);
	double to_pct;

	t->reason[TALLY_STEAL_DISPATCH_WAIT_PCT] = reason;
	t->reason[TALLY_STEAL_ENTITLEMENT_WAIT_PCT] = reason;
	if (reason != REASON_COUNT)
		return;
	to_pct = 100 * a->tick_ns * 1e-9 / seconds / (double)idset_count(&layout->allowed);
	set(t, TALLY_STEAL_DISPATCH_WAIT_PCT,
	    (double)(n->dispatch_wait_tb - b->dispatch_wait_tb) * to_pct);
	set(t, TALLY_STEAL_ENTITLEMENT_WAIT_PCT,
	    (double)(n->entitlement_wait_tb - b->entitlement_wait_tb) * to_pct);
}

static double sum_of(const struct dispatches *d, enum dispatch_kind kind)
{
	double sum = 0;

	for (size_t i = 0; i < d->used; i++)
		if (d->cpus[i].valid)
			sum += (double)d->cpus[i].count[kind];
	return sum;
}

static void tally_dispatches(const struct tally_reading *before, const struct tally_reading *after,
			     struct tally *t)
{
	const struct dispatches *b = &before->dispatches, *a = &after->dispatches;
	double home, all = 0;

	t->reason[TALLY_HOME_PCT] = after->dispatches_error
					    ? reason_of_errno(-after->dispatches_error)
					    : REASON_NOT_SAMPLED;
	if (before->dispatches_error || after->dispatches_error || a->off || b->off)
		return;
	home = sum_of(a, DISPATCH_HOME) - sum_of(b, DISPATCH_HOME);
	for (unsigned int kind = DISPATCH_HOME; kind <= DISPATCH_AWAY; kind++)
		all += sum_of(a, (enum dispatch_kind)kind) - sum_of(b, (enum dispatch_kind)kind);
	t->reason[TALLY_HOME_PCT] = REASON_NO_DATA;
	if (all > 0 && home >= 0 && home <= all)
		set(t, TALLY_HOME_PCT, 100 * home / all);
}

void tally_doubt_zero_steal(struct tally *t)
{
	if (t->value[TALLY_STEAL_PCT] > 0 || isnan(t->value[TALLY_STEAL_PCT]))
		return; /* an absent one has its own reason */
	t->value[TALLY_STEAL_PCT] = NAN;
	t->reason[TALLY_STEAL_PCT] = REASON_NOT_PROVIDED;
}

/* What only Power has is not missing elsewhere. */
static void judge_reasons(const struct tally_reading *reading, struct tally *t)
{
	static const enum tally_figure of_power[] = { TALLY_DOORBELLS,
						      TALLY_STEAL_DISPATCH_WAIT_PCT,
						      TALLY_STEAL_ENTITLEMENT_WAIT_PCT,
						      TALLY_HOME_PCT };

	for (size_t i = 0; !reading->is_power && i < ARRAY_SIZE(of_power); i++)
		if (isnan(t->value[of_power[i]]))
			t->reason[of_power[i]] = REASON_NOT_APPLICABLE;
}

void tally_between(const struct attribution *a, const struct layout *layout,
		   const struct tally_reading *before, const struct tally_reading *after,
		   struct tally *ret)
{
	double seconds;

	for (unsigned int i = 0; i < TALLY_COUNT; i++) {
		ret->value[i] = NAN;
		ret->reason[i] = REASON_NO_DATA;
	}
	if (!before || !after)
		return;
	seconds = (double)(after->environment.at_ns - before->environment.at_ns) * 1e-9;
	if (seconds <= 0)
		return;
	tally_environment(a, before, after, ret);
	tally_interrupts(before, after, seconds, ret);
	tally_idle(before, after, seconds, ret);
	tally_waits(a, layout, before, after, seconds, ret);
	tally_dispatches(before, after, ret);
	judge_reasons(after, ret);
}
