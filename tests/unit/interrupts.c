/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file tests the matrix of interrupts. */
#include "machine/source/interrupts.h"

#include <errno.h>

#include "tree.h"
#include "unit.h"

static const char pseries[] =
	"           CPU0       CPU8       CPU9       \n"
	" 16:         10          5          0  XIVE-IPI   0 Edge      IPI-0\n"
	" 17:          0          0          7  XIVE-IPI   1 Edge      IPI-1\n"
	" 18:       4096          1          1  XIVE-IRQ 4096 Edge      RAS_HOTPLUG\n"
	"LOC:        100        200        300   Local timer interrupts for timer event device\n"
	"BCT:          0          0          0   Broadcast timer interrupts for timer event device\n"
	"LOC:          1          2          3   Local timer interrupts for others\n"
	"SPU: 4294967295          0          0   Spurious interrupts\n"
	"DBL: 4294967290          3          0   Doorbell interrupts\n";

struct locs {
	unsigned int count;
	char seen[2][64];
	uint32_t last[2];
};

static int see(const struct interrupt_row *row, void *arg)
{
	struct locs *locs = arg;

	if (!span_is(row->label, "LOC") || locs->count == 2)
		return 0;
	snprintf(locs->seen[locs->count], 64, "%.*s", (int)row->description.len,
		 row->description.text);
	locs->last[locs->count++] = row->counts[row->columns - 1];
	return 0;
}

static int stop(const struct interrupt_row *row, void *arg)
{
	(void)arg;
	return span_is(row->label, "BCT") ? 5 : 0;
}

static void test_pseries(void)
{
	_cleanup_root_ struct root *root = NULL;
	_cleanup_interrupts_ struct interrupts sums = { 0 };
	struct locs locs = { 0 };

	tree_new();
	tree_file("proc/interrupts", pseries);
	root = tree_root();
	CHECK(interrupts_each(root, see, &locs) == 0 && locs.count == 2);
	CHECK(streq(locs.seen[0], "Local timer interrupts for timer event device"));
	CHECK(streq(locs.seen[1], "Local timer interrupts for others"));
	CHECK(locs.last[0] == 300 && locs.last[1] == 3);
	CHECK(interrupts_each(root, stop, NULL) == 5);
	CHECK(interrupts_read(root, &sums) == 0);
	CHECK(sums.ipi_rows == 2 && sums.doorbell_rows == 1 && sums.count == 3);
	CHECK(sums.cpus[1].cpu == 8 && sums.cpus[2].cpu == 9);
	CHECK(sums.cpus[0].ipis == 4 && sums.cpus[0].doorbells == 4294967290U); /* wrapped sum */
	CHECK(sums.cpus[1].ipis == 8 && sums.cpus[2].ipis == 7);
	CHECK(sums.ipis == 4294967290U + 25ULL && sums.doorbells == 4294967293U);
}

/* What one machine's file gives: rows of IPIs and their sum. */
static void check_sums(const char *text, int result, unsigned int rows, uint64_t ipis)
{
	_cleanup_root_ struct root *root = NULL;
	_cleanup_interrupts_ struct interrupts sums = { 0 };

	tree_new();
	tree_file("proc/interrupts", text);
	root = tree_root();
	CHECK(interrupts_read(root, &sums) == result);
	if (result == 0)
		CHECK(sums.ipi_rows + sums.doorbell_rows == rows && sums.ipis == ipis);
}

int main(void)
{
	test_pseries();
	/* XICS, one row for all nodes */
	check_sums("           CPU0\n 16:  5  XICS 2 Edge IPI\nERR: 3\n", 0, 1, 5);
	check_sums("            CPU0       CPU1\n"
		   "  0:         41          0   IO-APIC    2-edge      timer\n"
		   "RES:          7          8   Rescheduling interrupts\n"
		   "CAL:          1          2   Function call interrupts\n"
		   "TLB:         50         50   TLB shootdowns\n"
		   "ERR:          0\n",
		   0, 2, 18);
	check_sums("           CPU0       CPU2       \n"
		   "EXT:       1000       1000  \n"
		   "CLK:          1          1  [EXT] Clock Comparator\n"
		   "EXC:          3          4  [EXT] External Call\n"
		   "EMS:          5          6  [EXT] Emergency Signal\n",
		   0, 2, 18);
	check_sums("           CPU0\nLOC:  5  Local timer interrupts\n", 0, 0, 0);
	check_sums("   CPU0 CPUx\nRES: 1 2 x\n", -EINVAL, 0, 0);
	check_sums("", -EINVAL, 0, 0);
	return unit_done();
}
