/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One wish done to one kernel command line, and taken back. Pure text. A wish is taken back from
 * what the line said before it: a line in which nothing else changed becomes that line again, byte
 * for byte; in any other only the parameter's own tokens move.
 */
#ifndef LPARTUNE_CHANGE_BOOTLINE_H
#define LPARTUNE_CHANGE_BOOTLINE_H

#include "base/parse.h"

/* Does the kernel see the wanted token in this line (NULL: no such parameter; "": a flag)? The last
 * one of its name counts. */
bool bootline_has(struct span line, const char *name, const char *token);

/* The line with the parameter as wished: added at the end, its last one replaced in its place, or
 * every one of that name taken out. Allocated; NULL when memory is out. */
char *bootline_edit(struct span line, const char *name, const char *token);

/*
 * The line without our token, and with the parameters that `was`, the line before us, has of this
 * name. With NULL for `was` nothing is put back. A line that has a value of somebody else's stays.
 */
char *bootline_back(struct span line, const char *name, const char *ours, const char *was);

/* Did somebody change the parameter since we set `ours`, so that it is neither that nor as in `was`,
 * the line before us? */
bool bootline_is_changed(struct span line, const char *name, const char *ours, const char *was);

/* The line without our token, wherever it stands, if `was` had none like it. */
char *bootline_without(struct span line, const char *name, const char *ours, const char *was);

/* The line with the parameters that `was` has of this name, in place of all that it has itself. */
char *bootline_restore(struct span line, const char *name, const char *was);

/* Are the parameters other than `name` the same, in the same order? Blanks do not count. 1, 0,
 * -ENOMEM. */
int bootline_same_but(const char *a, const char *b, const char *name);

/* The last parameter of a name as it is spelled; false if there is none. */
bool bootline_last(struct span line, const char *name, struct span *ret);

/* How often does a name occur? */
unsigned int bootline_count(struct span line, const char *name);

#endif
