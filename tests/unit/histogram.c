/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file holds bench/histogram against exact sorting of ten distributions. */
#include "bench/judgement/histogram.h"

#include <errno.h>
#include <math.h>

#include "bench/judgement/statistics.h"
#include "unit.h"

#define SAMPLES 20000

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static double normal(struct random *r)
{
	return sqrt(-2 * log(random_unit(r))) * cos(6.283185307 * random_unit(r));
}

static double draw(unsigned int kind, struct random *r)
{
	double u = random_unit(r);

	switch (kind) {
	case 0:
		return 1000;
	case 1:
		return u * 1e6;
	case 2:
		return -log(u) * 50000;
	case 3:
		return exp(10 + normal(r));
	case 4:
		return fabs(20000 + 3000 * normal(r));
	case 5:
		return u < 0.5 ? 2000 + u : 90000 + u * 1000;
	case 6:
		return 1000 / pow(u, 2); /* a Pareto tail */
	case 7:
		return u * 120; /* below the linear end */
	case 8:
		return u < 0.99 ? 40000 : 1e10 * u;
	default:
		return 1e12 * u;
	}
}

struct run {
	struct histogram dense;
	uint64_t exact[SAMPLES];
};

static bool quantiles_hold(const struct run *run, const struct distribution *d)
{
	static const double q[] = { 0.0001, 0.01, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1 };

	for (size_t i = 0; i < ARRAY_SIZE(q); i++) {
		size_t rank = (size_t)ceil(q[i] * SAMPLES - 1e-6);
		double want = (double)run->exact[rank ? rank - 1 : 0];
		uint64_t got = 0;

		if (!distribution_quantile(d, q[i], &got) || got > d->max || got < d->min)
			return false;
		if (fabs((double)got - want) > 0.004 * want)
			return false;
	}
	return true;
}

static void check_distribution(unsigned int kind)
{
	_cleanup_free_ struct run *run = calloc(1, sizeof(*run));
	_cleanup_distribution_ struct distribution d = { 0 };
	struct random r = random_seeded(kind);
	uint64_t sum = 0;

	for (size_t i = 0; i < SAMPLES; i++) {
		run->exact[i] = (uint64_t)draw(kind, &r);
		histogram_add(&run->dense, run->exact[i]);
		sum += run->exact[i];
	}
	qsort(run->exact, SAMPLES, sizeof(uint64_t), by_value);
	CHECK(distribution_add_histogram(&d, &run->dense) == 0);
	CHECK(d.count == SAMPLES && d.sum == sum);
	CHECK(d.min == run->exact[0] && d.max == run->exact[SAMPLES - 1]);
	CHECK(quantiles_hold(run, &d));
}

/* Every bucket holds the values that it says, without gap or overlap. */
static void check_buckets(void)
{
	bool middle = true, ascending = true;

	for (unsigned int i = 0; i < HISTOGRAM_BUCKETS; i++) {
		middle &= histogram_bucket(histogram_value(i)) == i;
		ascending &= i == 0 || histogram_value(i) > histogram_value(i - 1);
	}
	CHECK(middle);
	CHECK(ascending);
	CHECK(histogram_bucket(UINT64_MAX) == HISTOGRAM_BUCKETS - 1);
	CHECK(histogram_bucket(0) == 0);
}

static bool same(const struct distribution *a, const struct distribution *b)
{
	if (a->count != b->count || a->sum != b->sum || a->min != b->min || a->max != b->max ||
	    a->used_count != b->used_count)
		return false;
	for (size_t i = 0; i < a->used_count; i++)
		if (a->used[i].bucket != b->used[i].bucket || a->used[i].count != b->used[i].count)
			return false;
	return true;
}

/* Two halves merged are the whole. */
static void check_merge(void)
{
	_cleanup_free_ struct histogram *half = calloc(3, sizeof(*half));
	_cleanup_distribution_ struct distribution merged = { 0 }, whole = { 0 }, empty = { 0 };
	struct random r = random_seeded(99);

	for (size_t i = 0; i < SAMPLES; i++) {
		uint64_t ns = (uint64_t)draw(3, &r);

		histogram_add(&half[i % 2], ns);
		histogram_add(&half[2], ns);
	}
	CHECK(distribution_add_histogram(&merged, &half[0]) == 0);
	CHECK(distribution_add_histogram(&merged, &half[1]) == 0);
	CHECK(distribution_add_histogram(&whole, &half[2]) == 0);
	CHECK(same(&merged, &whole));
	CHECK(distribution_merge(&merged, &empty) == 0 && same(&merged, &whole));
	CHECK(distribution_merge(&empty, &merged) == 0 && same(&empty, &whole));
}

static void check_edges(void)
{
	_cleanup_distribution_ struct distribution d = { 0 };
	uint64_t ns = 7;

	CHECK(!distribution_quantile(&d, 0.5, &ns) && ns == 7);
	CHECK(distribution_exceedances(&d, 0.5) == 0);
	CHECK(distribution_append(&d, 1000, 99) == 0);
	CHECK(distribution_append(&d, 1000, 1) == -EINVAL);
	CHECK(distribution_append(&d, 2000, 0) == -EINVAL);
	CHECK(distribution_append(&d, 5000, 1) == 0);
	CHECK(distribution_quantile(&d, 0.99, &ns) && ns >= 996 && ns <= 1004);
	CHECK(distribution_exceedances(&d, 0.99) == 1);
	CHECK(distribution_quantile(&d, 1, &ns) && ns == 5000);
	CHECK(distribution_exceedances(&d, 1) == 0);
}

int main(void)
{
	check_buckets();
	for (unsigned int kind = 0; kind < 10; kind++)
		check_distribution(kind);
	check_merge();
	check_edges();
	return unit_done();
}
