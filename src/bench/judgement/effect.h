/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The effect of a change on one figure, with its uncertainty and a verdict. The unit is the block
 * (or, of interleaved measurements, the round), never the single wake. Effects are log ratios
 * after/before inside and percentages outside.
 */
#ifndef LPARTUNE_BENCH_EFFECT_H
#define LPARTUNE_BENCH_EFFECT_H

#include "bench/judgement/histogram.h"
#include "bench/judgement/statistics.h"

/* No verdict below this many blocks or rounds on a side: the signed-rank test has no 95 % interval
 * for fewer than 6 pairs. */
#define EFFECT_ROUNDS_MIN 6

/* Blocks of one side. */
struct block_set {
	const struct distribution **block;
	size_t count;
};

/*
 * Sequential sides: log ratio of the quantile of all blocks pooled; the interval by resampling
 * blocks (1000 times), widened by Student's t for the number of blocks. Nothing here protects
 * from drift between the sides. -ENODATA: a side is empty or the quantile is 0; -ENOMEM.
 */
int effect_pooled(const struct block_set *before, const struct block_set *after, double q,
		  uint64_t seed, struct estimate *ret);

/* Interleaved sides: block i of one belongs to block i of the other. -ENODATA also below
 * EFFECT_ROUNDS_MIN pairs. */
int effect_paired(const struct block_set *before, const struct block_set *after, double q,
		  struct estimate *ret);

/* The same for figures that are one number a block (rates, counts). NAN: not known; pairs with it,
 * and those of two zeros, are left out. -ENODATA also if a pair goes from or to 0. */
int effect_pooled_values(const double *before, size_t n, const double *after, size_t m,
			 uint64_t seed, struct estimate *ret);
int effect_paired_values(const double *before, const double *after, size_t n, struct estimate *ret);

/* The same for log ratios of pairs. */
int effect_paired_ratios(const double *ratio, size_t n, struct estimate *ret);

enum verdict {
	VERDICT_UNDECIDED,
	VERDICT_NO_CHANGE, /* within the limit, with certainty */
	VERDICT_BETTER,
	VERDICT_WORSE,
};
const char *verdict_word(enum verdict verdict); /* "no change" */

struct judgement {
	enum verdict verdict;
	double change_pct, low_pct, high_pct;
	double detectable_pct;	    /* a change of this size would be found with 80 % probability */
	unsigned int rounds_needed; /* for a verdict; 0: decided, or more than can be said */
};

/*
 * Judges an effect measured with n blocks a side, one of `tests` figures whose p were corrected: better or worse only if the whole interval lies
 * beyond `within_pct` and the corrected p is below 0.05; no change only if it lies wholly inside.
 */
struct judgement effect_judge(const struct estimate *e, double corrected_p, size_t n, size_t tests,
			      double within_pct, bool more_is_better);

#endif
