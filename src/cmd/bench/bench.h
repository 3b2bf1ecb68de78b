/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a bench document looks as text. */
#ifndef LPARTUNE_CMD_BENCH_H
#define LPARTUNE_CMD_BENCH_H

#include <jansson.h>

#include "output/text.h"

void bench_view(const json_t *doc, struct text *out);

/* A line about the machine and what limits this process, from "facts", "placement", "limits". */
void bench_say_machine(const json_t *doc, struct text *out);

/* Latencies of fanout cells in the layout of schbench, version 1. */
void bench_schbench_view(const json_t *doc, struct text *out);

/* The list of benchmarks (`bench --list`). */
void bench_list_view(const json_t *doc, struct text *out);

/* Medians between CPUs as a heat map, grouped by core and node (`bench --map`). */
void bench_map_view(const json_t *doc, struct text *out);

#endif
