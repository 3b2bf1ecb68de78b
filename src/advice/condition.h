/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Conditions over facts: whether they hold. */
#ifndef LPARTUNE_ADVICE_CONDITION_H
#define LPARTUNE_ADVICE_CONDITION_H

#include "advice/rules.h"

/* Does it hold? `unknown` tells whether it does not because a fact is absent. */
bool condition_holds(const struct condition *condition, const struct facts *facts, bool *unknown);

#endif
