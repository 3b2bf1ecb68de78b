/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a crash left: a change that was cut off, and records that nobody can read. A value that
 * cannot be brought back never keeps the rest from it: it stays in the books as applied, and revert
 * takes it up again. A file that cannot be brought back does: the journal is its only copy.
 */
#ifndef LPARTUNE_CHANGE_RECOVER_H
#define LPARTUNE_CHANGE_RECOVER_H

#include "change/change.h"

/* Finishes what a crash interrupted, with the lock held. What was left and why becomes notes. -errno;
 * -EBADMSG: `damaged` says which record. */
int change_recover(struct change *change);

/* For readers: fills `interrupted` if a change is cut off or under way, and notes values that are set
 * only for a while. -EBADMSG, -ENOMEM. */
int change_find_interrupted(struct change *change);

/* Notes values of this boot that the state does not know: somebody has removed it. -ENOMEM. */
int change_note_forgotten(struct change *change);

/*
 * Sets records that are damaged aside as NAME.damaged and makes the state anew from the values of
 * this boot, if it was the state or if that is lost. Returns how many; `*ret_restored` is how many settings were made
 * anew. -EALREADY, -errno.
 */
int change_repair(struct root *root, int *ret_restored);

#endif
