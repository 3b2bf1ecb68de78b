/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file shows a trial so that it can be pasted into a change request: the verdict, what was
 * changed and where, the figures it rests on, and whether everything is back. */
#include <math.h>

#include "cmd/bench/bench.h"
#include "cmd/bench/bench_format.h"
#include "cmd/trial/effect_view.h"
#include "cmd/trial/trial.h"

#define SIZES_MAX 3 /* lengths of drawn trials that a line has room for */

static const json_t *deciding_effect(const json_t *doc)
{
	const json_t *metrics = json_object_get(doc, "metrics"), *metric;
	const char *verdict = member_word(doc, "verdict");
	size_t i;

	json_array_foreach (metrics, i, metric)
		if (streq(member_word(metric, "verdict"), verdict) || streq(verdict, "mixed"))
			return metric;
	return json_array_get(metrics, 0);
}

static void say_metric(const char *lead, const json_t *effect, struct text *out)
{
	const char *quantile = member_word(effect, "quantile");

	text_paragraph(out, 0, 2, STYLE_BOLD,
		       "%s: %s%s over all cells %+.1f %% (95 %%: %+.1f to %+.1f), p %.2g", lead,
		       *quantile ? "p" : "rate", quantile, member_number(effect, "change_pct"),
		       member_number(effect, "low_pct"), member_number(effect, "high_pct"),
		       member_number(effect, "p"));
}

static void say_verdict(const json_t *doc, struct text *out)
{
	const char *verdict = member_word(doc, "verdict"), *reason = member_word(doc, "reason");
	const json_t *effect = deciding_effect(doc);
	const char *quantile = member_word(effect, "quantile"),
		   *why = member_word(effect, "reason");

	if (*reason)
		text_paragraph(out, 0, 2, STYLE_BOLD, "%s: %s", verdict, reason);
	else if (!isnan(member_number(effect, "low_pct")))
		say_metric(verdict, effect, out);
	else if (*why)
		text_paragraph(out, 0, 2, STYLE_BOLD, "%s: %s%s over all cells: %s", verdict,
			       *quantile ? "p" : "rate", quantile, why);
	else
		text_paragraph(out, 0, 2, STYLE_BOLD, "%s", verdict);
	if (streq(verdict, "mixed"))
		say_metric("but", json_array_get(json_object_get(doc, "metrics"), 1), out);
}

static void say_changes(const json_t *doc, struct text *out)
{
	const json_t *change;
	size_t i;

	json_array_foreach (json_object_get(doc, "changes"), i, change)
		text_paragraph(out, 0, 2, STYLE_PLAIN, "%s: %s as found, %s changed (%s)",
			       member_word(change, "tunable"),
			       *member_word(change, "from") ? member_word(change, "from") : "?",
			       member_word(change, "to"), member_word(change, "title"));
	if (!json_array_size(json_object_get(doc, "changes")))
		text_paragraph(out, 0, 2, STYLE_PLAIN, "self-test: nothing was changed");
}

static void row(struct text_table *table, const char *where, const json_t *effect)
{
	double finds = member_number(effect, "detectable_pct");
	const json_t *clean = json_object_get(effect, "steal_free");

	text_table_row(table);
	text_table_cell(table, STYLE_PLAIN, "%s", where);
	effect_name_cell(table, effect);
	effect_value_cell(table, effect, "a");
	effect_value_cell(table, effect, "b");
	effect_interval_cell(table, effect);
	text_table_cell(table, STYLE_PLAIN,
			isnan(finds)  ? "-"
			: finds > 999 ? ">999"
				      : "%.3g",
			finds);
	effect_verdict_cells(table, effect);
	if (clean)
		effect_interval_cell(table, clean);
}

static void cell_rows(struct text_table *table, const json_t *cell)
{
	const json_t *effect;
	char where[128], text[96];
	size_t i;

	format_cell(text, sizeof(text), json_object_get(cell, "cell"));
	snprintf(where, sizeof(where), "%s%s%s",
		 streq(member_word(cell, "name"), "wake") ? "" : member_word(cell, "name"),
		 streq(member_word(cell, "name"), "wake") ? "" : " ", text);
	json_array_foreach (json_object_get(cell, "effects"), i, effect)
		row(table, where, effect);
}

/* Metrics and cells as a table, whose sides are called `a` and `b`. */
static void show_effects(const json_t *doc, const char *a, const char *b, struct text *out)
{
	const struct text_column columns[] = {
		{ .title = "us" },
		{ .title = "" },
		{ .title = a, .right = true },
		{ .title = b, .right = true },
		{ .title = "% (95 %)", .right = true },
		{ .title = "finds", .right = true },
		{ .title = "verdict" },
		{ .title = "needs" },
		{ .title = "steal-free", .right = true },
	};
	struct text_table *table = text_table_begin(out, 2, columns, ARRAY_SIZE(columns));
	const json_t *one;
	size_t i;

	json_array_foreach (json_object_get(doc, "metrics"), i, one)
		row(table, "all cells", one);
	json_array_foreach (json_object_get(doc, "cells"), i, one)
		cell_rows(table, one);
	text_table_end(table);
}

