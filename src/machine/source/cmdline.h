/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's command line. Parameters are separated by blanks outside double quotes (the kernel
 * knows no other quoting); '-' and '_' in a name are the same; the last of several settings wins
 * unless a parameter collects them. Everything after "--" belongs to init.
 */
#ifndef LPARTUNE_MACHINE_CMDLINE_H
#define LPARTUNE_MACHINE_CMDLINE_H

#include <stdbool.h>

#include "base/parse.h"

/* Takes the next parameter (with its quotes) off `rest`; false at the end or at "--". */
bool cmdline_next(struct span *rest, struct span *parameter);

/* Name and value of a parameter, the value without its quotes ("" if there is no '='). */
void cmdline_split(struct span parameter, struct span *name, struct span *value);

/* Are these the same name for the kernel? */
bool cmdline_same_name(struct span a, struct span b);

/* Is the parameter set? The last value goes to `ret` (may be NULL). */
bool cmdline_get(struct span cmdline, const char *name, struct span *ret);

#endif
