/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Editing kernel command lines by whole parameters (machine/source/cmdline reads them). All bytes that
 * are not the parameter's own stay as they are. Everything here is pure text.
 */
#ifndef LPARTUNE_CHANGE_TOKENS_H
#define LPARTUNE_CHANGE_TOKENS_H

#include "base/parse.h"

/* How many parameters of the line are exactly NAME (value NULL) or NAME=VALUE? */
unsigned int tokens_count(struct span line, const char *name, const char *value);

/* The value of the last parameter NAME, without quotes: "" for a flag. Allocated. Returns 1, 0 if
 * there is none, -ENOMEM. */
int tokens_last(struct span line, const char *name, char **ret);

/* May this be put into a loader's file as it is? Anything that a shell, GRUB or the kernel's own
 * parser could take for syntax is refused: only [A-Za-z0-9_.,:/=+@%*-] is allowed. */
bool token_is_plain(const char *text);

/*
 * The line with NAME[=VALUE] added behind the last parameter (before a "--"), or with every
 * parameter that is exactly NAME[=VALUE] taken out together with one blank beside it: the second
 * undoes the first byte by byte. Allocated; NULL when memory is out.
 */
char *tokens_add(struct span line, const char *name, const char *value);
char *tokens_remove(struct span line, const char *name, const char *value);

/* The line with every parameter NAME taken out, whatever its value. */
char *tokens_remove_all(struct span line, const char *name);

/* The line with the last parameter NAME replaced in its place by NAME=VALUE. */
char *tokens_replace(struct span line, const char *name, const char *value);

#endif
