/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file holds the table of figures. */
#include "bench/judgement/figure.h"

#include <errno.h>

#include "base/util.h"

const struct figure figures[FIGURE_COUNT] = {
	[FIGURE_P50] = { "wake", "50", 0.5, "p50" },
	[FIGURE_P90] = { "wake", "90", 0.9, "p90" },
	[FIGURE_P99] = { "wake", "99", 0.99, "p99" },
	[FIGURE_P999] = { "wake", "99.9", 0.999, "p99.9" },
	[FIGURE_RESPONSE_P99] = { "response", "99", 0.99, "response-p99" },
	[FIGURE_RATE] = { "rate", NULL, 0, "rate" },
};

int figure_parse(const char *word, enum figure_id *ret)
{
	for (unsigned int i = 0; i < FIGURE_COUNT; i++)
		if (streq(figures[i].word, word)) {
			*ret = (enum figure_id)i;
			return 0;
		}
	return -EINVAL;
}
