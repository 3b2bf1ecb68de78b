/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Configuration files that are wholly ours and carry values over a reboot: sysctl.d, modprobe.d,
 * modules-load.d. Their content follows from the books; one that somebody edited is not touched.
 */
#ifndef LPARTUNE_CHANGE_DROPIN_H
#define LPARTUNE_CHANGE_DROPIN_H

#include "change/change.h"

#define SYSCTLD_PATH "etc/sysctl.d/85-lpartune.conf"
#define MODPROBED_PATH "etc/modprobe.d/lpartune.conf"
#define MODULES_LOAD_PATH "etc/modules-load.d/lpartune.conf"

/* What to do with a file that somebody edited since we wrote it. */
enum dropin_edited {
	DROPIN_REFUSE, /* -ESTALE */
	DROPIN_LEAVE,  /* it stays, and a note says so */
	DROPIN_FORCE,  /* ours goes over it */
};

/* Plans each file as the future books want it, and enters its original there. -ESTALE: somebody
 * changed the file `*ret_path` since we wrote it. */
int dropin_plan(struct change *change, enum dropin_edited edited, const char **ret_path);

/* Plans one file that is wholly ours: its new content, or NULL for what was there before us. */
int dropin_plan_file(struct change *change, const char *path, const char *content, bool force);

/* Looks at each of our files (`change->file`). -ENOMEM. */
int dropin_look(struct change *change);

/*
 * Does our file still say of a setting what it must? 0 if so, or if no file of ours carries it; 1
 * with a sentence (file and line) if not; -errno.
 */
int dropin_find_fault(const struct change *change, const json_t *entry,
		      const struct tunable *tunable, char **ret);

#endif
