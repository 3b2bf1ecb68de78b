/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file shows a bench document: latencies, reasons, and what the figures rest on. */
#include <math.h>

#include "bench/document.h"
#include "cmd/bench.h"
#include "cmd/bench_format.h"
#include "output/facts.h"

#define FEW EXCEEDANCES_ENOUGH

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
	if (above < FEW)
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

static bool is_of(const json_t *result, const char *name)
{
	return streq(member_word(result, "name"), name);
}

static void latency_table(const json_t *results, const char *name, const char *operation,
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
		if (is_of(result, name) && was_measured(result))
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

static void reason_table(const json_t *results, const char *name, struct text *out)
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
		if (is_of(result, name) && was_measured(result))
			reason_row(table, result);
	text_table_end(table);
}

/* Where the scheduler put free wakes. */
static void say_chosen(const json_t *result, struct text *out)
{
	const json_t *chosen = json_object_get(result, "chosen"), *count;
	char cell[128], list[160] = "";
	const char *distance;
	double sum = 0;

	json_object_foreach ((json_t *)chosen, distance, count)
		sum += json_number_value(count);
	if (!(sum > 0))
		return;
	json_object_foreach ((json_t *)chosen, distance, count)
		if (json_number_value(count) > 0)
			snprintf(list + strlen(list), sizeof(list) - strlen(list), "  %s %.0f %%",
				 distance, 100 * json_number_value(count) / sum);
	format_cell(cell, sizeof(cell), json_object_get(result, "cell"));
	text_paragraph(out, 2, 4, STYLE_PLAIN, "%s ran at:%s", cell, list);
}

static void say_trouble(const json_t *result, struct text *out)
{
	char cell[128];

	format_cell(cell, sizeof(cell), json_object_get(result, "cell"));
	if (*member_word(result, "error"))
		text_paragraph(out, 2, 4, STYLE_PLAIN, "%s: not measured: %s", cell,
			       member_word(result, "error"));
	if (json_is_true(json_object_get(result, "saturated")))
		text_paragraph(
			out, 2, 4, STYLE_PLAIN,
			"* %s: wakes were due faster than they could be made; response tells "
			"the length of the run there",
			cell);
	if (member_number_in(result, "slow_classes", "other") > 0.1)
		text_paragraph(out, 2, 4, STYLE_DIM,
			       "%s: %.0f %% of the slowest 1 %% have no known reason", cell,
			       100 * member_number_in(result, "slow_classes", "other"));
}

static void say_attribution(const json_t *doc, struct text *out)
{
	const json_t *a = json_object_get(doc, "attribution"), *reason;
	const char *source;

	if (streq(member_word(a, "hypervisor"), "block"))
		text_paragraph(
			out, 2, 4, STYLE_PLAIN,
			"hypervisor waits are known for each block (steal), not for each wake");
	json_object_foreach (json_object_get(a, "missing"), source, reason)
		text_paragraph(out, 2, 4, STYLE_PLAIN, "not readable here: %s (%s)", source,
			       json_string_value(reason));
}

static void say_cost(const json_t *doc, struct text *out)
{
	const json_t *cost = json_object_get(json_array_get(json_object_get(doc, "results"), 0),
					     "own_cost");

	if (isnan(member_number(cost, "clock_ns")))
		return;
	text_paragraph(
		out, 2, 4, STYLE_DIM,
		"own cost: a stamp %.0f ns, a histogram entry %.1f ns; outside the timed window: "
		"attribution %.2f us a wake",
		member_number(cost, "clock_ns"), member_number(cost, "record_ns"),
		member_number(cost, "attribution_ns") / 1000);
}

/* One line about the machine, from the facts that matter to a latency. */
static void say_machine(const json_t *doc, struct text *out)
{
	static const enum fact shown[] = { FACT_HYPERVISOR, FACT_LPAR_MODE, FACT_CPU_SMT,
					   FACT_KERNEL_RELEASE };
	const json_t *placement = json_object_get(doc, "placement");
	char line[256] = "";

	for (size_t i = 0; i < ARRAY_SIZE(shown); i++) {
		_cleanup_free_ char *text = fact_to_text(json_object_get(doc, "facts"), shown[i]);

		if (text && !streq(text, "not-applicable"))
			snprintf(line + strlen(line), sizeof(line) - strlen(line), ", %s%s",
				 shown[i] == FACT_CPU_SMT ? "SMT" : "", text);
	}
	text_paragraph(out, 0, 2, STYLE_PLAIN, "%.0f CPUs (%s) of %.0f cores%s",
		       member_number(placement, "cpu_count"), member_word(placement, "cpus"),
		       member_number(placement, "cores"), line);
}

static void say_blocks(const json_t *doc, struct text *out)
{
	const json_t *config = json_object_get(doc, "config");

	text_paragraph(
		out, 2, 4, STYLE_PLAIN,
		"%.0f of %.0f blocks of %.2f s for each row, in rounds; %.1f s in all; clean: "
		"blocks with at most 0.5 %% steal; (n): only n samples lie above",
		member_number(doc, "rounds_done"), member_number(config, "rounds"),
		member_number(config, "block_ns") / 1e9, member_number(doc, "took_ns") / 1e9);
}

static void plan_table(const json_t *results, struct text *out)
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

static void benchmark_view(const json_t *doc, const char *name, const char *operation,
			   struct text *out)
{
	const json_t *results = json_object_get(doc, "results"), *result;
	size_t i;

	text_heading(out, name);
	latency_table(results, name, operation, out);
	reason_table(results, name, out);
	json_array_foreach (results, i, result)
		if (is_of(result, name)) {
			say_chosen(result, out);
			say_trouble(result, out);
		}
}

void bench_view(const json_t *doc, struct text *out)
{
	const json_t *results = json_object_get(doc, "results"), *result;
	const char *last = "";
	size_t i;

	say_machine(doc, out);
	if (json_is_true(json_object_get(doc, "interrupted")))
		text_paragraph(out, 0, 2, STYLE_YELLOW, "interrupted: this is a part of the run");
	if (json_is_true(json_object_get(doc, "dry_run"))) {
		plan_table(results, out);
		return;
	}
	json_array_foreach (results, i, result)
		if (!streq(last, member_word(result, "name"))) {
			last = member_word(result, "name");
			benchmark_view(doc, last, member_word(result, "operation"), out);
		}
	text_heading(out, "This run");
	say_blocks(doc, out);
	say_attribution(doc, out);
	say_cost(doc, out);
}

void bench_list_view(const json_t *doc, struct text *out)
{
	const json_t *benchmark;
	size_t i;

	json_array_foreach (json_object_get(doc, "benchmarks"), i, benchmark) {
		text_paragraph(out, 0, 2, STYLE_BOLD, "%s: %s", member_word(benchmark, "name"),
			       member_word(benchmark, "summary"));
		text_paragraph(out, 2, 2, STYLE_PLAIN, "%s", member_word(benchmark, "about"));
	}
}
