// SPDX-License-Identifier: GPL-2.0-or-later
/* This file joins the targets to libFuzzer; FUZZ_TARGET names the one that runs. */
#include <err.h>

#include "fuzz.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct fuzz_target *target;

int LLVMFuzzerInitialize(int *argc _unused_, char ***argv _unused_)
{
	const char *name = getenv("FUZZ_TARGET");

	target = name ? fuzz_find(name) : NULL;
	if (!target)
		errx(2, "FUZZ_TARGET names no target");
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	target->run((struct span) { (const char *)data, size });
	return 0;
}
