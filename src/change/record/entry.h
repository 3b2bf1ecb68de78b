/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An entry of the state: one setting that was applied, what it was before the first time, and when
 * that was. Of a pair (two tunables of which the kernel clears one when the other is set) only the
 * one that was set last has an entry; it keeps what both were.
 */
#ifndef LPARTUNE_CHANGE_ENTRY_H
#define LPARTUNE_CHANGE_ENTRY_H

#include <jansson.h>

#include "machine/tunable/setting.h"

/* A new entry, with what is kept of the first time. NULL when memory is out. */
json_t *entry_new(struct root *root, const struct setting *setting, bool ours);

/* Lets the entry of a tunable go on where the entry of its twin ends. -ENOMEM. */
int entry_succeed(json_t *entry, const json_t *twin);

/* Brings an entry up to date with a setting. -ENOMEM. */
int entry_update(struct root *root, json_t *entry, const struct setting *setting, bool ours);

/* Was it last changed in the boot that is running (or is that not known)? */
bool entry_is_of_this_boot(struct root *root, const json_t *entry);

/* A member that is a string, or NULL. Borrowed. */
const char *entry_text(const json_t *entry, const char *key);

#endif
