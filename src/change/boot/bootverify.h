/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is a boot parameter in force, will it be at the next boot, and if not, why? */
#ifndef LPARTUNE_CHANGE_BOOTVERIFY_H
#define LPARTUNE_CHANGE_BOOTVERIFY_H

#include "change/change.h"

/*
 * Judges the setting `entry` of the books: sets status and detail of `item`, whose `from` is what the
 * running kernel has. Only reads. -ENOMEM.
 */
int bootverify(struct change *change, const json_t *entry, struct change_item *item);

#endif
