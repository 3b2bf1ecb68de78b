/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A run as a document, by the shape of schema/bench.json. */
#ifndef LPARTUNE_BENCH_DOCUMENT_H
#define LPARTUNE_BENCH_DOCUMENT_H

#include <jansson.h>

#include "bench/bench.h"

/* Figures that rest on fewer samples above them are shown greyed. */
#define EXCEEDANCES_ENOUGH 30

/* Adds definition, config, placement, attribution and results to a document. Histograms of blocks, which
 * are most of it, only if they will be kept or printed. -ENOMEM. */
int bench_to_json(const struct bench *bench, bool with_histograms, json_t *doc);

/* Block `block` of result `result`, with its histograms: for documents that are written without having
 * all of them in memory. NULL when memory is out. */
json_t *bench_block_to_json(const struct bench *bench, size_t result, size_t block);

/* {"distance", "idle_ns", "load", …} of a cell. NULL when memory is out. */
json_t *cell_to_json(const struct cell *cell);

/* {"50": ns, …} of a distribution: null where it is empty. */
json_t *percentiles_to_json(const struct distribution *d);

/* {"cpus", "cpu_count", "cores"}: where may be measured. */
json_t *layout_to_json(const struct layout *layout);

/* {class: share} of the slowest `part` of the wakes; null if there were none. */
json_t *shares_to_json(const struct class_table *table, double part);

/* A real, or null if it is not a number. */
json_t *real_or_null(double value);

#endif
