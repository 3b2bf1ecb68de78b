/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Charts of distributions as one self-contained SVG: no script, no font, no file beside it. */
#ifndef LPARTUNE_OUTPUT_CHART_H
#define LPARTUNE_OUTPUT_CHART_H

#include <stddef.h>

/* Points of a tail curve: `share` of the samples (0 to 1) took longer than `ns`; ns ascends. */
struct chart_point {
	double ns, share;
};

struct chart_curve {
	const char *name; /* any UTF-8 */
	const struct chart_point *point;
	size_t count;
};

/* One pair of axes, both logarithmic. */
struct chart_panel {
	const char *title;
	struct chart_curve curve[2];
};

/* The SVG as text, the caller's; NULL when memory is out. Empty curves are left out. */
char *chart_svg(const char *heading, const struct chart_panel *panels, size_t count);

#endif
