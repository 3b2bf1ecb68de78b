/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is every applied value still in force, and will it be after the next boot? */
#ifndef LPARTUNE_CHANGE_VERIFY_H
#define LPARTUNE_CHANGE_VERIFY_H

#include "change/change.h"

/* One item for each setting of the books, and each of our files. Only reads. -ENOMEM. */
int change_verify(struct change *change);

#endif
