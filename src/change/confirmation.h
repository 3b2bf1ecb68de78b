/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Changes of boot parameters that wait to be confirmed: which they are, and the sessions that were
 * measured before and after they took effect. One set of changes waits at a time. The record is
 * var/lib/lpartune/confirm.json, the sessions are files beside it.
 *
 * confirm: "changes": [{"tunable", "from", "to"}], "sessions": [{"file", "side", "boot_id", "time"}],
 *          "verdict" and "summary" (null until there is one)
 */
#ifndef LPARTUNE_CHANGE_CONFIRMATION_H
#define LPARTUNE_CHANGE_CONFIRMATION_H

#include "change/change.h"

enum confirmation_side { CONFIRMATION_BEFORE, CONFIRMATION_AFTER, CONFIRMATION_SIDES };
const char *confirmation_side_word(enum confirmation_side side);

/* The record. -ENOENT: nothing waits; others as record_load. */
int confirmation_load(const struct workspace *ws, json_t **ret);

/*
 * Lets the boot parameters of a planned change wait, whether they are configured only now or were
 * before. Sessions of the same parameters and values are kept, others go. Returns how many wait, or
 * -errno. Needs the lock.
 */
int confirmation_begin(const struct change *change);

/*
 * On which side of the change the machine runs now: 1 with `*ret`, 0 if some of the parameters are in
 * force and some are not, or one has another value than before and after. -ENOMEM.
 */
int confirmation_side_now(struct root *root, const json_t *record, enum confirmation_side *ret);

/* Keeps one more session (a bench document) and saves the record. -errno. Needs the lock. */
int confirmation_add(const struct workspace *ws, json_t *record, enum confirmation_side side,
		     const char *boot_id, const json_t *session);

/* The sessions of a side, as an array of documents in the order of their time; new reference. One
 * that is gone or damaged is left out, and `*ret_bad` is then its file, borrowed of the record. */
int confirmation_sessions(const struct workspace *ws, const json_t *record,
			  enum confirmation_side side, json_t **ret, const char **ret_bad);

/* Adds a document to such an array, by its time. -ENOMEM; -EEXIST: it is there already. */
int confirmation_insert(json_t *sessions, json_t *document);

/* Enters what the sessions come to and saves the record. */
int confirmation_settle(const struct workspace *ws, json_t *record, const char *verdict,
			const char *summary);

/* Drops what is about changes that are in the books no more: all of it, or, if some are still there,
 * the sessions after all of them. */
int confirmation_prune(const struct workspace *ws, const struct books *books);

#endif
