/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file draws the two arms of a trial. */
#include "bench/document.h"
#include "bench/trial_document.h"
#include "cmd/bench/bench_format.h"
#include "cmd/trial/curve.h"
#include "cmd/trial/trial.h"

static int fill(const struct measurement *m, const char *name, struct chart_curve *curve)
{
	_cleanup_distribution_ struct distribution all;

	return trial_pool(m, &all) < 0 ? -1 : curve_fill(&all, name, curve);
}

static int add_panel(const struct trial *trial, unsigned int cell, struct curves *curves)
{
	const struct measurement *a = &trial->arm[TRIAL_A].measurement[cell];
	struct chart_panel *panel = &curves->panel[curves->count];
	char *title = curves->title[curves->count], text[128];
	json_t *json = cell_to_json(&a->cell);

	format_cell(text, sizeof(text), json);
	json_decref(json);
	snprintf(title, sizeof(curves->title[0]), "%s %s", a->cell.benchmark->name, text);
	panel->title = title;
	curves->count++;
	if (fill(a, "as found", &panel->curve[0]) < 0)
		return -1;
	return fill(&trial->arm[TRIAL_B].measurement[cell], "changed", &panel->curve[1]);
}

char *trial_plot(const struct trial *trial, const char *heading)
{
	_cleanup_(curves_done) struct curves curves = { 0 };

	if (curves_make(trial->arm[TRIAL_A].count, &curves) < 0)
		return NULL;
	for (unsigned int i = 0; i < trial->arm[TRIAL_A].count; i++)
		if (!trial->arm[TRIAL_A].measurement[i].error && add_panel(trial, i, &curves) < 0)
			return NULL;
	return chart_svg(heading, curves.panel, curves.count);
}
