/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The guest's memory, mapped from the files that QEMU keeps it in, and the lppacas in it: the area
 * of each virtual processor through which a hypervisor and a pseries kernel talk (PAPR calls it
 * the VPA). All of its numbers are big-endian, on every kernel.
 */
#ifndef LAB_GUEST_H
#define LAB_GUEST_H

#include <stdbool.h>
#include <stdint.h>

#define GUEST_TIMEBASE_HZ 512000000ULL /* QEMU's pseries machine, as every POWER since 5 */
#define GUEST_MAX_NODES 8

struct guest {
	struct {
		uint8_t *memory;
		uint64_t size;
	} nodes[GUEST_MAX_NODES]; /* in the order of their guest addresses, without gaps */
	unsigned int node_count;
	unsigned int cpus;
	uint64_t paca_ptrs; /* kernel address of the pointers to each CPU's paca */
	uint64_t vpa_init;  /* kernel address of the function that registers an lppaca */
};

/* What one call adds to an lppaca. */
struct guest_waiting {
	uint64_t dispatch_ticks; /* 0x158: enqueued until dispatched, waiting for a processor */
	uint64_t
		entitlement_ticks; /* 0x160: ready until enqueued, held back by cap or entitlement */
	uint32_t dispersions;	   /* 0x104: dispatched elsewhere than the last time */
};

/* Maps another node's RAM file. Returns negative errno, -E2BIG for more than GUEST_MAX_NODES. */
int guest_map(struct guest *guest, const char *path);
void guest_unmap(struct guest *guest);

/* Reads the symbol file that `prepare` wrote. Returns negative errno, -ENOENT without a symbol. */
int guest_read_symbols(struct guest *guest, const char *path);

/* The CPU's registered lppaca (checked by eye-catcher and size), or NULL. */
uint8_t *guest_lppaca(const struct guest *guest, unsigned int cpu);

/* Adds to the counters of an lppaca, each by one store, so that the guest never sees half. */
void guest_add_waiting(uint8_t *lppaca, const struct guest_waiting *waiting);

/* Clears the shared-processor bit of every lppaca that there is; true if any had it. */
bool guest_clear_shared(const struct guest *guest);

#endif
