/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lpartune.conf: what is taken, and what is told. */
#include "machine/source/preferences.h"
#include "tree.h"
#include "unit.h"

static struct preferences read_text(const char *text)
{
	_cleanup_root_ struct root *root = NULL;
	struct preferences p = { 0 };

	tree_new();
	if (text)
		tree_file(PREFERENCES_PATH, text);
	root = tree_root();
	CHECK(preferences_read(root, &p) == 0);
	return p;
}

static void test_all(void)
{
	_cleanup_preferences_ struct preferences p = read_text(
		"# site\nworkload = sap-hana # the reason\n\n  ignore=a, b\tc\n"
		"ignore = d\napply = auto");

	CHECK(p.workload && streq(p.workload, "sap-hana"));
	CHECK(p.ignored == 4 && streq(p.ignore[0], "a") && streq(p.ignore[3], "d"));
	CHECK(p.apply_auto);
	CHECK(!p.complaint);
}

static void test_none(void)
{
	_cleanup_preferences_ struct preferences p = read_text(NULL);

	CHECK(!p.workload && !p.ignored && !p.apply_auto && !p.complaint);
}

static void test_bad_lines(void)
{
	static const struct {
		const char *text, *complaint;
	} cases[] = {
		{ "workload =\n", "etc/lpartune/lpartune.conf:1: cannot use 'workload ='" },
		{ "\napply = always\n",
		  "etc/lpartune/lpartune.conf:2: cannot use 'apply = always'" },
		{ "wrokload = db2\n",
		  "etc/lpartune/lpartune.conf:1: cannot use 'wrokload = db2'; did you mean 'workload'?" },
		{ "nonsense\n", "etc/lpartune/lpartune.conf:1: cannot use 'nonsense'" },
		{ "color = red\nworkload = x",
		  "etc/lpartune/lpartune.conf:1: cannot use 'color = red'" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_preferences_ struct preferences p = read_text(cases[i].text);

		CHECK(p.complaint && streq(p.complaint, cases[i].complaint));
	}
}

int main(void)
{
	test_all();
	test_none();
	test_bad_lines();
	return unit_done();
}