static void say_steal(const json_t *doc, struct text *out)
{
	const json_t *steal = json_object_get(doc, "steal_pct");
	double a = member_number(steal, "a"), b = member_number(steal, "b");
	double rate_a = member_number_in(doc, "operations_per_s", "a");
	double rate_b = member_number_in(doc, "operations_per_s", "b");

	if (isnan(a) || isnan(b))
		text_paragraph(out, 2, 4, STYLE_PLAIN, "steal: not told by this machine");
	else if (isnan(member_number(steal, "low")))
		text_paragraph(out, 2, 4, STYLE_PLAIN, "steal: %.2f %% as found, %.2f %% changed",
			       a, b);
	else
		text_paragraph(out, 2, 4, STYLE_PLAIN,
			       "steal: %.2f %% as found, %.2f %% changed: by %+.2f points (95 %%: "
			       "%+.2f to %+.2f), p %.2g",
			       a, b, member_number(steal, "change"), member_number(steal, "low"),
			       member_number(steal, "high"), member_number(steal, "p"));
	if (rate_a > 0 && rate_b > 0)
		text_paragraph(out, 2, 4, STYLE_PLAIN, "rate: %.0f/s as found, %.0f/s changed%s",
			       rate_a, rate_b,
			       fabs(rate_b / rate_a - 1) > 0.02
				       ? ": not equal, so that steal is not comparable"
				       : "");
}

static void say_counters(const json_t *doc, struct text *out)
{
	const json_t *counter;
	size_t i;

	json_array_foreach (json_object_get(doc, "counters"), i, counter) {
		char a[32], b[32];

		if (isnan(member_number(counter, "low_pct")))
			continue;
		text_real(a, sizeof(a), member_number(counter, "a"));
		text_real(b, sizeof(b), member_number(counter, "b"));
		text_paragraph(out, 2, 4, STYLE_PLAIN,
			       "%s: %s/s as found, %s/s changed (95 %%: %+.1f to %+.1f %%)",
			       member_word(counter, "name"), a, b,
			       member_number(counter, "low_pct"),
			       member_number(counter, "high_pct"));
	}
}

static void say_missing(const json_t *doc, struct text *out)
{
	const json_t *cell;
	char text[128];
	size_t i;

	json_array_foreach (json_object_get(doc, "cells"), i, cell) {
		if (!*member_word(cell, "error"))
			continue;
		format_cell(text, sizeof(text), json_object_get(cell, "cell"));
		text_paragraph(out, 2, 4, STYLE_PLAIN, "%s %s: not measured: %s",
			       member_word(cell, "name"), text, member_word(cell, "error"));
	}
}

static void say_rounds(const json_t *doc, struct text *out)
{
	static const struct {
		const char *ended, *text;
	} rows[] = {
		{ "early", ": it was clear at the one look" },
		{ "time", ": no other would have ended in --max-time" },
		{ "interrupted", ": interrupted" },
	};
	const json_t *config = json_object_get(doc, "config");
	const char *ended = "";

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (streq(rows[i].ended, member_word(doc, "ended")))
			ended = rows[i].text;
	text_paragraph(out, 2, 4, STYLE_PLAIN,
		       "%.0f of %.0f rounds (%s), blocks of %.0f ms, settling %.0f ms, %.0f s in "
		       "all%s",
		       member_number(doc, "rounds_done"), member_number(config, "rounds"),
		       streq(member_word(config, "order"), "abba") ? "ABBA" : "random order",
		       member_number(config, "block_ns") / 1e6,
		       member_number(config, "settle_ns") / 1e6,
		       member_number(doc, "took_ns") / 1e9, ended);
}

static const char *fact_word(const json_t *doc, const char *key)
{
	return member_word(json_object_get(json_object_get(doc, "facts"), key), "value");
}

/* Of which machine this tells, and of when, where it is read on another day. */
static void say_where(const json_t *doc, struct text *out)
{
	const char *name = fact_word(doc, "lpar.name"), *model = fact_word(doc, "lpar.model");
	const char *boot = member_word(doc, "boot_id");

	text_paragraph(out, 2, 4, STYLE_PLAIN, "lpartune %s, %s%s%s%s%s%s%s",
		       member_word(doc, "lpartune"), member_word(doc, "time"),
		       *name ? ", partition " : "", name, *model ? ", model " : "", model,
		       *boot ? ", boot " : "", boot);
}

