/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Planning what to bring back: only what is still as we left it, and exactly as it was before. */
#ifndef LPARTUNE_CHANGE_REVERT_H
#define LPARTUNE_CHANGE_REVERT_H

#include "change/change.h"

/*
 * Plans to revert the settings of `ids`, or all if `count` is 0. A value that somebody else changed
 * becomes an item with status drift and stays, unless `force`. The books need no rule and no plan
 * file: they alone say what to do. Boot parameters that cannot be brought back stay too, all of them,
 * and the items say why. -ESRCH: `*ret_name` was not applied.
 */
int change_plan_revert(struct change *change, char *const *ids, size_t count, bool force,
		       const char **ret_name);

#endif
