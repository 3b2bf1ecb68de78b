/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file keeps CPUs busy for a share of the time. */
#include "bench/workload/load.h"

#include "bench/workload/futex.h"

#define PERIOD_NS (10 * NS_PER_MS)

static void load_body(struct member *self)
{
	const struct cell *cell = self->arg;
	uint64_t busy_ns = PERIOD_NS * cell->load_pct / 100, period;

	if (!team_gate(self))
		return;
	for (period = clock_ns(); !team_is_stopped(self->team); period += PERIOD_NS) {
		while (clock_ns() < period + busy_ns && !team_is_stopped(self->team))
			;
		if (busy_ns < PERIOD_NS)
			futex_wait_until(&self->team->stopped, 0, period + PERIOD_NS);
		if (clock_ns() > period + 2 * PERIOD_NS)
			period = clock_ns() - PERIOD_NS; /* held off: do not catch up */
	}
}

unsigned int load_members(const struct cell *cell, unsigned int pairs)
{
	return cell->load_pct ? pairs : 0;
}

void load_fill(struct member *members, const struct cell *cell, const struct cpu_pair *pairs,
	       unsigned int count)
{
	for (unsigned int i = 0; i < load_members(cell, count); i++)
		members[i] = (struct member) {
			.body = load_body,
			.arg = (void *)cell,
			.name = "load",
			.cpu = pairs[i].worker,
		};
}
