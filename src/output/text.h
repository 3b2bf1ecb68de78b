/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text for people: headings, wrapped paragraphs and tables (libsmartcols). Fits 80 columns where it
 * can; colour only on a terminal and without NO_COLOR.
 */
#ifndef LPARTUNE_OUTPUT_TEXT_H
#define LPARTUNE_OUTPUT_TEXT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/util.h"

struct text {
	FILE *out;
	unsigned int width; /* columns: the terminal's, at most 120; 80 in a pipe */
	bool colour;
	bool started; /* something was printed: the next heading keeps a blank line */
};

enum text_style {
	STYLE_PLAIN,
	STYLE_BOLD,
	STYLE_DIM,
	STYLE_RED,
	STYLE_YELLOW,
	STYLE_GREEN,
	STYLE_COUNT
};

void text_init(struct text *text, FILE *out);

/* A heading on a line of its own, with a blank line before it. */
void text_heading(struct text *text, const char *heading);

/* A paragraph, wrapped to the width, each line indented by `indent` (the first by `first`). */
void text_paragraph(struct text *text, unsigned int first, unsigned int indent,
		    enum text_style style, const char *format, ...) _printf_(5, 6);

/* A label in a column of `width`, dim, and a paragraph beside it that is wrapped under itself. */
void text_item(struct text *text, unsigned int indent, unsigned int width, const char *label,
	       const char *format, ...) _printf_(5, 6);

/* Style marks around a word; "" without colour. */
const char *text_on(const struct text *text, enum text_style style);
const char *text_off(const struct text *text);

struct text_column {
	const char *title; /* NULL in every column: no header line */
	bool right;	   /* numbers */
	bool wrap;	   /* takes what is left of the line and wraps in it */
};

struct text_table;

/* A table that is printed and freed by text_table_end. `indent` blanks before each line. NULL when
 * memory is out; the other calls accept that. */
struct text_table *text_table_begin(struct text *text, unsigned int indent,
				    const struct text_column *columns, size_t count);
void text_table_row(struct text_table *table);
/* The next cell of the row; NULL is an empty cell. */
void text_table_cell(struct text_table *table, enum text_style style, const char *format, ...)
	_printf_(3, 4);
void text_table_end(struct text_table *table);

/* A number as people read it: enough digits to see it, no more ("0.10", "2.00", "37.4", "512000000"). */
void text_real(char *buf, size_t size, double value);

#endif
