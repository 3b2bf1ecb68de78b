/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the kernel's files show and take a setting. Each grammar turns a file's text into one
 * canonical value and a value into the text to write; two texts that mean the same give the same
 * value. Everything here is pure.
 */
#ifndef LPARTUNE_MACHINE_GRAMMAR_H
#define LPARTUNE_MACHINE_GRAMMAR_H

#include "base/parse.h"

enum grammar {
	GRAMMAR_PLAIN,	    /* one number or word */
	GRAMMAR_VECTOR,	    /* several numbers, any white space between: "4096\t131072\t6291456" */
	GRAMMAR_BRACKETS,   /* "always [madvise] never": THP, lockdown, I/O schedulers */
	GRAMMAR_PARENS,	    /* "none voluntary (full)": debugfs sched/preempt */
	GRAMMAR_BOOL,	    /* Y N 1 0 on off true false → on, off */
	GRAMMAR_DISABLE,    /* a file `disable`: 0 → on, 1 → off */
	GRAMMAR_FEATURE,    /* NAME or NO_NAME in a list → on, off */
	GRAMMAR_MASK,	    /* "ff,ffffffff" → "0-39" */
	GRAMMAR_STATISTICS, /* "off", or what was counted → on, off */
	GRAMMAR_COUNT
};

/* The canonical value of a file's text. `name` is the feature (GRAMMAR_FEATURE). Allocated.
 * -ENODATA: the file is empty; -ENOENT: the feature is not in the list; -EINVAL: not this grammar. */
int grammar_read(enum grammar grammar, const char *name, struct span text, char **ret);

/* What to write for a canonical value. Allocated. -EINVAL: no such value in this grammar. */
int grammar_write(enum grammar grammar, const char *name, const char *value, char **ret);

/*
 * The content that the kernel's file would have after `value` was written, if it has `text` now: the
 * mark moved, the word replaced, blanks and spelling as they are. Allocated. -EINVAL.
 */
int grammar_render(enum grammar grammar, const char *name, struct span text, const char *value,
		   char **ret);

/* Do two canonical values mean the same? Word by word, numbers by value. */
bool grammar_same(const char *a, const char *b);

/* Are these the same CPUs? As a list ("0-3") or a mask ("0xf", "00000000,0000000f"). */
bool grammar_same_cpus(const char *a, const char *b);

#endif
