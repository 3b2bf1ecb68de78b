/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the administrator laid down for this machine in /etc/lpartune/lpartune.conf: lines of
 * "key = value", comments behind '#'. Keys: workload, ignore (ids, by blanks or commas; can be
 * repeated), apply (listed or auto: what may be changed at boot).
 */
#ifndef LPARTUNE_MACHINE_PREFERENCES_H
#define LPARTUNE_MACHINE_PREFERENCES_H

#include "machine/root.h"

#define PREFERENCES_PATH "etc/lpartune/lpartune.conf"
#define PREFERENCES_IGNORE_MAX 64

struct preferences {
	char *workload; /* NULL: none named */
	char *ignore[PREFERENCES_IGNORE_MAX];
	size_t ignored;
	bool apply_auto; /* at boot also what was not approved one by one */
	char *complaint; /* the first line that could not be used, and why; NULL if all could */
};

void preferences_done(struct preferences *preferences);
#define _cleanup_preferences_ _cleanup_(preferences_done)

/* No file is no preference, and no error. -errno of reading, -ENOMEM. */
int preferences_read(struct root *root, struct preferences *ret);

#endif
