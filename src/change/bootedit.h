/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Editing the command lines inside the files that hold them. Pure: text in, text out. */
#ifndef LPARTUNE_CHANGE_BOOTEDIT_H
#define LPARTUNE_CHANGE_BOOTEDIT_H

#include "change/bootparam.h"

/* Where in a file the command line stands. */
enum bootedit {
	BOOTEDIT_BLS,	  /* the value of `options`, unless it is only variables */
	BOOTEDIT_GRUBENV, /* kernelopts= in a block of 1024 bytes */
	BOOTEDIT_LINUX,	  /* GRUB_CMDLINE_LINUX="…" */
	BOOTEDIT_DEFAULT, /* GRUB_CMDLINE_LINUX_DEFAULT="…" */
	BOOTEDIT_PLAIN,	  /* the first line (/etc/kernel/cmdline) */
};

/* Where the command line stands in a file. Errors as below. */
int bootedit_find(enum bootedit kind, struct span file, struct span *ret);

/*
 * The file with the wishes done to its command line. Allocated. -ENOENT: it holds none; -E2BIG: it
 * would be too long for the loader or the kernel; -EBADMSG, -ENOTUNIQ: not in an editable form.
 */
int bootedit(enum bootedit kind, struct span file, const struct loader *loader, char **ret);

#endif
