/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file shows a bench document: latencies, reasons, and what the figures rest on. */
#include <math.h>

#include "cmd/bench/bench.h"
#include "cmd/bench/bench_format.h"
#include "cmd/bench/bench_tables.h"
#include "output/facts.h"

static const char *plural(double n)
{
	return n == 1 ? "" : "s";
}

/* Fanout: the median by position. */
static void say_positions(const json_t *result, struct text *out)
{
	const json_t *positions = json_object_get(result, "positions"), *one;
	char list[1024] = "", cell[128];
	size_t i;

	if (!json_array_size(positions))
		return;
	json_array_foreach (positions, i, one) {
		char text[32];

		format_us(text, sizeof(text), member_number(one, "50"));
		if (strlen(list) + sizeof(text) < sizeof(list))
			snprintf(list + strlen(list), sizeof(list) - strlen(list), " %s", text);
	}
	format_cell(cell, sizeof(cell), json_object_get(result, "cell"));
	text_paragraph(out, 2, 4, STYLE_PLAIN, "%s, p50 by position (us):%s", cell, list);
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
	/* Where even the slowest are near the median, nothing was slow. */
	if (member_number_in(result, "slow_classes", "other") > 0.1 &&
	    member_number_in(result, "percentiles", "99") >
		    3 * member_number_in(result, "percentiles", "50"))
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
		if (!streq(json_string_value(reason), "not-applicable"))
			text_paragraph(out, 2, 4, STYLE_PLAIN, "not readable here: %s (%s)", source,
				       json_string_value(reason));
}

/* Everything that was counted over the run, and what could not be. */
static void say_tally(const json_t *doc, struct text *out)
{
	const json_t *counters = json_object_get(doc, "counters"), *value, *reason;
	char list[1024] = "", missing[1024] = "";
	const char *name;

	json_object_foreach ((json_t *)counters, name, value)
		if (json_is_number(value)) {
			char text[32];

			text_real(text, sizeof(text), json_number_value(value));
			snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s%s %s",
				 *list ? ", " : "", name, text);
		}
	json_object_foreach (json_object_get(counters, "absent"), name, reason)
		if (!streq(json_string_value(reason), "not-applicable"))
			snprintf(missing + strlen(missing), sizeof(missing) - strlen(missing),
				 "%s%s (%s)", *missing ? ", " : "", name,
				 json_string_value(reason));
	text_paragraph(out, 2, 4, STYLE_PLAIN, "the whole machine meanwhile: %s", list);
	if (*missing)
		text_paragraph(out, 2, 4, STYLE_DIM, "not counted: %s", missing);
}

