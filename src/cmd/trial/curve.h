/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Distributions as curves of charts. */
#ifndef LPARTUNE_CMD_CURVE_H
#define LPARTUNE_CMD_CURVE_H

#include "bench/judgement/histogram.h"
#include "output/chart.h"

/* Panels with their titles, as many as `room`; freed with their curves by curves_done. */
struct curves {
	struct chart_panel *panel;
	char (*title)[160];
	size_t count;
};
int curves_make(size_t room, struct curves *ret); /* -ENOMEM */
void curves_done(struct curves *curves);

/* The share of the samples above each bucket, the whole first. -ENOMEM. */
int curve_fill(const struct distribution *d, const char *name, struct chart_curve *ret);

#endif
