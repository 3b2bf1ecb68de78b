/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was changed on this machine, when and by whom: appended to, never rewritten. */
#ifndef LPARTUNE_CHANGE_HISTORY_H
#define LPARTUNE_CHANGE_HISTORY_H

#include "change/change.h"

/*
 * Writes one line for each step of a change that was run, to syslog and to the history of the
 * running machine (a tree has none: its history is that of whoever keeps the tree). `action` is the
 * command. Never fails the change; returns the first -errno for a warning.
 */
int history_write(const struct change *change, const char *action, enum change_outcome outcome);

/* The history as an array of its lines; lines that a crash cut off are left out. -errno. */
int history_read(const struct workspace *ws, json_t **ret);

/* "done", "nothing", "undone", "not-undone": words of documents. */
const char *change_outcome_word(enum change_outcome outcome);

#endif
