/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file keeps the numbers of a trial; it judges nothing. */
#include "bench/judgement/trial_data.h"

#include <errno.h>
#include <math.h>

#include "base/util.h"

static double *unknown(size_t count)
{
	double *x = reallocarray(NULL, count + 1, sizeof(*x));

	for (size_t i = 0; x && i < count; i++)
		x[i] = NAN;
	return x;
}

int trial_data_make(size_t cells, size_t capacity, struct trial_data *ret)
{
	size_t blocks = cells * TRIAL_ARMS * capacity;
	struct trial_data data = {
		.cells = cells,
		.capacity = capacity,
		.value = unknown(blocks * FIGURE_COUNT),
		.steal = unknown(blocks),
		.rate = unknown(blocks),
		.few = calloc(cells * FIGURE_COUNT + 1, sizeof(*data.few)),
	};

	if (!data.value || !data.steal || !data.rate || !data.few) {
		trial_data_done(&data);
		return -ENOMEM;
	}
	*ret = data;
	return 0;
}

void trial_data_done(struct trial_data *data)
{
	free(data->value);
	free(data->steal);
	free(data->rate);
	free(data->few);
	*data = (struct trial_data) { 0 };
}
