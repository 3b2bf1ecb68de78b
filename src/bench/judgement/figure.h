/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The figures of a cell that are compared: quantiles of its two latencies, and its rate. */
#ifndef LPARTUNE_BENCH_FIGURE_H
#define LPARTUNE_BENCH_FIGURE_H

enum figure_id {
	FIGURE_P50,
	FIGURE_P90,
	FIGURE_P99,
	FIGURE_P999,
	FIGURE_RESPONSE_P99,
	FIGURE_RATE, /* more is better; of all others less is */
	FIGURE_COUNT,
};

struct figure {
	const char *metric; /* wake, response, rate */
	const char *key;    /* of the quantile; NULL for a rate */
	double q;
	const char *word; /* as the command line names it: "p99" */
};

extern const struct figure figures[FIGURE_COUNT];

/* -EINVAL for an unknown word. */
int figure_parse(const char *word, enum figure_id *ret);

#endif
