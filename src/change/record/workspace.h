/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a change keeps its books, beneath the root that it changes. What dies with a reboot is in
 * run/lpartune, what survives it in var/lib/lpartune; a tree, which never reboots, has all of it in
 * the latter. Writers hold one lock; readers never lock.
 */
#ifndef LPARTUNE_CHANGE_WORKSPACE_H
#define LPARTUNE_CHANGE_WORKSPACE_H

#include "change/record/step.h"

#define WORKSPACE_STATE "state.json"	     /* var/lib: what was asked for and applied */
#define WORKSPACE_ORIGINALS "originals.json" /* var/lib: files as they were */
#define WORKSPACE_JOURNAL "journal.json"     /* var/lib: a change that is under way */
#define WORKSPACE_HISTORY "history"	     /* var/lib: one line a change, append only */
#define WORKSPACE_CONFIRM "confirm.json" /* var/lib: boot parameters that wait to be confirmed */
#define WORKSPACE_RUNTIME "runtime.json" /* run: values as they were in this boot */
#define WORKSPACE_TEMPORARY "temporary.json" /* run: a change that ends with its command */

struct workspace {
	struct root *root;
	int run; /* directories; -1: not there */
	int lib;
	int lock; /* -1: opened for reading */
};

/*
 * Opens the books for writing: makes the directories and takes the lock, waiting for it up to
 * `wait_s` seconds. -EALREADY: another lpartune has it; -EACCES, -EROFS and others of the kernel.
 */
int workspace_open(struct root *root, unsigned int wait_s, struct workspace *ret);

/* Opens the books for reading only. Missing ones are no error. */
int workspace_open_read(struct root *root, struct workspace *ret);

/* Closes the books; empty directories of a tree go. */
void workspace_close(struct workspace *ws);
#define _cleanup_workspace_ _cleanup_(workspace_close)

#endif
