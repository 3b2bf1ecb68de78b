/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads per core as a tunable's value. Used by tunable_read only. */
#ifndef LPARTUNE_MACHINE_TUNABLE_SMT_H
#define LPARTUNE_MACHINE_TUNABLE_SMT_H

#include "machine/source/topology.h"
#include "machine/tunable/tunables.h"

/* Reads the topology; returns the hardware threads of a core, 0 if unknown. */
unsigned int tunable_smt_threads(struct root *root, struct topology *ret);

/* Turns "on" and "off" of smt/control in `place` into numbers of threads. -ENOMEM. */
int tunable_smt_number(struct root *root, struct tunable_place *place);

/* Threads per core that are online by the CPUs' own files (`places`, in ascending order), where
 * smt/control does not tell: "mixed" if cores differ. Allocated. -ENODATA: not known. */
int tunable_smt_of_cores(struct root *root, const struct tunable_places *places, char **ret);

#endif
