/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file draws the map of wakes between CPUs. */
#include <math.h>

#include "cmd/bench/bench.h"
#include "cmd/bench/bench_format.h"

/* Darker is slower: for paper and for terminals without colour. */
static const char shades[] = { ' ', '.', ':', '+', '#' };

struct scale {
	double low, high; /* logarithms of the fastest and the slowest median */
};

static struct scale scale_of(const json_t *rows)
{
	struct scale scale = { INFINITY, -INFINITY };
	const json_t *row, *value;
	size_t i, k;

	json_array_foreach (rows, i, row)
		json_array_foreach (row, k, value)
			if (json_is_number(value) && json_number_value(value) > 0) {
				scale.low = fmin(scale.low, log(json_number_value(value)));
				scale.high = fmax(scale.high, log(json_number_value(value)));
			}
	return scale;
}

static void put_value(struct text *out, const struct scale *scale, const json_t *value)
{
	static const enum text_style styles[] = { STYLE_GREEN, STYLE_GREEN, STYLE_PLAIN,
						  STYLE_YELLOW, STYLE_RED };
	double ns = json_number_value(value), part = 0;
	char text[32];
	size_t shade;

	if (!json_is_number(value)) {
		fprintf(out->out, "%6s", "");
		return;
	}
	if (scale->high > scale->low)
		part = (log(ns) - scale->low) / (scale->high - scale->low);
	shade = (size_t)fmin(part * sizeof(shades), sizeof(shades) - 1);
	format_us(text, sizeof(text), ns);
	fprintf(out->out, "%s%5s%c%s", text_on(out, styles[shade]), text, shades[shade],
		text_off(out));
}

static void put_head(struct text *out, const json_t *cpus)
{
	const json_t *cpu;
	size_t i;

	fprintf(out->out, "  %-16s", "us, p50");
	json_array_foreach (cpus, i, cpu)
		fprintf(out->out, "%5.0f ", member_number(cpu, "cpu"));
	putc('\n', out->out);
}

static void put_row(struct text *out, const struct scale *scale, const json_t *cpu,
		    const json_t *row)
{
	const json_t *value;
	size_t k;

	fprintf(out->out, "  %4.0f", member_number(cpu, "cpu"));
	if (isnan(member_number(cpu, "node")))
		fprintf(out->out, " core %-6.0f", member_number(cpu, "core"));
	else
		fprintf(out->out, " n%-2.0f core %-4.0f", member_number(cpu, "node"),
			member_number(cpu, "core"));
	json_array_foreach (row, k, value)
		put_value(out, scale, value);
	putc('\n', out->out);
}

void bench_map_view(const json_t *doc, struct text *out)
{
	const json_t *map = json_object_get(doc, "map"), *cpu;
	const json_t *cpus = json_object_get(map, "cpus"), *rows = json_object_get(map, "p50_ns");
	struct scale scale = scale_of(rows);
	double node = NAN;
	size_t i;

	if (json_is_true(json_object_get(doc, "interrupted")))
		text_paragraph(out, 0, 2, STYLE_YELLOW, "interrupted: this is a part of the map");
	put_head(out, cpus);
	json_array_foreach (cpus, i, cpu) {
		double here = member_number(cpu, "node");

		if (i && !isnan(here) && here != node)
			putc('\n', out->out);
		node = here;
		put_row(out, &scale, cpu, json_array_get(rows, i));
	}
	text_paragraph(
		out, 2, 4, STYLE_DIM,
		"waker in the row, worker in the column; 200 us idle; darker (%c%c%c%c) is slower",
		shades[1], shades[2], shades[3], shades[4]);
}