/* Events are the same for every cell, and so are the reasons. */
static void say_events(const json_t *doc, struct text *out)
{
	const json_t *result = json_array_get(json_object_get(doc, "results"), 0), *count;
	char missing[1024] = "";
	const char *event;

	json_object_foreach (json_object_get(result, "counters"), event, count)
		if (*member_word(count, "reason"))
			snprintf(missing + strlen(missing), sizeof(missing) - strlen(missing),
				 "%s%s (%s)", *missing ? ", " : "", event,
				 member_word(count, "reason"));
	if (*missing)
		text_paragraph(out, 2, 4, STYLE_DIM, "events not counted: %s", missing);
	if (strstr(missing, "(denied)"))
		text_paragraph(
			out, 2, 4, STYLE_DIM,
			"counting on whole CPUs takes CAP_PERFMON (CAP_SYS_ADMIN before Linux 5.8, "
			"or where Debian's kernels have level 3), or kernel.perf_event_paranoid 0 "
			"or less; here it is %.0f",
			member_number_in(doc, "limits", "perf_event_paranoid"));
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
void bench_say_machine(const json_t *doc, struct text *out)
{
	static const enum fact shown[] = { FACT_HYPERVISOR, FACT_LPAR_MODE, FACT_CPU_SMT,
					   FACT_KERNEL_RELEASE };
	const json_t *placement = json_object_get(doc, "placement");
	const json_t *limits = json_object_get(doc, "limits");
	const char *quota = member_word(limits, "cpu_max");
	char line[256] = "";

	for (size_t i = 0; i < ARRAY_SIZE(shown); i++) {
		_cleanup_free_ char *text = fact_to_text(json_object_get(doc, "facts"), shown[i]);

		if (text && !streq(text, "not-applicable"))
			snprintf(line + strlen(line), sizeof(line) - strlen(line), ", %s%s",
				 shown[i] == FACT_CPU_SMT ? "SMT" : "", text);
	}
	if (json_is_true(json_object_get(limits, "autogroup")))
		snprintf(line + strlen(line), sizeof(line) - strlen(line), ", autogroup");
	if (*quota && !starts_with(quota, "max"))
		snprintf(line + strlen(line), sizeof(line) - strlen(line), ", cpu.max %s", quota);
	text_paragraph(out, 0, 2, STYLE_PLAIN, "%.0f CPU%s (%s) of %.0f core%s%s",
		       member_number(placement, "cpu_count"),
		       plural(member_number(placement, "cpu_count")),
		       member_word(placement, "cpus"), member_number(placement, "cores"),
		       plural(member_number(placement, "cores")), line);
}

static void say_blocks(const json_t *doc, struct text *out)
{
	const json_t *config = json_object_get(doc, "config");

	text_paragraph(
		out, 2, 4, STYLE_PLAIN,
		"%.0f round%s of a block of %.2f s for each row; %.1f s in all; clean: blocks with "
		"at most 0.5 %% steal; (n): only n samples lie above",
		member_number(doc, "rounds_done"), plural(member_number(doc, "rounds_done")),
		member_number(config, "block_ns") / 1e9, member_number(doc, "took_ns") / 1e9);
}

static void benchmark_view(const json_t *doc, const char *name, const char *operation,
			   struct text *out)
{
	const json_t *results = json_object_get(doc, "results"), *result;
	size_t i;

	text_heading(out, name);
	bench_latency_table(results, name, operation, out);
	if (streq(name, "wake"))
		bench_reason_table(results, name, out);
	else
		bench_rate_table(results, name, out);
	bench_count_table(results, name, out);
	json_array_foreach (results, i, result)
		if (bench_is_of(result, name)) {
			say_positions(result, out);
			say_chosen(result, out);
			say_trouble(result, out);
		}
}

void bench_view(const json_t *doc, struct text *out)
{
	const json_t *results = json_object_get(doc, "results"), *result;
	const char *last = "";
	size_t i;

	bench_say_machine(doc, out);
	if (json_is_true(json_object_get(doc, "interrupted")))
		text_paragraph(out, 0, 2, STYLE_YELLOW, "interrupted: this is a part of the run");
	if (json_is_true(json_object_get(doc, "dry_run"))) {
		bench_plan_table(results, out);
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
	say_tally(doc, out);
	say_events(doc, out);
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

/* schbench marks the 99th. */
static void schbench_lines(const json_t *result, struct text *out)
{
	static const char *const keys[] = { "50", "75", "90", "95", "99", "99.5", "99.9" };
	const json_t *batch = json_object_get(result, "batch_percentiles");

	fprintf(out->out, "Latency percentiles (usec)\n");
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		fprintf(out->out, "\t%s%s%sth: %.0f\n", streq(keys[i], "99") ? "*" : "", keys[i],
			strchr(keys[i], '.') ? "000" : ".0000",
			member_number(batch, keys[i]) / 1000);
	fprintf(out->out, "\tmin=%.0f, max=%.0f\n", member_number(result, "batch_min") / 1000,
		member_number(result, "batch_max") / 1000);
}

void bench_schbench_view(const json_t *doc, struct text *out)
{
	const json_t *result;
	size_t i;

	json_array_foreach (json_object_get(doc, "results"), i, result) {
		char cell[128];

		if (!bench_is_of(result, "fanout") ||
		    !json_is_integer(json_object_get(result, "batch_max")))
			continue;
		format_cell(cell, sizeof(cell), json_object_get(result, "cell"));
		fprintf(out->out, "# %s\n", cell);
		schbench_lines(result, out);
	}
}
