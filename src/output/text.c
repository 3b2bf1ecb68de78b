/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file lays out text: headings, wrapped paragraphs, tables. It knows no document. */
#include "output/text.h"

#include <libsmartcols.h>
#include <math.h>
#include <stdarg.h>
#include <sys/ioctl.h>

static const char *const codes[STYLE_COUNT] = {
	[STYLE_PLAIN] = "",	  [STYLE_BOLD] = "\033[1m",    [STYLE_DIM] = "\033[2m",
	[STYLE_RED] = "\033[31m", [STYLE_YELLOW] = "\033[33m", [STYLE_GREEN] = "\033[32m",
};

void text_init(struct text *text, FILE *out)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
	bool tty = isatty(fileno(out));
	struct winsize ws;

	*text = (struct text) { .out = out, .width = 80 };
	if (!tty)
		return;
	text->colour = !(no_color && *no_color) && !(term && streq(term, "dumb"));
	if (ioctl(fileno(out), TIOCGWINSZ, &ws) == 0 && ws.ws_col >= 40)
		text->width = ws.ws_col < 120 ? ws.ws_col : 120;
}

const char *text_on(const struct text *text, enum text_style style)
{
	return text->colour ? codes[style] : "";
}

const char *text_off(const struct text *text)
{
	return text->colour ? "\033[0m" : "";
}

void text_heading(struct text *text, const char *heading)
{
	fprintf(text->out, "%s%s%s%s\n", text->started ? "\n" : "", text_on(text, STYLE_BOLD),
		heading, text_off(text));
	text->started = true;
}

/* Columns that a piece of UTF-8 takes; good enough without wide characters. */
static unsigned int columns_of(const char *s, size_t len)
{
	unsigned int n = 0;

	for (size_t i = 0; i < len; i++)
		n += ((unsigned char)s[i] & 0xc0) != 0x80;
	return n;
}

/* The line stands at column `at` already. */
static void print_wrapped(struct text *text, unsigned int at, unsigned int indent, const char *s)
{
	bool fresh = true;

	for (s += strspn(s, " "); *s; s += strspn(s, " ")) {
		size_t len = strcspn(s, " ");
		unsigned int width = columns_of(s, len);

		if (!fresh && at + 1 + width > text->width) {
			fprintf(text->out, "\n%*s", (int)indent, "");
			at = indent;
			fresh = true;
		}
		fprintf(text->out, "%s%.*s", fresh ? "" : " ", (int)len, s);
		at += width + (fresh ? 0 : 1);
		fresh = false;
		s += len;
	}
	putc('\n', text->out);
}

void text_paragraph(struct text *text, unsigned int first, unsigned int indent,
		    enum text_style style, const char *format, ...)
{
	_cleanup_free_ char *s = NULL;
	va_list args;
	int r;

	va_start(args, format);
	r = vasprintf(&s, format, args);
	va_end(args);
	if (r < 0) {
		s = NULL;
		return;
	}
	fprintf(text->out, "%s%*s", text_on(text, style), (int)first, "");
	print_wrapped(text, first, indent, s);
	fputs(text_off(text), text->out);
	text->started = true;
}

void text_item(struct text *text, unsigned int indent, unsigned int width, const char *label,
	       const char *format, ...)
{
	unsigned int used = columns_of(label, strlen(label));
	_cleanup_free_ char *s = NULL;
	va_list args;
	int r;

	va_start(args, format);
	r = vasprintf(&s, format, args);
	va_end(args);
	if (r < 0) {
		s = NULL;
		return;
	}
	fprintf(text->out, "%*s%s%s%s%*s", (int)indent, "", text_on(text, STYLE_DIM), label,
		text_off(text), used < width ? (int)(width - used) : 1, "");
	print_wrapped(text, indent + (used < width ? width : used + 1), indent + width, s);
	text->started = true;
}

struct text_table {
	struct text *text;
	struct libscols_table *table;
	struct libscols_line *line;
	unsigned int indent;
	size_t cell;
};

static bool table_setup(struct text_table *t, const struct text_column *columns, size_t count)
{
	bool headed = false;

	t->table = scols_new_table();
	if (!t->table)
		return false;
	for (size_t i = 0; i < count; i++) {
		int flags = (columns[i].right ? SCOLS_FL_RIGHT : 0) |
			    (columns[i].wrap ? SCOLS_FL_WRAP : 0);

		headed |= columns[i].title != NULL;
		if (!scols_table_new_column(t->table, columns[i].title ? columns[i].title : "", 0,
					    flags))
			return false;
	}
	scols_table_enable_noheadings(t->table, !headed);
	scols_table_set_column_separator(t->table, "  ");
	scols_table_enable_nolinesep(t->table, 0);
	scols_table_set_termforce(t->table, SCOLS_TERMFORCE_ALWAYS);
	scols_table_set_termwidth(t->table, t->text->width - t->indent);
	return true;
}

static void table_free(struct text_table *t)
{
	if (t->table)
		scols_unref_table(t->table);
	free(t);
}

struct text_table *text_table_begin(struct text *text, unsigned int indent,
				    const struct text_column *columns, size_t count)
{
	struct text_table *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->text = text;
	t->indent = indent;
	if (!table_setup(t, columns, count)) {
		table_free(t);
		return NULL;
	}
	return t;
}

void text_table_row(struct text_table *t)
{
	if (!t)
		return;
	t->line = scols_table_new_line(t->table, NULL);
	t->cell = 0;
}

void text_table_cell(struct text_table *t, enum text_style style, const char *format, ...)
{
	_cleanup_free_ char *s = NULL;
	struct libscols_cell *cell;
	va_list args;
	int r = 0;

	if (!t || !t->line)
		return;
	if (format) {
		va_start(args, format);
		r = vasprintf(&s, format, args);
		va_end(args);
	}
	cell = scols_line_get_cell(t->line, t->cell++);
	if (r < 0 || !cell)
		return;
	if (style != STYLE_PLAIN && t->text->colour)
		scols_cell_set_color(cell, codes[style]);
	if (s)
		scols_cell_refer_data(cell, take_ptr(&s));
}

/* libsmartcols pads the last column and knows no indent: both are done line by line here. */
static void print_indented(struct text_table *t, char *rendered)
{
	char *save = NULL;

	for (char *line = strtok_r(rendered, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		size_t len = strlen(line);

		while (len && line[len - 1] == ' ')
			len--;
		fprintf(t->text->out, "%*s%.*s\n", (int)t->indent, "", (int)len, line);
	}
}

void text_table_end(struct text_table *t)
{
	_cleanup_free_ char *rendered = NULL;

	if (!t)
		return;
	scols_table_enable_colors(t->table, t->text->colour);
	if (scols_print_table_to_string(t->table, &rendered) == 0 && rendered)
		print_indented(t, rendered);
	t->text->started = true;
	table_free(t);
}

void text_real(char *buf, size_t size, double value)
{
	double magnitude = fabs(value);

	if (magnitude != 0 && magnitude < 0.01)
		snprintf(buf, size, "%.2g", value);
	else
		snprintf(buf, size,
			 magnitude < 1e15 && value == floor(value) && magnitude >= 1000 ? "%.0f"
			 : magnitude < 10						? "%.2f"
			 : magnitude < 1000						? "%.1f"
											: "%.0f",
			 value);
}
