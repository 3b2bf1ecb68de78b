/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sentences of rules, with a machine's numbers in them. */
#ifndef LPARTUNE_ADVICE_EVIDENCE_H
#define LPARTUNE_ADVICE_EVIDENCE_H

#include "machine/fact/facts.h"

/*
 * Fills {fact.key} with the fact's value and unit ("unknown" if it is absent), {kernel:id} with the
 * verdict on a kernel behaviour, {conflicts} with the sources that disagree. The caller frees; NULL
 * when memory is out. Any other brace is text.
 */
char *evidence_render(const char *text, const struct facts *facts);

#endif
