/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of `sample` documents as text: one line an interval under a heading that comes again with
 * each screenful, then lines for the CPUs, cores or nodes that the document holds. The columns are
 * chosen by the first document: those that can have a number on this machine, as many as fit.
 */
#ifndef LPARTUNE_OUTPUT_SAMPLE_ROWS_H
#define LPARTUNE_OUTPUT_SAMPLE_ROWS_H

#include <jansson.h>
#include <stdbool.h>

#include "machine/sample/columns.h"
#include "output/sample_group.h"
#include "output/text.h"

struct sample_rows_view {
	struct text text;
	bool with_time;	  /* a column for the clock */
	bool with_labels; /* a column that names the CPU, core or node */
	bool is_terminal;
	bool started;
	const char *line_end;
	enum column columns[COLUMN_COUNT];
	bool without_cedes; /* the machine's idle states give nothing to a hypervisor of Power */
	unsigned int count;
	unsigned int lines; /* printed since the heading */
};

void sample_rows_init(struct sample_rows_view *view, bool with_time, bool with_labels);

/* Prints a document's rows and, if it has them, notes and verdict; flushes. 0 or -errno. */
int sample_rows_print(struct sample_rows_view *view, const json_t *doc,
		      const struct sample_groups *groups);

/* Prints only heading and system row, each ended by `line_end`, with columns chosen anew: for a
 * screen that is redrawn. Does not flush. */
void sample_rows_draw(struct sample_rows_view *view, const json_t *doc, const char *line_end);

/* Prints only the verdict; flushes. 0 or -errno. */
int sample_rows_verdict(struct sample_rows_view *view, const json_t *doc);

#endif
