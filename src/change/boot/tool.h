/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Running a boot loader's own tool. What it returns is only a hint: its files are read afterwards. */
#ifndef LPARTUNE_CHANGE_TOOL_H
#define LPARTUNE_CHANGE_TOOL_H

#include "machine/root.h"

/* Is there such a program beneath the root, where root's PATH looks? */
bool tool_exists(struct root *root, const char *name);

/*
 * Runs a program of the running machine (found by root's usual PATH) with a small environment; its
 * output is dropped, its errors are shown. It dies with us; what it has started keeps `lock` (a locked
 * descriptor, or -1) until it ends. -errno: it could not be started; -EIO: it ended with a status
 * other than 0.
 */
int tool_run(const char *const *argv, int lock);

/* The same, and what it printed (the first 4095 bytes); the caller frees it. -errno as above. */
int tool_read(const char *const *argv, int lock, char **ret);

#endif
