/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of words in texts: the alternatives of a table row ("a|b"), and facts that are lists. */
#ifndef LPARTUNE_ADVICE_WORDS_H
#define LPARTUNE_ADVICE_WORDS_H

#include <stdbool.h>

#include "base/parse.h"

/* Takes the next alternative off "a|b|c"; false at the end. */
bool words_next(struct span *rest, struct span *word);

/* Is `text` one of the alternatives? */
bool words_have(const char *alternatives, const char *text);

/* Is one of the alternatives in `text`, in any case? */
bool words_found_in(const char *alternatives, const char *text);

/* Is one of the alternatives a whole word of `list` (words separated by blanks)? */
bool words_listed(const char *alternatives, const char *list);

#endif
