/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Planning what to apply: settings become steps, items to show, and entries of the future books. */
#ifndef LPARTUNE_CHANGE_APPLY_H
#define LPARTUNE_CHANGE_APPLY_H

#include "change/change.h"

struct apply_options {
	bool force;   /* also over files that somebody edited */
	bool at_boot; /* values only: no file and no boot loader is touched */
};

/*
 * Plans settings. What this machine does not have, or forbids, becomes an item that says so and no
 * step. -ESTALE: somebody edited a file that is ours (`*ret_path`); other -errno.
 */
int change_plan_apply(struct change *change, const struct settings *settings,
		      const struct apply_options *options, const char **ret_path);

/* Says so if nothing will bring a value back at the next boot, because our unit is not enabled. */
int change_note_boot_unit(struct root *root, struct change_item *item);

/* The settings that the books hold, for `apply --boot`. */
int change_settings_of_books(const struct books *books, struct settings *ret);

/* Who will set another value at the next boot although we set this one? 1 with a sentence (file and
 * line), 0 if nobody will, -errno. */
int change_find_conflict(struct root *root, const struct tunable *tunable, const char *value,
			 char **ret);

/* Is a value at a path never to be written, because of kernel lockdown or a read-only mount? Then 1, and
 * the item says so. -ENOMEM. */
int change_is_forbidden(struct change *change, const char *path, struct change_item *item);

#endif
