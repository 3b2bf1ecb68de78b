/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The benchmarks: a row each, in its own file. */
#ifndef LPARTUNE_BENCH_BENCHMARKS_H
#define LPARTUNE_BENCH_BENCHMARKS_H

#include "bench/bench.h"

extern const struct benchmark benchmark_wake;
extern const struct benchmark benchmark_pipe;
extern const struct benchmark benchmark_messaging;
extern const struct benchmark benchmark_fanout;
extern const struct benchmark benchmark_lock;
extern const struct benchmark benchmark_throughput;
extern const struct benchmark benchmark_timer;

/* All of them, in the order of `bench --list`; NULL ends the list. */
extern const struct benchmark *const benchmarks[];

const struct benchmark *benchmark_find(const char *name); /* NULL: there is none */

#endif
