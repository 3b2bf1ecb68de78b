/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file turns distributions into the points of curves. */
#include "cmd/trial/curve.h"

#include <errno.h>

int curves_make(size_t room, struct curves *ret)
{
	struct curves curves = {
		.panel = calloc(room + 1, sizeof(*curves.panel)),
		.title = calloc(room + 1, sizeof(*curves.title)),
	};

	if (!curves.panel || !curves.title) {
		curves_done(&curves);
		return -ENOMEM;
	}
	*ret = curves;
	return 0;
}

void curves_done(struct curves *curves)
{
	for (size_t i = 0; i < curves->count; i++)
		for (size_t c = 0; c < ARRAY_SIZE(curves->panel[i].curve); c++)
			free((void *)curves->panel[i].curve[c].point);
	free(curves->panel);
	free(curves->title);
	*curves = (struct curves) { 0 };
}

int curve_fill(const struct distribution *d, const char *name, struct chart_curve *ret)
{
	struct chart_point *point = reallocarray(NULL, d->used_count + 1, sizeof(*point));
	uint64_t left = d->count;

	if (!point)
		return -ENOMEM;
	for (size_t i = 0; i < d->used_count; i++) {
		point[i] = (struct chart_point) {
			.ns = (double)histogram_value(d->used[i].bucket),
			.share = (double)left / (double)d->count,
		};
		left -= d->used[i].count;
	}
	*ret = (struct chart_curve) { name, point, d->used_count };
	return 0;
}
