/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file holds bench/statistics against published tables and known samples. */
#include "bench/judgement/statistics.h"

#include <errno.h>
#include <math.h>

#include "base/util.h"
#include "unit.h"

static bool near(double a, double b, double tolerance)
{
	return fabs(a - b) <= tolerance;
}

static void check_moments(void)
{
	const double x[] = { 4, 1, 3, 2 };

	CHECK(near(statistics_mean(x, 4), 2.5, 1e-12));
	CHECK(near(statistics_deviation(x, 4), 1.290994449, 1e-8));
	CHECK(near(statistics_median(x, 4), 2.5, 1e-12));
	CHECK(near(statistics_median(x, 3), 3, 1e-12));
	CHECK(statistics_deviation(x, 1) == 0);
	CHECK(isnan(statistics_mean(x, 0)) && isnan(statistics_median(x, 0)));
	CHECK(near(statistics_normal_p(1.959964), 0.05, 1e-6));
	/* Fisher's table of t. */
	CHECK(near(statistics_student_t(0.05, 1), 12.706, 0.001));
	CHECK(near(statistics_student_t(0.05, 2), 4.303, 0.001));
	CHECK(near(statistics_student_t(0.05, 5), 2.571, 0.001));
	CHECK(near(statistics_student_t(0.01, 10), 3.169, 0.001));
	CHECK(near(statistics_student_t(0.001, 29), 3.659, 0.001));
	CHECK(near(statistics_student_p(0, 7), 1, 1e-12));
}

/* Hollander and Wolfe, example 3.1 (Hamilton depression scale): T- = 5, p = 0.0391 two-sided. */
static void check_signed_rank(void)
{
	const double x[] = { -0.952, 0.147, -1.022, -0.430, -0.620, -0.590, -0.490, 0.080, -0.010 };
	struct estimate e = { 0 };

	CHECK(statistics_signed_rank(x, 9, &e) == 0);
	CHECK(near(e.p, 0.0390625, 1e-9));
	CHECK(near(e.value, -0.46, 1e-9));
	CHECK(near(e.low, -0.786, 1e-9) && near(e.high, -0.01, 1e-9));
	CHECK(statistics_signed_rank(x, 5, &e) == -EINVAL);
}

static void check_ties_and_zeros(void)
{
	const double zeros[8] = { 0 };
	const double ones[8] = { 1, 1, 1, 1, 1, 1, 1, 1 };
	const double nearly[7] = { log(4.0 / 3), log(3.0 / 4), 0.5, 0.6, 0.7, 0.8, 0.9 };
	struct estimate e = { 0 };

	CHECK(statistics_signed_rank(zeros, 8, &e) == 0 && e.p == 1 && e.value == 0);
	CHECK(statistics_signed_rank(ones, 8, &e) == 0 && e.value == 1 && e.low == 1);
	CHECK(near(e.p, 2 / 256.0, 1e-12));
	/* The first two have the rank 1.5 each: {}, {first} and {second} are as unlikely as this. */
	CHECK(statistics_signed_rank(nearly, 7, &e) == 0 && near(e.p, 6 / 128.0, 1e-12));
}

/* The interval must hold the truth in about 95 % of the samples, exact and approximate alike. */
static void check_coverage(size_t n)
{
	struct random r = random_seeded(n);
	unsigned int held = 0;

	for (unsigned int i = 0; i < 2000; i++) {
		double x[60];
		struct estimate e;

		for (size_t k = 0; k < n; k++)
			x[k] = 3 + random_unit(&r) - random_unit(&r);
		if (statistics_signed_rank(x, n, &e) == 0 && e.low <= 3 && e.high >= 3)
			held++;
	}
	CHECK(held >= 1880 && held <= 1975);
}

static void check_holm(void)
{
	double p[] = { 0.01, 0.04, 0.03, 0.5 };

	CHECK(statistics_holm(p, 4) == 0);
	CHECK(near(p[0], 0.04, 1e-12) && near(p[2], 0.09, 1e-12));
	CHECK(near(p[1], 0.09, 1e-12) && near(p[3], 0.5, 1e-12));
}

int main(void)
{
	check_moments();
	check_signed_rank();
	check_ties_and_zeros();
	check_coverage(10);
	check_coverage(20);
	check_coverage(40);
	check_holm();
	return unit_done();
}
