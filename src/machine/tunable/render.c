/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file renders what a kernel file would show after a write, for trees that stand for a machine. */
#include <ctype.h>
#include <errno.h>

#include "machine/tunable/grammar.h"

static struct span between(const char *from, const char *to)
{
	return (struct span) { from, (size_t)(to - from) };
}

/* head + middle + tail. */
static int join(struct span head, const char *middle, struct span tail, char **ret)
{
	char *text = NULL;

	if (asprintf(&text, "%.*s%s%.*s", (int)head.len, head.text, middle, (int)tail.len,
		     tail.text) < 0)
		return -ENOMEM;
	*ret = text;
	return 0;
}

/* The first word that means this choice: X, [X] or (X). */
static bool find_word(struct span text, const char *wanted, char open, struct span *ret)
{
	struct span word;

	while (span_word(&text, &word)) {
		struct span inner = word;

		if (word.len > 2 && word.text[0] == open)
			inner = (struct span) { word.text + 1, word.len - 2 };
		if (span_is(inner, wanted)) {
			*ret = word;
			return true;
		}
	}
	return false;
}

/* Takes the mark off the marked word, in place. */
static void unmark(char *text, char open, char close)
{
	char *to = text;

	for (const char *from = text; *from; from++)
		if (*from != open && *from != close)
			*to++ = *from;
	*to = '\0';
}

static int render_marked(struct span text, char open, char close, const char *value, char **ret)
{
	_cleanup_free_ char *bare = span_dup(text), *marked = NULL;
	struct span word;

	if (!bare)
		return -ENOMEM;
	unmark(bare, open, close);
	if (!find_word(span_of(bare), value, open, &word))
		return -EINVAL;
	if (asprintf(&marked, "%c%s%c", open, value, close) < 0) {
		marked = NULL;
		return -ENOMEM;
	}
	return join(between(bare, word.text), marked, span_of(word.text + word.len), ret);
}

static int render_feature(const char *name, struct span text, const char *value, char **ret)
{
	_cleanup_free_ char *to = NULL, *off = NULL;
	struct span word, rest = text;
	int r = grammar_write(GRAMMAR_FEATURE, name, value, &to);

	if (r == 0)
		r = grammar_write(GRAMMAR_FEATURE, name, "off", &off);
	if (r < 0)
		return r;
	while (span_word(&rest, &word))
		if (span_is(word, name) || span_is(word, off))
			return join(between(text.text, word.text), to,
				    between(word.text + word.len, text.text + text.len), ret);
	return -EINVAL;
}

/* Y stays Y or N where the kernel spells switches so. */
static const char *spell_switch(struct span old, const char *written)
{
	if (old.len == 1 && (old.text[0] == 'Y' || old.text[0] == 'N'))
		return streq(written, "1") ? "Y" : "N";
	return written;
}

static int render_plain(enum grammar grammar, const char *name, struct span text, const char *value,
			char **ret)
{
	struct span old = span_trim(text);
	_cleanup_free_ char *written = NULL;
	const char *shown;
	int r = grammar_write(grammar, name, value, &written);

	if (r < 0)
		return r;
	shown = grammar == GRAMMAR_BOOL ? spell_switch(old, written) : written;
	if (grammar == GRAMMAR_STATISTICS)
		return join((struct span) { "", 0 }, streq(value, "off") ? "off\n" : "on\n",
			    (struct span) { "", 0 }, ret);
	if (grammar == GRAMMAR_VECTOR && old.len && memchr(old.text, '\t', old.len))
		for (char *p = written; *p; p++)
			*p = *p == ' ' ? '\t' : *p;
	if (!old.len)
		return join(text, shown, (struct span) { "", 0 }, ret);
	return join(between(text.text, old.text), shown,
		    between(old.text + old.len, text.text + text.len), ret);
}

int grammar_render(enum grammar grammar, const char *name, struct span text, const char *value,
		   char **ret)
{
	switch (grammar) {
	case GRAMMAR_BRACKETS:
		return render_marked(text, '[', ']', value, ret);
	case GRAMMAR_PARENS:
		return render_marked(text, '(', ')', value, ret);
	case GRAMMAR_FEATURE:
		return render_feature(name, text, value, ret);
	default:
		return render_plain(grammar, name, text, value, ret);
	}
}
