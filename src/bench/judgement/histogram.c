/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file keeps distributions as sorted lists of used buckets; counting is exact throughout. */
#include "bench/judgement/histogram.h"

#include <errno.h>
#include <math.h>

void distribution_done(struct distribution *d)
{
	free(d->used);
	*d = (struct distribution) { 0 };
}

static void add_totals(struct distribution *d, uint64_t count, uint64_t sum, uint64_t min,
		       uint64_t max)
{
	if (!count)
		return;
	if (!d->count || min < d->min)
		d->min = min;
	if (max > d->max)
		d->max = max;
	d->count += count;
	d->sum += sum;
}

/* Merges two ascending lists into fresh memory. */
static struct distribution_bucket *merge_lists(const struct distribution *a,
					       const struct distribution *b, size_t *ret_count)
{
	size_t i = 0, j = 0, n = 0;
	struct distribution_bucket *out = reallocarray(NULL, a->used_count + b->used_count + 1,
						       sizeof(*out));

	if (!out)
		return NULL;
	while (i < a->used_count || j < b->used_count) {
		if (j == b->used_count ||
		    (i < a->used_count && a->used[i].bucket < b->used[j].bucket)) {
			out[n++] = a->used[i++];
		} else if (i == a->used_count || b->used[j].bucket < a->used[i].bucket) {
			out[n++] = b->used[j++];
		} else {
			out[n] = a->used[i++];
			out[n++].count += b->used[j++].count;
		}
	}
	*ret_count = n;
	return out;
}

int distribution_merge(struct distribution *d, const struct distribution *other)
{
	size_t n;
	struct distribution_bucket *merged = merge_lists(d, other, &n);

	if (!merged)
		return -ENOMEM;
	free(d->used);
	d->used = merged;
	d->used_count = n;
	add_totals(d, other->count, other->sum, other->min, other->max);
	return 0;
}

int distribution_add_histogram(struct distribution *d, const struct histogram *h)
{
	_cleanup_distribution_ struct distribution sparse = { 0 };
	size_t n = 0;

	for (unsigned int i = 0; i < HISTOGRAM_BUCKETS; i++)
		n += h->bucket[i] != 0;
	sparse.used = reallocarray(NULL, n + 1, sizeof(*sparse.used));
	if (!sparse.used)
		return -ENOMEM;
	for (unsigned int i = 0; i < HISTOGRAM_BUCKETS; i++)
		if (h->bucket[i])
			sparse.used[sparse.used_count++] =
				(struct distribution_bucket) { i, h->bucket[i] };
	add_totals(&sparse, h->count, h->sum, h->min, h->max);
	return distribution_merge(d, &sparse);
}

int distribution_append(struct distribution *d, uint64_t ns, uint64_t count)
{
	unsigned int bucket = histogram_bucket(ns);
	struct distribution_bucket *grown;

	if (!count || (d->used_count && bucket <= d->used[d->used_count - 1].bucket))
		return -EINVAL;
	grown = reallocarray(d->used, d->used_count + 1, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	grown[d->used_count] = (struct distribution_bucket) { bucket, count };
	d->used = grown;
	d->used_count++;
	add_totals(d, count, ns * count, ns, ns);
	return 0;
}

int distribution_delay(const struct distribution *d, uint64_t ns, unsigned int one_in,
		       struct distribution *ret)
{
	_cleanup_free_ struct histogram *dense = calloc(1, sizeof(*dense));
	struct distribution delayed = { 0 };
	uint64_t seen = 0, latest = 0;
	int r;

	if (!dense)
		return -ENOMEM;
	for (size_t i = 0; i < d->used_count; i++) {
		uint64_t value = histogram_value(d->used[i].bucket) + ns, count = d->used[i].count;
		uint64_t moved = (seen + count) / one_in - seen / one_in;

		seen += count;
		dense->bucket[d->used[i].bucket] += (uint32_t)(count - moved);
		dense->bucket[histogram_bucket(value)] += (uint32_t)moved;
		latest = moved ? value : latest;
	}
	dense->count = d->count;
	dense->sum = d->sum + ns * (seen / one_in);
	dense->min = d->min;
	dense->max = latest > d->max ? latest : d->max;
	r = distribution_add_histogram(&delayed, dense);
	if (r == 0)
		*ret = delayed;
	return r;
}

/* The rank of a quantile among n samples: the smallest r >= q * n, at least 1. */
static uint64_t rank_of(uint64_t n, double q)
{
	/* 0.99 * 100 is a little above 99 in binary; such dust must not cost a rank. */
	double rank = ceil(q * (double)n - 1e-9 * (double)n);

	if (rank < 1)
		return 1;
	return rank > (double)n ? n : (uint64_t)rank;
}

static uint64_t clamp(uint64_t value, uint64_t low, uint64_t high)
{
	if (value < low)
		return low;
	return value > high ? high : value;
}

bool distribution_quantile(const struct distribution *d, double q, uint64_t *ret)
{
	uint64_t rank = rank_of(d->count, q), seen = 0;

	if (!d->count)
		return false;
	if (rank == d->count) {
		*ret = d->max;
		return true;
	}
	for (size_t i = 0; i < d->used_count; i++) {
		seen += d->used[i].count;
		if (seen >= rank) {
			*ret = clamp(histogram_value(d->used[i].bucket), d->min, d->max);
			return true;
		}
	}
	return false;
}

uint64_t distribution_exceedances(const struct distribution *d, double q)
{
	return d->count ? d->count - rank_of(d->count, q) : 0;
}
