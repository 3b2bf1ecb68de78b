/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Boot parameters. One method for each distribution, chosen by what is installed; none edits what
 * the loader's own tools generate. After a change every entry is read again: what counts is what the
 * files say, not what a tool returned.
 */
#ifndef LPARTUNE_CHANGE_BOOTPARAM_H
#define LPARTUNE_CHANGE_BOOTPARAM_H

#include "change/step.h"

enum loader_kind {
	LOADER_UNKNOWN,
	LOADER_GRUBBY, /* RHEL: BLS entries, grubenv, /etc/default/grub, /etc/kernel/cmdline */
	LOADER_GRUBD,  /* Debian, Ubuntu: a file in /etc/default/grub.d and update-grub */
	LOADER_SUSE,   /* SLES: /etc/default/grub and update-bootloader */
};

/* What the loader needs besides the planned steps. */
struct loader {
	enum loader_kind kind;
	bool run; /* its tool must run */
};

#endif
