/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel behaviours: what a kernel does that changes how a partition schedules, in which kernels it
 * is, and whether this one has it. A version number is the weakest evidence, because distributions
 * backport; the order is behaviour seen on the machine, symbol, configuration, version.
 */
#ifndef LPARTUNE_ADVICE_KERNELS_H
#define LPARTUNE_ADVICE_KERNELS_H

#include <stddef.h>

#include "advice/release.h"
#include "machine/fact/facts.h"

enum behaviour {
	BEHAVIOUR_PREEMPTED_CHECK_POWERPC,
	BEHAVIOUR_PREEMPTED_CHECK_X86,
	BEHAVIOUR_PREEMPTED_CHECK_S390,
	BEHAVIOUR_SKIPS_PREEMPTED_CPUS,
	BEHAVIOUR_DEDICATED_NEVER_PREEMPTED,
	BEHAVIOUR_COREWISE_PREEMPTION,
	BEHAVIOUR_IDLE_AWARE_PREEMPTION,
	BEHAVIOUR_STEAL_ACCOUNTING,
	BEHAVIOUR_STEAL_IN_NANOSECONDS,
	BEHAVIOUR_STEAL_LOWERS_CAPACITY,
	BEHAVIOUR_NO_STEAL_ACC,
	BEHAVIOUR_STEAL_GOVERNOR,
	BEHAVIOUR_ASYM_PACKING,
	BEHAVIOUR_CEDE_LATENCY_FROM_FIRMWARE,
	BEHAVIOUR_SMT_CONTROL,
	BEHAVIOUR_DISPATCH_STATISTICS,
	BEHAVIOUR_POWERPC_QSPINLOCK,
	BEHAVIOUR_SCHED_DEBUGFS,
	BEHAVIOUR_EEVDF,
	BEHAVIOUR_WAKE_AFFINE_LLC,
	BEHAVIOUR_HALTPOLL,
	BEHAVIOUR_S390_HIPERDISPATCH,
	BEHAVIOUR_COUNT
};

/* What the absence of a symbol proves. */
enum symbol_kind {
	SYMBOL_TEXT, /* that the behaviour is absent */
	SYMBOL_DATA, /* that, if the kernel lists data (KALLSYMS_ALL) */
	SYMBOL_HINT, /* nothing */
};

/* What was known of a backport: from this stable release, or this distribution build, on. */
struct backport {
	enum builder builder;
	struct version version; /* of the base */
	unsigned int build;	/* distribution build; 0: every build of that base */
};
#define BACKPORTS_MAX 4

struct behaviour_info {
	const char *id, *title;
	const char *about;  /* what it does and whom it concerns */
	const char *arch;   /* architectures: "ppc64" covers ppc64le; NULL: all */
	const char *commit; /* mainline, abbreviated; NULL: none (a configuration, or not merged) */
	struct version since, until; /* mainline releases [since, until); 0: never, no end */
	struct backport backport[BACKPORTS_MAX];
	/* How it shows on a running system: the fact, and its values that prove or disprove it
	 * ("a|b"; of a list of words one of them is enough). A present fact of another type proves. */
	enum fact seen;
	const char *seen_yes, *seen_no;
	const char *symbol; /* kernel symbols ("a|b"), one of which proves it */
	enum symbol_kind symbol_kind;
	const char *config; /* option without which it cannot be there ... */
	bool config_proves; /* ... and which came with it */
	const char *source; /* URL */
};
extern const struct behaviour_info behaviour_info[BEHAVIOUR_COUNT];

enum presence { PRESENCE_UNSURE, PRESENCE_HAS, PRESENCE_LACKS, PRESENCE_OTHER_ARCH };

/* The evidence, weakest first. */
enum confidence {
	CONFIDENCE_NONE,
	CONFIDENCE_VERSION, /* mainline's history, or a known backport */
	CONFIDENCE_CONFIG,
	CONFIDENCE_SYMBOL,
	CONFIDENCE_SEEN,
};

struct verdict {
	enum presence presence;
	enum confidence confidence;
};

struct verdict kernels_judge(const struct facts *facts, enum behaviour behaviour);

const char *presence_word(enum presence presence);
const char *confidence_word(enum confidence confidence);

/* The verdict as a sentence ("5.3.0 is before 5.5; whether SUSE backported it is unknown"),
 * allocated; NULL when memory is out. */
char *verdict_describe(const struct facts *facts, enum behaviour behaviour);

/* The behaviour of an id, or -1. */
int behaviour_find(const char *id);

#endif
