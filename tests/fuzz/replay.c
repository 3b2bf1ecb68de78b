// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * This file runs a target on files instead of a fuzzer's inputs: each whole, cut short at several
 * places, and with single bytes changed, always the same. replay TARGET FILE...
 */
#include <err.h>

#include "base/store.h"
#include "fuzz.h"

#define VARIANTS 16

static void replay(const struct fuzz_target *target, const char *path)
{
	_cleanup_free_ char *text = NULL;
	size_t len;

	if (store_read(path, &text, &len) < 0)
		errx(1, "cannot read '%s'", path);
	target->run((struct span) { text, len });
	for (size_t i = 0; i < VARIANTS && len; i++) {
		size_t at = len * i / VARIANTS;
		char kept = text[at];

		/* a block of exactly this size, so that a reader beyond its end is seen */
		_cleanup_free_ char *cut = span_dup((struct span) { text, at });

		target->run((struct span) { cut, at });
		text[at] = (char)(i * 37 + 128);
		target->run((struct span) { text, len });
		text[at] = kept;
	}
}

int main(int argc, char **argv)
{
	const struct fuzz_target *target = argc > 1 ? fuzz_find(argv[1]) : NULL;

	if (!target)
		errx(2, "usage: replay TARGET FILE...");
	for (int i = 2; i < argc; i++)
		replay(target, argv[i]);
	return 0;
}
