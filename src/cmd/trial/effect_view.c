/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file formats effects. */
#include "cmd/trial/effect_view.h"

#include <math.h>

#include "cmd/bench/bench_format.h"

static enum text_style style_of(const char *verdict)
{
	if (streq(verdict, "worse") || streq(verdict, "mixed"))
		return STYLE_RED;
	if (streq(verdict, "better"))
		return STYLE_GREEN;
	return streq(verdict, "undecided") ? STYLE_DIM : STYLE_PLAIN;
}

void effect_name_cell(struct text_table *table, const json_t *effect)
{
	const char *quantile = member_word(effect, "quantile");
	const char *metric = member_word(effect, "metric");

	text_table_cell(table, STYLE_PLAIN, "%s%s%s",
			streq(metric, "response") ? "resp."
			: *quantile		  ? ""
						  : metric,
			*quantile ? "p" : "", quantile);
}

void effect_value_cell(struct text_table *table, const json_t *effect, const char *key)
{
	double value = member_number(effect, key);
	char text[32];

	if (streq(member_word(effect, "metric"), "rate") && !isnan(value)) {
		text_table_cell(table, STYLE_PLAIN, "%.0f/s", value);
		return;
	}
	format_us(text, sizeof(text), value);
	text_table_cell(table, STYLE_PLAIN, "%s", text);
}

void effect_interval_cell(struct text_table *table, const json_t *effect)
{
	double low = member_number(effect, "low_pct"), high = member_number(effect, "high_pct");

	if (isnan(low) || isnan(high))
		text_table_cell(table, STYLE_PLAIN, "-");
	else
		text_table_cell(table, STYLE_PLAIN,
				fabs(low) + fabs(high) < 100 ? "%+.1f,%+.1f" : "%+.0f,%+.0f", low,
				high);
}

void effect_verdict_cells(struct text_table *table, const json_t *effect)
{
	const char *verdict = member_word(effect, "verdict");
	const char *reason = member_word(effect, "reason");
	double needed = member_number(effect, "rounds_needed");

	text_table_cell(table, style_of(verdict), "%s", verdict);
	if (starts_with(reason, "drift"))
		text_table_cell(table, STYLE_DIM, "drift");
	else if (starts_with(reason, "a rate"))
		text_table_cell(table, STYLE_DIM, "zero");
	else if (*reason)
		text_table_cell(table, STYLE_DIM, "few");
	else if (needed > 0)
		text_table_cell(table, STYLE_DIM, "~%.0f", needed);
	else
		text_table_cell(table, STYLE_DIM, streq(verdict, "undecided") ? ">1000" : NULL);
}
