/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file prints samples as JSON. Keys and words of rows are our own: none needs escapes. */
#include "output/sample_json.h"

#include <errno.h>

#include <string.h>

#include "output/number.h"

static void print_value(const json_t *value);

static void print_members(const json_t *object)
{
	const char *separator = "{", *key;
	json_t *value;

	json_object_foreach ((json_t *)object, key, value) {
		fputs_unlocked(separator, stdout);
		fputs_unlocked("\"", stdout);
		fputs_unlocked(key, stdout);
		fputs_unlocked("\":", stdout);
		print_value(value);
		separator = ",";
	}
	putc_unlocked('}', stdout);
}

static void print_value(const json_t *value)
{
	char buf[NUMBER_SIZE];
	size_t len;

	if (json_is_real(value)) {
		len = number_short(buf, json_real_value(value));
		fwrite_unlocked(buf, 1, len, stdout);
		if (!strpbrk(buf, ".e")) /* a real one stays real */
			fputs_unlocked(".0", stdout);
	} else if (json_is_object(value) && json_object_size(value)) {
		print_members(value);
	} else if (json_is_string(value)) {
		printf("\"%s\"", json_string_value(value));
	} else {
		json_dumpf(value, stdout, JSON_COMPACT | JSON_ENCODE_ANY);
	}
}

static int print_group(const struct sample_group *group)
{
	printf(",\"%s\":[", group->name);
	for (size_t i = 0; i < group->count; i++) {
		const json_t *row = group->row(group->arg, i);

		if (!row)
			return -ENOMEM;
		if (i)
			putc_unlocked(',', stdout);
		print_members(row);
	}
	putc_unlocked(']', stdout);
	return 0;
}

int sample_json_print(const json_t *doc, const struct sample_groups *groups)
{
	int r = 0;

	errno = 0;
	putchar('{');
	if (json_dumpf(doc, stdout, JSON_COMPACT | JSON_EMBED | JSON_REAL_PRECISION(15)) < 0)
		return errno ? -errno : -EIO;
	for (size_t i = 0; r == 0 && i < groups->count; i++)
		r = print_group(&groups->group[i]);
	fputs("}\n", stdout);
	if (r == 0 && (fflush(stdout) != 0 || ferror(stdout)))
		r = errno ? -errno : -EIO;
	return r;
}
