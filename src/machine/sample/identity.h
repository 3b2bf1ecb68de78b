/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which physical machine is it? After a live migration counters of the hypervisor start from other
 * values, and may well have grown: only serial number and model tell. Kept as a hash (FNV-1a, 64
 * bits), which is compared and never shown; 0: not told.
 */
#ifndef LPARTUNE_MACHINE_IDENTITY_H
#define LPARTUNE_MACHINE_IDENTITY_H

#include "machine/source/lparcfg.h"

/* By the device tree (system-id, model), which the kernel renews after a migration. */
uint64_t identity_by_tree(struct root *root);

/* By lparcfg (serial_number, system_type). */
uint64_t identity_by_lparcfg(const struct lparcfg *lparcfg);

/* Do both tell, and differently? */
static inline bool identity_differs(uint64_t a, uint64_t b)
{
	return a && b && a != b;
}

#endif
