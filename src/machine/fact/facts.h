/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts: what is known of the machine, each with its unit, its source, or the reason why it is
 * absent. The table `fact_info` names every fact once; its keys are part of every document and are
 * never renamed.
 *
 * Sources are read in the order of trust. The first value set stays; a later source that disagrees
 * is recorded as a conflict beside it, never silently dropped.
 */
#ifndef LPARTUNE_MACHINE_FACTS_H
#define LPARTUNE_MACHINE_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/util.h"
#include "machine/reason.h"

enum fact {
	/* what it is */
	FACT_ARCH,
	FACT_HYPERVISOR,
	FACT_PLATFORM,
	FACT_LPAR_MODE,
	FACT_LPAR_SHARED,
	FACT_LPAR_NAME,
	FACT_LPAR_ID,
	FACT_LPAR_MODEL,
	FACT_LPAR_ENTITLEMENT,
	FACT_LPAR_ENTITLEMENT_DESIRED,
	FACT_LPAR_ENTITLEMENT_MIN,
	FACT_LPAR_ENTITLEMENT_MAX,
	FACT_LPAR_VIRTUAL_PROCESSORS,
	FACT_LPAR_VIRTUAL_PROCESSORS_MAX,
	FACT_LPAR_ENTITLEMENT_PER_VP,
	FACT_LPAR_ENTITLEMENT_PER_VP_MIN,
	FACT_LPAR_WEIGHT,
	FACT_LPAR_CAPPED,
	FACT_LPAR_DONATING,
	FACT_LPAR_POOL_ID,
	FACT_LPAR_POOL_CORES,
	FACT_LPAR_GROUP_ID,
	FACT_LPAR_FRAME_CORES,
	FACT_LPAR_AFFINITY_SCORE,
	FACT_LPAR_DISPATCH_WHEEL,
	FACT_LPAR_MEMORY_POOL,
	FACT_LPAR_SECURITY_FLAVOR,
	FACT_LPPACA_SHARED,
	FACT_CPU_MODEL,
	FACT_CPU_TIMEBASE,
	FACT_CPU_PRESENT,
	FACT_CPU_ONLINE,
	FACT_CPU_CORES,
	FACT_CPU_THREADS_PER_CORE,
	FACT_CPU_SMT,
	FACT_CPU_SMT_CORES,
	FACT_CPU_SMT_CONTROL,
	FACT_CPU_BIG_CORES,
	FACT_CPU_PREFERRED,
	FACT_CPU_LLC_CPUS,
	FACT_NUMA_NODES,
	FACT_NUMA_CPULESS_NODES,
	FACT_NUMA_EMPTY_NODES,
	FACT_NUMA_MEMORYLESS_NODES,
	FACT_MEMORY_TOTAL,
	FACT_KERNEL_RELEASE,
	FACT_KERNEL_CMDLINE,
	FACT_KERNEL_LOCKDOWN,
	FACT_KERNEL_CONFIG,
	FACT_KERNEL_SYMBOLS,
	FACT_KERNEL_SOFTLOCKUP_PANIC,
	FACT_KERNEL_NMI_WATCHDOG,
	FACT_KERNEL_NMI_WD_LPM_FACTOR,
	FACT_DISTRO_ID,
	FACT_DISTRO_NAME,
	/* how it is doing */
	FACT_UPTIME,
	FACT_STEAL_SINCE_BOOT,
	FACT_STEAL_SINCE_BOOT_OF_DEMAND,
	FACT_STEAL_SOURCE,
	FACT_STEAL_DISPATCH_WAIT,
	FACT_STEAL_ENTITLEMENT_WAIT,
	FACT_STEAL_STAT,
	FACT_STEAL_EXPECTED_AT_FULL_LOAD,
	FACT_STEAL_KERNEL_ACCOUNTING,
	FACT_CPU_BUSY,
	FACT_DISPATCH_COUNT,
	FACT_DISPATCH_DISPERSION,
	FACT_DISPATCH_STATS,
	FACT_DISPATCH_HOME,
	FACT_INTERRUPTS_IPI,
	FACT_INTERRUPTS_DOORBELL,
	FACT_LOG_RCU_STALLS,
	FACT_LOG_SOFT_LOCKUPS,
	FACT_LOG_CEDE_LATENCY,
	FACT_LOG_HYPERVISOR,
	/* how it is set */
	FACT_IDLE_DRIVER,
	FACT_IDLE_GOVERNOR,
	FACT_IDLE_STATES,
	FACT_IDLE_DISABLED,
	FACT_IDLE_CEDE_LATENCY,
	FACT_IDLE_GUEST_HALT_POLL,
	FACT_SCHED_FEATURES,
	FACT_SCHED_BASE_SLICE,
	FACT_SCHED_MIGRATION_COST,
	FACT_SCHED_SCHEDSTATS,
	FACT_SCHED_SCHEDSTAT_VERSION,
	FACT_NUMA_BALANCING,
	FACT_MEMORY_THP,
	FACT_MEMORY_THP_DEFRAG,
	FACT_MEMORY_KSM,
	FACT_TUNED_PROFILE,
	FACT_COUNT
};

