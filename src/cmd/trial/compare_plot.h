/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The picture of a comparison. */
#ifndef LPARTUNE_CMD_COMPARE_PLOT_H
#define LPARTUNE_CMD_COMPARE_PLOT_H

#include "bench/judgement/reading.h"

/* An SVG with a panel for each cell of both sides: all its blocks merged. The caller's; NULL when
 * memory is out. */
char *compare_plot(const struct saved_side *before, const struct saved_side *after);

#endif
