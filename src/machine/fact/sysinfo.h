/* SPDX-License-Identifier: GPL-2.0-or-later */
/* /proc/sysinfo of s390x: what STSI tells of machine, LPAR and virtual machine. */
#ifndef LPARTUNE_MACHINE_SYSINFO_H
#define LPARTUNE_MACHINE_SYSINFO_H

#include "machine/fact/facts.h"
#include "machine/root.h"

/* Sets FACT_HYPERVISOR: kvm or zvm (a VM00 block), prsm (LPAR lines only), none. */
void sysinfo_hypervisor(struct root *root, struct facts *facts);

/* Sets the partition's facts (name, id, mode, CPUs) if it is a PR/SM partition. */
void sysinfo_partition(struct root *root, struct facts *facts);

#endif
