/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts as parts of documents. */
#ifndef LPARTUNE_BENCH_COUNTED_H
#define LPARTUNE_BENCH_COUNTED_H

#include <jansson.h>

#include "bench/bench.h"

/* {"context_switches_per_s": …, "absent": {name: reason}} of a whole run. */
json_t *tally_to_json(const struct tally *tally);

/* {event: {"per_s", "per_s_deviation" (between blocks), "per_operation", "running"}} of a cell;
 * {"per_s": null, "reason"} for an event that could not be counted. */
json_t *counters_to_json(const struct counters *counters, const struct measurement *m);

/* {event: per second} of a block. */
json_t *block_counters_to_json(const struct counters *counters, const struct block *block);

#endif
