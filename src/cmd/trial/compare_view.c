/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file shows a comparison: what differs in the machines first, then every effect with its
 * interval and verdict. */
#include <math.h>

#include "cmd/bench/bench_format.h"
#include "cmd/trial/compare.h"
#include "cmd/trial/effect_view.h"

static void difference_value(struct text_table *table, const json_t *value)
{
	_cleanup_free_ char *text = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT)
					  : NULL;

	text_table_cell(table, STYLE_PLAIN, "%s", text ? text : "-");
}

static void differences_table(const json_t *differences, struct text *out)
{
	static const struct text_column columns[] = {
		{ .title = "differs" },
		{ .title = "before", .wrap = true },
		{ .title = "after", .wrap = true },
	};
	struct text_table *table;
	const json_t *one;
	size_t i;

	if (!json_array_size(differences))
		return;
	table = text_table_begin(out, 2, columns, ARRAY_SIZE(columns));
	json_array_foreach (differences, i, one) {
		text_table_row(table);
		text_table_cell(table, STYLE_PLAIN, "%s", member_word(one, "key"));
		difference_value(table, json_object_get(one, "before"));
		difference_value(table, json_object_get(one, "after"));
	}
	text_table_end(table);
}

static void number_cell(struct text_table *table, double value, bool is_ratio)
{
	if (isnan(value))
		text_table_cell(table, STYLE_PLAIN, "-");
	else
		text_table_cell(table, STYLE_PLAIN, is_ratio ? "%.3f" : "%.3g", value);
}

static void effect_row(struct text_table *table, const json_t *result, const json_t *effect)
{
	char cell[128];

	format_cell(cell, sizeof(cell), json_object_get(result, "cell"));
	text_table_row(table);
	text_table_cell(table, STYLE_PLAIN, "%s%s%s",
			streq(member_word(result, "name"), "wake") ? ""
								   : member_word(result, "name"),
			streq(member_word(result, "name"), "wake") ? "" : " ", cell);
	effect_name_cell(table, effect);
	effect_value_cell(table, effect, "before");
	effect_value_cell(table, effect, "after");
	number_cell(table, member_number(effect, "ratio"), true);
	effect_interval_cell(table, effect);
	number_cell(table, member_number(effect, "detectable_pct"), false);
	effect_verdict_cells(table, effect);
}

static void effects_table(const json_t *results, struct text *out)
{
	static const struct text_column columns[] = {
		{ .title = "us" },
		{ .title = "" },
		{ .title = "before", .right = true },
		{ .title = "after", .right = true },
		{ .title = "ratio", .right = true },
		{ .title = "% (95 %)", .right = true },
		{ .title = "finds", .right = true },
		{ .title = "verdict" },
		{ .title = "needs" },
	};
	struct text_table *table = text_table_begin(out, 2, columns, ARRAY_SIZE(columns));
	const json_t *result, *effect;
	size_t i, k;

	json_array_foreach (results, i, result)
		json_array_foreach (json_object_get(result, "effects"), k, effect)
			effect_row(table, result, effect);
	text_table_end(table);
}

static void counter_row(struct text_table *table, const json_t *result, const json_t *counter)
{
	char cell[128], before[32], after[32];

	format_cell(cell, sizeof(cell), json_object_get(result, "cell"));
	text_real(before, sizeof(before), member_number(counter, "before"));
	text_real(after, sizeof(after), member_number(counter, "after"));
	text_table_row(table);
	text_table_cell(table, STYLE_PLAIN, "%s", cell);
	text_table_cell(table, STYLE_PLAIN, "%s", member_word(counter, "name"));
	text_table_cell(table, STYLE_PLAIN, "%s", before);
	text_table_cell(table, STYLE_PLAIN, "%s", after);
	effect_interval_cell(table, counter);
}

static void counters_table(const json_t *results, struct text *out)
{
	static const struct text_column columns[] = {
		{ .title = "/s on all CPUs" },		{ .title = "event" },
		{ .title = "before", .right = true },	{ .title = "after", .right = true },
		{ .title = "% (95 %)", .right = true },
	};
	struct text_table *table = text_table_begin(out, 2, columns, ARRAY_SIZE(columns));
	const json_t *result, *counter;
	size_t i, k;

	json_array_foreach (results, i, result)
		json_array_foreach (json_object_get(result, "counters"), k, counter)
			counter_row(table, result, counter);
	text_table_end(table);
}

static void say_steal(const json_t *results, struct text *out)
{
	const json_t *result;
	size_t i;

	json_array_foreach (results, i, result) {
		double before = member_number_in(result, "steal_pct", "before");
		double after = member_number_in(result, "steal_pct", "after");
		char cell[128];

		if (!(before > 0 || after > 0))
			continue;
		format_cell(cell, sizeof(cell), json_object_get(result, "cell"));
		text_paragraph(out, 2, 4, STYLE_PLAIN,
			       "steal during %s %s: %.2f %% before, %.2f %% after",
			       member_word(result, "name"), cell, before, after);
	}
}

static void say_missing(const json_t *list, const char *side, struct text *out)
{
	const json_t *one;
	char cell[128];
	size_t i;

	json_array_foreach (list, i, one) {
		format_cell(cell, sizeof(cell), json_object_get(one, "cell"));
		text_paragraph(out, 2, 4, STYLE_PLAIN, "only in %s: %s %s", side,
			       member_word(one, "name"), cell);
	}
}

void compare_view(const json_t *doc, struct text *out)
{
	const json_t *results = json_object_get(doc, "results"), *note;
	size_t i;

	text_paragraph(out, 0, 2, STYLE_BOLD, "%s", member_word(doc, "verdict"));
	json_array_foreach (json_object_get(doc, "notes"), i, note)
		text_paragraph(out, 0, 2, STYLE_YELLOW, "note: %s", json_string_value(note));
	differences_table(json_object_get(doc, "facts_differ"), out);
	effects_table(results, out);
	counters_table(results, out);
	say_steal(results, out);
	say_missing(json_object_get(doc, "only_before"), "BEFORE", out);
	say_missing(json_object_get(doc, "only_after"), "AFTER", out);
	text_paragraph(
		out, 2, 4, STYLE_DIM,
		"ratio: before = 1; %% (95 %%): interval of the change; finds: change in %% that "
		"so many rounds find; needs: rounds for a verdict (few: too few samples or "
		"blocks; drift: a side differs from itself as much; zero: a rate of 0 has no "
		"ratio); %s; no change means within "
		"%g %%",
		json_is_true(json_object_get(doc, "paired")) ? "paired by round"
							     : "blocks resampled",
		member_number(doc, "within_pct"));
}
