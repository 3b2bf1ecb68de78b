/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /proc/interrupts: a matrix of rows and CPUs that can be larger than all else we read, so it is
 * streamed. Labels repeat ("LOC" stands twice on pseries): a row is known by label and description.
 * Counters are 32 bits a CPU and wrap; differences are taken modulo 2^32.
 *
 * Rows that are inter-processor interrupts:
 *   pseries  "IPI-N" (a row for each node, Linux 5.13), "IPI" (before); and DBL, doorbells between
 *            threads of a core. Reschedule and function-call messages share them.
 *   x86      RES and CAL: a remote wakeup of an idle CPU is counted as CAL since Linux 5.8.
 *   s390x    EXC and EMS.
 */
#ifndef LPARTUNE_MACHINE_INTERRUPTS_H
#define LPARTUNE_MACHINE_INTERRUPTS_H

#include <stdint.h>

#include "machine/root.h"

#define INTERRUPTS_PATH "proc/interrupts"

enum interrupt_class {
	INTERRUPT_OTHER,
	INTERRUPT_IPI,
	INTERRUPT_DOORBELL,
};

/* A row while it is read: everything belongs to the reader. */
struct interrupt_row {
	struct span label;	 /* without the colon */
	struct span description; /* chip, hardware number, trigger, name */
	enum interrupt_class class;
	const unsigned int *cpus; /* the CPU of each column */
	const uint32_t *counts;
	size_t columns; /* of this row: can be fewer than CPUs (ERR, MIS) */
	size_t of;	/* of the heading */
};

/* Calls `row` for each row until it returns non-zero, which is then returned. 0 at the end;
 * -EINVAL: the header line is damaged; -errno as root_each_line. */
typedef int (*interrupt_row_fn)(const struct interrupt_row *row, void *arg);
int interrupts_each(struct root *root, interrupt_row_fn row, void *arg);

struct interrupts_cpu {
	unsigned int cpu;
	uint32_t ipis;	    /* all rows of the classes IPI and DOORBELL, modulo 2^32 */
	uint32_t doorbells; /* those of DOORBELL */
};

/* The sums that matter. Start from { 0 }; reading again reuses the memory. */
struct interrupts {
	struct interrupts_cpu *cpus;
	size_t count, room;
	unsigned int ipi_rows, doorbell_rows; /* 0: this machine has none */
	uint64_t ipis, doorbells; /* since boot, over all CPUs; low by 2^32 for each wrap */
};

static inline void interrupts_done(struct interrupts *interrupts)
{
	free(interrupts->cpus);
	*interrupts = (struct interrupts) { 0 };
}
#define _cleanup_interrupts_ _cleanup_(interrupts_done)

int interrupts_read(struct root *root, struct interrupts *interrupts);

#endif
