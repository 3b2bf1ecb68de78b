/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What apply, verify and revert have in common in their documents and in what they say. */
#ifndef LPARTUNE_CMD_CHANGE_DOCUMENT_H
#define LPARTUNE_CMD_CHANGE_DOCUMENT_H

#include "change/change.h"
#include "cmd/command.h"
#include "output/output.h"
#include "output/text.h"

/* A document with its header; boot_id is read beneath the root. NULL when memory is out. */
json_t *change_document_new(struct root *root, const char *command);

/*
 * Adds "settings" (each with tunable, title, from, to, scope, status, rule, reason, detail), "files"
 * (path, action, diff), "notes" (sentences) and "values" (how many are written). With `done` the
 * words tell what was done, not what is planned. -ENOMEM.
 */
int change_document_fill(json_t *doc, const struct change *change, bool done);

/* Renders settings as a table and files as diffs. */
void change_view_settings(const json_t *doc, struct text *out);
void change_view_files(const json_t *doc, struct text *out);

/* Renders the sentences of "notes". */
void change_view_notes(const json_t *doc, struct text *out);

/* What a reader found of a change that nobody has finished, in a sentence; NULL: there is none. */
char *change_describe_interrupted(const struct change *change);

/* The same as a warning. */
void change_warn_interrupted(const struct change *change);

/* Says what was done before anything else: a change that was cut off, and what is left of it. */
void change_warn_recovered(const struct change *change);

/* Says why the books could not be opened; returns the exit status. */
enum status change_open_failed(const struct change *change, const char *root, int error);

/* Says why something could not be planned, because of a file if `path` is one. */
void change_plan_failed(const struct change *change, const char *what, const char *path, int error);

/* Says what failed in a change that was run, and what became of it; returns the exit status. */
enum status change_run_failed(const struct change *change, enum change_outcome outcome, int error);

/* Takes the argument of --wait; a usage error ends the program. */
void change_parse_wait(struct argp_state *state, const char *arg, unsigned int *ret_s);

#endif
