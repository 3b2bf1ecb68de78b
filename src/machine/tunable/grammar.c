/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file knows the spellings of the kernel's setting files; it opens none. */
#include "machine/tunable/grammar.h"

#include <errno.h>

#include "base/idset.h"

static int keep(struct span s, char **ret)
{
	char *value = span_dup_utf8(span_trim(s));

	if (!value)
		return -ENOMEM;
	*ret = value;
	return 0;
}

static int read_plain(const char *name _unused_, struct span text, char **ret)
{
	return keep(text, ret);
}

/* Words with one blank between them. */
static int read_vector(const char *name _unused_, struct span text, char **ret)
{
	_cleanup_free_ char *value = calloc(1, text.len + 1);
	struct span word;
	size_t len = 0;

	if (!value)
		return -ENOMEM;
	while (span_word(&text, &word)) {
		if (len)
			value[len++] = ' ';
		memcpy(value + len, word.text, word.len);
		len += word.len;
	}
	return keep((struct span) { value, len }, ret);
}

static int read_marked(struct span text, char open, char close, char **ret)
{
	struct span word;

	while (span_word(&text, &word))
		if (word.len > 2 && word.text[0] == open && word.text[word.len - 1] == close)
			return keep((struct span) { word.text + 1, word.len - 2 }, ret);
	return -EINVAL;
}

static int read_brackets(const char *name _unused_, struct span text, char **ret)
{
	return read_marked(text, '[', ']', ret);
}

static int read_parens(const char *name _unused_, struct span text, char **ret)
{
	return read_marked(text, '(', ')', ret);
}

static int read_bool(const char *name _unused_, struct span text, char **ret)
{
	bool value;
	int r = parse_bool(text, &value);

	return r < 0 ? r : keep(span_of(value ? "on" : "off"), ret);
}

static int read_disable(const char *name _unused_, struct span text, char **ret)
{
	bool disabled;
	int r = parse_bool(text, &disabled);

	return r < 0 ? r : keep(span_of(disabled ? "off" : "on"), ret);
}

static int read_feature(const char *name, struct span text, char **ret)
{
	struct span word;

	while (span_word(&text, &word)) {
		if (span_is(word, name))
			return keep(span_of("on"), ret);
		if (span_starts(word, "NO_") &&
		    span_is((struct span) { word.text + 3, word.len - 3 }, name))
			return keep(span_of("off"), ret);
	}
	return -ENOENT;
}

static int read_mask(const char *name _unused_, struct span text, char **ret)
{
	_cleanup_idset_ struct idset set = { 0 };
	_cleanup_free_ char *copy = span_dup(text);
	char *list;
	int r;

	if (!copy)
		return -ENOMEM;
	r = idset_parse_mask(copy, &set);
	if (r < 0)
		return r;
	list = idset_format(&set);
	if (!list)
		return -ENOMEM;
	*ret = list;
	return 0;
}

static int read_statistics(const char *name _unused_, struct span text, char **ret)
{
	return keep(span_of(span_is(span_trim(text), "off") ? "off" : "on"), ret);
}

static int write_plain(const char *name _unused_, const char *value, char **ret)
{
	return keep(span_of(value), ret);
}

static int write_switch(const char *value, const char *on, const char *off, char **ret)
{
	if (!streq(value, "on") && !streq(value, "off"))
		return -EINVAL;
	return keep(span_of(streq(value, "on") ? on : off), ret);
}

static int write_bool(const char *name _unused_, const char *value, char **ret)
{
	return write_switch(value, "1", "0", ret);
}

static int write_disable(const char *name _unused_, const char *value, char **ret)
{
	return write_switch(value, "0", "1", ret);
}

static int write_feature(const char *name, const char *value, char **ret)
{
	_cleanup_free_ char *off = NULL;

	if (asprintf(&off, "NO_%s", name) < 0) {
		off = NULL;
		return -ENOMEM;
	}
	return write_switch(value, name, off, ret);
}

/* A mask rather than a list: 0x…, letters, or words of eight digits, which no CPU's number has. */
static bool is_mask(const char *text)
{
	return starts_with(text, "0x") || strpbrk(text, "abcdefABCDEF") ||
	       strspn(text, "0123456789") >= 8;
}

/* CPUs as people write them: "0-3", "0xf", "0000000f". */
static int parse_cpus(const char *text, struct idset *ret)
{
	return is_mask(text) ? idset_parse_mask(text, ret) : idset_parse_list(text, ret);
}

/* 32-bit words in hexadecimal, highest first. */
static int write_mask(const char *name _unused_, const char *value, char **ret)
{
	_cleanup_idset_ struct idset set = { 0 };
	char *text = NULL;
	size_t size;
	unsigned int words = 0;
	FILE *f;
	int r = parse_cpus(value, &set);

	if (r < 0)
		return r;
	f = open_memstream(&text, &size);
	if (!f)
		return -ENOMEM;
	idset_for_each (id, &set)
		words = (unsigned int)id / 32 + 1;
	for (unsigned int w = words ? words : 1; w-- > 0;) {
		uint32_t bits = 0;

		for (unsigned int i = 0; i < 32; i++)
			bits |= (uint32_t)idset_has(&set, w * 32 + i) << i;
		fprintf(f, "%08x%s", bits, w ? "," : "");
	}
	if (fclose(f)) {
		free(text);
		return -ENOMEM;
	}
	*ret = text;
	return 0;
}

static const struct {
	int (*read)(const char *name, struct span text, char **ret);
	int (*write)(const char *name, const char *value, char **ret);
} rows[GRAMMAR_COUNT] = {
	[GRAMMAR_PLAIN] = { read_plain, write_plain },
	[GRAMMAR_VECTOR] = { read_vector, write_plain },
	[GRAMMAR_BRACKETS] = { read_brackets, write_plain },
	[GRAMMAR_PARENS] = { read_parens, write_plain },
	[GRAMMAR_BOOL] = { read_bool, write_bool },
	[GRAMMAR_DISABLE] = { read_disable, write_disable },
	[GRAMMAR_FEATURE] = { read_feature, write_feature },
	[GRAMMAR_MASK] = { read_mask, write_mask },
	[GRAMMAR_STATISTICS] = { read_statistics, write_bool },
};

int grammar_read(enum grammar grammar, const char *name, struct span text, char **ret)
{
	if (!span_trim(text).len)
		return -ENODATA;
	return rows[grammar].read(name, text, ret);
}

int grammar_write(enum grammar grammar, const char *name, const char *value, char **ret)
{
	return rows[grammar].write(name, value, ret);
}

static bool same_number(struct span a, struct span b)
{
	int64_t x, y;

	return parse_i64(a, &x) == 0 && parse_i64(b, &y) == 0 && x == y;
}

bool grammar_same_cpus(const char *a, const char *b)
{
	_cleanup_idset_ struct idset x = { 0 }, y = { 0 };

	return parse_cpus(a, &x) == 0 && parse_cpus(b, &y) == 0 && idset_equal(&x, &y);
}

bool grammar_same(const char *a, const char *b)
{
	struct span ra = span_of(a), rb = span_of(b), wa, wb;

	for (;;) {
		bool more_a = span_word(&ra, &wa), more_b = span_word(&rb, &wb);

		if (!more_a || !more_b)
			return more_a == more_b;
		if (wa.len != wb.len || memcmp(wa.text, wb.text, wa.len) != 0)
			if (!same_number(wa, wb))
				return false;
	}
}
