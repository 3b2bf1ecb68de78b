/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernel command lines: reading as the kernel does, editing whole parameters only. */
#include "change/boot/tokens.h"

#include "unit.h"

static bool edits_to(char *got, const char *wanted)
{
	_cleanup_free_ char *owned = got;

	if (owned && streq(owned, wanted))
		return true;
	printf("# got <%s>\n# not <%s>\n", owned ? owned : "(null)", wanted);
	return false;
}

static void test_adding(void)
{
	CHECK(edits_to(tokens_add(span_of("ro quiet"), "nov", NULL), "ro quiet nov"));
	CHECK(edits_to(tokens_add(span_of(""), "a", "1"), "a=1"));
	CHECK(edits_to(tokens_add(span_of("  "), "a", "1"), "a=1   "));
	CHECK(edits_to(tokens_add(span_of("ro -- init"), "a", "1"), "ro a=1 -- init"));
	CHECK(edits_to(tokens_add(span_of("d=\"x y\"  "), "a", "1"), "d=\"x y\" a=1  "));
	CHECK(edits_to(tokens_replace(span_of("a=1 b a=2 c"), "a", "9"), "a=1 b a=9 c"));
	CHECK(edits_to(tokens_replace(span_of("b"), "a", "9"), "b"));
}

static void test_removing(void)
{
	/* "ro" inside "root=", a value inside a longer one: whole parameters only */
	CHECK(edits_to(tokens_remove(span_of("root=/dev/sda2 ro quiet"), "ro", NULL),
		       "root=/dev/sda2 quiet"));
	CHECK(edits_to(tokens_remove(span_of("hdd=ide-scsi"), "hdd", "foobar"), "hdd=ide-scsi"));
	CHECK(edits_to(tokens_remove(span_of("console=tty0 console=hvc0"), "console", "tty0"),
		       "console=hvc0"));
	CHECK(edits_to(tokens_remove(span_of("a=1 a=1 b"), "a", "1"), "b"));
	CHECK(edits_to(tokens_remove(span_of("dyndbg=\"file x.c +p\" k=v"), "k", "v"),
		       "dyndbg=\"file x.c +p\""));
	CHECK(edits_to(tokens_remove(span_of("a  b  c"), "b", NULL), "a   c"));
	CHECK(edits_to(tokens_remove(span_of("k=v"), "k", "v"), ""));
	CHECK(edits_to(tokens_remove(span_of("q -- k=v"), "k", "v"), "q -- k=v"));
}

/* Adding and then removing gives the bytes back, whatever stands around. */
static void test_round_trip(void)
{
	static const char *const lines[] = { "",
					     "ro",
					     " ro  quiet ",
					     "console=tty0 console=hvc0,9600",
					     "memmap=32g\\$0x2 x",
					     "a=\"b c\" -- init",
					     "\t",
					     " -- x",
					     "-- x" };

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		_cleanup_free_ char *added = tokens_add(span_of(lines[i]), "no-steal-acc", NULL);

		CHECK(added &&
		      edits_to(tokens_remove(span_of(added), "no-steal-acc", NULL), lines[i]));
	}
}

int main(void)
{
	test_adding();
	test_removing();
	test_round_trip();
	return unit_done();
}
