/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernel symbols: where they are looked for, and that everything the behaviours ask for is. */
#include "advice/kernels.h"
#include "advice/words.h"
#include "machine/fact/machine.h"
#include "tree.h"
#include "unit.h"

static void test_wanted(void)
{
	for (int i = 0; i < BEHAVIOUR_COUNT; i++) {
		struct span rest, word;

		if (!behaviour_info[i].symbol)
			continue;
		rest = span_of(behaviour_info[i].symbol);
		while (words_next(&rest, &word)) {
			_cleanup_free_ char *line = NULL;

			if (asprintf(&line, "c000000000000000 t %.*s", (int)word.len, word.text) <
			    0)
				return;
			CHECK(symbols_want(span_of(line)));
		}
	}
	CHECK(!symbols_want(span_of("c000000000000000 t start_kernel")));
	CHECK(!symbols_want(span_of("")));
}

/* What the fact says of a tree with these files. */
static bool says(const char *release, const char *kallsyms, const char *map, const char *wanted)
{
	_cleanup_root_ struct root *root = NULL;
	struct machine machine = { 0 };
	const char *is = NULL;
	bool same;

	tree_new();
	if (kallsyms)
		tree_file("proc/kallsyms", kallsyms);
	if (map)
		tree_file("boot/System.map-5.3.18", map);
	root = tree_root();
	machine.root = root;
	facts_set_string(&machine.facts, FACT_KERNEL_RELEASE, release, "test");
	(void)symbols_read(&machine);
	(void)facts_string(&machine.facts, FACT_KERNEL_SYMBOLS, &is);
	same = wanted ? is && streq(is, wanted) : !is;
	facts_done(&machine.facts);
	return same;
}

int main(void)
{
	test_wanted();
	CHECK(says("5.3.18", "0 D system_state\n0 d shared_processor\n0 t x [kvm]", NULL,
		   "system_state shared_processor"));
	CHECK(says("5.3.18", NULL, "c000000000111111 T available_idle_cpu\n",
		   "available_idle_cpu"));
	CHECK(says("5.3.18", "nonsense\n\n\n", "c0 T available_idle_cpu", "available_idle_cpu"));
	CHECK(says("5.3.18", NULL, NULL, NULL));
	CHECK(says("6.12.95", "0 D system_state\n", NULL, NULL)); /* not even looked at */
	return unit_done();
}
