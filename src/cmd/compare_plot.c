/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file turns saved distributions into curves. */
#include "cmd/compare_plot.h"

#include "cmd/bench_format.h"
#include "output/chart.h"

struct plot {
	struct chart_panel *panel;
	char (*title)[160];
	size_t count;
};

static void plot_done(struct plot *plot)
{
	for (size_t i = 0; i < plot->count; i++)
		for (size_t c = 0; c < ARRAY_SIZE(plot->panel[i].curve); c++)
			free((void *)plot->panel[i].curve[c].point);
	free(plot->panel);
	free(plot->title);
}

/* The share above each bucket, the whole first. */
static int fill_curve(const struct saved_cell *cell, struct chart_curve *curve)
{
	_cleanup_distribution_ struct distribution all = { 0 };
	struct chart_point *point;
	uint64_t left;

	for (size_t i = 0; i < cell->count; i++)
		if (distribution_merge(&all, &cell->blocks[i].wake) < 0)
			return -1;
	point = reallocarray(NULL, all.used_count + 1, sizeof(*point));
	if (!point)
		return -1;
	left = all.count;
	for (size_t i = 0; i < all.used_count; i++) {
		point[i] = (struct chart_point) {
			.ns = (double)histogram_value(all.used[i].bucket),
			.share = (double)left / (double)all.count,
		};
		left -= all.used[i].count;
	}
	curve->point = point;
	curve->count = all.used_count;
	return 0;
}

static int add_panel(struct plot *plot, const struct saved_cell *before,
		     const struct saved_cell *after)
{
	struct chart_panel *panel = &plot->panel[plot->count];
	char *title = plot->title[plot->count], cell[128];

	format_cell(cell, sizeof(cell), json_object_get(before->result, "cell"));
	snprintf(title, sizeof(plot->title[0]), "%s %s", member_word(before->result, "name"), cell);
	panel->title = title;
	panel->curve[0].name = "before";
	panel->curve[1].name = "after";
	plot->count++;
	if (fill_curve(before, &panel->curve[0]) < 0)
		return -1;
	return fill_curve(after, &panel->curve[1]);
}

char *compare_plot(const struct saved_side *before, const struct saved_side *after)
{
	_cleanup_(plot_done) struct plot plot = {
		.panel = calloc(before->count + 1, sizeof(*plot.panel)),
		.title = calloc(before->count + 1, sizeof(*plot.title)),
	};

	if (!plot.panel || !plot.title)
		return NULL;
	for (size_t i = 0; i < before->count; i++) {
		const struct saved_cell *other = saved_cell_find(after, before->cells[i].result);

		if (other && add_panel(&plot, &before->cells[i], other) < 0)
			return NULL;
	}
	return chart_svg("lpartune compare: share of wakes that took longer", plot.panel,
			 plot.count);
}
