/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lppaca (VPA): 640 bytes that a virtual processor shares with its hypervisor, one file a CPU
 * in debugfs (root only). Every number in it is big-endian, on little-endian kernels too.
 *
 * Layout: struct lppaca in the kernel's arch/powerpc/include/asm/lppaca.h; the names of the waiting
 * times are those of Linux 6.1, the bytes are the same on every kernel that has the file (5.3).
 */
#ifndef LPARTUNE_MACHINE_LPPACA_H
#define LPARTUNE_MACHINE_LPPACA_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/root.h"

#define LPPACA_SIZE 640
#define LPPACA_PATH "sys/kernel/debug/powerpc/vpa/cpu-%u"

struct lppaca {
	/* written by the hypervisor */
	bool shared;		/* set for every KVM and TCG guest too: it proves no LPAR mode */
	uint32_t hardware_node; /* 0: not told */
	uint32_t hardware_cpu;	/* 0: not told */
	uint32_t yield_count;	/* +1 at each dispatch and each yield; odd: not dispatched; wraps */
	uint32_t dispersion_count; /* dispatches on another physical processor than last; wraps */
	uint64_t enqueue_dispatch_tb; /* ticks waiting for a physical processor */
	uint64_t ready_enqueue_tb;    /* ticks held back: cap or entitlement used up */
	uint64_t wait_ready_tb;	      /* ticks of waiting by own wish */
	uint64_t dtl_index;	      /* entries written to the dispatch trace log */
	/* written by Linux */
	uint8_t dtl_mask;	    /* 1 cede, 2 preempt, 4 fault */
	bool donating_now;	    /* inside a dedicated cede; not the partition's setting */
	bool idle;		    /* idle now (snoozing or ceded) */
	uint64_t wait_state_cycles; /* PURR ticks spent idle */
};

/* Decodes an lppaca. -EINVAL: short, or not an lppaca (eye-catcher or size wrong). */
int lppaca_parse(const void *buf, size_t len, struct lppaca *ret);

/* Reads the lppaca of a CPU. -errno as root_read_into, -EINVAL as above. */
int lppaca_read(struct root *root, unsigned int cpu, struct lppaca *ret);

/* Ticks that the processor was ready to run and did not: the kernel's own definition of steal
 * (pseries_paravirt_steal_clock). */
static inline uint64_t lppaca_stolen_tb(const struct lppaca *lppaca)
{
	return lppaca->enqueue_dispatch_tb + lppaca->ready_enqueue_tb;
}

/* Was the processor taken away while it had work? (The kernel's rule since 6.7.) */
static inline bool lppaca_preempted(const struct lppaca *lppaca)
{
	return (lppaca->yield_count & 1) && !lppaca->idle;
}

#endif
