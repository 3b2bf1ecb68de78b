/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cells of a trial as one figure: a log ratio a round out of those of all cells.
 *
 * Cells differ in noise by a factor of ten and more (a free worker lands on either side of a cache
 * from block to block), and a plain mean is as noisy as its worst cell. So each cell weighs by how
 * steady it was, 1/spread: then all bring the same noise, and none is silent. And a round in which
 * one cell was far off is pulled in to that cell's median (Huber 1964: the one-step M-estimator, as
 * pseudo-values, so that what is left of a spread is its true size).
 */
#ifndef LPARTUNE_BENCH_COMBINE_H
#define LPARTUNE_BENCH_COMBINE_H

#include <stddef.h>

/*
 * `ratio` is [cell][round], NAN where there is none. `weight` gets one number a cell (0: it has no
 * value), `combined` one a round (NAN: no cell has one). The ratios of a cell that is the only one
 * stay what they are. -ENOMEM.
 */
int combine_cells(const double *ratio, size_t cells, size_t rounds, double *weight,
		  double *combined);

#endif
