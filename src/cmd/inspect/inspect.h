/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of `lpartune inspect`: its document and the two ways in which it reads. */
#ifndef LPARTUNE_CMD_INSPECT_H
#define LPARTUNE_CMD_INSPECT_H

#include <jansson.h>

#include "machine/fact/machine.h"
#include "output/text.h"

/* Facts and findings; with `all` also the raw lparcfg with its units and the kernel's behaviours.
 * New reference; NULL when memory is out. */
json_t *inspect_document(const struct machine *machine, bool all);

void inspect_view(const json_t *doc, struct text *out);	    /* one screen */
void inspect_view_all(const json_t *doc, struct text *out); /* every fact with its source */

#endif
