/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line inside the files that hold one. Pure: text in, text out. */
#ifndef LPARTUNE_CHANGE_BOOTEDIT_H
#define LPARTUNE_CHANGE_BOOTEDIT_H

#include "base/parse.h"

/* Where in a file the command line stands. */
enum bootedit {
	BOOTEDIT_BLS,	  /* the value of `options` */
	BOOTEDIT_GRUBENV, /* kernelopts= in a block of 1024 bytes */
	BOOTEDIT_LINUX,	  /* GRUB_CMDLINE_LINUX="…" */
	BOOTEDIT_DEFAULT, /* GRUB_CMDLINE_LINUX_DEFAULT="…" */
	BOOTEDIT_PLAIN,	  /* all of it (/etc/kernel/cmdline) */
};

#define BOOTEDIT_LINE_MAX 2047 /* COMMAND_LINE_SIZE of powerpc is 2048, with the NUL */

/* The name of the variable of a shell file, or NULL. */
const char *bootedit_variable(enum bootedit kind);

/*
 * Where the command line stands in a file. -ENOENT: it holds none (an assignment can be made);
 * -ENODATA, -ENOTUNIQ: not exactly one `options`; -EBADMSG, -ENOTUNIQ: not in a form that can be
 * edited.
 */
int bootedit_find(enum bootedit kind, struct span file, struct span *ret);

/* The file with the command line exchanged, or with an assignment made. Allocated. Errors as above;
 * -E2BIG: too long for the loader's block. */
int bootedit_replace(enum bootedit kind, struct span file, const char *line, char **ret);

/* Does a line that mentions the variable name the parameter, in whatever form? */
bool bootedit_names(enum bootedit kind, struct span file, const char *parameter);

#endif
