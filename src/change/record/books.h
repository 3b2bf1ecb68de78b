/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The books of what has been applied: the settings asked for (state), the values of this boot as
 * they were (runtime) and files as they were (originals). An original that is in the books is never
 * replaced by a later one.
 *
 * state:     "settings": [{"tunable", "to", "from", "rule", "reason", "time", "boot_id", "kernel",
 *            "ours"}], "mode", "workload", "transaction"
 * runtime:   "steps": values (change/step), only of the boot it names
 * originals: "steps": files; "lines": {PARAMETER: {PLACE: the command line there before the boot
 *            parameter came to it, or null: it had the parameter}}
 */
#ifndef LPARTUNE_CHANGE_BOOKS_H
#define LPARTUNE_CHANGE_BOOKS_H

#include "change/record/workspace.h"
#include "machine/tunable/setting.h"

struct books {
	json_t *state;
	struct steps runtime;
	struct steps originals;
	json_t *lines;
};
void books_done(struct books *books);
#define _cleanup_books_ _cleanup_(books_done)

/* Reads the books; missing ones are empty, and so is the runtime of another boot. -EBADMSG (damaged)
 * and other -errno: `*ret_name` is the file. */
int books_load(const struct workspace *ws, struct books *ret, const char **ret_name);

/* Writes the books in an order that the journal can repair. Empty ones are removed. -errno. */
int books_save(const struct workspace *ws, struct books *books);

/* The books as one JSON object, for the journal, and back. */
json_t *books_to_json(const struct books *books);
int books_from_json(const json_t *json, struct books *ret);

/* The record of a setting that was applied, or NULL. Borrowed. */
json_t *books_setting(const struct books *books, const char *id);

/*
 * Enters a setting, or changes the one that is there: its `from`, time, boot and kernel stay those
 * of the first time. The entry of a twin ends with it. `ours` is false if the value was there
 * without us. -ENOMEM.
 */
int books_enter(struct root *root, struct books *books, const struct setting *setting, bool ours);

/* Takes a setting out. */
void books_strike(struct books *books, const char *id);

/* Enters the steps that were done: of a value or file that is known already the original stays. */
int books_enter_steps(struct books *books, const struct steps *steps);

/* The same for the files that a loader's tool has changed, once that is known. */
int books_enter_watched(struct books *books, const struct steps *steps);

/* Enters the new content of files that are known already; others stay out. */
int books_update_files(struct books *books, const struct steps *steps);

/* Takes out the values of a tunable, or the original of a file. */
void books_strike_values(struct books *books, const struct tunable *tunable);
void books_strike_file(struct books *books, const char *path);

/* Takes a step that was struck, and its setting, over from the earlier books: it was not done. */
int books_keep(struct books *books, const struct books *earlier, const struct step *step);

/* The original of a file, or NULL. Borrowed. */
struct step *books_file(const struct books *books, const char *path);

/*
 * The command line that a place (a file, or a variable of one) had before the boot parameter `name`
 * came to it. JSON null: the place had it already, and was left alone; NULL: it is not known. Borrowed.
 */
const json_t *books_line(const struct books *books, const char *name, const char *place);

/* Enters it (NULL: it was left alone). A line that is known stays. -ENOMEM; -EILSEQ: not UTF-8. */
int books_enter_line(struct books *books, const char *name, const char *place, const char *was);

void books_strike_lines(struct books *books, const char *name);

#endif
