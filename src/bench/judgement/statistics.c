/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file has the statistics of comparisons; it knows nothing of benchmarks. */
#include "bench/judgement/statistics.h"

#include <errno.h>
#include <math.h>

#include "base/util.h"

#define EXACT_MAX 30
#define TWICE_TOP (EXACT_MAX * (EXACT_MAX + 1)) /* all their ranks, doubled */
#define TIE 1e-9 /* relative: log(4/3) and log(3/4) differ by rounding */

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double *sorted_copy(const double *x, size_t n)
{
	double *copy = reallocarray(NULL, n + 1, sizeof(*copy));

	if (!copy)
		return NULL;
	memcpy(copy, x, n * sizeof(*copy));
	qsort(copy, n, sizeof(*copy), by_value);
	return copy;
}

static double median_of_sorted(const double *x, size_t n)
{
	return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

double statistics_mean(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return n ? sum / (double)n : NAN;
}

double statistics_mean_known(const double *x, size_t n)
{
	double sum = 0, known = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(x[i])) {
			sum += x[i];
			known++;
		}
	return known > 0 ? sum / known : NAN;
}

double statistics_deviation(const double *x, size_t n)
{
	double mean = statistics_mean(x, n), sum = 0;

	if (n < 2)
		return n ? 0 : NAN;
	for (size_t i = 0; i < n; i++)
		sum += (x[i] - mean) * (x[i] - mean);
	return sqrt(sum / (double)(n - 1));
}

double statistics_median(const double *x, size_t n)
{
	_cleanup_free_ double *sorted = sorted_copy(x, n);

	return sorted && n ? median_of_sorted(sorted, n) : NAN;
}

double statistics_normal_p(double z)
{
	return erfc(fabs(z) / sqrt(2));
}

/* Abramowitz and Stegun 26.7.3 and 26.7.4: finite sums for whole degrees of freedom. */
double statistics_student_p(double t, size_t freedom)
{
	double angle = atan(fabs(t) / sqrt((double)freedom)), cosine = cos(angle);
	bool is_odd = freedom % 2;
	double term = is_odd ? cosine : 1, sum = freedom == 1 ? 0 : term, inside;

	for (size_t i = is_odd ? 3 : 2; i + 1 < freedom; i += 2) {
		term *= cosine * cosine * (double)(i - 1) / (double)i;
		sum += term;
	}
	inside = sin(angle) * sum;
	if (is_odd)
		inside = (angle + inside) * 2 / M_PI;
	return fmax(0, 1 - inside);
}

double statistics_student_t(double p, size_t freedom)
{
	double low = 0, high = 1e6;

	for (unsigned int i = 0; i < 100; i++) {
		double middle = (low + high) / 2;

		*(statistics_student_p(middle, freedom) > p ? &low : &high) = middle;
	}
	return high;
}

/* How many sets of ranks have each sum. Ranks are doubled, so that the mean rank of ties is whole. */
static void count_sets(const size_t *twice_rank, size_t n, double *ways)
{
	size_t top = 0;

	ways[0] = 1;
	for (size_t i = 0; i < n; i++) {
		top += twice_rank[i];
		for (size_t sum = top; sum >= twice_rank[i]; sum--)
			ways[sum] += ways[sum - twice_rank[i]];
	}
}

/* The two-sided p of a signed-rank statistic: every sign is as likely as the other. */
static double exact_p(const size_t *twice_rank, size_t n, double statistic)
{
	double ways[TWICE_TOP + 1] = { 0 }, tail = 0;

	count_sets(twice_rank, n, ways);
	for (size_t sum = 0; sum <= (size_t)(2 * statistic); sum++)
		tail += ways[sum];
	return fmin(1, 2 * ldexp(tail, -(int)n));
}

static int by_magnitude(const void *a, const void *b)
{
	double x = fabs(*(const double *)a), y = fabs(*(const double *)b);

	return (x > y) - (x < y);
}

/* Rank sums of the signed-rank test; zeros are left out, ties share their mean rank. */
struct rank_sums {
	size_t n; /* without zeros */
	double plus, minus;
	double ties; /* sum of t^3 - t */
	size_t twice_rank[EXACT_MAX];
};

