/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files that the entries of new kernels come from, and what they say of a parameter: grubenv,
 * /etc/default/grub and /etc/kernel/cmdline, or on Debian /etc/default/grub and the files of
 * grub.d, which the shell runs one after the other in the order of their names.
 */
#ifndef LPARTUNE_CHANGE_BOOTSOURCE_H
#define LPARTUNE_CHANGE_BOOTSOURCE_H

#include "change/boot/bootparam.h"

/* The value that counts in the end, and who gives it. */
struct boot_claim {
	char *place; /* "/etc/default/grub.d/x.cfg:2", "/etc/kernel/cmdline"; NULL: nobody names it */
	char *token; /* "": without a value; NULL: only the shell can tell */
};
void boot_claim_done(struct boot_claim *claim);
#define _cleanup_boot_claim_ _cleanup_(boot_claim_done)

/* Have all of them it? `*ret_path` (static) is the first that has not. 1, 0, -errno. */
int bootsource_have(struct root *root, enum loader_kind kind, const char *name, const char *token,
		    const char **ret_path);

/* What the source `path` says of it; NULL: the one that grub.cfg is made from. -errno. */
int bootsource_find(struct root *root, enum loader_kind kind, const char *path, const char *name,
		    struct boot_claim *ret);

#endif
