/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file reads bench documents; nothing in them is trusted to be whole. */
#include "bench/judgement/reading.h"

#include <errno.h>
#include <math.h>

static double number_or_nan(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

static double share_or_nan(const json_t *object, const char *key)
{
	double pct = number_or_nan(object, key);

	return pct >= 0 && pct <= 100 ? pct : NAN;
}

/* An integer that is not negative, as counts and times are. */
static bool get_natural(const json_t *object, const char *key, uint64_t *ret)
{
	const json_t *value = json_object_get(object, key);

	if (!json_is_integer(value) || json_integer_value(value) < 0)
		return false;
	*ret = (uint64_t)json_integer_value(value);
	return true;
}

#define COUNT_MOST (1LL << 48) /* sums of such counts still fit */

static int append_pair(struct distribution *d, const json_t *pair)
{
	const json_t *ns = json_array_get(pair, 0), *count = json_array_get(pair, 1);

	if (!json_is_integer(ns) || !json_is_integer(count) || json_integer_value(ns) < 0 ||
	    json_integer_value(count) <= 0 || json_integer_value(count) > COUNT_MOST)
		return -EINVAL;
	return distribution_append(d, (uint64_t)json_integer_value(ns),
				   (uint64_t)json_integer_value(count));
}

/* The exact extremes lie in the first and the last bucket that is in use. */
static bool fits_buckets(const struct distribution *d, uint64_t min, uint64_t max)
{
	return min <= max && histogram_bucket(min) == d->used[0].bucket &&
	       histogram_bucket(max) == d->used[d->used_count - 1].bucket;
}

/* A histogram with its exact figures, which must fit it. */
static int read_distribution(const json_t *from, struct distribution *ret)
{
	_cleanup_distribution_ struct distribution d = { 0 };
	const json_t *histogram = json_object_get(from, "histogram"), *pair;
	uint64_t count, sum, min, max;
	size_t i;

	if (!json_is_array(histogram) || !get_natural(from, "count", &count) ||
	    !get_natural(from, "sum", &sum))
		return -EINVAL;
	json_array_foreach (histogram, i, pair) {
		int r = append_pair(&d, pair);

		if (r < 0)
			return r;
	}
	if (d.count != count)
		return -EINVAL;
	if (count) {
		if (!get_natural(from, "min", &min) || !get_natural(from, "max", &max) ||
		    !fits_buckets(&d, min, max))
			return -EINVAL;
		d.min = min;
		d.max = max;
		d.sum = sum;
	}
	*ret = d;
	d = (struct distribution) { 0 };
	return 0;
}

static void block_done(struct saved_block *block)
{
	distribution_done(&block->wake);
	distribution_done(&block->response);
}

static int read_block(const json_t *from, struct saved_block *ret)
{
	const json_t *environment = json_object_get(from, "environment");
	uint64_t duration_ns, done;
	int r;

	if (!get_natural(from, "duration_ns", &duration_ns) || !duration_ns ||
	    !get_natural(from, "done", &done))
		return -EINVAL;
	r = read_distribution(from, &ret->wake);
	if (r == 0)
		r = read_distribution(json_object_get(from, "response"), &ret->response);
	if (r < 0) {
		block_done(ret);
		return r;
	}
	ret->rate_per_s = (double)done * 1e9 / (double)duration_ns;
	ret->steal_pct = share_or_nan(environment, "steal_pct");
	ret->foreign_cpu_pct = share_or_nan(environment, "foreign_cpu_pct");
	ret->counters = json_object_get(from, "counters");
	return 0;
}

static bool is_same_cell(const json_t *a, const json_t *b)
{
	return json_equal(json_object_get(a, "name"), json_object_get(b, "name")) &&
	       json_equal(json_object_get(a, "cell"), json_object_get(b, "cell"));
}

const struct saved_cell *saved_cell_find(const struct saved_side *side, const json_t *result)
{
	for (size_t i = 0; i < side->count; i++)
		if (is_same_cell(side->cells[i].result, result))
			return &side->cells[i];
	return NULL;
}

static struct saved_cell *find_or_add(struct saved_side *side, const json_t *result)
{
	struct saved_cell *grown, *found = (struct saved_cell *)saved_cell_find(side, result);

	if (found)
		return found;
	grown = reallocarray(side->cells, side->count + 1, sizeof(*grown));
	if (!grown)
		return NULL;
	side->cells = grown;
	grown[side->count] = (struct saved_cell) { .result = result };
	return &grown[side->count++];
}

static int add_block(struct saved_cell *cell, const json_t *from, unsigned int file)
{
	struct saved_block block = { .file = file };
	struct saved_block *grown;
	int r = read_block(from, &block);

	if (r < 0)
		return r;
	grown = reallocarray(cell->blocks, cell->count + 1, sizeof(*grown));
	if (!grown) {
		block_done(&block);
		return -ENOMEM;
	}
	grown[cell->count++] = block;
	cell->blocks = grown;
	return 0;
}

static int add_result(struct saved_side *side, const json_t *result, unsigned int file)
{
	const json_t *blocks = json_object_get(result, "blocks"), *block;
	struct saved_cell *cell;
	size_t i;

	if (!json_is_string(json_object_get(result, "name")) ||
	    !json_is_object(json_object_get(result, "cell")) || !json_is_array(blocks))
		return -EINVAL;
	cell = find_or_add(side, result);
	if (!cell)
		return -ENOMEM;
	cell->is_saturated |= json_is_true(json_object_get(result, "saturated"));
	json_array_foreach (blocks, i, block) {
		int r = add_block(cell, block, file);

		if (r < 0)
			return r;
	}
	return 0;
}

json_int_t saved_definition(const json_t *document)
{
	const json_t *definition = json_object_get(document, "definition");

	return json_is_integer(definition) ? json_integer_value(definition) : -1;
}

static int add_document(struct saved_side *side, const json_t *document, unsigned int file)
{
	const char *command = json_string_value(json_object_get(document, "command"));
	const json_t *results = json_object_get(document, "results"), *result;
	size_t i;

	if (!command || !streq(command, "bench") || !json_is_array(results) ||
	    saved_definition(document) < 0)
		return -EINVAL;
	if (saved_definition(document) != saved_definition(side->document[0]))
		return -EPROTO;
	json_array_foreach (results, i, result) {
		int r = add_result(side, result, file);

		if (r < 0)
			return r;
	}
	return 0;
}

void saved_side_done(struct saved_side *side)
{
	for (size_t i = 0; i < side->count; i++) {
		for (size_t k = 0; k < side->cells[i].count; k++)
			block_done(&side->cells[i].blocks[k]);
		free(side->cells[i].blocks);
	}
	free(side->cells);
	*side = (struct saved_side) { 0 };
}

int saved_side_read(const json_t *const *document, size_t documents, struct saved_side *ret,
		    size_t *ret_bad)
{
	struct saved_side side = { .document = document, .documents = documents };

	for (size_t i = 0; i < documents; i++) {
		int r = add_document(&side, document[i], (unsigned int)i);

		if (r < 0) {
			*ret_bad = i;
			saved_side_done(&side);
			return r;
		}
	}
	*ret = side;
	return 0;
}
