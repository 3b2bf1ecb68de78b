/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names that look like a name that is not known: what the user may have meant. Pure text. */
#ifndef LPARTUNE_BASE_SIMILAR_H
#define LPARTUNE_BASE_SIMILAR_H

#include <stddef.h>

#include "base/util.h"

#define SIMILAR_MAX 3

/* The nearest of the names that were offered; they stay the caller's. */
struct similar {
	const char *wanted;
	const char *best[SIMILAR_MAX];
	unsigned int distance[SIMILAR_MAX];
	size_t count;
};

/*
 * How many letters must be put in, left out, exchanged or swapped with their neighbour to make one
 * text of the other (optimal string alignment)? Case does not count. Of texts beyond 63 letters only
 * so many are compared.
 */
unsigned int similar_distance(const char *a, const char *b);

/* Offers a name; what is behind a colon or dot of it is looked at too. */
void similar_offer(struct similar *similar, const char *name);

/* "; did you mean 'a' or 'b'?", or "" if nothing is near. Allocated; NULL: out of memory. */
char *similar_hint(const struct similar *similar);

#endif
