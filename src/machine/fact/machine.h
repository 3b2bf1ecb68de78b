/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One reading of a machine: what the sources said, and the facts made of it. The readers run in the
 * order of their trust (machine.c has the list); a reader that needs another's result comes later.
 */
#ifndef LPARTUNE_MACHINE_MACHINE_H
#define LPARTUNE_MACHINE_MACHINE_H

#include "machine/fact/facts.h"
#include "machine/root.h"
#include "machine/source/cpuinfo.h"
#include "machine/source/devicetree.h"
#include "machine/source/lparcfg.h"
#include "machine/source/topology.h"
#include "machine/source/vpa.h"

struct machine {
	struct root *root; /* the caller's */
	struct facts facts;
	struct devicetree devicetree;
	struct cpuinfo cpuinfo;
	struct lparcfg lparcfg;
	int lparcfg_error; /* 0, or why there is none */
	struct topology topology;
	struct vpa vpa;
	char *boot_id;
};

/* Reads everything that `inspect` tells. Only -ENOMEM is an error: what cannot be read is an absent
 * fact. The root must outlive the machine. */
int machine_read(struct root *root, struct machine *ret);
void machine_done(struct machine *machine);
static inline void machine_cleanup(struct machine *machine)
{
	machine_done(machine);
}
#define _cleanup_machine_ _cleanup_(machine_cleanup)

/* Is it a PowerVM partition / one that shares processors? False also when that is not known. */
bool machine_is_powervm(const struct machine *machine);
bool machine_is_shared(const struct machine *machine);

/*
 * The readers' own functions: each reads one source and sets its facts. -ENOMEM or 0.
 */
int firmware_read(struct machine *machine); /* device tree, cpuinfo, lparcfg, sysinfo, CPUID, DMI */
int processors_read(struct machine *machine); /* topology and SMT */
int kernel_read(struct machine *machine);     /* release, command line, lockdown, configuration */
int symbols_read(struct machine *machine);    /* symbols that tell behaviours; after the kernel */
int policy_read(struct machine *machine);     /* watchdogs, polling, caches, profiles; after CPUs */
int system_read(struct machine *machine);     /* distribution, memory, uptime, THP, KSM */
int scheduler_read(struct machine *machine);  /* features, knobs, statistics */
int idling_read(struct machine *machine);     /* cpuidle */
int kernel_log_read(struct machine *machine);

/* Is this one of the lines of the kernel log that kernel_log_read looks at? `capture` keeps only those. */
bool kernel_log_wants(struct span line);

/* The same for the lines of kallsyms and System.map that symbols_read looks at. */
bool symbols_want(struct span line);

int lpar_read(struct machine *machine);	    /* lparcfg and sysinfo as facts of the partition */
int activity_read(struct machine *machine); /* steal, dispatches, interrupts since boot */

#endif
