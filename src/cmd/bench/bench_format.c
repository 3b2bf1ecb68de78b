/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file formats what benchmarks measure. */
#include "cmd/bench/bench_format.h"

#include <math.h>

double member_number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

double member_number_in(const json_t *object, const char *inner, const char *key)
{
	return member_number(json_object_get(object, inner), key);
}

const char *member_word(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

void format_us(char *buf, size_t size, double ns)
{
	double us = ns / 1000;

	if (isnan(ns))
		snprintf(buf, size, "-");
	else
		snprintf(buf, size, us < 9.995 ? "%.2f" : us < 99.95 ? "%.1f" : "%.0f", us);
}

/* A time as the command line takes it: 200us, 2ms; "" for none. */
static void format_idle(char *buf, size_t size, double ns)
{
	if (!(ns > 0))
		snprintf(buf, size, "%s", "");
	else if (ns < 1e6)
		snprintf(buf, size, " %gus", ns / 1e3);
	else if (ns < 1e9)
		snprintf(buf, size, " %gms", ns / 1e6);
	else
		snprintf(buf, size, " %gs", ns / 1e9);
}

void format_cell(char *buf, size_t size, const json_t *cell)
{
	const char *primitive = member_word(cell, "primitive");
	double load = member_number(cell, "load"), number = member_number(cell, "size");
	char idle[32], busy[32] = "", many[32] = "";

	format_idle(idle, sizeof(idle), member_number(cell, "idle_ns"));
	if (load > 0)
		snprintf(busy, sizeof(busy), " %.0f%%", load);
	if (number > 0)
		snprintf(many, sizeof(many), " x%.0f", number);
	snprintf(buf, size, "%s%s%s%s%s%s%s%s", member_word(cell, "distance"), idle, busy,
		 *member_word(cell, "kind") ? " " : "", member_word(cell, "kind"),
		 streq(primitive, "futex") ? "" : " ", streq(primitive, "futex") ? "" : primitive,
		 many);
}
