/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text to values. Everything here is pure: no file, no message, no state. Numbers are strict: the
 * whole text must be the number (white space around it is allowed), and an overflow is an error,
 * never a clamp.
 */
#ifndef LPARTUNE_BASE_PARSE_H
#define LPARTUNE_BASE_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/util.h"

/* A piece of text that somebody else owns; not terminated. */
struct span {
	const char *text;
	size_t len;
};

/* Each returns 0, -EINVAL (not a number) or -ERANGE (does not fit); `ret` is untouched on error. */
int parse_u64(struct span s, uint64_t *ret);
int parse_i64(struct span s, int64_t *ret);
int parse_hex64(struct span s, uint64_t *ret); /* with or without 0x */
int parse_real(struct span s, double *ret);    /* finite only */
int parse_bool(struct span s, bool *ret);      /* Y N 1 0 on off true false yes no, any case */

static inline struct span span_of(const char *text)
{
	return (struct span) { text, strlen(text) };
}

bool span_is(struct span s, const char *text);
bool span_starts(struct span s, const char *prefix);
bool span_has(struct span s, const char *needle);
struct span span_trim(struct span s);

/* A terminated copy, owned by the caller; NULL when memory is out. */
char *span_dup(struct span s);

/* A copy in which every byte that is not valid UTF-8, and every control character (C1 and the
 * overrides of writing direction too), became '?':
 * firmware strings and file names reach JSON, which accepts nothing else. NULL when out of memory. */
char *span_dup_utf8(struct span s);

/* Takes the next line (without its newline) off `rest`; false at the end. A last line without
 * newline counts; NUL bytes are part of the line. */
bool span_line(struct span *rest, struct span *line);

/* Takes the next word (separated by blanks) off `rest`; false at the end. */
bool span_word(struct span *rest, struct span *word);

/* Splits at the first `sep` and trims both sides; false if there is no `sep` or the key is empty. */
bool span_split(struct span s, char sep, struct span *key, struct span *value);

/* Big-endian numbers in memory, as the device tree and the lppaca have them on every kernel. */
static inline uint32_t parse_be32(const void *p)
{
	const uint8_t *b = p;

	return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static inline uint64_t parse_be64(const void *p)
{
	return (uint64_t)parse_be32(p) << 32 | parse_be32((const uint8_t *)p + 4);
}

#endif
