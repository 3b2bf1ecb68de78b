/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A map: the wake latency between each two of a sample of CPUs, to see what the machine is made of. */
#ifndef LPARTUNE_BENCH_MAP_H
#define LPARTUNE_BENCH_MAP_H

#include <jansson.h>

#include "bench/bench.h"

#define MAP_CPUS_MAX 12
#define MAP_BLOCK_NS (100 * NS_PER_MS)

/* Plans a run with a cell for each two of up to MAP_CPUS_MAX allowed CPUs, spread over the machine,
 * and for each with itself. Otherwise as bench_plan. */
int map_plan(const struct bench_config *config, const struct session *session, struct bench *ret);

/* {"cpus": [{"cpu", "core", "node"}], "p50_ns": rows}: waker in the row, worker in the column; null
 * where a pair was not measured. */
json_t *map_to_json(const struct bench *bench);

#endif
