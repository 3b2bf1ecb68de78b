/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file turns text into values, strictly, and keeps nothing. */
#include "base/parse.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <strings.h>

bool span_is(struct span s, const char *text)
{
	return s.len == strlen(text) && memcmp(s.text, text, s.len) == 0;
}

bool span_starts(struct span s, const char *prefix)
{
	size_t len = strlen(prefix);

	return s.len >= len && memcmp(s.text, prefix, len) == 0;
}

bool span_has(struct span s, const char *needle)
{
	return s.len && memmem(s.text, s.len, needle, strlen(needle));
}

struct span span_trim(struct span s)
{
	while (s.len && isspace((unsigned char)s.text[0])) {
		s.text++;
		s.len--;
	}
	while (s.len && isspace((unsigned char)s.text[s.len - 1]))
		s.len--;
	return s;
}

char *span_dup(struct span s)
{
	char *copy = malloc(s.len + 1);

	if (!copy)
		return NULL;
	if (s.len)
		memcpy(copy, s.text, s.len);
	copy[s.len] = '\0';
	return copy;
}

/* A terminal obeys C1; the marks of writing direction make a line read as something else. */
static bool is_control(uint32_t code)
{
	return code < 0xa0 || (code >= 0x202a && code <= 0x202e) ||
	       (code >= 0x2066 && code <= 0x2069);
}

/* Length of the valid UTF-8 sequence at p (no overlong forms, surrogates or controls), else 0. */
static size_t utf8_len(const unsigned char *p, size_t left)
{
	static const struct {
		unsigned char mask, lead;
		uint32_t min;
	} forms[] = { { 0xe0, 0xc0, 0x80 }, { 0xf0, 0xe0, 0x800 }, { 0xf8, 0xf0, 0x10000 } };

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		uint32_t code = p[0] & (unsigned char)~forms[i].mask;
		size_t len = i + 2;

		if ((p[0] & forms[i].mask) != forms[i].lead || len > left)
			continue;
		for (size_t k = 1; k < len; k++) {
			if ((p[k] & 0xc0) != 0x80)
				return 0;
			code = code << 6 | (p[k] & 0x3f);
		}
		if (code < forms[i].min || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ||
		    is_control(code))
			return 0;
		return len;
	}
	return 0;
}

char *span_dup_utf8(struct span s)
{
	char *copy = span_dup(s);

	for (size_t i = 0; copy && i < s.len;) {
		unsigned char c = (unsigned char)copy[i];
		size_t len = c < 0x80 ? (size_t)(c >= 0x20 && c != 0x7f)
				      : utf8_len((unsigned char *)copy + i, s.len - i);

		if (!len)
			copy[i] = '?';
		i += len ? len : 1;
	}
	return copy;
}

bool span_line(struct span *rest, struct span *line)
{
	const char *end;

	if (!rest->len)
		return false;
	end = memchr(rest->text, '\n', rest->len);
	*line = (struct span) { rest->text, end ? (size_t)(end - rest->text) : rest->len };
	rest->text += line->len + (end ? 1 : 0);
	rest->len -= line->len + (end ? 1 : 0);
	return true;
}

bool span_word(struct span *rest, struct span *word)
{
	struct span s = span_trim(*rest);
	size_t len = 0;

	while (len < s.len && !isspace((unsigned char)s.text[len]))
		len++;
	*word = (struct span) { s.text, len };
	*rest = (struct span) { s.text + len, s.len - len };
	return len > 0;
}

bool span_split(struct span s, char sep, struct span *key, struct span *value)
{
	const char *at = s.len ? memchr(s.text, sep, s.len) : NULL;
	struct span k;

	if (!at)
		return false;
	k = span_trim((struct span) { s.text, (size_t)(at - s.text) });
	if (!k.len)
		return false;
	*key = k;
	*value = span_trim((struct span) { at + 1, s.len - (size_t)(at - s.text) - 1 });
	return true;
}

static int parse_digits(struct span s, unsigned int base, uint64_t *ret)
{
	uint64_t value = 0;

	if (!s.len)
		return -EINVAL;
	for (size_t i = 0; i < s.len; i++) {
		int c = tolower((unsigned char)s.text[i]);
		unsigned int digit = c >= 'a' ? (unsigned int)c - 'a' + 10 : (unsigned int)c - '0';

		if (!isxdigit(c) || digit >= base)
			return -EINVAL;
		if (__builtin_mul_overflow(value, base, &value) ||
		    __builtin_add_overflow(value, digit, &value))
			return -ERANGE;
	}
	*ret = value;
	return 0;
}

int parse_u64(struct span s, uint64_t *ret)
{
	return parse_digits(span_trim(s), 10, ret);
}

int parse_i64(struct span s, int64_t *ret)
{
	struct span t = span_trim(s);
	bool negative = t.len && t.text[0] == '-';
	uint64_t magnitude;
	int r;

	if (negative) {
		t.text++;
		t.len--;
	}
	r = parse_digits(t, 10, &magnitude);
	if (r < 0)
		return r;
	if (magnitude > (uint64_t)INT64_MAX + (negative ? 1 : 0))
		return -ERANGE;
	*ret = negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
	return 0;
}

int parse_hex64(struct span s, uint64_t *ret)
{
	struct span t = span_trim(s);

	if (t.len > 2 && t.text[0] == '0' && (t.text[1] | 0x20) == 'x') {
		t.text += 2;
		t.len -= 2;
	}
	return parse_digits(t, 16, ret);
}

int parse_real(struct span s, double *ret)
{
	struct span t = span_trim(s);
	char text[64], *end;
	double value;

	if (!t.len || t.len >= sizeof(text))
		return -EINVAL;
	memcpy(text, t.text, t.len);
	text[t.len] = '\0';
	/* strtod also takes "inf", "nan" and hexadecimal: none of them is a number to us. */
	if (strspn(text, "+-.0123456789eE") != t.len)
		return -EINVAL;
	value = strtod(text, &end);
	if (*end)
		return -EINVAL;
	if (!isfinite(value))
		return -ERANGE;
	*ret = value;
	return 0;
}

int parse_bool(struct span s, bool *ret)
{
	static const struct {
		const char *text;
		bool value;
	} words[] = {
		{ "1", true },	  { "y", true },      { "yes", true }, { "on", true },
		{ "true", true }, { "0", false },     { "n", false },  { "no", false },
		{ "off", false }, { "false", false },
	};
	struct span t = span_trim(s);

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (t.len == strlen(words[i].text) && !strncasecmp(t.text, words[i].text, t.len)) {
			*ret = words[i].value;
			return 0;
		}
	return -EINVAL;
}
