/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables that `lpartune bench` prints; each of one benchmark's results of a document. */
#ifndef LPARTUNE_CMD_BENCH_TABLES_H
#define LPARTUNE_CMD_BENCH_TABLES_H

#include <jansson.h>

#include "output/text.h"

/* Is it a result of this benchmark? */
bool bench_is_of(const json_t *result, const char *name);

/* Quantiles; `operation` heads the column of counts. */
void bench_latency_table(const json_t *results, const char *name, const char *operation,
			 struct text *out);

/* Why the slowest 1 % were slow, steal, clean figures, achieved and planned rates. */
void bench_reason_table(const json_t *results, const char *name, struct text *out);

/* Rates, their deviation, scaled to the first; switches for each operation. */
void bench_rate_table(const json_t *results, const char *name, struct text *out);

/* Perf events: rate, deviation between blocks, number for each operation. */
void bench_count_table(const json_t *results, const char *name, struct text *out);

/* Which CPUs would be measured (--dry-run); of all benchmarks. */
void bench_plan_table(const json_t *results, struct text *out);

#endif
