/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file prints samples as CSV. No field needs quotes: numbers, words and times only. */
#include "output/csv.h"

#include <errno.h>
#include <stdio.h>

#include "base/util.h"
#include "machine/sample/columns.h"

static void print_heading(void)
{
	fputs("time,interval_ns,scope,id", stdout);
	for (unsigned int i = 0; i < COLUMN_COUNT; i++)
		printf(",%s", column_info[i].name);
	puts(",absent");
}

static void print_number(const json_t *value)
{
	if (json_is_integer(value))
		printf("%lld", (long long)json_integer_value(value));
	else if (json_is_real(value))
		printf("%.15g", json_real_value(value));
}

static void print_line(const json_t *doc, const char *scope, const json_t *id,
		       const json_t *numbers, const json_t *absent)
{
	const char *time = json_string_value(json_object_get(doc, "time"));
	const char *separator = "";

	printf("%s,", time ? time : "");
	print_number(json_object_get(doc, "interval_ns"));
	printf(",%s,", scope);
	print_number(id);
	for (unsigned int i = 0; i < COLUMN_COUNT; i++) {
		putchar(',');
		print_number(json_object_get(numbers, column_info[i].name));
	}
	putchar(',');
	for (unsigned int i = 0; i < COLUMN_COUNT; i++) {
		const json_t *reason = json_object_get(absent, column_info[i].name);

		if (!reason)
			continue;
		printf("%s%s=%s", separator, column_info[i].name, json_string_value(reason));
		separator = " ";
	}
	putchar('\n');
}

int csv_print(const json_t *doc, bool headed)
{
	static const char *const groups[][2] = { { "nodes", "node" },
						 { "cores", "core" },
						 { "cpus", "cpu" } };

	errno = 0;
	if (headed)
		print_heading();
	print_line(doc, "system", NULL, json_object_get(doc, "system"),
		   json_object_get(doc, "absent"));
	for (size_t g = 0; g < ARRAY_SIZE(groups); g++) {
		const json_t *rows = json_object_get(doc, groups[g][0]);

		for (size_t i = 0; i < json_array_size(rows); i++) {
			const json_t *row = json_array_get(rows, i);

			print_line(doc, groups[g][1], json_object_get(row, groups[g][1]), row,
				   json_object_get(row, "absent"));
		}
	}
	if (fflush(stdout) == 0 && !ferror(stdout))
		return 0;
	return errno ? -errno : -EIO;
}
