/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file compares counts by the same statistics as rates. */
#include "bench/judgement/compare_counters.h"

#include <math.h>

#include "bench/document.h"
#include "bench/judgement/effect.h"

#define SEED 1

/* The values of an event: of each block, or the mean of each document. */
struct values {
	double *value;
	size_t count;
};

static void values_done(struct values *v)
{
	free(v->value);
}

static double value_in(const struct saved_block *block, const char *name)
{
	const json_t *value = json_object_get(block->counters, name);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

static bool values_of_blocks(const struct saved_cell *cell, const char *name, struct values *ret)
{
	ret->value = calloc(cell->count + 1, sizeof(*ret->value));
	for (size_t i = 0; ret->value && i < cell->count; i++) {
		double value = value_in(&cell->blocks[i], name);

		if (!isnan(value))
			ret->value[ret->count++] = value;
	}
	return ret->count > 0;
}

/* A document without the event leaves NAN, which pairs leave out. */
static bool values_of_documents(const struct saved_cell *cell, const char *name, size_t documents,
				struct values *ret)
{
	ret->value = calloc(documents + 1, sizeof(*ret->value));
	for (size_t d = 0; ret->value && d < documents; d++) {
		double sum = 0, n = 0;

		for (size_t i = 0; i < cell->count; i++)
			if (cell->blocks[i].file == d) {
				sum += value_in(&cell->blocks[i], name);
				n++;
			}
		ret->value[ret->count++] = sum / n;
	}
	return ret->count > 0;
}

static int estimate(const struct values *x, const struct values *y, bool paired,
		    struct estimate *ret)
{
	return paired ? effect_paired_values(x->value, y->value, x->count, ret)
		      : effect_pooled_values(x->value, x->count, y->value, y->count, SEED, ret);
}

static json_t *compare_counter(const char *name, const struct values *x, const struct values *y,
			       bool paired)
{
	struct estimate e = { NAN, NAN, NAN, NAN, NAN, NAN };

	(void)estimate(x, y, paired, &e);
	return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "name", name, "before",
			 real_or_null(statistics_mean_known(x->value, x->count)), "after",
			 real_or_null(statistics_mean_known(y->value, y->count)), "change_pct",
			 real_or_null(100 * expm1(e.value)), "low_pct",
			 real_or_null(100 * expm1(e.low)), "high_pct",
			 real_or_null(100 * expm1(e.high)));
}

json_t *compare_counters(const struct saved_cell *before, const struct saved_cell *after,
			 bool paired, size_t documents)
{
	json_t *list = json_array(), *unused;
	json_t *events = before->count ? (json_t *)before->blocks[0].counters : NULL;
	const char *name;

	json_object_foreach (events, name, unused) {
		_cleanup_(values_done) struct values x = { 0 }, y = { 0 };
		bool known = paired ? values_of_documents(before, name, documents, &x) &&
					      values_of_documents(after, name, documents, &y)
				    : values_of_blocks(before, name, &x) &&
					      values_of_blocks(after, name, &y);

		(void)unused;
		if (known)
			json_array_append_new(list, compare_counter(name, &x, &y, paired));
	}
	return list;
}
