/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Log-linear histograms of nanoseconds: below 2^7 one bucket a value, above 2^7 buckets to each
 * power of two, so that a value read back (the middle of its bucket) is at most 2^-8 = 0.39 % off.
 * Minimum, maximum, sum and count are exact.
 *
 * `struct histogram` is what a measuring thread writes: of fixed size, its own, no lock, no
 * allocation. `struct distribution` is what is kept, merged, stored and compared: only the buckets
 * that are in use, with counts that do not overflow.
 */
#ifndef LPARTUNE_BENCH_HISTOGRAM_H
#define LPARTUNE_BENCH_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/util.h"

#define HISTOGRAM_BITS 7
#define HISTOGRAM_TOP 44 /* values of 2^44 ns (4.8 hours) and more share the last bucket */
#define HISTOGRAM_BUCKETS ((HISTOGRAM_TOP - HISTOGRAM_BITS + 1) << HISTOGRAM_BITS)

struct histogram {
	uint64_t count, sum, min, max; /* min is meaningless while count is 0 */
	uint32_t bucket[HISTOGRAM_BUCKETS];
};

static inline unsigned int histogram_bucket(uint64_t ns)
{
	unsigned int log2, bucket;

	if (ns < 1u << HISTOGRAM_BITS)
		return (unsigned int)ns;
	log2 = 63 - (unsigned int)__builtin_clzll(ns);
	bucket = ((log2 - HISTOGRAM_BITS) << HISTOGRAM_BITS) +
		 (unsigned int)(ns >> (log2 - HISTOGRAM_BITS));
	return bucket < HISTOGRAM_BUCKETS ? bucket : HISTOGRAM_BUCKETS - 1;
}

/* The middle of a bucket. */
static inline uint64_t histogram_value(unsigned int bucket)
{
	unsigned int shift, step = 1u << HISTOGRAM_BITS;

	if (bucket < 2 * step)
		return bucket;
	shift = (bucket >> HISTOGRAM_BITS) - 1;
	return ((uint64_t)(step + (bucket & (step - 1))) << shift) + ((1ULL << shift) >> 1);
}

static inline void histogram_add(struct histogram *h, uint64_t ns)
{
	h->bucket[histogram_bucket(ns)]++;
	if (!h->count || ns < h->min)
		h->min = ns;
	if (ns > h->max)
		h->max = ns;
	h->count++;
	h->sum += ns;
}

struct distribution {
	uint64_t count, sum, min, max;
	struct distribution_bucket {
		uint32_t bucket;
		uint64_t count;
	} * used; /* ascending */
	size_t used_count;
};

void distribution_done(struct distribution *d);
#define _cleanup_distribution_ _cleanup_(distribution_done)

/* Adds what a thread recorded, or another distribution; exact. 0 or -ENOMEM (`d` is unchanged). */
int distribution_add_histogram(struct distribution *d, const struct histogram *h);
int distribution_merge(struct distribution *d, const struct distribution *other);

/* Appends a stored [ns, count]; values must come in ascending order. -EINVAL, -ENOMEM. */
int distribution_append(struct distribution *d, uint64_t ns, uint64_t count);

/* What `d` would be if each `one_in`-th of its samples, in ascending order, had taken `ns` longer. The
 * result is new. -ENOMEM. */
int distribution_delay(const struct distribution *d, uint64_t ns, unsigned int one_in,
		       struct distribution *ret);

/*
 * The quantile q (0 < q <= 1) by rank: the smallest value with at least q * count samples at or
 * below it, never below the minimum or above the maximum. False, `ret` untouched, if empty.
 */
bool distribution_quantile(const struct distribution *d, double q, uint64_t *ret);

/* How many samples lie above the rank of quantile q: what the figure rests on. */
uint64_t distribution_exceedances(const struct distribution *d, double q);

#endif
