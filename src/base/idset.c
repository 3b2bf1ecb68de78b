/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file keeps sets of ids as growing bitmaps and reads and writes the kernel's formats. */
#include "base/idset.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>

#define WORD_BITS ((unsigned int)(sizeof(unsigned long) * CHAR_BIT))

void idset_done(struct idset *set)
{
	free(set->bits);
	*set = (struct idset) { 0 };
}

static int idset_grow(struct idset *set, unsigned int id)
{
	unsigned int words = id / WORD_BITS + 1, had = set->size / WORD_BITS;
	unsigned long *bits = reallocarray(set->bits, words, sizeof(*bits));

	if (!bits)
		return -ENOMEM;
	memset(bits + had, 0, (words - had) * sizeof(*bits));
	set->bits = bits;
	set->size = words * WORD_BITS;
	return 0;
}

int idset_add(struct idset *set, unsigned int id)
{
	if (id >= IDSET_MAX)
		return -ERANGE;
	if (id >= set->size) {
		int r = idset_grow(set, id);

		if (r < 0)
			return r;
	}
	set->bits[id / WORD_BITS] |= 1UL << (id % WORD_BITS);
	return 0;
}

void idset_del(struct idset *set, unsigned int id)
{
	if (id < set->size)
		set->bits[id / WORD_BITS] &= ~(1UL << (id % WORD_BITS));
}

bool idset_has(const struct idset *set, unsigned int id)
{
	return id < set->size && (set->bits[id / WORD_BITS] >> (id % WORD_BITS) & 1);
}

static unsigned long word_of(const struct idset *set, unsigned int word)
{
	return word < set->size / WORD_BITS ? set->bits[word] : 0;
}

unsigned int idset_count(const struct idset *set)
{
	return idset_count_common(set, set);
}

unsigned int idset_count_common(const struct idset *a, const struct idset *b)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < a->size / WORD_BITS; i++)
		n += (unsigned int)__builtin_popcountl(a->bits[i] & word_of(b, i));
	return n;
}

bool idset_equal(const struct idset *a, const struct idset *b)
{
	unsigned int size = a->size > b->size ? a->size : b->size;

	for (unsigned int i = 0; i < size / WORD_BITS; i++)
		if (word_of(a, i) != word_of(b, i))
			return false;
	return true;
}

int idset_next(const struct idset *set, unsigned int from)
{
	for (unsigned int i = from / WORD_BITS; i < set->size / WORD_BITS; i++) {
		unsigned long word = set->bits[i];

		if (i == from / WORD_BITS)
			word &= ~0UL << (from % WORD_BITS);
		if (word)
			return (int)(i * WORD_BITS + (unsigned int)__builtin_ctzl(word));
	}
	return -1;
}

/* One decimal number at *text; moves *text behind it. */
static int parse_id(const char **text, unsigned int *ret)
{
	unsigned long id;
	char *end;

	if (!isdigit((unsigned char)**text))
		return -EINVAL;
	errno = 0;
	id = strtoul(*text, &end, 10);
	if (errno || id >= IDSET_MAX)
		return -ERANGE;
	*text = end;
	*ret = (unsigned int)id;
	return 0;
}

/* One item of a list: "7" or "0-3". */
static int parse_range(const char **text, struct idset *set)
{
	unsigned int first, last;
	int r = parse_id(text, &first);

	if (r < 0)
		return r;
	last = first;
	if (**text == '-') {
		(*text)++;
		r = parse_id(text, &last);
		if (r < 0)
			return r;
	}
	if (last < first)
		return -EINVAL;
	for (unsigned int id = first; id <= last && r >= 0; id++)
		r = idset_add(set, id);
	return r;
}

static bool only_space(const char *text)
{
	return text[strspn(text, " \t\r\n")] == '\0';
}

static void idset_move(struct idset *from, struct idset *ret)
{
	idset_done(ret);
	*ret = *from;
	*from = (struct idset) { 0 };
}

int idset_parse_list(const char *text, struct idset *ret)
{
	_cleanup_idset_ struct idset set = { 0 };

	text += strspn(text, " \t");
	while (!only_space(text)) {
		int r = parse_range(&text, &set);

		if (r < 0)
			return r;
		if (*text == ',')
			text++;
		else if (!only_space(text))
			return -EINVAL;
	}
	idset_move(&set, ret);
	return 0;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)(c | 0x20);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

int idset_parse_mask(const char *text, struct idset *ret)
{
	_cleanup_idset_ struct idset set = { 0 };
	size_t len = strcspn(text, " \t\r\n");
	unsigned int bit = 0;

	if (!len || !only_space(text + len))
		return -EINVAL;
	while (len-- > 0) {
		int digit = hex_digit(text[len]);

		if (text[len] == ',' || (len == 1 && text[1] == 'x'))
			continue;
		if (digit < 0)
			return -EINVAL;
		for (unsigned int i = 0; i < 4; i++)
			if (digit >> i & 1) {
				int r = idset_add(&set, bit + i);

				if (r < 0)
					return r;
			}
		bit += 4;
	}
	idset_move(&set, ret);
	return 0;
}

char *idset_format(const struct idset *set)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	const char *comma = "";

	if (!f)
		return NULL;
	for (int id = idset_next(set, 0), last; id >= 0;
	     id = idset_next(set, (unsigned int)last + 1)) {
		for (last = id; idset_has(set, (unsigned int)last + 1);)
			last++;
		fprintf(f, last > id ? "%s%d-%d" : "%s%d", comma, id, last);
		comma = ",";
	}
	if (fclose(f)) {
		free(text);
		return NULL;
	}
	return text;
}
