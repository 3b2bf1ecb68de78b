/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading back what bench saved: documents become cells with blocks, checked as foreign data are. */
#ifndef LPARTUNE_BENCH_READING_H
#define LPARTUNE_BENCH_READING_H

#include <jansson.h>

#include "bench/judgement/histogram.h"

struct saved_block {
	struct distribution wake, response;
	double rate_per_s; /* NAN: unknown */
	double steal_pct, foreign_cpu_pct;
	const json_t *counters; /* {event: per second}; borrowed, may be NULL */
	unsigned int file;	/* which of its side's documents it came from */
};

/* A cell with the blocks that all documents of a side have of it. */
struct saved_cell {
	const json_t *result; /* of the first document that has it; borrowed */
	struct saved_block *blocks;
	size_t count;
	bool is_saturated; /* in any document */
};

struct saved_side {
	const json_t *const *document; /* borrowed */
	size_t documents;
	struct saved_cell *cells;
	size_t count;
};
void saved_side_done(struct saved_side *side);

/*
 * Reads the results of documents. -EINVAL: one is no bench document (`*ret_bad` says which);
 * -EPROTO: they have different definitions; -ENOMEM.
 */
int saved_side_read(const json_t *const *document, size_t documents, struct saved_side *ret,
		    size_t *ret_bad);

/* The cell with the same name and the same cell members, or NULL. */
const struct saved_cell *saved_cell_find(const struct saved_side *side, const json_t *result);

/* The definition of a document, or -1. */
json_int_t saved_definition(const json_t *document);

#endif
