/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The benchmarks: a row each, in its own file. */
#ifndef LPARTUNE_BENCH_BENCHMARKS_H
#define LPARTUNE_BENCH_BENCHMARKS_H

#include "bench/bench.h"

extern const struct benchmark benchmark_wake;

/* All of them, in the order of `bench --list`; NULL ends the list. */
extern const struct benchmark *const benchmarks[];

const struct benchmark *benchmark_find(const char *name); /* NULL: there is none */

#endif
