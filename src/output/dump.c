/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file writes documents whose blocks are made one at a time; never more than one is in memory. */
#include <errno.h>
#include <stdio.h>

#include "output/output.h"

/* Where the text goes; the first error ends it. */
struct dump {
	json_dump_callback_t put;
	void *sink;
	const struct output_blocks *blocks;
	int error;
};

static void put_text(struct dump *d, const char *text)
{
	if (d->error == 0)
		d->error = d->put(text, strlen(text), d->sink);
}

static int put_counted(const char *text, size_t len, void *arg)
{
	struct dump *d = arg;

	d->error = d->put(text, len, d->sink);
	return d->error;
}

static void put_value(struct dump *d, const json_t *value)
{
	const size_t flags = JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(15);

	if (d->error == 0 && json_dump_callback(value, put_counted, d, flags) < 0 && d->error == 0)
		d->error = -ENOMEM;
}

/* The beginning of a member, on a line of its own. */
static void put_key(struct dump *d, const char *key, bool is_first, const char *indent)
{
	_cleanup_json_ json_t *name = json_string(key);

	put_text(d, is_first ? "\n" : ",\n");
	put_text(d, indent);
	put_value(d, name);
	put_text(d, ": ");
}

static void put_blocks(struct dump *d, size_t result, size_t count)
{
	put_text(d, "[");
	for (size_t i = 0; i < count && d->error == 0; i++) {
		_cleanup_json_ json_t *block = d->blocks->make(d->blocks->arg, result, i);

		put_text(d, i ? ",\n    " : "\n    ");
		put_value(d, block);
	}
	put_text(d, "]");
}

static void put_result(struct dump *d, const json_t *result, size_t index)
{
	const char *key;
	json_t *value;
	bool is_first = true;

	put_text(d, index ? ",\n  {" : "\n  {");
	json_object_foreach ((json_t *)result, key, value) {
		put_key(d, key, is_first, "   ");
		is_first = false;
		if (streq(key, "blocks"))
			put_blocks(d, index, json_array_size(value));
		else
			put_value(d, value);
	}
	put_text(d, "}");
}

static void put_results(struct dump *d, const json_t *results)
{
	const json_t *result;
	size_t i;

	put_text(d, "[");
	json_array_foreach (results, i, result)
		put_result(d, result, i);
	put_text(d, "]");
}

int output_dump(const json_t *doc, const struct output_blocks *blocks, json_dump_callback_t put,
		void *sink)
{
	struct dump d = { .put = put, .sink = sink, .blocks = blocks };
	const char *key;
	json_t *value;
	bool is_first = true;

	put_text(&d, "{");
	json_object_foreach ((json_t *)doc, key, value) {
		put_key(&d, key, is_first, " ");
		is_first = false;
		if (streq(key, "results"))
			put_results(&d, value);
		else
			put_value(&d, value);
	}
	put_text(&d, "\n}\n");
	return d.error;
}
