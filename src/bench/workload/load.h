/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Background load: threads that keep a CPU busy for a part of each period. */
#ifndef LPARTUNE_BENCH_LOAD_H
#define LPARTUNE_BENCH_LOAD_H

#include "bench/bench.h"
#include "bench/workload/team.h"

/* How many spinners a cell needs beside `pairs` pairs: one for each worker, if it has a load. */
unsigned int load_members(const struct cell *cell, unsigned int pairs);

/* Fills those members: each spins on its pair's worker CPU, or free with free pairs. */
void load_fill(struct member *members, const struct cell *cell, const struct cpu_pair *pairs,
	       unsigned int count);

#endif
