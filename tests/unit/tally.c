/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file tests what is counted over a run: hypervisor's waits that go back, or are not counted. */
#include "bench/judgement/tally.h"

#include <math.h>

#include "machine/source/lppaca.h"
#include "tree.h"
#include "unit.h"

static struct root *root;

static void put_be64(uint8_t *p, uint64_t v)
{
	for (int i = 0; i < 8; i++)
		p[i] = (uint8_t)(v >> (56 - 8 * i));
}

static void put_lppaca(uint64_t waited, uint64_t held)
{
	uint8_t raw[LPPACA_SIZE] = { 0xd3, 0x97, 0xd7, 0x81, 0x04, 0x00 };

	put_be64(raw + 0x158, waited);
	put_be64(raw + 0x160, held);
	tree_bytes("sys/kernel/debug/powerpc/vpa/cpu-0", raw, sizeof(raw));
}

/* The tally of two instants at which these ticks had been waited. */
static void tally(const uint64_t before[2], const uint64_t after[2], struct tally *ret)
{
	struct layout layout = { .size = 1 };
	struct attribution a = { .root = root, .layout = &layout, .tick_ns = 1, .has_vpa = true };
	struct tally_reading *first, *second;
	int none = -1;

	a.vpa = &none;
	if (idset_add(&layout.allowed, 0) < 0)
		abort();
	put_lppaca(before[0], before[1]);
	first = tally_read(root, &a, &layout);
	put_lppaca(after[0], after[1]);
	second = tally_read(root, &a, &layout);
	tally_between(&a, &layout, first, second, ret);
	tally_reading_free(first);
	tally_reading_free(second);
	idset_done(&layout.allowed);
}

static void check_waits(void)
{
	const uint64_t none[2] = { 0, 0 }, some[2] = { 1000, 500 }, more[2] = { 2000, 900 };
	const uint64_t mixed[2] = { 2000, 400 };
	struct tally t;

	tally(some, more, &t);
	CHECK(t.value[TALLY_STEAL_DISPATCH_WAIT_PCT] > 0);
	CHECK(fabs(t.value[TALLY_STEAL_DISPATCH_WAIT_PCT] /
			   t.value[TALLY_STEAL_ENTITLEMENT_WAIT_PCT] -
		   2.5) < 1e-6);
	/* After a migration the other machine counts from elsewhere. */
	tally(more, some, &t);
	CHECK(isnan(t.value[TALLY_STEAL_DISPATCH_WAIT_PCT]));
	CHECK(isnan(t.value[TALLY_STEAL_ENTITLEMENT_WAIT_PCT]));
	CHECK(t.reason[TALLY_STEAL_DISPATCH_WAIT_PCT] == REASON_RESET);
	tally(some, mixed, &t);
	CHECK(isnan(t.value[TALLY_STEAL_DISPATCH_WAIT_PCT]));
	CHECK(isnan(t.value[TALLY_STEAL_ENTITLEMENT_WAIT_PCT]));
	/* A host that counts no waiting. */
	tally(none, none, &t);
	CHECK(isnan(t.value[TALLY_STEAL_DISPATCH_WAIT_PCT]));
	CHECK(t.reason[TALLY_STEAL_DISPATCH_WAIT_PCT] == REASON_NOT_PROVIDED);
	CHECK(t.reason[TALLY_STEAL_ENTITLEMENT_WAIT_PCT] == REASON_NOT_PROVIDED);
}

static void check_doubt(void)
{
	struct tally t = { 0 };

	t.value[TALLY_STEAL_PCT] = 2.5;
	tally_doubt_zero_steal(&t);
	CHECK(t.value[TALLY_STEAL_PCT] > 2.4);
	t.value[TALLY_STEAL_PCT] = 0;
	tally_doubt_zero_steal(&t);
	CHECK(isnan(t.value[TALLY_STEAL_PCT]));
	CHECK(t.reason[TALLY_STEAL_PCT] == REASON_NOT_PROVIDED);
	t.reason[TALLY_STEAL_PCT] = REASON_DENIED;
	tally_doubt_zero_steal(&t);
	CHECK(t.reason[TALLY_STEAL_PCT] == REASON_DENIED);
}

int main(void)
{
	tree_new();
	tree_file("proc/ppc64/rtas/x", "");
	root = tree_root();
	check_waits();
	check_doubt();
	root_close(root);
	return unit_done();
}
