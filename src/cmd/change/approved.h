/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What may be applied at boot: what the administrator approved and what still suits the machine.
 * What does not suit it any more, and what is recommended without having been approved, is reported;
 * the latter is applied only with `apply = auto` in lpartune.conf, as far as no file is needed.
 */
#ifndef LPARTUNE_CMD_APPROVED_H
#define LPARTUNE_CMD_APPROVED_H

#include "change/change.h"
#include "machine/fact/machine.h"

/*
 * Does the rule that wanted a setting still suit this machine? Only what the machine and its kernel
 * are counts: how it is doing cannot be told at boot. A rule that this version does not know is the
 * administrator's own wish.
 */
bool approved_fits(const struct facts *facts, const char *rule);

/* The settings to apply at boot; the rest becomes items of the change. -errno. */
int approved_at_boot(struct machine *machine, struct change *change, struct settings *ret);

/* The settings that CPUs coming and going undo: those of each CPU, and what the kernel computes from
 * their number. */
int approved_online(struct machine *machine, struct change *change, struct settings *ret);

/* Remembers for which mode and workload the books' settings are approved. -ENOMEM. */
int approved_remember(const struct facts *facts, const char *workload, struct change *change);

/* Says so in a note if the mode is another one than that which was approved. -ENOMEM. */
int approved_note_mode(const struct facts *facts, struct change *change);

#endif
