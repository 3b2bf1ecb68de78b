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
