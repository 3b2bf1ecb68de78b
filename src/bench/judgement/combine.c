/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file makes one number a round out of those of several cells; it tests and judges nothing. */
#include "bench/judgement/combine.h"

#include <errno.h>
#include <math.h>

#include "base/util.h"
#include "bench/judgement/statistics.h"

#define HUBER_K 1.345	 /* 95 % of the mean's efficiency where the noise is normal */
#define MAD_SCALE 1.4826 /* makes a median deviation comparable with a standard deviation */
#define SPREAD_MIN 0.004 /* what a bucket of a histogram cannot tell apart */

/* A cell's rounds in short. */
struct spread {
	double center, width;
	double inside; /* share of the rounds that are not pulled in */
};

static size_t known_of(const double *x, size_t n, double *ret)
{
	size_t known = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(x[i]))
			ret[known++] = x[i];
	return known;
}

/* False if the cell has no value. */
static bool describe(const double *x, size_t rounds, double *scratch, struct spread *ret)
{
	size_t n = known_of(x, rounds, scratch), inside = 0;

	if (!n)
		return false;
	ret->center = statistics_median(scratch, n);
	for (size_t i = 0; i < n; i++)
		scratch[i] = fabs(scratch[i] - ret->center);
	ret->width = fmax(MAD_SCALE * statistics_median(scratch, n), SPREAD_MIN);
	for (size_t i = 0; i < n; i++)
		inside += scratch[i] <= HUBER_K * ret->width;
	ret->inside = (double)inside / (double)n;
	return true;
}

static double pulled_in(const struct spread *s, double x)
{
	double limit = HUBER_K * s->width;

	return s->center + fmax(-limit, fmin(limit, x - s->center)) / s->inside;
}

static size_t weigh(const double *ratio, size_t cells, size_t rounds, double *scratch,
		    struct spread *spread, double *weight)
{
	size_t used = 0;

	for (size_t cell = 0; cell < cells; cell++) {
		bool has = describe(&ratio[cell * rounds], rounds, scratch, &spread[cell]);

		weight[cell] = has ? 1 / spread[cell].width : 0;
		used += has;
	}
	return used;
}

int combine_cells(const double *ratio, size_t cells, size_t rounds, double *weight,
		  double *combined)
{
	_cleanup_free_ struct spread *spread = calloc(cells + 1, sizeof(*spread));
	_cleanup_free_ double *scratch = calloc(rounds + 1, sizeof(*scratch));
	size_t used;

	if (!spread || !scratch)
		return -ENOMEM;
	used = weigh(ratio, cells, rounds, scratch, spread, weight);
	for (size_t i = 0; i < rounds; i++) {
		double sum = 0, weights = 0;

		for (size_t cell = 0; cell < cells; cell++) {
			double x = ratio[cell * rounds + i];

			if (isnan(x))
				continue;
			sum += weight[cell] * (used > 1 ? pulled_in(&spread[cell], x) : x);
			weights += weight[cell];
		}
		combined[i] = weights > 0 ? sum / weights : NAN;
	}
	return 0;
}
