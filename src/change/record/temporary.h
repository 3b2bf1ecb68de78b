/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Changes that end with the command that made them: a statistic switched on while it is sampled, a
 * value on trial. The originals are on the disk (in run/lpartune) before the first write. They are
 * put back by change_temporary_end; what a killed command left is put back by the next lpartune that
 * writes (change_temporary_recover). The lock is held in between: only one lpartune changes the
 * machine at a time.
 *
 * The caller ends with change_temporary_end on every way out, also after SIGINT and SIGTERM: let the
 * handler set a flag.
 */
#ifndef LPARTUNE_CHANGE_TEMPORARY_H
#define LPARTUNE_CHANGE_TEMPORARY_H

#include <stddef.h>

#include "machine/root.h"
#include "machine/tunable/tunables.h"

struct change_temporary;

struct change_wish {
	const struct tunable *tunable;
	const char *value;
};

/*
 * Gives each tunable its value. On success `*ret` must be ended. On failure everything is as before
 * and `*ret_failed` (may be NULL) is the wish that failed, or `count`. -EBUSY: another lpartune
 * holds the lock, after `wait_s` seconds (or the value is stuck until a reboot); -EACCES, -EPERM: the right is missing; -EPERM also under
 * lockdown; -ENOENT: this kernel has no such tunable; -EREMOTEIO: refused without an error;
 * -ENOTRECOVERABLE: one could not be set, and another not be put back: the record stays.
 */
int change_temporary_begin(struct root *root, const struct change_wish *wishes, size_t count,
			   unsigned int wait_s, struct change_temporary **ret, size_t *ret_failed);

/* Switches between the originals (false) and the wished values (true), as often as wanted. -ESTALE:
 * somebody else changed a value meanwhile, which is left alone; other -errno of the kernel. */
int change_temporary_switch(struct change_temporary *temporary, bool wished);

/*
 * Puts everything back and frees. -ESTALE: somebody else changed a value meanwhile, and it was left
 * alone; other -errno: a value could not be put back, and the record stays for the next attempt.
 * NULL is accepted.
 */
int change_temporary_end(struct change_temporary *temporary);

struct workspace;

/* Puts back what a killed command left, with the lock held. Returns how many values, 0 also if
 * somebody else has changed one since, which was left alone; -errno. */
int change_temporary_recover(struct workspace *ws);

#endif
