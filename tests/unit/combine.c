/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file holds the combination of cells to what it promises. */
#include "bench/judgement/combine.h"

#include <math.h>

#include "bench/judgement/statistics.h"
#include "unit.h"

#define ROUNDS 40

static bool near(double a, double b, double tolerance)
{
	return fabs(a - b) <= tolerance;
}

/* Noise without a mean: each row holds every value and its negative. */
static double noise(size_t i, double width)
{
	return width * ((double)(i * 7 % ROUNDS) - (ROUNDS - 1) / 2.0) / ROUNDS;
}

/* A ratio that all cells share comes out whole, whatever their noise; the noisy cell weighs little. */
static void test_shared(void)
{
	static const double width[] = { 0.05, 0.1, 2 };
	double ratio[3 * ROUNDS], weight[3], combined[ROUNDS];

	for (size_t cell = 0; cell < 3; cell++)
		for (size_t i = 0; i < ROUNDS; i++)
			ratio[cell * ROUNDS + i] = 0.05 + noise(i + cell, width[cell]);
	CHECK(combine_cells(ratio, 3, ROUNDS, weight, combined) == 0);
	CHECK(near(weight[0] / weight[1], 2, 1e-9) && near(weight[1] / weight[2], 20, 1e-9));
	CHECK(near(statistics_mean(combined, ROUNDS), 0.05, 1e-3));
	CHECK(statistics_deviation(combined, ROUNDS) < 0.05);
}

/* One wild round of one cell moves that round by no more than the cell's own noise does. */
static void test_wild(void)
{
	double ratio[2 * ROUNDS], weight[2], combined[ROUNDS];

	for (size_t i = 0; i < ROUNDS; i++) {
		ratio[i] = noise(i, 0.1);
		ratio[ROUNDS + i] = noise(i + 3, 0.1);
	}
	ratio[ROUNDS + 5] = 3;
	CHECK(combine_cells(ratio, 2, ROUNDS, weight, combined) == 0);
	CHECK(fabs(combined[5]) < 0.1);
}

/* A change of one cell alone is never silent, even if the others are steadier. */
static void test_one_cell(void)
{
	double ratio[3 * ROUNDS], weight[3], combined[ROUNDS];

	for (size_t i = 0; i < ROUNDS; i++) {
		ratio[i] = noise(i, 0.05);
		ratio[ROUNDS + i] = noise(i + 1, 0.05);
		ratio[2 * ROUNDS + i] = 0.4 + noise(i + 2, 0.2);
	}
	CHECK(combine_cells(ratio, 3, ROUNDS, weight, combined) == 0);
	CHECK(near(statistics_mean(combined, ROUNDS), 0.4 / 9, 1e-3));
}

/* What is missing is left out; the only cell stays as it is, wild rounds too. */
static void test_missing(void)
{
	double ratio[2 * ROUNDS], weight[2], combined[ROUNDS];

	for (size_t i = 0; i < ROUNDS; i++) {
		ratio[i] = i == 4 ? NAN : i == 7 ? 3 : noise(i, 0.1);
		ratio[ROUNDS + i] = NAN;
	}
	CHECK(combine_cells(ratio, 2, ROUNDS, weight, combined) == 0);
	CHECK(weight[0] > 0 && weight[1] == 0);
	for (size_t i = 0; i < ROUNDS; i++)
		CHECK(isnan(combined[i]) ? i == 4 : near(combined[i], ratio[i], 1e-12));
	ratio[ROUNDS + 4] = 0.25;
	CHECK(combine_cells(ratio, 2, ROUNDS, weight, combined) == 0);
	CHECK(near(combined[4], 0.25, 1e-12));
	CHECK(combine_cells(ratio, 0, 0, weight, combined) == 0);
}

/* Values that are all the same have no spread: a bucket of a histogram is what is known. */
static void test_equal(void)
{
	double ratio[2 * ROUNDS], weight[2], combined[ROUNDS];

	for (size_t i = 0; i < 2 * ROUNDS; i++)
		ratio[i] = i < ROUNDS ? 0.02 : 0.04;
	CHECK(combine_cells(ratio, 2, ROUNDS, weight, combined) == 0);
	for (size_t i = 0; i < ROUNDS; i++)
		CHECK(near(combined[i], 0.03, 1e-12));
}

int main(void)
{
	test_shared();
	test_wild();
	test_one_cell();
	test_missing();
	test_equal();
	return unit_done();
}
