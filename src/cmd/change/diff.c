/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file makes unified diffs of configuration files, which differ in one place. */
#include "cmd/change/diff.h"

#include "base/parse.h"

#define CONTEXT 3

struct lines {
	struct span *line;
	size_t count;
};

static void lines_done(struct lines *lines)
{
	free(lines->line);
}

static bool split(const char *text, struct lines *ret)
{
	struct span rest = span_of(text ? text : ""), line;

	ret->line = calloc(rest.len + 1, sizeof(*ret->line));
	if (!ret->line)
		return false;
	while (span_line(&rest, &line))
		ret->line[ret->count++] = line;
	return true;
}

static bool same(struct span a, struct span b)
{
	return a.len == b.len && memcmp(a.text, b.text, a.len) == 0;
}

/* Tabs stay; what is no text becomes '?'. */
static void print_clean(FILE *f, struct span line)
{
	_cleanup_free_ char *clean = span_dup_utf8(line);

	for (size_t i = 0; i < line.len && clean; i++)
		fputc(line.text[i] == '\t' ? '\t' : clean[i], f);
}

static void print_lines(FILE *f, char mark, const struct lines *lines, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		fputc(mark, f);
		print_clean(f, lines->line[i]);
		fputc('\n', f);
	}
}

/* Equal lines at the start, and at the end behind them. */
static size_t common_head(const struct lines *a, const struct lines *b)
{
	size_t n = 0;

	while (n < a->count && n < b->count && same(a->line[n], b->line[n]))
		n++;
	return n;
}

static size_t common_tail(const struct lines *a, const struct lines *b, size_t head)
{
	size_t n = 0;

	while (n < a->count - head && n < b->count - head &&
	       same(a->line[a->count - 1 - n], b->line[b->count - 1 - n]))
		n++;
	return n;
}

static void print_hunk(FILE *f, const struct lines *a, const struct lines *b)
{
	size_t head = common_head(a, b), tail = common_tail(a, b, head);
	size_t start = head > CONTEXT ? head - CONTEXT : 0;
	size_t after = tail > CONTEXT ? CONTEXT : tail;
	size_t a_end = a->count - tail, b_end = b->count - tail;
	size_t a_len = a_end + after - start, b_len = b_end + after - start;

	fprintf(f, "@@ -%zu,%zu +%zu,%zu @@\n", a_len ? start + 1 : start, a_len,
		b_len ? start + 1 : start, b_len);
	print_lines(f, ' ', a, start, head);
	print_lines(f, '-', a, head, a_end);
	print_lines(f, '+', b, head, b_end);
	print_lines(f, ' ', a, a_end, a_end + after);
}

char *diff_unified(const char *path, const char *before, const char *after)
{
	_cleanup_(lines_done) struct lines a = { 0 }, b = { 0 };
	char *text = NULL;
	size_t size;
	FILE *f;

	if (!split(before, &a) || !split(after, &b))
		return NULL;
	f = open_memstream(&text, &size);
	if (!f)
		return NULL;
	if (!before || !after || !streq(before, after)) {
		fprintf(f, "--- %s%s\n", before ? "/" : "/dev/null", before ? path : "");
		fprintf(f, "+++ %s%s\n", after ? "/" : "/dev/null", after ? path : "");
		print_hunk(f, &a, &b);
	}
	if (fclose(f)) {
		free(text);
		return NULL;
	}
	return text;
}
