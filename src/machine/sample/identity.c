/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file tells machines apart; it never shows a serial number. */
#include "machine/sample/identity.h"

#define SEED 0xcbf29ce484222325
#define PRIME 0x100000001b3

static uint64_t hash(uint64_t sum, struct span text)
{
	for (size_t i = 0; i < text.len; i++)
		sum = (sum ^ (unsigned char)text.text[i]) * PRIME;
	return sum;
}

uint64_t identity_by_tree(struct root *root)
{
	static const char *const paths[] = { "proc/device-tree/system-id",
					     "proc/device-tree/model" };
	uint64_t sum = SEED;
	bool any = false;

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		char buf[128];
		ssize_t n = root_read_into(root, buf, sizeof(buf), "%s", paths[i]);

		any |= n > 0;
		while (n > 0 && !buf[n - 1]) /* strings end in NUL there, not in lparcfg */
			n--;
		if (n > 0)
			sum = hash(sum, (struct span) { buf, (size_t)n });
	}
	return any ? sum : 0;
}

uint64_t identity_by_lparcfg(const struct lparcfg *lparcfg)
{
	static const char *const keys[] = { "serial_number", "system_type" };
	uint64_t sum = SEED;
	bool any = false;

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		struct span value;

		if (lparcfg_string(lparcfg, keys[i], &value) < 0 || !value.len)
			continue;
		any = true;
		sum = hash(sum, value);
	}
	return any ? sum : 0;
}
