/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file draws saved results. */
#include "cmd/trial/compare_plot.h"

#include "cmd/bench/bench_format.h"
#include "cmd/trial/curve.h"

static int fill(const struct saved_cell *cell, const char *name, struct chart_curve *curve)
{
	_cleanup_distribution_ struct distribution all = { 0 };

	for (size_t i = 0; i < cell->count; i++)
		if (distribution_merge(&all, &cell->blocks[i].wake) < 0)
			return -1;
	return curve_fill(&all, name, curve);
}

static int add_panel(struct curves *curves, const struct saved_cell *before,
		     const struct saved_cell *after)
{
	struct chart_panel *panel = &curves->panel[curves->count];
	char *title = curves->title[curves->count], cell[128];

	format_cell(cell, sizeof(cell), json_object_get(before->result, "cell"));
	snprintf(title, sizeof(curves->title[0]), "%s %s", member_word(before->result, "name"),
		 cell);
	panel->title = title;
	curves->count++;
	if (fill(before, "before", &panel->curve[0]) < 0)
		return -1;
	return fill(after, "after", &panel->curve[1]);
}

char *compare_plot(const struct saved_side *before, const struct saved_side *after)
{
	_cleanup_(curves_done) struct curves curves = { 0 };

	if (curves_make(before->count, &curves) < 0)
		return NULL;
	for (size_t i = 0; i < before->count; i++) {
		const struct saved_cell *other = saved_cell_find(after, before->cells[i].result);

		if (other && add_panel(&curves, &before->cells[i], other) < 0)
			return NULL;
	}
	return chart_svg("lpartune compare: share of wakes that took longer", curves.panel,
			 curves.count);
}
