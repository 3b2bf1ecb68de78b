/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two sides of saved results, cell by cell: effects, verdicts, and what makes them doubtful. */
#ifndef LPARTUNE_BENCH_COMPARE_H
#define LPARTUNE_BENCH_COMPARE_H

#include <jansson.h>

#include "bench/judgement/effect.h"
#include "bench/judgement/reading.h"

#define COMPARE_WITHIN_PCT 2.0

/*
 * Were the documents of the two sides measured in turns? True if there are at least
 * EFFECT_ROUNDS_MIN of each side, and in order of their times each two neighbours (1st and 2nd, 3rd
 * and 4th …) are one of each side. Document i of one side then belongs to document i of the other.
 */
bool compare_is_interleaved(const struct saved_side *before, const struct saved_side *after);

/*
 * Adds "paired", "within_pct", "results", "facts_differ", "only_before", "only_after", "notes" and
 * "verdict" to a document. -EPROTO: the definitions differ; -ENODATA: no cell is in both; -ENOMEM.
 */
int compare_to_json(const struct saved_side *before, const struct saved_side *after, bool paired,
		    double within_pct, json_t *doc);

#endif
