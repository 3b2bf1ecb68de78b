/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A wish done to a command line and taken back: byte for byte where nothing else changed. */
#include "change/boot/bootline.h"

#include "unit.h"

static bool is_text(char *got, const char *wanted)
{
	_cleanup_free_ char *owned = got;

	if (owned && streq(owned, wanted))
		return true;
	printf("# got <%s>\n# not <%s>\n", owned ? owned : "(null)", wanted);
	return false;
}

static bool goes_back(const char *line, const char *name, const char *ours, const char *was,
		      const char *wanted)
{
	return is_text(bootline_back(span_of(line), name, ours, was), wanted);
}

/* Whatever the line and the wish, the way there and back ends where it began. */
static void test_there_and_back(void)
{
	static const char *const lines[] = {
		"",
		"ro",
		" ro  quiet ",
		"smt-enabled=2",
		"a  smt-enabled=2   b",
		"smt_enabled=off x smt-enabled=2 y",
		"smt-enabled=\"2\" x",
		"\"smt-enabled=2\"",
		"dyndbg=\"file x.c +p\" smt-enabled=2\t-- smt-enabled=8",
		"smt-enabled=4 x",
		"x smt-enabled=4  smt-enabled=2",
		"-- x",
	};
	static const char *const tokens[] = { "4", "", NULL };

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		for (size_t k = 0; k < ARRAY_SIZE(tokens); k++) {
			_cleanup_free_ char *there = bootline_edit(span_of(lines[i]), "smt-enabled",
								   tokens[k]);

			CHECK(there && bootline_has(span_of(there), "smt-enabled", tokens[k]));
			CHECK(goes_back(there, "smt-enabled", tokens[k], lines[i], lines[i]));
			/* neither ours nor the original is somebody else's, and any can be restored */
			CHECK(!bootline_is_changed(span_of(there), "smt-enabled", tokens[k],
						   lines[i]));
			CHECK(!bootline_is_changed(span_of(lines[i]), "smt-enabled", tokens[k],
						   lines[i]));
			CHECK(is_text(bootline_restore(span_of(there), "smt-enabled", lines[i]),
				      lines[i]));
		}
}

static void test_others_have_edited(void)
{
	/* added by us: only ours goes */
	CHECK(goes_back("ro k=1 debug", "k", "1", "ro", "ro debug"));
	/* another's value stays */
	CHECK(goes_back("ro k=3", "k", "1", "ro", "ro k=3"));
	CHECK(goes_back("ro k=1 k=3", "k", "1", "ro k=2", "ro k=1 k=3"));
	CHECK(goes_back("ro k=1 x", "k", NULL, "ro k=2", "ro k=1 x"));
	/* replaced, or moved to the end by a tool: back at its place, spelled as it was */
	CHECK(goes_back("a k=1 b c", "k", "1", "a k=\"2\" b", "a k=\"2\" b c"));
	CHECK(goes_back("a b k=1", "k", "1", "a k=2 b", "a k=2 b"));
	CHECK(goes_back("a b k=1 c", "k", "1", "a k=2 b", "a k=2 b c"));
	/* taken out: each at its place, or as near as there is one */
	CHECK(goes_back("a b c", "k", NULL, "k a k=1  b", "k a k=1 b c"));
	CHECK(goes_back("b c", "k", NULL, "a k=1 b", "k=1 b c"));
	CHECK(goes_back("", "k", NULL, "a k=1 b", "k=1"));
	CHECK(goes_back("x a  b", "k", NULL, "a  k  b", "x a  k b"));
	/* what was not known before: nothing is put back */
	CHECK(goes_back("a k=1", "k", "1", NULL, "a"));
	CHECK(goes_back("a", "k", NULL, NULL, "a"));
	/* a copy that was there before us stays when a tool doubles or moves ours */
	CHECK(goes_back("x k=1 y k=1 z", "k", "1", "x k=1 y k=2", "x k=1 y k=2 z"));
}

static bool is_changed(const char *line, const char *ours, const char *was)
{
	return bootline_is_changed(span_of(line), "k", ours, was);
}

static void test_somebody_elses(void)
{
	struct span last;

	CHECK(is_changed("ro k=3", "1", "ro"));
	CHECK(is_changed("ro k=1 k=3", "1", "ro"));
	CHECK(is_changed("ro", "1", "ro k=2"));
	CHECK(is_changed("ro k=3", "1", "ro k=2"));
	CHECK(is_changed("ro k=3", NULL, "ro k=2"));
	CHECK(!is_changed("ro x=3 -- k=3", "1", "ro"));
	CHECK(!is_changed("k=2 debug", "1", "ro k=2"));
	CHECK(!is_changed("k=3 k=1", "1", "ro"));
	/* ours goes from beside it, unless the same was there before */
	CHECK(is_text(bootline_without(span_of("a k=1 b k=3"), "k", "1", "a b"), "a b k=3"));
	CHECK(is_text(bootline_without(span_of("k=1 k=3"), "k", "1", "k=1 k=2"), "k=1 k=3"));
	CHECK(is_text(bootline_without(span_of("k=3"), "k", NULL, "k=2"), "k=3"));
	CHECK(is_text(bootline_restore(span_of("a k=3 b c"), "k", "a k=2 b"), "a k=2 b c"));
	CHECK(is_text(bootline_restore(span_of("a k=3 b"), "k", "a  b"), "a  b"));
	CHECK(bootline_last(span_of("k=1 k_=2 k=\"3\" -- k=4"), "k", &last) &&
	      span_is(last, "k=\"3\""));
	CHECK(!bootline_last(span_of("kk=1 -- k"), "k", &last));
}

static void test_comparing(void)
{
	CHECK(bootline_same_but("a  k=1 b", "a b k=2", "k") == 1);
	CHECK(bootline_same_but("a b", "b a", "k") == 0);
	CHECK(bootline_same_but("a", "a b", "k") == 0);
	CHECK(bootline_same_but("a -- x", "a -- y", "k") == 0);
	CHECK(bootline_count(span_of("k_a=1 x k-a -- k-a"), "k-a") == 2);
}

int main(void)
{
	test_there_and_back();
	test_others_have_edited();
	test_somebody_elses();
	test_comparing();
	return unit_done();
}
