/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's command line, cut as the kernel cuts it. */
#include "machine/source/cmdline.h"
#include "unit.h"

static bool value_is(const char *line, const char *name, const char *wanted)
{
	struct span value;

	return cmdline_get(span_of(line), name, &value) && span_is(value, wanted);
}

int main(void)
{
	static const char line[] =
		"BOOT_IMAGE=/vmlinux root=/dev/sda2 ro quiet smt-enabled=4 "
		"dyndbg=\"file x.c +p; file y.c +p\" \"novalue opt\" a=1 a=2 -- ro2";

	CHECK(value_is(line, "root", "/dev/sda2"));
	CHECK(value_is(line, "smt_enabled", "4")); /* '-' and '_' are one to the kernel */
	CHECK(value_is(line, "ro", ""));
	CHECK(value_is(line, "a", "2"));
	CHECK(value_is(line, "dyndbg", "file x.c +p; file y.c +p"));
	CHECK(cmdline_get(span_of(line), "novalue opt", NULL));
	CHECK(!cmdline_get(span_of(line), "ro2", NULL)); /* init's */
	CHECK(!cmdline_get(span_of(line), "r", NULL) && !cmdline_get(span_of(line), "sda2", NULL));
	CHECK(!cmdline_get(span_of(""), "x", NULL));
	CHECK(value_is("x=\"open", "x", "open"));
	return unit_done();
}
