/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A snapshot of transactional-update that a change made before it was cut off: the next boot would
 * use it although nothing is applied. Others may have built on it, so it is not thrown away: a
 * further snapshot is made on top of it, from the files as they are again.
 */
#ifndef LPARTUNE_CHANGE_BOOTRECOVER_H
#define LPARTUNE_CHANGE_BOOTRECOVER_H

#include <jansson.h>

struct change;
struct step;

/*
 * A loader file that others wrote to since the change was cut off is not brought back as a whole:
 * what we set in it is taken back. 1 if that was done, or if grub.cfg must be made anew because
 * kernels came or went; 0 if its old bytes can come back; -errno.
 */
int bootrecover_file(struct change *change, const struct step *step);

/* Before a change: writes down in its journal which snapshot would be next without it. -ENOMEM. */
int bootrecover_remember(const struct change *change, json_t *journal);

/* After an interrupted change's files were undone: makes the menu, or a snapshot, anew. What cannot be done is told; only -ENOMEM. */
int bootrecover_undo(struct change *change, const json_t *journal);

#endif
