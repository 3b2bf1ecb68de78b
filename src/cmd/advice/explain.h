/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `lpartune explain` can explain: one row per kind of thing. All ids share one namespace.
 * Document: schema/explain.json.
 */
#ifndef LPARTUNE_CMD_EXPLAIN_H
#define LPARTUNE_CMD_EXPLAIN_H

#include <jansson.h>

#include "machine/fact/machine.h"
#include "output/text.h"

struct explain_kind {
	const char *name;    /* "rule" */
	const char *heading; /* "Rules" */
	size_t (*count)(void);
	const char *(*id)(size_t i);
	const char *(*title)(size_t i);
	/* Adds sections; what the machine has is a section too. */
	void (*fill)(json_t *sections, size_t i, struct machine *machine);
	/* URLs, ended by NULL, or NULL for none. */
	const char *const *(*sources)(size_t i);
};
extern const struct explain_kind explain_kinds[];
extern const size_t explain_kinds_count;

/* The entry of an id: its kind and its place in it; false if there is none. */
bool explain_find(const char *id, const struct explain_kind **ret_kind, size_t *ret_index);

void explain_view(const json_t *doc, struct text *out);

#endif
