/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file tests decoding the lppaca. */
#include "machine/source/lppaca.h"

#include <errno.h>

#include "tree.h"
#include "unit.h"

static void be32(uint8_t *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> (24 - 8 * i));
}

static void be64(uint8_t *p, uint64_t v)
{
	be32(p, (uint32_t)(v >> 32));
	be32(p + 4, (uint32_t)v);
}

static void make(uint8_t *b)
{
	memset(b, 0, LPPACA_SIZE);
	be32(b, 0xd397d781);
	b[4] = 4; /* 0x0400 */
	b[9] = 2;
	be32(b + 0x18, 3);
	be32(b + 0x1c, 77);
	b[0xb8] = 7;
	b[0xb9] = 1;
	be64(b + 0xd8, 0x1122334455667788);
	b[0xfe] = 1;
	be32(b + 0x100, 0xfffffffe);
	be32(b + 0x104, 5);
	be64(b + 0x158, 0xffffffff00000001);
	be64(b + 0x160, 2);
	be64(b + 0x168, 3);
	be64(b + 0x218, 9);
}

static void test_fields(void)
{
	uint8_t b[LPPACA_SIZE];
	struct lppaca l;

	make(b);
	CHECK(lppaca_parse(b, sizeof(b), &l) == 0);
	CHECK(l.shared && l.idle && l.donating_now && l.dtl_mask == 7);
	CHECK(l.hardware_node == 3 && l.hardware_cpu == 77);
	CHECK(l.wait_state_cycles == 0x1122334455667788);
	CHECK(l.yield_count == 0xfffffffe && l.dispersion_count == 5);
	CHECK(l.enqueue_dispatch_tb == 0xffffffff00000001);
	CHECK(l.ready_enqueue_tb == 2 && l.wait_ready_tb == 3 && l.dtl_index == 9);
	CHECK(lppaca_stolen_tb(&l) == 0xffffffff00000003);
	CHECK(!lppaca_preempted(&l));
	l.yield_count++;
	CHECK(!lppaca_preempted(&l)); /* away, but by its own cede */
	l.idle = false;
	CHECK(lppaca_preempted(&l));
}

static void test_damaged(void)
{
	uint8_t b[LPPACA_SIZE];
	struct lppaca l = { .yield_count = 4711 };

	make(b);
	CHECK(lppaca_parse(b, LPPACA_SIZE - 1, &l) == -EINVAL);
	CHECK(lppaca_parse(b, 0, &l) == -EINVAL);
	b[9] = 0xfd; /* every other bit says nothing */
	CHECK(lppaca_parse(b, sizeof(b), &l) == 0 && !l.shared);
	l.yield_count = 4711;
	b[5] = 0x7f;
	b[4] = 2; /* 639 */
	CHECK(lppaca_parse(b, sizeof(b), &l) == -EINVAL);
	b[5] = 0x80;
	CHECK(lppaca_parse(b, sizeof(b), &l) == 0);
	l.yield_count = 4711;
	be32(b, 0x81d797d3); /* the wrong way round */
	CHECK(lppaca_parse(b, sizeof(b), &l) == -EINVAL);
	CHECK(l.yield_count == 4711);
}

static void test_read(void)
{
	_cleanup_root_ struct root *root = NULL;
	uint8_t b[LPPACA_SIZE];
	struct lppaca l;

	tree_new();
	make(b);
	tree_bytes("sys/kernel/debug/powerpc/vpa/cpu-12", b, sizeof(b));
	tree_bytes("sys/kernel/debug/powerpc/vpa/cpu-13", b, 100);
	root = tree_root();
	CHECK(lppaca_read(root, 12, &l) == 0 && l.hardware_cpu == 77);
	CHECK(lppaca_read(root, 13, &l) == -EINVAL);
	CHECK(lppaca_read(root, 14, &l) == -ENOENT);
}

int main(void)
{
	test_fields();
	test_damaged();
	test_read();
	return unit_done();
}
