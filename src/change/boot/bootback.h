/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The way back of boot parameters, place by place: a place in which somebody else has changed the
 * parameter since stays as it is, and so does the setting in the books.
 */
#ifndef LPARTUNE_CHANGE_BOOTBACK_H
#define LPARTUNE_CHANGE_BOOTBACK_H

#include "change/boot/bootparam.h"

struct change;

/* A command line in a file: the file, and what the books call the place. */
struct boot_place {
	const char *path, *name;
};

/* Takes a parameter back in a line (allocated; it is exchanged). -ENOMEM. */
int bootback_plan(struct change *change, struct boot_wish *wish, const struct boot_place *at,
		  char **line);

/* The place cannot be edited any more. If it names the parameter, or had it before us, it is told. */
int bootback_leave(struct change *change, struct boot_wish *wish, const struct boot_place *at,
		   bool names_it);

/* When all places are planned: tells what stays, and keeps it in the books. */
int bootback_finish(struct change *change);

#endif
