/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file decodes the lppaca; it trusts nothing but the eye-catcher and the size. */
#include "machine/source/lppaca.h"

#include <errno.h>

#define EYE_CATCHER 0xd397d781U
#define OLD_STATUS_SHARED 0x02

int lppaca_parse(const void *buf, size_t len, struct lppaca *ret)
{
	const uint8_t *b = buf;

	if (len < LPPACA_SIZE || parse_be32(b) != EYE_CATCHER)
		return -EINVAL;
	/* Kernels advertise 1 KiB, of which debugfs shows the 640 bytes that are used. */
	if ((b[4] << 8 | b[5]) < LPPACA_SIZE)
		return -EINVAL;
	*ret = (struct lppaca) {
		.shared = b[0x009] & OLD_STATUS_SHARED,
		.hardware_node = parse_be32(b + 0x018),
		.hardware_cpu = parse_be32(b + 0x01c),
		.dtl_mask = b[0x0b8],
		.donating_now = b[0x0b9],
		.wait_state_cycles = parse_be64(b + 0x0d8),
		.idle = b[0x0fe],
		.yield_count = parse_be32(b + 0x100),
		.dispersion_count = parse_be32(b + 0x104),
		.enqueue_dispatch_tb = parse_be64(b + 0x158),
		.ready_enqueue_tb = parse_be64(b + 0x160),
		.wait_ready_tb = parse_be64(b + 0x168),
		.dtl_index = parse_be64(b + 0x218),
	};
	return 0;
}

int lppaca_read(struct root *root, unsigned int cpu, struct lppaca *ret)
{
	uint8_t buf[LPPACA_SIZE];
	ssize_t len = root_read_into(root, buf, sizeof(buf), LPPACA_PATH, cpu);

	return len < 0 ? (int)len : lppaca_parse(buf, (size_t)len, ret);
}
