/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Settings: the currency between advice and change. A setting is a row of the table of tunables, the
 * value it has and the value it shall have. `recommend` makes them, `apply` takes them, and a plan
 * file is an array of them.
 */
#ifndef LPARTUNE_MACHINE_SETTING_H
#define LPARTUNE_MACHINE_SETTING_H

#include "machine/tunable/tunables.h"

/* When a change takes effect. */
enum scope { SCOPE_NOW, SCOPE_NEXT_LOAD, SCOPE_REBOOT, SCOPE_OUTSIDE };

struct setting {
	const struct tunable *tunable;
	char *instance; /* "cpu3"; NULL: the whole machine */
	char *from;	/* NULL: not known */
	char *to;
	char *rule;   /* the rule that wants it; NULL: the user does */
	char *reason; /* in a sentence; may be NULL */
};

struct settings {
	struct setting *list;
	size_t count;
};

void settings_done(struct settings *settings);
#define _cleanup_settings_ _cleanup_(settings_done)

/* Adds a setting for the whole machine; all texts are copied and may be NULL except `to`. -ENOMEM. */
int settings_add(struct settings *settings, const struct tunable *tunable, const char *from,
		 const char *to, const char *rule, const char *reason);

/* When a change of this tunable takes effect. Never SCOPE_OUTSIDE. */
enum scope tunable_scope(const struct tunable *tunable);

/* "now", "next-load", "next-boot", "outside": a word of documents. */
const char *scope_word(enum scope scope);

#endif
