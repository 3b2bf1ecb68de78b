/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file has the tables of bench: latencies, reasons, rates, plans. */
#include "cmd/bench/bench_tables.h"

#include <math.h>

#include "bench/document.h"
#include "cmd/bench/bench_format.h"

static void cell_us(struct text_table *table, enum text_style style, double ns)
{
	char text[32];

	format_us(text, sizeof(text), ns);
	text_table_cell(table, style, "%s", text);
}

/* A quantile of `kind`; with few samples above it, their number stands behind it and it is grey. */
static void cell_quantile(struct text_table *table, const json_t *result, const char *kind,
			  const char *key)
{
	double above = member_number_in(result, "exceedances", key);
	char text[32];

	format_us(text, sizeof(text), member_number_in(result, kind, key));
	if (above < EXCEEDANCES_ENOUGH)
		text_table_cell(table, STYLE_DIM, "%s(%.0f)", text, above);
	else
		text_table_cell(table, STYLE_PLAIN, "%s", text);
}

static void cell_name(struct text_table *table, const json_t *result)
{
	char text[128];

	format_cell(text, sizeof(text), json_object_get(result, "cell"));
	text_table_cell(table, STYLE_PLAIN, "%s", text);
}

static bool was_measured(const json_t *result)
{
	return json_array_size(json_object_get(result, "blocks")) > 0;
}

static void latency_row(struct text_table *table, const json_t *result)
{
	bool saturated = json_is_true(json_object_get(result, "saturated"));

	text_table_row(table);
	cell_name(table, result);
	text_table_cell(table, STYLE_PLAIN, "%.0f", member_number(result, "count"));
	cell_quantile(table, result, "percentiles", "50");
	cell_quantile(table, result, "percentiles", "90");
	cell_quantile(table, result, "percentiles", "99");
	cell_quantile(table, result, "percentiles", "99.9");
	cell_us(table, STYLE_PLAIN, member_number(result, "max"));
	cell_us(table, STYLE_PLAIN, member_number_in(result, "issue_percentiles", "50"));
	cell_us(table, saturated ? STYLE_DIM : STYLE_PLAIN,
		member_number_in(result, "response_percentiles", "99"));
	text_table_cell(table, STYLE_PLAIN, saturated ? "*" : NULL);
}

bool bench_is_of(const json_t *result, const char *name)
{
	return streq(member_word(result, "name"), name);
}

void bench_latency_table(const json_t *results, const char *name, const char *operation,
			 struct text *out)
{
	const struct text_column columns[] = {
		{ .title = "us" },
		{ .title = operation, .right = true },
		{ .title = "p50", .right = true },
		{ .title = "p90", .right = true },
		{ .title = "p99", .right = true },
		{ .title = "p99.9", .right = true },
		{ .title = "max", .right = true },
		{ .title = "issue", .right = true },
		{ .title = "resp.99", .right = true },
		{ .title = "" },
	};
	struct text_table *table = text_table_begin(out, 2, columns, ARRAY_SIZE(columns));
	const json_t *result;
	size_t i;

	json_array_foreach (results, i, result)
		if (bench_is_of(result, name) && was_measured(result))
			latency_row(table, result);
	text_table_end(table);
}

static void cell_share(struct text_table *table, const json_t *result, const char *class)
{
	double share = member_number_in(result, "slow_classes", class);

	if (isnan(share))
		text_table_cell(table, STYLE_PLAIN, "-");
	else
		text_table_cell(table, share < 0.005 ? STYLE_DIM : STYLE_PLAIN, "%.0f%%",
				100 * share);
}

static void reason_row(struct text_table *table, const json_t *result)
{
	static const char *const classes[] = { "hypervisor", "run_queue", "idle_exit",
					       "preempted",  "migrated",  "other" };
	double steal = member_number(result, "steal_pct");

	text_table_row(table);
	cell_name(table, result);
	for (size_t i = 0; i < ARRAY_SIZE(classes); i++)
		cell_share(table, result, classes[i]);
	text_table_cell(table, STYLE_PLAIN, isnan(steal) ? "-" : "%.2f", steal);
	text_table_cell(table, STYLE_PLAIN, "%.0f/%zu", member_number_in(result, "clean", "blocks"),
			json_array_size(json_object_get(result, "blocks")));
	cell_us(table, STYLE_PLAIN,
		member_number(json_object_get(json_object_get(result, "clean"), "percentiles"),
			      "99"));
	text_table_cell(table, STYLE_PLAIN, "%.0f", member_number(result, "achieved_per_s"));
	if (isnan(member_number(result, "planned_per_s")))
		text_table_cell(table, STYLE_PLAIN, "-");
	else
		text_table_cell(table, STYLE_PLAIN, "%.0f", member_number(result, "planned_per_s"));
}

