/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Distances of names, and which of them are offered. */
#include "base/similar.h"

#include "unit.h"

static bool hint_is(const char *wanted, const char *const *names, const char *hint)
{
	struct similar similar = { .wanted = wanted };
	_cleanup_free_ char *got = NULL;

	for (; *names; names++)
		similar_offer(&similar, *names);
	got = similar_hint(&similar);
	return got && streq(got, hint);
}

static void test_distance(void)
{
	char a[200], b[200];

	CHECK(similar_distance("", "") == 0);
	CHECK(similar_distance("", "abc") == 3 && similar_distance("abc", "") == 3);
	CHECK(similar_distance("smt", "SMT") == 0);
	CHECK(similar_distance("kitten", "sitting") == 3);
	CHECK(similar_distance("capacity", "capactiy") == 1);
	CHECK(similar_distance("ca", "abc") == 3); /* as aligned, not as the unrestricted metric */
	CHECK(similar_distance("swappiness", "swapiness") == 1);
	memset(a, 'x', sizeof(a) - 1);
	memset(b, 'x', sizeof(b) - 1);
	a[sizeof(a) - 1] = b[sizeof(b) - 1] = '\0';
	CHECK(similar_distance(a, b) == 0);
}

static void test_hints(void)
{
	static const char *const names[] = { "sysctl:vm.swappiness", "feature:NONTASK_CAPACITY",
					     "smt", "thp:enabled", NULL };
	static const char *const many[] = { "aaab", "aaac", "aaaa", "aaad", "aaa", NULL };

	CHECK(hint_is("sysctl:vm.swapiness", names, "; did you mean 'sysctl:vm.swappiness'?"));
	CHECK(hint_is("swapiness", names, "; did you mean 'sysctl:vm.swappiness'?"));
	CHECK(hint_is("nontask_capacty", names, "; did you mean 'feature:NONTASK_CAPACITY'?"));
	CHECK(hint_is("something-else", names, ""));
	CHECK(hint_is("", names, ""));
	CHECK(hint_is("aaaa", many, "; did you mean 'aaaa' or 'aaab' or 'aaac'?"));
}

int main(void)
{
	test_distance();
	test_hints();
	return unit_done();
}
