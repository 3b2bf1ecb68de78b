/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tunables: the table of everything that lpartune may ever write, and their current values. A row
 * says where a setting lives on each era of kernels, how its file spells values, which values are
 * accepted, and what carries it over a reboot. A setting that is not a row is never written.
 *
 * Values are canonical text: numbers, words, "on" and "off" for everything that is a switch, sets of
 * CPUs as lists; for boot parameters "present" and "absent" for flags, and "absent" or the value for
 * the rest. `smt` is the number of threads per core.
 */
#ifndef LPARTUNE_MACHINE_TUNABLES_H
#define LPARTUNE_MACHINE_TUNABLES_H

#include "machine/reason.h"
#include "machine/root.h"
#include "machine/tunable/grammar.h"

/* Where the value stands. */
enum tunable_where {
	WHERE_FILE,    /* one file: the first of `paths` that exists */
	WHERE_CPUIDLE, /* the file `disable` of the idle states that have one of `names`, every CPU */
	WHERE_SMT,     /* smt/control, or each CPU's `online` on kernels without it */
	WHERE_CMDLINE, /* the kernel's command line: needs a reboot */
	WHERE_MODULE,  /* a module parameter that can be set only when the module is loaded */
};

/* What carries the value over a reboot. */
enum tunable_persist {
	PERSIST_NONE,	   /* nothing should: a switch for diagnosis */
	PERSIST_SYSCTLD,   /* /etc/sysctl.d */
	PERSIST_BOOT_UNIT, /* no file can: `lpartune apply --boot` */
	PERSIST_CMDLINE,   /* the boot loader */
	PERSIST_MODPROBED, /* /etc/modprobe.d */
};

#define TUNABLE_PATHS 4

struct tunable {
	const char *id;
	const char *title;
	enum tunable_where where;
	enum grammar grammar;
	enum tunable_persist persist;
	const char *paths[TUNABLE_PATHS]; /* beneath the root, the newest kernel's first */
	const char *name;	/* feature, boot parameter, MODULE.PARAMETER; idle states by '|' */
	const char *values;	/* accepted words, by blanks; NULL: a number */
	long long min, max;	/* of a number; both 0: text of any number of numbers (vector) */
	const char *standard;	/* the default of every kernel known, or NULL */
	const char *twin;	/* the kernel zeroes this tunable when the row is set to non-zero */
	const char *one_way;	/* once this value is set nothing can leave it before a reboot */
	bool by_cpus;		/* the kernel computes it anew whenever a CPU comes or goes */
	const char *capability; /* needed besides owning the file; NULL: none */
	unsigned int gone;	/* first kernel without it, TUNABLE_KERNEL(6, 6); 0: none known */
	const char *gone_text;	/* what became of it */
	const char *about;	/* one or two sentences for `explain` */
};

#define TUNABLE_KERNEL(major, minor) ((major) << 8 | (minor))

extern const struct tunable tunables[];
extern const size_t tunable_count;

/* The row of an id, or NULL. */
const struct tunable *tunable_find(const char *id);

/* May this value ever be written? 0, -EINVAL (not of this kind), -ERANGE (out of bounds). */
int tunable_check(const struct tunable *tunable, const char *value);

/* Is a value more than this very machine takes, although the row allows it (threads of a core)?
 * `*ret_limit` is the most then. */
bool tunable_exceeds(struct root *root, const struct tunable *tunable, const char *value,
		     unsigned int *ret_limit);

/* Do two values mean the same? */
bool tunable_same(const struct tunable *tunable, const char *a, const char *b);

enum tunable_state {
	TUNABLE_READ,	  /* `value` is there */
	TUNABLE_ABSENT,	  /* `reason` says why */
	TUNABLE_OBSOLETE, /* this kernel has it no more; `gone_text` says what became of it */
};

/* What is told for a value where CPUs or cores differ. It cannot be set. */
#define TUNABLE_MIXED "mixed"

/* The value of a tunable on a machine. */
struct tunable_now {
	enum tunable_state state;
	enum reason reason; /* if absent: missing, denied, locked-down, not-provided, invalid */
	char *value;	    /* TUNABLE_MIXED if CPUs differ; NULL unless read */
	char *path;	    /* the file, or the first of several; NULL if none was found */
};
void tunable_now_done(struct tunable_now *now);
#define _cleanup_tunable_now_ _cleanup_(tunable_now_done)

/* Reads the current value. Absence is a state, not an error: only -ENOMEM is returned. */
int tunable_read(struct root *root, const struct tunable *tunable, struct tunable_now *ret);

/* One file that carries a tunable's value (per-CPU tunables have many). */
struct tunable_place {
	char *path;
	char *instance; /* "cpu3"; NULL: the whole machine */
	char *value;	/* canonical; NULL if it cannot be read */
	char *text;	/* what would have to be written to get exactly this value back */
	int error;	/* errno of reading, 0 */
	int thread;	/* SMT by CPUs: the number of the thread in its core; else -1 */
};

struct tunable_places {
	struct tunable_place *place;
	size_t count;
	enum tunable_state state; /* TUNABLE_READ if there is at least one place that can be read */
	enum reason reason;
};
void tunable_places_done(struct tunable_places *places);
#define _cleanup_tunable_places_ _cleanup_(tunable_places_done)

/* Finds and reads every place of a tunable (not of boot and module parameters, which are read-only
 * at run time: those have none). Only -ENOMEM is returned. */
int tunable_places(struct root *root, const struct tunable *tunable, struct tunable_places *ret);

/* The text to write to a place for a value of the whole tunable, and the value that reading it back
 * must give. Both allocated. -EINVAL, -ENOMEM. */
int tunable_wanted(const struct tunable *tunable, const struct tunable_place *place,
		   const char *value, char **ret_text, char **ret_value);

/* The value a place's file shows now. Allocated. -errno. */
int tunable_place_read(struct root *root, const struct tunable *tunable,
		       const struct tunable_place *place, char **ret);

/* Does kernel lockdown forbid to write a file, although it may be readable (a capture, or a file that
 * somebody had open)? */
bool tunable_is_locked(struct root *root, const char *path);

#endif
