/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The units of a comparison: the blocks of a cell, or its sessions with all their blocks merged. */
#ifndef LPARTUNE_BENCH_UNITS_H
#define LPARTUNE_BENCH_UNITS_H

#include "bench/judgement/effect.h"
#include "bench/judgement/reading.h"

struct units {
	size_t count;
	struct distribution *wake, *response;
	double *rate, *steal;			 /* means; NAN: unknown */
	struct block_set wake_set, response_set; /* the same distributions, as effects take them */
};

/* One unit for each block. -ENOMEM. */
int units_of_blocks(const struct saved_cell *cell, struct units *ret);

/* One unit for each of `documents` documents; of a single one its two halves, by the order of its
 * blocks. -ENOMEM. */
int units_of_sessions(const struct saved_cell *cell, size_t documents, struct units *ret);
void units_done(struct units *units);

#endif
