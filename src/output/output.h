/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Output: a command builds one document (a jansson object) and a view that renders it as text.
 * `--json` prints the document itself; there is no second path. Only this room prints.
 */
#ifndef LPARTUNE_OUTPUT_OUTPUT_H
#define LPARTUNE_OUTPUT_OUTPUT_H

#include <jansson.h>
#include <stdbool.h>

#include "base/util.h"

struct text;

static inline void json_cleanup(json_t **json)
{
	json_decref(*json);
}
#define _cleanup_json_ _cleanup_(json_cleanup)

/* Renders a document as text. Reads only the document. */
typedef void (*view_fn)(const json_t *doc, struct text *out);

/*
 * A new document with the header that all share: lpartune (version), command, format, time
 * (RFC 3339, UTC), boot_id (null if unknown) and root. NULL when memory is out.
 */
json_t *document_new(const char *command, const char *boot_id, const char *root);

/* The format number that documents carry; raised when a member is removed or changes its meaning. */
#define DOCUMENT_FORMAT 1

/*
 * Prints a document on stdout: as JSON, or as text by the view. Flushes. Returns 0 or -errno
 * (a full disk is an error; a reader that closed the pipe gives -EPIPE).
 */
int output_document(const json_t *doc, bool as_json, view_fn view);

/*
 * Documents whose arrays of "blocks" (in "results") are too large to be in memory all at once: each
 * block is made when its turn comes, and let go. `make` gives block `block` of result `result`, to be
 * freed by the caller; NULL when memory is out.
 */
struct output_blocks {
	json_t *(*make)(void *arg, size_t result, size_t block);
	void *arg;
};

/* Writes such a document to `put` (of jansson's callback type), a line for each member and each block.
 * 0 or -errno; what `put` returns below 0 ends it. */
int output_dump(const json_t *doc, const struct output_blocks *blocks, json_dump_callback_t put,
		void *sink);

/* output_document for such a document. */
int output_large_document(const json_t *doc, bool as_json, view_fn view,
			  const struct output_blocks *blocks);

/* What argp printed (--help, --version) must have arrived, too. Returns as above. */
int output_flush(void);

/* One line on stderr: "lpartune: …". error: a failure; warning: worth knowing; note: progress, only
 * when stderr is a terminal. */
void log_error(const char *format, ...) _printf_(1, 2);
void log_warning(const char *format, ...) _printf_(1, 2);
void log_note(const char *format, ...) _printf_(1, 2);

/* Asks a question on stderr and reads the answer from stdin: true for "y" or "yes". */
bool log_ask(const char *question);

/* A progress line on a terminal's stderr, redrawn in place; nothing elsewhere. NULL clears it. */
void log_progress(const char *format, ...) _printf_(1, 2);

#endif