static void sum_ranks(const double *x, size_t n, struct rank_sums *sums)
{
	for (size_t i = 0, j; i < n; i = j) {
		double rank, run;

		for (j = i; j < n && fabs(x[j]) - fabs(x[i]) <= TIE * fabs(x[i]); j++)
			;
		run = (double)(j - i);
		rank = (double)(i + 1 + j) / 2;
		sums->ties += run * run * run - run;
		for (size_t k = i; k < j; k++) {
			*(x[k] > 0 ? &sums->plus : &sums->minus) += rank;
			if (k < EXACT_MAX)
				sums->twice_rank[k] = i + 1 + j;
		}
	}
}

static double signed_rank_p(const double *x, size_t n)
{
	_cleanup_free_ double *kept = reallocarray(NULL, n + 1, sizeof(*kept));
	struct rank_sums sums = { 0 };
	double smaller, mean, variance;

	if (!kept)
		return NAN;
	for (size_t i = 0; i < n; i++)
		if (x[i] != 0)
			kept[sums.n++] = x[i];
	if (!sums.n)
		return 1;
	qsort(kept, sums.n, sizeof(*kept), by_magnitude);
	sum_ranks(kept, sums.n, &sums);
	smaller = fmin(sums.plus, sums.minus);
	if (sums.n <= EXACT_MAX)
		return exact_p(sums.twice_rank, sums.n, smaller);
	mean = (double)sums.n * (double)(sums.n + 1) / 4;
	variance = mean * (double)(2 * sums.n + 1) / 6 - sums.ties / 48;
	return fmin(1, statistics_normal_p(fmax(0, mean - smaller - 0.5) / sqrt(variance)));
}

/* The largest rank sum c with P(T <= c) <= 2.5 %: the interval ends at Walsh average c + 1 from
 * either side. */
static size_t critical_rank_sum(size_t n)
{
	double mean = (double)n * (double)(n + 1) / 4;
	double deviation = sqrt(mean * (double)(2 * n + 1) / 6);
	double ways[TWICE_TOP + 1] = { 0 }, tail;
	size_t twice_rank[EXACT_MAX], c = 0;

	if (n > EXACT_MAX)
		return (size_t)fmax(0, floor(mean - 1.959964 * deviation - 0.5));
	for (size_t i = 0; i < n; i++)
		twice_rank[i] = 2 * (i + 1);
	count_sets(twice_rank, n, ways);
	tail = ways[0] + ways[2];
	while (2 * ldexp(tail, -(int)n) <= 0.05)
		tail += ways[2 * (++c + 1)];
	return c;
}

static double *walsh_averages(const double *x, size_t n, size_t *ret_count)
{
	double *walsh = reallocarray(NULL, n * (n + 1) / 2, sizeof(*walsh));
	size_t k = 0;

	if (!walsh)
		return NULL;
	for (size_t i = 0; i < n; i++)
		for (size_t j = i; j < n; j++)
			walsh[k++] = (x[i] + x[j]) / 2;
	qsort(walsh, k, sizeof(*walsh), by_value);
	*ret_count = k;
	return walsh;
}

int statistics_signed_rank(const double *x, size_t n, struct estimate *ret)
{
	_cleanup_free_ double *walsh = NULL;
	size_t count, c;

	if (n < 6)
		return -EINVAL;
	if (n > STATISTICS_PAIRS_MAX)
		return -E2BIG;
	walsh = walsh_averages(x, n, &count);
	if (!walsh)
		return -ENOMEM;
	c = critical_rank_sum(n);
	*ret = (struct estimate) {
		.value = median_of_sorted(walsh, count),
		.low = walsh[c],
		.high = walsh[count - 1 - c],
		.p = signed_rank_p(x, n),
	};
	ret->rank_p = ret->p;
	ret->error = (ret->high - ret->low) / 2 / statistics_student_t(0.05, n - 1);
	return isnan(ret->p) ? -ENOMEM : 0;
}

struct indexed {
	double p;
	size_t index;
};

static int by_p(const void *a, const void *b)
{
	return by_value(&((const struct indexed *)a)->p, &((const struct indexed *)b)->p);
}

int statistics_holm(double *p, size_t n)
{
	_cleanup_free_ struct indexed *order = reallocarray(NULL, n + 1, sizeof(*order));
	double largest = 0;

	if (!order)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		order[i] = (struct indexed) { p[i], i };
	qsort(order, n, sizeof(*order), by_p);
	for (size_t i = 0; i < n; i++) {
		largest = fmax(largest, fmin(1, order[i].p * (double)(n - i)));
		p[order[i].index] = largest;
	}
	return 0;
}
