/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * This file makes the documents of a sample's CPUs, cores and nodes: one object for each group, whose
 * numbers are changed from row to row. To make thousands of objects anew would cost more than reading
 * the counters.
 */
#include <errno.h>
#include <math.h>

#include "cmd/sample/sample.h"

#define GROUPS 3

struct part {
	const struct sample *sample;
	const struct sample_rows *rows;
	const struct sample_row **order; /* rows by steal; NULL: as they are */
	const char *member;
	json_t *row, *absent, *id;
	json_t *value[COLUMN_COUNT];	 /* in `row`, borrowed; NULL: left out */
	const char *words[COLUMN_COUNT]; /* in `absent`; NULL: left out */
	bool is_bounded;		 /* said in `row` */
};

struct sample_parts {
	struct part part[GROUPS];
};

int sample_parts_new(struct sample_parts **ret)
{
	*ret = calloc(1, sizeof(**ret));
	return *ret ? 0 : -ENOMEM;
}

void sample_parts_free(struct sample_parts *parts)
{
	for (unsigned int i = 0; parts && i < GROUPS; i++) {
		free(parts->part[i].order);
		json_decref(parts->part[i].row);
		json_decref(parts->part[i].absent);
	}
	free(parts);
}

/* Is a number of a row absent because the whole machine has none? Then it goes without saying: the
 * rows of thousands of CPUs are not filled with it. What befell a counter is always said. */
static bool goes_without_saying(const struct number *number, const struct number *system)
{
	if (number->present || system->present || number->reason != system->reason)
		return false;
	return number->reason != REASON_RESET && number->reason != REASON_INVALID &&
	       number->reason != REASON_NO_DATA && number->reason != REASON_OFFLINE;
}

static int leave_out(struct part *part, enum column column)
{
	if (part->value[column])
		json_object_del(part->row, column_info[column].name);
	part->value[column] = NULL;
	return 0;
}

static int set_value(struct part *part, enum column column, const struct number *number)
{
	json_t *at = part->value[column];

	if (!number->present || !isfinite(number->value)) {
		if (json_is_null(at))
			return 0;
	} else if (json_is_real(at)) {
		return json_real_set(at, number->value);
	} else if (json_is_integer(at)) {
		return json_integer_set(at, (json_int_t)llround(number->value));
	}
	at = sample_number_json(number, column);
	if (json_object_set_new_nocheck(part->row, column_info[column].name, at) < 0)
		return -ENOMEM;
	part->value[column] = at;
	return 0;
}

/* Sets the reason of a column, or takes it out. Words are constants: the same word has one address. */
static int set_word(struct part *part, enum column column, const char *word)
{
	const char *name = column_info[column].name;

	if (part->words[column] == word)
		return 0;
	part->words[column] = word;
	if (!word)
		return json_object_del(part->absent, name);
	return json_object_set_new_nocheck(part->absent, name, json_string(word));
}

/* A member that is there only if it says something. */
static int set_member(json_t *row, const char *name, bool there, json_t *value)
{
	if (there)
		return json_object_set(row, name, value);
	json_object_del(row, name);
	return 0;
}

static int fill(struct part *part, const struct sample_row *row)
{
	bool was_absent = json_object_size(part->absent) > 0;
	int r = json_integer_set(part->id, row->id);

	for (unsigned int i = 0; r >= 0 && i < COLUMN_COUNT; i++) {
		const struct number *n = &row->number[i];
		bool out = column_info[i].system_only ||
			   goes_without_saying(n, &part->sample->system.number[i]);

		r = out ? leave_out(part, (enum column)i) : set_value(part, (enum column)i, n);
		if (r >= 0)
			r = set_word(part, (enum column)i,
				     out || n->present ? NULL : reason_word(n->reason));
	}
	if (r >= 0 && was_absent != (json_object_size(part->absent) > 0))
		r = set_member(part->row, "absent", !was_absent, part->absent);
	if (r >= 0 && part->is_bounded != (row->steal_excess > 1)) {
		part->is_bounded = !part->is_bounded;
		r = set_member(part->row, "steal_bounded", part->is_bounded, json_true());
	}
	return r;
}

static const json_t *part_row(void *arg, size_t index)
{
	struct part *part = arg;

	return fill(part, part->order ? part->order[index] : &part->rows->row[index]) < 0
		       ? NULL
		       : part->row;
}

static int by_steal(const void *a, const void *b)
{
	const struct sample_row *x = *(const struct sample_row *const *)a;
	const struct sample_row *y = *(const struct sample_row *const *)b;
	double sx = x->number[COLUMN_STEAL].present ? x->number[COLUMN_STEAL].value : -1;
	double sy = y->number[COLUMN_STEAL].present ? y->number[COLUMN_STEAL].value : -1;

	return sx < sy ? 1 : sx > sy ? -1 : (x->id > y->id) - (x->id < y->id);
}

static int order_rows(struct part *part)
{
	free(part->order);
	part->order = calloc(part->rows->count + 1, sizeof(*part->order));
	if (!part->order)
		return -ENOMEM;
	for (size_t i = 0; i < part->rows->count; i++)
		part->order[i] = &part->rows->row[i];
	qsort(part->order, part->rows->count, sizeof(*part->order), by_steal);
	return 0;
}

static int make_objects(struct part *part)
{
	if (part->row)
		return 0;
	part->row = json_object();
	part->absent = json_object();
	part->id = json_integer(0);
	return json_object_set_new(part->row, part->member, part->id) < 0 || !part->absent ? -ENOMEM
											   : 0;
}

/* All rows, or with `top` so many of those with the most steal. */
static int add_group(struct part *part, const char *name, unsigned int top,
		     struct sample_groups *groups)
{
	size_t count = part->rows->count;
	int r = make_objects(part);

	if (r == 0 && top)
		r = order_rows(part);
	if (r < 0)
		return r;
	groups->group[groups->count++] = (struct sample_group) {
		.name = name,
		.member = part->member,
		.count = top && top < count ? top : count,
		.row = part_row,
		.arg = part,
	};
	return 0;
}

int sample_parts_set(struct sample_parts *parts, const struct sample *sample,
		     const struct sample_options *options, struct sample_groups *ret)
{
	const struct {
		bool wanted;
		const char *name, *member;
		const struct sample_rows *rows;
		unsigned int top;
	} groups[GROUPS] = {
		{ options->per_node, "nodes", "node", &sample->nodes, 0 },
		{ options->per_core, "cores", "core", &sample->cores, 0 },
		{ options->per_cpu || options->top, "cpus", "cpu", &sample->cpus, options->top },
	};
	int r = 0;

	ret->count = 0;
	for (unsigned int i = 0; r == 0 && i < GROUPS; i++) {
		struct part *part = &parts->part[i];

		part->sample = sample;
		part->rows = groups[i].rows;
		part->member = groups[i].member;
		if (groups[i].wanted)
			r = add_group(part, groups[i].name, groups[i].top, ret);
	}
	return r;
}

int sample_parts_collect(const struct sample_groups *groups, json_t *doc)
{
	for (size_t i = 0; i < groups->count; i++) {
		const struct sample_group *group = &groups->group[i];
		json_t *array = json_array();

		for (size_t k = 0; k < group->count; k++) {
			const json_t *row = group->row(group->arg, k);

			if (!row || json_array_append_new(array, json_deep_copy(row)) < 0) {
				json_decref(array);
				return -ENOMEM;
			}
		}
		if (json_object_set_new(doc, group->name, array) < 0)
			return -ENOMEM;
	}
	return 0;
}
