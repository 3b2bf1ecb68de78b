/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file estimates effects and judges them; it reads no document. */
#include "bench/judgement/effect.h"

#include <errno.h>
#include <math.h>

#define RESAMPLES 1000
#define Z95 1.959964
#define Z80 0.841621	 /* for a probability of 80 % to find an effect */
#define ROUNDS_MOST 1000 /* more is no advice */

static const char *const words[] = {
	[VERDICT_UNDECIDED] = "undecided",
	[VERDICT_NO_CHANGE] = "no change",
	[VERDICT_BETTER] = "better",
	[VERDICT_WORSE] = "worse",
};

const char *verdict_word(enum verdict verdict)
{
	return words[verdict];
}

/* Blocks as rows of one matrix over the buckets that any of them uses: adding is then fast. */
struct matrix {
	uint32_t *bucket;
	uint64_t *count; /* rows x columns */
	size_t rows, columns;
};

static void matrix_done(struct matrix *m)
{
	free(m->bucket);
	free(m->count);
}

static int fill_buckets(const struct block_set *set, struct matrix *m)
{
	_cleanup_distribution_ struct distribution all = { 0 };

	for (size_t i = 0; i < set->count; i++)
		if (distribution_merge(&all, set->block[i]) < 0)
			return -ENOMEM;
	m->columns = all.used_count;
	m->bucket = reallocarray(NULL, m->columns + 1, sizeof(*m->bucket));
	if (!m->bucket)
		return -ENOMEM;
	for (size_t i = 0; i < m->columns; i++)
		m->bucket[i] = all.used[i].bucket;
	return all.count ? 0 : -ENODATA;
}

static int matrix_make(const struct block_set *set, struct matrix *ret)
{
	int r = fill_buckets(set, ret);

	if (r < 0)
		return r;
	ret->rows = set->count;
	ret->count = calloc(ret->rows * ret->columns, sizeof(*ret->count));
	if (!ret->count)
		return -ENOMEM;
	for (size_t row = 0; row < ret->rows; row++) {
		const struct distribution *d = set->block[row];
		size_t column = 0;

		for (size_t i = 0; i < d->used_count; i++) {
			while (ret->bucket[column] != d->used[i].bucket)
				column++;
			ret->count[row * ret->columns + column] = d->used[i].count;
		}
	}
	return 0;
}

/* The quantile of the sum of rows; NAN if they are empty. */
static double quantile_of_rows(const struct matrix *m, const size_t *row, uint64_t *sum, double q)
{
	uint64_t total = 0, seen = 0;
	double rank;

	memset(sum, 0, m->columns * sizeof(*sum));
	for (size_t i = 0; i < m->rows; i++)
		for (size_t c = 0; c < m->columns; c++)
			sum[c] += m->count[row[i] * m->columns + c];
	for (size_t c = 0; c < m->columns; c++)
		total += sum[c];
	rank = fmax(1, ceil(q * (double)total - 1e-9 * (double)total));
	for (size_t c = 0; c < m->columns; c++) {
		seen += sum[c];
		if (seen && (double)seen >= rank)
			return (double)histogram_value(m->bucket[c]);
	}
	return NAN;
}

/* Quantiles of resampled sides; the first is that of the side itself. */
static int resample_quantiles(const struct matrix *m, double q, struct random *random, double *ret)
{
	_cleanup_free_ size_t *row = reallocarray(NULL, m->rows + 1, sizeof(*row));
	_cleanup_free_ uint64_t *sum = reallocarray(NULL, m->columns + 1, sizeof(*sum));

	if (!row || !sum)
		return -ENOMEM;
	for (size_t i = 0; i < m->rows; i++)
		row[i] = i;
	ret[0] = quantile_of_rows(m, row, sum, q);
	for (unsigned int b = 1; b <= RESAMPLES; b++) {
		for (size_t i = 0; i < m->rows; i++)
			row[i] = (size_t)(random_u64(random) % m->rows);
		ret[b] = quantile_of_rows(m, row, sum, q);
	}
	return ret[0] > 0 ? 0 : -ENODATA;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The signs of a few rounds cannot show how unlikely a large effect is; its distance from 0 in
 * standard errors can. */
static void set_p(struct estimate *e, size_t n)
{
	if (e->error > 0)
		e->p = statistics_student_p(e->value / e->error, n - 1);
	else
		e->p = e->value == 0;
}

/* The estimate from resampled log ratios (index 0: the data themselves). With few blocks resampling
 * is too sure of itself; the interval is widened by what theory says for that many. */
static int estimate_from(double *ratio, size_t n, struct estimate *ret)
{
	double widen, center = ratio[0], half;
	size_t kept = 0;

	for (unsigned int b = 1; b <= RESAMPLES; b++)
		if (isfinite(ratio[b]))
			ratio[kept++] = ratio[b];
	if (!isfinite(center) || kept < RESAMPLES / 2 || n < 2)
		return -ENODATA;
	qsort(ratio, kept, sizeof(*ratio), by_value);
	widen = statistics_student_t(0.05, n - 1) / Z95 * sqrt((double)n / ((double)n - 1));
	*ret = (struct estimate) {
		.value = center,
		.rank_p = NAN,
		.low = center + widen * fmin(0, ratio[(size_t)(0.025 * (double)kept)] - center),
		.high = center +
			widen * fmax(0, ratio[(size_t)(0.975 * (double)(kept - 1))] - center),
	};
	half = center > 0 ? center - ret->low : ret->high - center;
	ret->error = half / statistics_student_t(0.05, n - 1);
	set_p(ret, n);
	return 0;
}

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

int effect_pooled(const struct block_set *before, const struct block_set *after, double q,
		  uint64_t seed, struct estimate *ret)
{
	_cleanup_(matrix_done) struct matrix a = { 0 }, b = { 0 };
	_cleanup_free_ double *x = calloc(RESAMPLES + 1, sizeof(*x));
	_cleanup_free_ double *y = calloc(RESAMPLES + 1, sizeof(*y));
	struct random random = random_seeded(seed);
	int r = x && y ? matrix_make(before, &a) : -ENOMEM;

	if (r == 0)
		r = matrix_make(after, &b);
	if (r == 0)
		r = resample_quantiles(&a, q, &random, x);
	if (r == 0)
		r = resample_quantiles(&b, q, &random, y);
	if (r < 0)
		return r;
	for (unsigned int i = 0; i <= RESAMPLES; i++)
		x[i] = log(y[i] / x[i]);
	return estimate_from(x, smaller(a.rows, b.rows), ret);
}

int effect_paired_ratios(const double *ratio, size_t n, struct estimate *ret)
{
	int r = statistics_signed_rank(ratio, n, ret);

	if (r == 0)
		set_p(ret, n);
	return r == -EINVAL ? -ENODATA : r;
}

int effect_paired(const struct block_set *before, const struct block_set *after, double q,
		  struct estimate *ret)
{
	size_t n = smaller(before->count, after->count), kept = 0;
	_cleanup_free_ double *ratio = reallocarray(NULL, n + 1, sizeof(*ratio));

	if (!ratio)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		uint64_t x, y;

		if (distribution_quantile(before->block[i], q, &x) &&
		    distribution_quantile(after->block[i], q, &y) && x && y)
			ratio[kept++] = log((double)y / (double)x);
	}
	return effect_paired_ratios(ratio, kept, ret);
}