enum fact_type {
	FACT_TYPE_STRING,
	FACT_TYPE_INTEGER,
	FACT_TYPE_REAL,
	FACT_TYPE_BOOL,
	FACT_TYPE_COUNTS, /* how many of each number: {"8": 5, "7": 1} */
};

/* Where an administrator looks for it, in the order of reading. */
enum fact_group {
	GROUP_PARTITION,
	GROUP_PROCESSORS,
	GROUP_SYSTEM,
	GROUP_DOING,
	GROUP_SETTINGS,
	GROUP_COUNT
};

/* Machines on which a fact can exist at all; elsewhere it is "not-applicable". */
enum fact_on {
	ON_ANY,
	ON_POWER,   /* any ppc64 machine */
	ON_PSERIES, /* PowerVM, KVM and TCG guests */
	ON_LPAR,    /* PowerVM and PR/SM partitions */
	ON_POWERVM,
	ON_SHARED, /* PowerVM partitions that use shared processors */
	ON_GUEST,  /* everything but bare metal */
};

struct fact_info {
	const char *key;
	const char *title; /* for people */
	enum fact_type type;
	enum fact_group group;
	enum fact_on on;
	const char *unit;  /* NULL: none */
	const char *about; /* one or two sentences for `explain` */
};
extern const struct fact_info fact_info[FACT_COUNT];

#define FACT_COUNTS_MAX 16

struct fact_counts {
	struct {
		unsigned int key, count;
	} item[FACT_COUNTS_MAX];
	unsigned int used;
};

struct fact_value {
	bool present;
	enum reason reason; /* if absent */
	union {
		char *string;
		int64_t integer;
		double real;
		bool boolean;
		struct fact_counts counts;
	};
	char *source;	/* file or derivation; of an absent fact: what was asked */
	char *conflict; /* what other sources say, or NULL */
};

struct facts {
	struct fact_value value[FACT_COUNT];
	bool out_of_memory; /* a string could not be kept; the document must not be trusted */
};

void facts_done(struct facts *facts);

/*
 * Set a fact from a source. The source is a printf format, last. A fact that is present keeps its
 * value; a different one becomes a conflict. Strings are copied and must be UTF-8. A real that is
 * nan or inf, and an integer that INT64 cannot hold, makes the fact absent as invalid.
 */
void facts_set_string(struct facts *facts, enum fact fact, const char *value, const char *source,
		      ...) _printf_(4, 5);
void facts_set_integer(struct facts *facts, enum fact fact, int64_t value, const char *source, ...)
	_printf_(4, 5);
void facts_set_real(struct facts *facts, enum fact fact, double value, const char *source, ...)
	_printf_(4, 5);
void facts_set_bool(struct facts *facts, enum fact fact, bool value, const char *source, ...)
	_printf_(4, 5);
void facts_set_counts(struct facts *facts, enum fact fact, const struct fact_counts *value,
		      const char *source, ...) _printf_(4, 5);

/* Says why a fact is absent. Of several reasons the strongest is kept; a present fact stays. */
void facts_absent(struct facts *facts, enum fact fact, enum reason reason, const char *source, ...)
	_printf_(4, 5);

/* Takes a present value away: a later source proved it void. */
void facts_withdraw(struct facts *facts, enum fact fact, enum reason reason, const char *source,
		    ...) _printf_(4, 5);

/* A fact that was derived from another carries its conflict, too. */
void facts_pass_conflict(struct facts *facts, enum fact from, enum fact to);

/* Look a fact up; false if it is absent. `ret` is then untouched. Strings stay the facts'. */
bool facts_string(const struct facts *facts, enum fact fact, const char **ret);
bool facts_integer(const struct facts *facts, enum fact fact, int64_t *ret);
bool facts_real(const struct facts *facts, enum fact fact, double *ret); /* integers too */
bool facts_bool(const struct facts *facts, enum fact fact, bool *ret);

/* Is this a string fact with this value? Absent is false. */
bool facts_is(const struct facts *facts, enum fact fact, const char *value);

/* The fact of a key, or -1. */
int fact_find(const char *key);

#endif
