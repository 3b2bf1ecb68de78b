/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the measuring itself costs. */
#ifndef LPARTUNE_BENCH_OWN_COST_H
#define LPARTUNE_BENCH_OWN_COST_H

#include "bench/host/attribution.h"

/* In ns, medians over many short batches: others may run meanwhile. */
struct own_cost {
	double clock_ns;       /* one stamp */
	double record_ns;      /* one histogram entry */
	double attribution_ns; /* all reads and the class of one wake; NAN if not wanted */
};

/* `attribution` may be NULL. */
void own_cost_measure(const struct attribution *attribution, struct own_cost *ret);

#endif
