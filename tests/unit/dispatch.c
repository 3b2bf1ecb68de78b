/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file tests the dispatch statistics. */
#include "machine/source/dispatch.h"

#include <errno.h>

#include "unit.h"

static int parse(struct dispatches *d, const char *text)
{
	return dispatches_parse(span_of(text), d);
}

int main(void)
{
	_cleanup_dispatches_ struct dispatches d = { 0 };

	CHECK(parse(&d, "off\n") == 0 && d.off && d.used == 0);
	CHECK(parse(&d, "cpu0 100 60 30 9 1 95 4 1\ncpu8 4 4 0 0 0 4 0 0\n") == 0);
	CHECK(!d.off && d.used == 2 && d.cpus[1].cpu == 8);
	CHECK(d.cpus[0].valid && d.cpus[0].count[DISPATCH_TOTAL] == 100);
	CHECK(d.cpus[0].count[DISPATCH_SAME_CORE] == 60 && d.cpus[0].count[DISPATCH_FAR] == 1);
	CHECK(d.cpus[0].count[DISPATCH_HOME] == 95 && d.cpus[0].count[DISPATCH_AWAY] == 1);
	/* nine numbers: thread and core are one */
	CHECK(parse(&d, "cpu3 100 50 10 30 9 1 95 4 1\n") == 0 && d.used == 1);
	CHECK(d.cpus[0].valid && d.cpus[0].count[DISPATCH_SAME_CORE] == 60);
	CHECK(d.cpus[0].count[DISPATCH_SAME_CHIP] == 30 && d.cpus[0].count[DISPATCH_HOME] == 95);
	/* an overflown int, a short line, a long one */
	CHECK(parse(&d, "cpu0 -2147483648 1 1 1 1 1 1 1\ncpu1 1 2 3\n"
			"cpu2 1 2 3 4 5 6 7 8 9 10\ncpu4096 1 1 0 0 0 1 0 0\n") == 0);
	CHECK(d.used == 4 && !d.cpus[0].valid && !d.cpus[1].valid && !d.cpus[2].valid);
	CHECK(d.cpus[3].valid && d.cpus[3].cpu == 4096);
	CHECK(parse(&d, "") == -EINVAL);
	CHECK(parse(&d, "nothing to see\ncpu 1 2\ncpux 1\n") == -EINVAL);
	return unit_done();
}
