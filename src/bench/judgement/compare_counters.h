/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How counts of a cell changed. There is no verdict: more of an event is not worse by itself. */
#ifndef LPARTUNE_BENCH_COMPARE_COUNTERS_H
#define LPARTUNE_BENCH_COMPARE_COUNTERS_H

#include <jansson.h>

#include "bench/judgement/reading.h"

/* [{"name", "before", "after", "change_pct", "low_pct", "high_pct"}] of the events of both cells;
 * `paired`: document i of one side belongs to document i of the other (`documents` each). */
json_t *compare_counters(const struct saved_cell *before, const struct saved_cell *after,
			 bool paired, size_t documents);

#endif
