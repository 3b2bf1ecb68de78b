/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file prints samples as CSV. No field needs quotes: numbers, words and times only. */
#include "output/csv.h"

#include <errno.h>
#include <stdio.h>

#include "base/util.h"
#include "machine/sample/columns.h"
#include "output/number.h"

static void print_heading(void)
{
	fputs("time,interval_ns,scope,id", stdout);
	for (unsigned int i = 0; i < COLUMN_COUNT; i++)
		printf(",%s", column_info[i].name);
	puts(",absent");
}

static void print_number(const json_t *value)
{
	char buf[NUMBER_SIZE];

	if (json_is_integer(value))
		printf("%lld", (long long)json_integer_value(value));
	else if (json_is_real(value))
		fwrite_unlocked(buf, 1, number_short(buf, json_real_value(value)), stdout);
}

/* The member of a name. Members mostly come in the order in which they are asked for: then the next
 * one is it, and need not be looked up. */
static const json_t *next_member(const json_t *object, void **at, const char *name)
{
	json_t *mutable = (json_t *)object;

	if (*at && streq(json_object_iter_key(*at), name)) {
		const json_t *value = json_object_iter_value(*at);

		*at = json_object_iter_next(mutable, *at);
		return value;
	}
	return json_object_get(object, name);
}

static void print_absent(const json_t *absent)
{
	const char *separator = "", *name;
	json_t *reason;

	json_object_foreach ((json_t *)absent, name, reason) {
		printf("%s%s=%s", separator, name, json_string_value(reason));
		separator = " ";
	}
}

static void print_line(const json_t *doc, const char *scope, const json_t *id,
		       const json_t *numbers, const json_t *absent)
{
	const char *time = json_string_value(json_object_get(doc, "time"));
	void *at = json_object_iter((json_t *)numbers);

	printf("%s,", time ? time : "");
	print_number(json_object_get(doc, "interval_ns"));
	printf(",%s,", scope);
	print_number(id);
	if (id) /* it comes first */
		at = json_object_iter_next((json_t *)numbers, at);
	for (unsigned int i = 0; i < COLUMN_COUNT; i++) {
		putc_unlocked(',', stdout);
		if (!id || !column_info[i].system_only)
			print_number(next_member(numbers, &at, column_info[i].name));
	}
	putc_unlocked(',', stdout);
	print_absent(absent);
	putc_unlocked('\n', stdout);
}

static int print_group(const json_t *doc, const struct sample_group *group)
{
	for (size_t i = 0; i < group->count; i++) {
		const json_t *row = group->row(group->arg, i);

		if (!row)
			return -ENOMEM;
		print_line(doc, group->member, json_object_get(row, group->member), row,
			   json_object_get(row, "absent"));
	}
	return 0;
}

int csv_print(const json_t *doc, const struct sample_groups *groups, bool headed)
{
	int r = 0;

	errno = 0;
	if (headed)
		print_heading();
	print_line(doc, "system", NULL, json_object_get(doc, "system"),
		   json_object_get(doc, "absent"));
	for (size_t i = 0; r == 0 && i < groups->count; i++)
		r = print_group(doc, &groups->group[i]);
	if (r == 0 && (fflush(stdout) != 0 || ferror(stdout)))
		r = errno ? -errno : -EIO;
	return r;
}
