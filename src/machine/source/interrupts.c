/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file streams /proc/interrupts; it keeps one line, and of the matrix only sums. */
#include "machine/source/interrupts.h"

#include <ctype.h>
#include <errno.h>

#include "base/idset.h"

struct matrix {
	unsigned int *cpus; /* of the columns */
	uint32_t *counts;   /* of the row at hand */
	size_t columns;
	bool headed;
	interrupt_row_fn row;
	void *arg;
};

static void matrix_done(struct matrix *matrix)
{
	free(matrix->cpus);
	free(matrix->counts);
}

static int count_words(struct span rest)
{
	struct span word;
	int n = 0;

	while (span_word(&rest, &word))
		n++;
	return n;
}

/* "           CPU0       CPU8 …": ids are those of the online CPUs, in gaps. */
static int parse_header(struct matrix *matrix, struct span line)
{
	size_t columns = (size_t)count_words(line);
	struct span word;
	uint64_t cpu;

	if (!columns)
		return 0;
	matrix->cpus = calloc(columns, sizeof(*matrix->cpus));
	matrix->counts = calloc(columns, sizeof(*matrix->counts));
	if (!matrix->cpus || !matrix->counts)
		return -ENOMEM;
	while (span_word(&line, &word)) {
		if (!span_starts(word, "CPU") ||
		    parse_u64((struct span) { word.text + 3, word.len - 3 }, &cpu) < 0 ||
		    cpu >= IDSET_MAX)
			return -EINVAL;
		matrix->cpus[matrix->columns++] = (unsigned int)cpu;
	}
	matrix->headed = true;
	return 0;
}

/* Takes the leading numbers off `rest`; what is left is the description. */
static size_t take_counts(const struct matrix *matrix, struct span *rest)
{
	size_t n = 0;

	while (n < matrix->columns) {
		struct span s = *rest;
		uint64_t value = 0;
		size_t digits = 0;

		while (s.len && isblank((unsigned char)*s.text)) {
			s.text++;
			s.len--;
		}
		while (digits < s.len && isdigit((unsigned char)s.text[digits]))
			value = value * 10 + (uint64_t)(s.text[digits++] - '0');
		if (!digits || (digits < s.len && !isspace((unsigned char)s.text[digits])))
			break;
		matrix->counts[n++] = (uint32_t)value;
		*rest = (struct span) { s.text + digits, s.len - digits };
	}
	return n;
}

static struct span last_word(struct span s)
{
	size_t at = s.len;

	while (at && !isspace((unsigned char)s.text[at - 1]))
		at--;
	return (struct span) { s.text + at, s.len - at };
}

static enum interrupt_class classify(struct span label, struct span description)
{
	static const struct {
		const char *label;
		enum interrupt_class class;
	} rows[] = {
		{ "DBL", INTERRUPT_DOORBELL }, { "RES", INTERRUPT_IPI }, { "CAL", INTERRUPT_IPI },
		{ "EXC", INTERRUPT_IPI },      { "EMS", INTERRUPT_IPI },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (span_is(label, rows[i].label))
			return rows[i].class;
	return span_starts(last_word(description), "IPI") ? INTERRUPT_IPI : INTERRUPT_OTHER;
}

static int parse_line(struct span line, void *arg)
{
	struct matrix *matrix = arg;
	struct interrupt_row row = { .cpus = matrix->cpus,
				     .counts = matrix->counts,
				     .of = matrix->columns };
	const char *colon;

	if (!matrix->headed)
		return parse_header(matrix, line);
	colon = line.len ? memchr(line.text, ':', line.len) : NULL;
	if (!colon)
		return 0;
	row.label = span_trim((struct span) { line.text, (size_t)(colon - line.text) });
	line = (struct span) { colon + 1, line.len - (size_t)(colon - line.text) - 1 };
	row.columns = take_counts(matrix, &line);
	row.description = span_trim(line);
	row.class = classify(row.label, row.description);
	return matrix->row(&row, matrix->arg);
}

int interrupts_each(struct root *root, interrupt_row_fn row, void *arg)
{
	_cleanup_(matrix_done) struct matrix matrix = { .row = row, .arg = arg };
	int r = root_each_line(root, parse_line, &matrix, INTERRUPTS_PATH);

	return r == 0 && !matrix.headed ? -EINVAL : r;
}

static int set_cpus(struct interrupts *sums, const struct interrupt_row *row)
{
	if (row->columns > sums->room) {
		struct interrupts_cpu *grown = reallocarray(sums->cpus, row->columns,
							    sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		sums->cpus = grown;
		sums->room = row->columns;
	}
	for (; sums->count < row->columns; sums->count++)
		sums->cpus[sums->count] = (struct interrupts_cpu) { .cpu = row->cpus[sums->count] };
	return 0;
}

static int add_row(const struct interrupt_row *row, void *arg)
{
	struct interrupts *sums = arg;
	bool doorbell = row->class == INTERRUPT_DOORBELL;
	int r;

	if (row->class == INTERRUPT_OTHER)
		return 0;
	if (row->columns < row->of) /* torn: every CPU has its count in these */
		return -EINVAL;
	r = set_cpus(sums, row);
	if (r < 0)
		return r;
	sums->ipi_rows += !doorbell;
	sums->doorbell_rows += doorbell;
	for (size_t i = 0; i < row->columns; i++) {
		sums->cpus[i].ipis += row->counts[i];
		sums->ipis += row->counts[i];
		if (doorbell) {
			sums->cpus[i].doorbells += row->counts[i];
			sums->doorbells += row->counts[i];
		}
	}
	return 0;
}

int interrupts_read(struct root *root, struct interrupts *sums)
{
	*sums = (struct interrupts) { .cpus = sums->cpus, .room = sums->room };
	return interrupts_each(root, add_row, sums);
}
