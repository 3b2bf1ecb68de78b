/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file finds names by the number of letters in which they differ. */
#include "base/similar.h"

#include <ctype.h>

#define LETTERS 64

static bool same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static unsigned int least(unsigned int a, unsigned int b, unsigned int c)
{
	unsigned int ab = a < b ? a : b;

	return ab < c ? ab : c;
}

unsigned int similar_distance(const char *a, const char *b)
{
	/* the row before the last, the last, and this one */
	unsigned int rows[3][LETTERS];
	size_t m = strnlen(a, LETTERS - 1), n = strnlen(b, LETTERS - 1);

	for (size_t k = 0; k <= n; k++)
		rows[0][k] = (unsigned int)k;
	for (size_t i = 1; i <= m; i++) {
		unsigned int *now = rows[i % 3], *last = rows[(i + 2) % 3];

		now[0] = (unsigned int)i;
		for (size_t k = 1; k <= n; k++) {
			now[k] = least(last[k] + 1, now[k - 1] + 1,
				       last[k - 1] + !same(a[i - 1], b[k - 1]));
			if (i > 1 && k > 1 && same(a[i - 1], b[k - 2]) &&
			    same(a[i - 2], b[k - 1]) && rows[(i + 1) % 3][k - 2] + 1 < now[k])
				now[k] = rows[(i + 1) % 3][k - 2] + 1;
		}
	}
	return rows[m % 3][n];
}

/* A third of the letters may be wrong. */
static bool is_near(const char *wanted, unsigned int distance)
{
	return distance <= (strlen(wanted) + 2) / 3;
}

static unsigned int distance_of(const char *wanted, const char *name)
{
	unsigned int shortest = similar_distance(wanted, name);

	for (const char *p = strpbrk(name, ":."); p; p = strpbrk(p + 1, ":.")) {
		unsigned int distance = similar_distance(wanted, p + 1);

		shortest = distance < shortest ? distance : shortest;
	}
	return shortest;
}

void similar_offer(struct similar *s, const char *name)
{
	unsigned int distance = distance_of(s->wanted, name);
	size_t at = s->count;

	if (!is_near(s->wanted, distance))
		return;
	while (at > 0 && s->distance[at - 1] > distance)
		at--;
	if (at == SIMILAR_MAX)
		return;
	s->count += s->count < SIMILAR_MAX;
	for (size_t i = s->count; i-- > at + 1;) {
		s->best[i] = s->best[i - 1];
		s->distance[i] = s->distance[i - 1];
	}
	s->best[at] = name;
	s->distance[at] = distance;
}

char *similar_hint(const struct similar *s)
{
	char *hint = NULL;
	size_t size;
	FILE *f = open_memstream(&hint, &size);

	if (!f)
		return NULL;
	for (size_t i = 0; i < s->count; i++)
		fprintf(f, "%s'%s'%s", i ? " or " : "; did you mean ", s->best[i],
			i + 1 == s->count ? "?" : "");
	if (fclose(f)) {
		free(hint);
		return NULL;
	}
	return hint;
}
