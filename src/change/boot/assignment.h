/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One assignment in a shell file such as /etc/default/grub. Only a file in which the variable is
 * assigned exactly once, by NAME="…" on one line without anything that a shell would expand, can be
 * edited; everything else is refused, because half of an edit makes a machine unbootable.
 */
#ifndef LPARTUNE_CHANGE_ASSIGNMENT_H
#define LPARTUNE_CHANGE_ASSIGNMENT_H

#include "base/parse.h"

/*
 * The text between the quotes, pointing into `file`. -ENOENT: it is not assigned; -ENOTUNIQ: more
 * than once; -EBADMSG: not in a form that can be edited.
 */
int assignment_find(struct span file, const char *name, struct span *ret);

/* The file with the text between the quotes exchanged; or with the assignment added at the end if
 * there was none. Allocated. Errors as above. */
int assignment_replace(struct span file, const char *name, const char *text, char **ret);

#endif