int effect_paired_values(const double *before, const double *after, size_t n, struct estimate *ret)
{
	_cleanup_free_ double *ratio = reallocarray(NULL, n + 1, sizeof(*ratio));
	size_t kept = 0;

	if (!ratio)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		if (before[i] > 0 && after[i] > 0)
			ratio[kept++] = log(after[i] / before[i]);
		else if (before[i] >= 0 && after[i] >= 0 && before[i] + after[i] > 0)
			return -ENODATA; /* to leave out the largest changes would hide them */
	}
	return effect_paired_ratios(ratio, kept, ret);
}

/* The mean of a resampled array. */
static double resampled_mean(const double *x, size_t n, struct random *random)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[random_u64(random) % n];
	return sum / (double)n;
}

int effect_pooled_values(const double *before, size_t n, const double *after, size_t m,
			 uint64_t seed, struct estimate *ret)
{
	_cleanup_free_ double *ratio = NULL;
	struct random random = random_seeded(seed);

	if (!n || !m)
		return -ENODATA;
	ratio = calloc(RESAMPLES + 1, sizeof(*ratio));
	if (!ratio)
		return -ENOMEM;
	ratio[0] = log(statistics_mean(after, m) / statistics_mean(before, n));
	for (unsigned int b = 1; b <= RESAMPLES; b++)
		ratio[b] = log(resampled_mean(after, m, &random) /
			       resampled_mean(before, n, &random));
	return estimate_from(ratio, smaller(n, m), ret);
}

static double percent(double log_ratio)
{
	return 100 * expm1(log_ratio);
}

/* The smallest effect that a verdict needs, with n rounds of this standard error, when it shall be
 * found with 80 % probability among `tests` figures. */
static double detectable(double error, size_t n, size_t tests, double limit)
{
	double interval = statistics_student_t(0.05, n - 1) * error + limit;
	double corrected = statistics_student_t(0.05 / (double)tests, n - 1) * error;

	return fmax(interval, corrected) + Z80 * error;
}

/* Would this effect be found, or found to be none, after so many rounds? Errors shrink by sqrt(n). */
static bool is_enough(const struct estimate *e, size_t n, size_t rounds, size_t tests, double limit)
{
	double error = e->error * sqrt((double)n / (double)rounds), size = fabs(e->value);

	return detectable(error, rounds, tests, limit) <= size ||
	       (statistics_student_t(0.05, rounds - 1) + Z80) * error <= limit - size;
}

static unsigned int rounds_needed(const struct estimate *e, size_t n, size_t tests, double limit)
{
	size_t low = n < EFFECT_ROUNDS_MIN ? EFFECT_ROUNDS_MIN : n + 1, high = ROUNDS_MOST;

	if (low > high || !is_enough(e, n, high, tests, limit))
		return 0;
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (is_enough(e, n, middle, tests, limit))
			high = middle;
		else
			low = middle + 1;
	}
	return (unsigned int)low;
}

struct judgement effect_judge(const struct estimate *e, double corrected_p, size_t n, size_t tests,
			      double within_pct, bool more_is_better)
{
	double limit = log1p(within_pct / 100);
	struct judgement j = {
		.change_pct = percent(e->value),
		.low_pct = percent(e->low),
		.high_pct = percent(e->high),
		.detectable_pct = n < 2 ? NAN : percent(detectable(e->error, n, tests, limit)),
	};
	bool is_more = e->low > limit, is_less = e->high < -limit;

	if (n >= EFFECT_ROUNDS_MIN && (is_more || is_less) && corrected_p < 0.05)
		j.verdict = is_more == more_is_better ? VERDICT_BETTER : VERDICT_WORSE;
	else if (n >= EFFECT_ROUNDS_MIN && e->low > -limit && e->high < limit)
		j.verdict = VERDICT_NO_CHANGE;
	if (j.verdict == VERDICT_UNDECIDED && n >= 2)
		j.rounds_needed = rounds_needed(e, n, tests, limit);
	return j;
}
