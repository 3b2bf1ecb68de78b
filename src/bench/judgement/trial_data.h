/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a trial has measured, by rounds. A round measures every cell once as the machine was found
 * (arm A) and once changed (arm B), close together, so that what drifts is the same in both. Plain
 * numbers: what judges them needs no machine.
 */
#ifndef LPARTUNE_BENCH_TRIAL_DATA_H
#define LPARTUNE_BENCH_TRIAL_DATA_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/judgement/figure.h"

enum trial_arm { TRIAL_A, TRIAL_B, TRIAL_ARMS };

struct trial_data {
	size_t cells, capacity; /* rounds that there is room for */
	size_t rounds;		/* complete ones */
	double *value;		/* [cell][figure][arm][round]; ns or operations/s; NAN: none */
	double *steal;		/* [cell][arm][round]; % of CPU time; NAN: unknown */
	double *rate;		/* [cell][arm][round]; operations done a second */
	bool *few;		/* [cell][figure]: too few samples lie above the quantile */
};

/* All values are NAN at first. -ENOMEM. */
int trial_data_make(size_t cells, size_t capacity, struct trial_data *ret);
void trial_data_done(struct trial_data *data);
#define _cleanup_trial_data_ _cleanup_(trial_data_done)

/* The values of all rounds. */
static inline double *trial_values(const struct trial_data *data, size_t cell,
				   enum figure_id figure, unsigned int arm)
{
	return &data->value[((cell * FIGURE_COUNT + figure) * TRIAL_ARMS + arm) * data->capacity];
}

static inline double *trial_steal(const struct trial_data *data, size_t cell, unsigned int arm)
{
	return &data->steal[(cell * TRIAL_ARMS + arm) * data->capacity];
}

static inline double *trial_rate(const struct trial_data *data, size_t cell, unsigned int arm)
{
	return &data->rate[(cell * TRIAL_ARMS + arm) * data->capacity];
}

static inline bool *trial_few(const struct trial_data *data, size_t cell, enum figure_id figure)
{
	return &data->few[cell * FIGURE_COUNT + figure];
}

#endif