void bench_reason_table(const json_t *results, const char *name, struct text *out)
{
	static const struct text_column columns[] = {
		{ .title = "slowest 1 %" },	     { .title = "hyp", .right = true },
		{ .title = "runq", .right = true },  { .title = "idle", .right = true },
		{ .title = "pre", .right = true },   { .title = "migr", .right = true },
		{ .title = "other", .right = true }, { .title = "steal%", .right = true },
		{ .title = "clean", .right = true }, { .title = "cl.p99", .right = true },
		{ .title = "/s", .right = true },    { .title = "plan", .right = true },
	};
	struct text_table *table = text_table_begin(out, 2, columns, ARRAY_SIZE(columns));
	const json_t *result;
	size_t i;

	json_array_foreach (results, i, result)
		if (bench_is_of(result, name) && was_measured(result))
			reason_row(table, result);
	text_table_end(table);
}

static void cell_real(struct text_table *table, int decimals, double value, const char *unit)
{
	if (isnan(value))
		text_table_cell(table, STYLE_PLAIN, "-");
	else
		text_table_cell(table, STYLE_PLAIN, "%.*f%s", decimals, value, unit);
}

static void rate_row(struct text_table *table, const json_t *result)
{
	double rate = member_number(result, "achieved_per_s");

	text_table_row(table);
	cell_name(table, result);
	cell_real(table, 0, rate, "");
	cell_real(table, 1, 100 * member_number(result, "achieved_per_s_deviation") / rate, "%");
	cell_real(table, 2, member_number(result, "scaled"), "");
	cell_real(table, 2, member_number(result, "switches_per_operation"), "");
	cell_real(table, 2, member_number(result, "steal_pct"), "");
	text_table_cell(table, STYLE_PLAIN, "%.0f/%zu", member_number_in(result, "clean", "blocks"),
			json_array_size(json_object_get(result, "blocks")));
	cell_us(table, STYLE_PLAIN,
		member_number_in(json_object_get(result, "clean"), "percentiles", "99"));
}

void bench_rate_table(const json_t *results, const char *name, struct text *out)
{
	static const struct text_column columns[] = {
		{ .title = "rate" },
		{ .title = "/s", .right = true },
		{ .title = "deviation", .right = true },
		{ .title = "scaled", .right = true },
		{ .title = "switches", .right = true },
		{ .title = "steal%", .right = true },
		{ .title = "clean", .right = true },
		{ .title = "cl.p99", .right = true },
	};
	struct text_table *table = text_table_begin(out, 2, columns, ARRAY_SIZE(columns));
	const json_t *result;
	size_t i;

	json_array_foreach (results, i, result)
		if (bench_is_of(result, name) && was_measured(result))
			rate_row(table, result);
	text_table_end(table);
}

void bench_plan_table(const json_t *results, struct text *out)
{
	static const struct text_column columns[] = {
		{ .title = "benchmark" },
		{ .title = "cell" },
		{ .title = "CPUs (waker>worker)", .wrap = true },
	};
	struct text_table *table = text_table_begin(out, 2, columns, ARRAY_SIZE(columns));
	const json_t *result, *pair;
	size_t i, k;

	json_array_foreach (results, i, result) {
		char pairs[512] = "";

		json_array_foreach (json_object_get(result, "pairs"), k, pair)
			snprintf(pairs + strlen(pairs), sizeof(pairs) - strlen(pairs),
				 json_is_null(pair) ? "%sfree" : "%s%lld>%lld", k ? " " : "",
				 (long long)json_integer_value(json_array_get(pair, 0)),
				 (long long)json_integer_value(json_array_get(pair, 1)));
		text_table_row(table);
		text_table_cell(table, STYLE_PLAIN, "%s", member_word(result, "name"));
		cell_name(table, result);
		text_table_cell(table, STYLE_PLAIN, "%s",
				*pairs ? pairs : member_word(result, "error"));
	}
	text_table_end(table);
}

static void count_row(struct text_table *table, const json_t *result, const char *event,
		      const json_t *count)
{
	char text[32], deviation[32];

	if (!json_is_number(json_object_get(count, "per_s")))
		return;
	text_real(text, sizeof(text), member_number(count, "per_s"));
	text_real(deviation, sizeof(deviation), member_number(count, "per_s_deviation"));
	text_table_row(table);
	cell_name(table, result);
	text_table_cell(table, STYLE_PLAIN, "%s", event);
	text_table_cell(table, STYLE_PLAIN, "%s", text);
	text_table_cell(table, STYLE_PLAIN, "%s", deviation);
	cell_real(table, 2, member_number(count, "per_operation"), "");
	cell_real(table, 0, 100 * member_number(count, "running"), "%");
}

void bench_count_table(const json_t *results, const char *name, struct text *out)
{
	static const struct text_column columns[] = {
		{ .title = "counted on all CPUs" }, { .title = "event" },
		{ .title = "/s", .right = true },   { .title = "deviation", .right = true },
		{ .title = "each", .right = true }, { .title = "running", .right = true },
	};
	struct text_table *table = text_table_begin(out, 2, columns, ARRAY_SIZE(columns));
	const json_t *result, *count;
	const char *event;
	size_t i;

	json_array_foreach (results, i, result)
		if (bench_is_of(result, name))
			json_object_foreach (json_object_get(result, "counters"), event, count)
				count_row(table, result, event, count);
	text_table_end(table);
}
