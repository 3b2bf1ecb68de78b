/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file reads PURR and SPURR. */
#include "machine/source/purr.h"

int purr_read(struct root *root, unsigned int cpu, enum purr_kind kind, uint64_t *ret)
{
	static const char *const files[PURR_KINDS] = { "purr", "spurr", "idle_purr", "idle_spurr" };
	char buf[32];
	ssize_t len = root_read_into(root, buf, sizeof(buf), "sys/devices/system/cpu/cpu%u/%s", cpu,
				     files[kind]);

	return len < 0 ? (int)len : parse_hex64((struct span) { buf, (size_t)len }, ret);
}
