/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file looks words up in texts. */
#include "advice/words.h"

bool words_next(struct span *rest, struct span *word)
{
	const char *bar;

	if (!rest->len)
		return false;
	bar = memchr(rest->text, '|', rest->len);
	*word = (struct span) { rest->text, bar ? (size_t)(bar - rest->text) : rest->len };
	rest->text += word->len + (bar ? 1 : 0);
	rest->len -= word->len + (bar ? 1 : 0);
	return true;
}

bool words_have(const char *alternatives, const char *text)
{
	struct span rest = span_of(alternatives), word;

	while (words_next(&rest, &word))
		if (span_is(word, text))
			return true;
	return false;
}

static bool found(struct span word, const char *text)
{
	for (; *text; text++)
		if (strncasecmp(text, word.text, word.len) == 0)
			return true;
	return false;
}

bool words_found_in(const char *alternatives, const char *text)
{
	struct span rest = span_of(alternatives), word;

	while (words_next(&rest, &word))
		if (word.len && found(word, text))
			return true;
	return false;
}

static bool same(struct span a, struct span b)
{
	return a.len == b.len && memcmp(a.text, b.text, a.len) == 0;
}

static bool listed(struct span word, const char *list)
{
	struct span rest = span_of(list), one;

	while (span_word(&rest, &one))
		if (same(one, word))
			return true;
	return false;
}

bool words_listed(const char *alternatives, const char *list)
{
	struct span rest = span_of(alternatives), word;

	while (words_next(&rest, &word))
		if (listed(word, list))
			return true;
	return false;
}
