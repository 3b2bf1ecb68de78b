/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The difference of two small texts as a unified diff, to show before a file is changed. */
#ifndef LPARTUNE_CMD_DIFF_H
#define LPARTUNE_CMD_DIFF_H

/* `before` or `after` may be NULL: no such file. One hunk from the first to the last changed line,
 * three lines of context. "" if they are equal. Allocated; NULL when memory is out. */
char *diff_unified(const char *path, const char *before, const char *after);

#endif
