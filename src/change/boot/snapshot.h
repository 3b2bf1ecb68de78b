/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SUSE systems whose root is read-only (transactional server, SLE Micro): grub.cfg is made anew in a
 * snapshot, which the next boot uses. transactional-update(8).
 */
#ifndef LPARTUNE_CHANGE_SNAPSHOT_H
#define LPARTUNE_CHANGE_SNAPSHOT_H

#include "machine/root.h"

/* Is this such a system, seen from the running machine? */
bool snapshot_is_needed(struct root *root);

/* Is it one, by what is installed? */
bool snapshot_is_installed(struct root *root);

/* The snapshot that the next boot will use. -errno as tool_run. */
int snapshot_next(int lock, unsigned int *ret);

/* The snapshot that is the running root; 0: unknown. */
unsigned int snapshot_running(struct root *root);

/* The root of a snapshot; the caller closes it. -errno. */
int snapshot_open(unsigned int number, struct root **ret);

/*
 * Makes grub.cfg anew in a new snapshot: of `old`, the one of the next boot, if that is not the
 * running one. -EREMOTEIO: there is none afterwards; -errno as tool_run.
 */
int snapshot_update(struct root *root, unsigned int old, int lock, unsigned int *ret);

/* Has the next boot use this snapshot again. -errno as tool_run. */
int snapshot_rollback(unsigned int number, int lock);

#endif
