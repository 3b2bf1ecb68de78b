/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A machine that never was: what the command line asks for, and every number that follows from it.
 * All files are written from this one model, so that they agree with each other as on a real
 * partition: steal in /proc/stat with the waiting times in the lppacas, PURR with entitlement,
 * lparcfg's sums with the CPUs. The same words give the same bytes, always.
 */
#ifndef LPARTUNE_TESTS_MACHINE_H
#define LPARTUNE_TESTS_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/idset.h"

enum kind { POWERVM, KVM_PSERIES, QEMU_TCG, POWERNV, PRSM, X86_KVM, X86 };
enum mode { SHARED_UNCAPPED, SHARED_CAPPED, DEDICATED, DONATING };
enum accounting { ACCOUNTING_BY_KERNEL, ACCOUNTING_SOUND, ACCOUNTING_UNIT_BUG, ACCOUNTING_NONE };

/* What the command line sets, all numbers plain. */
struct options {
	int kind, mode, accounting;
	int processor; /* 8, 9, 10, 11 of POWERn */
	int cores, threads, nodes, cpuless, node_step;
	int max_cores;	 /* 0: as many as cores */
	int holes;	 /* absent cores in the middle of the ids */
	int entitlement; /* 1/100 core */
	int weight, pool, pool_cores, frame_cores;
	int busy, steal_dispatch, steal_entitlement; /* per mill of CPU time */
	int uptime;				     /* seconds */
	int interrupts;				     /* device rows */
	int gib;				     /* memory of a node with CPUs */
	int affinity_score;			     /* -1: the HMC does not allow it */
	int caches;				     /* shown of each CPU; -1: as the mode shows */
	bool big_cores, debugfs, lparcfg, dispatch_stats, schedstats, is_full, is_denied;
	const char *kernel, *distro, *name, *model, *cmdline, *offline, *log;
};

struct release {
	const char *kernel, *distro; /* as asked for */
	int version;		     /* 6.12 → 612 */
	const char *uname, *build;
	const char *id, *version_id, *pretty;
	bool has_lparcfg;
};

struct cpu {
	unsigned int id, core, thread, node;
	bool online, is_running, is_preempted;
	/* parts per million of the time since boot; they sum to a million */
	uint32_t user, nice, system, irq, softirq, iowait, idle, dispatch_wait, entitlement_wait;
	uint64_t purr, idle_purr; /* timebase ticks */
	uint64_t cedes, preemptions, dispersions;
};

struct machine {
	struct options options;
	const struct release *release;
	struct cpu *cpu; /* present ones, by id */
	unsigned int count, possible_count;
	struct idset present, online;
	unsigned int timebase; /* Hz */
	uint64_t ticks;	       /* since boot */
};

/* Reads "key=value" words; ends the program with a message on a wrong one. */
void options_read(struct options *options, char **words);

/* Finds the kernel of the options; NULL if there is none. */
const struct release *release_find(const struct options *options);

void machine_init(struct machine *machine, const struct options *options);
void machine_done(struct machine *machine);

static inline bool machine_is_power(const struct machine *m)
{
	return m->options.kind <= POWERNV;
}
static inline bool machine_is_pseries(const struct machine *m)
{
	return m->options.kind < POWERNV;
}
static inline bool machine_is_shared(const struct machine *m)
{
	return m->options.kind == POWERVM && m->options.mode <= SHARED_CAPPED;
}
/* Do the lppacas have the shared bit? KVM and QEMU set it for every guest. */
static inline bool machine_has_shared_bit(const struct machine *m)
{
	return machine_is_pseries(m) && (m->options.kind != POWERVM || machine_is_shared(m));
}
unsigned int machine_node_id(const struct machine *m, unsigned int index);
const struct cpu *machine_cpu(const struct machine *m, unsigned int id); /* NULL: not present */

/* part × whole / 1000000 without overflow. */
static inline uint64_t ppm(uint64_t whole, uint64_t part)
{
	return whole / 1000000 * part + whole % 1000000 * part / 1000000;
}

/* A number below `range` that depends on its arguments only. */
uint32_t scatter(uint32_t id, uint32_t what, uint32_t range);

/* Online CPUs that share something with a CPU. */
enum sharing { SHARE_CORE, SHARE_SMALL_CORE, SHARE_NODE };
void machine_siblings(const struct machine *m, const struct cpu *cpu, enum sharing sharing,
		      struct idset *ret);

/* A CPU mask as the kernel prints it for this machine, allocated. */
char *machine_mask(const struct machine *m, const struct idset *set);

/* Ticks of 1/100 s in /proc/stat, in its order. */
enum {
	STAT_USER,
	STAT_NICE,
	STAT_SYSTEM,
	STAT_IDLE,
	STAT_IOWAIT,
	STAT_IRQ,
	STAT_SOFTIRQ,
	STAT_STEAL,
	STAT_COUNT
};
void machine_stat(const struct machine *m, const struct cpu *cpu, uint64_t ret[STAT_COUNT]);

#endif
