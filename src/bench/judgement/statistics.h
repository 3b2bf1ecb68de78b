/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Small-sample statistics for comparing measurements. Pure functions over arrays of doubles; the
 * arrays are the caller's and are not changed. The methods are the textbook ones (Hollander, Wolfe,
 * Chicken: Nonparametric Statistical Methods, chapters 3 and 6), chosen because block quantiles are
 * skewed and have outliers.
 */
#ifndef LPARTUNE_BENCH_STATISTICS_H
#define LPARTUNE_BENCH_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An estimate with its 95 % interval and the two-sided p-value of "it is zero". */
struct estimate {
	double value, low, high, p;
	double error;  /* standard error: half the interval, divided by Student's t for it */
	double rank_p; /* p by the signed-rank test alone; NAN: it was not made */
};

/* Mean, sample deviation (0 for one value) and median of n >= 1 values; NAN for none. */
double statistics_mean(const double *x, size_t n);
double statistics_deviation(const double *x, size_t n);
double statistics_median(const double *x, size_t n);

/* The mean of those that are not NAN; NAN if all are. */
double statistics_mean_known(const double *x, size_t n);

/*
 * One sample of differences: Hodges-Lehmann estimate (median of the Walsh averages), the interval
 * by inverting the Wilcoxon signed-rank test, and that test's p (exact up to 30 values, with ties
 * too, else the normal approximation with continuity and tie correction). -EINVAL below 6 values: no
 * 95 % interval exists. -E2BIG beyond STATISTICS_PAIRS_MAX, -ENOMEM.
 */
#define STATISTICS_PAIRS_MAX 2000
int statistics_signed_rank(const double *x, size_t n, struct estimate *ret);

/* Student's t with `freedom` >= 1 degrees: two-sided p of |t|, and the t of a two-sided p (0 < p < 1). */
double statistics_student_p(double t, size_t freedom);
double statistics_student_t(double p, size_t freedom);

/* The p-value of |z| under the normal distribution, two-sided. */
double statistics_normal_p(double z);

/* Holm's step-down correction, in place: p[i] becomes the adjusted p-value. -ENOMEM. */
int statistics_holm(double *p, size_t n);

/* A small generator (xorshift64*), seeded by the caller, so that results can be repeated. */
struct random {
	uint64_t state;
};
static inline struct random random_seeded(uint64_t seed)
{
	/* splitmix64's finaliser: near seeds give far states, and none is 0. */
	seed += 0x9e3779b97f4a7c15ULL;
	seed = (seed ^ seed >> 30) * 0xbf58476d1ce4e5b9ULL;
	seed = (seed ^ seed >> 27) * 0x94d049bb133111ebULL;
	return (struct random) { (seed ^ seed >> 31) | 1 };
}
static inline uint64_t random_u64(struct random *r)
{
	r->state ^= r->state >> 12;
	r->state ^= r->state << 25;
	r->state ^= r->state >> 27;
	return r->state * 0x2545f4914f6cdd1dULL;
}
/* Uniform in (0, 1]. */
static inline double random_unit(struct random *r)
{
	return (double)((random_u64(r) >> 11) + 1) * 0x1.0p-53;
}

#endif
