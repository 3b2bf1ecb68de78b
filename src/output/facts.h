/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts as a part of documents. */
#ifndef LPARTUNE_OUTPUT_FACTS_H
#define LPARTUNE_OUTPUT_FACTS_H

#include <jansson.h>

#include "machine/fact/facts.h"

/* All facts as an object of key → {"value", "unit", "source"}, or {"value": null, "reason", "source"}
 * for an absent one; "conflict" where sources disagree. New reference; NULL when memory is out. */
json_t *facts_to_json(const struct facts *facts);

/* The value of a fact in such an object as people read it ("2.00 cores", "mixed", "yes"), allocated;
 * NULL if it is absent. */
char *fact_to_text(const json_t *facts, enum fact fact);

#endif
