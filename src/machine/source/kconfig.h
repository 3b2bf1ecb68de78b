/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's configuration, from /boot/config-RELEASE or /lib/modules/RELEASE/config. */
#ifndef LPARTUNE_MACHINE_KCONFIG_H
#define LPARTUNE_MACHINE_KCONFIG_H

#include "machine/root.h"

/* One option that is looked for; `value` is 'y', 'm', 'n' (not set) or 0 (not found). */
struct kconfig_option {
	const char *name; /* without CONFIG_ */
	char value;
};

/*
 * Looks options up in one pass. `release` names the kernel. `ret_path` (PATH_MAX bytes) is the file.
 * -ENOENT if no configuration is there, -errno.
 */
int kconfig_find(struct root *root, const char *release, struct kconfig_option *options,
		 size_t count, char *ret_path);

#endif