static void say_state(const json_t *doc, struct text *out)
{
	static const struct {
		const char *word, *text;
	} rows[] = {
		{ "done", "the change was applied: lpartune verify shows it" },
		{ "nothing", "the change was applied already" },
		{ "undone", "the change could not be applied: everything was put back" },
		{ "not-undone", "the change could not be applied, nor all of it be put back" },
	};
	const char *applied = member_word(doc, "applied");

	if (!json_array_size(json_object_get(doc, "changes")))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (streq(applied, rows[i].word))
			text_paragraph(out, 2, 4, i < 2 ? STYLE_PLAIN : STYLE_RED, "%s",
				       rows[i].text);
	if (*applied)
		return;
	if (json_is_true(json_object_get(doc, "put_back")))
		text_paragraph(out, 2, 4, STYLE_PLAIN, "everything was put back");
	else
		text_paragraph(out, 2, 4, STYLE_RED, "not everything was put back");
}

static void share_cell(struct text_table *table, const json_t *share)
{
	text_table_cell(table, STYLE_PLAIN, "%.1f (%.0f-%.0f)", member_number(share, "pct"),
			member_number(share, "low_pct"), member_number(share, "high_pct"));
}

/* How often trials of each length found a delay in a metric, or without one were fooled. */
static void odds_row(struct text_table *table, const json_t *drawn, const char *delay,
		     const char *metric, const char *key)
{
	size_t i;
	const json_t *one;

	text_table_row(table);
	text_table_cell(table, STYLE_PLAIN, "%s", delay);
	text_table_cell(table, STYLE_PLAIN, "%s", metric);
	json_array_foreach ((json_t *)drawn, i, one) {
		const json_t *share = json_object_get(one, key);

		share_cell(table, *metric ? json_object_get(share, metric) : share);
	}
}

static void odds_rows(struct text_table *table, const json_t *drawn, const char *delay,
		      const char *key)
{
	const char *metric;
	const json_t *share;

	json_object_foreach (json_object_get(json_array_get(drawn, 0), key), metric, share)
		odds_row(table, drawn, delay, metric, key);
}

static struct text_table *odds_table(const json_t *drawn, struct text *out)
{
	struct text_column columns[SIZES_MAX + 2] = { { "delay", false, false },
						      { "found in", false, false } };
	char title[SIZES_MAX][24];
	size_t i;
	const json_t *one;

	json_array_foreach ((json_t *)drawn, i, one) {
		if (i == SIZES_MAX)
			break;
		snprintf(title[i], sizeof(title[i]), "%.0f rounds", member_number(one, "rounds"));
		columns[i + 2] = (struct text_column) { title[i], true, false };
	}
	return text_table_begin(out, 2, columns, i + 2);
}

static void say_self_test(const json_t *doc, struct text *out)
{
	const json_t *test = json_object_get(doc, "self_test");
	const json_t *drawn = json_object_get(test, "drawn");
	const json_t *some = json_object_get(test, "delayed_some");
	struct text_table *table;
	char all_delay[64], some_delay[64];

	if (!json_is_object(test))
		return;
	text_heading(out, "Self-test");
	snprintf(all_delay, sizeof(all_delay), "%g %% of p50 on all",
		 member_number_in(test, "delayed_all", "pct_of_p50"));
	snprintf(some_delay, sizeof(some_delay), "%.0f us on one in %.0f",
		 member_number(some, "ns") / 1e3, member_number(some, "one_in"));
	table = odds_table(drawn, out);
	odds_row(table, drawn, "none: fooled", "", "false_alarms");
	odds_rows(table, drawn, all_delay, "delayed_all");
	odds_rows(table, drawn, some_delay, "delayed_some");
	text_table_end(table);
	text_paragraph(out, 2, 4, STYLE_DIM,
		       "verdicts in %% (95 %%) of 1000 trials of so many rounds, drawn with "
		       "replacement from these %.0f; a delay is added to the recorded latencies of "
		       "one side",
		       member_number(test, "recorded_rounds"));
}

void trial_view(const json_t *doc, struct text *out)
{
	say_verdict(doc, out);
	say_changes(doc, out);
	bench_say_machine(doc, out);
	show_effects(doc, "as found", "changed", out);
	say_steal(doc, out);
	say_counters(doc, out);
	say_missing(doc, out);
	say_self_test(doc, out);
	text_heading(out, "This trial");
	say_where(doc, out);
	say_rounds(doc, out);
	say_state(doc, out);
	text_paragraph(
		out, 2, 4, STYLE_DIM,
		"%% (95 %%): interval of the change, rounds paired; finds: change in %% that so "
		"many rounds find; needs: rounds for a verdict (few: too few samples or rounds); "
		"steal-free: the interval over blocks without steal; all cells: their mean by how "
		"steady each was, which decides; no change means within %g %%",
		member_number_in(doc, "config", "within_pct"));
}
