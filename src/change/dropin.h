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

/*
 * Plans each file as the future books want it, and enters its original there. -ESTALE: somebody
 * changed a file since we wrote it (`*ret_path`), and `force` is not set.
 */
int dropin_plan(struct change *change, bool force, const char **ret_path);

/* Plans one file that is wholly ours: its new content, or NULL for what was there before us. */
int dropin_plan_file(struct change *change, const char *path, const char *content, bool force);

#endif
