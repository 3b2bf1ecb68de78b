/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recommendations: the rules that hold on a machine, beside what the machine has now. `recommend`
 * shows them, `apply` takes those that it is told to, and the default plan is a part of them.
 */
#ifndef LPARTUNE_CMD_RECOMMENDATION_H
#define LPARTUNE_CMD_RECOMMENDATION_H

#include "advice/judge.h"
#include "machine/fact/machine.h"
#include "machine/tunable/setting.h"

/* Where a setting stands; of a rule with several the one that asks for most, in this order. */
enum standing {
	STANDING_OK,	   /* it has the value */
	STANDING_ABSENT,   /* this machine has no such setting */
	STANDING_OBSOLETE, /* this kernel has it no more */
	STANDING_DENIED,   /* only root can tell */
	STANDING_LOCKED,   /* kernel lockdown forbids it */
	STANDING_PENDING,  /* set, in force after the next boot */
	STANDING_CONSIDER, /* differs; not done without being named */
	STANDING_CONFLICT, /* differs, and somebody else sets it */
	STANDING_CHANGE,   /* differs, and should not */
};

/* One setting of a rule on this machine. */
struct want {
	const struct tunable *tunable;
	const char *value;
	struct tunable_now now;
	enum standing standing;
	char *set_by; /* who set the present value; NULL: not known */
};

struct recommendation {
	const struct rule *rule;
	char *evidence; /* the rule's, with this machine's numbers */
	struct want want[RULE_SETTINGS_MAX];
	size_t wants;
	enum standing standing;
	bool planned; /* part of the default plan */
	bool ignored; /* lpartune.conf says so; it counts only if it is named */
};

struct recommendations {
	struct recommendation *list;
	size_t count;
	char *workload;	 /* the one named, else lpartune.conf's, else NULL */
	char *complaint; /* about lpartune.conf or the root; NULL if there is none */
};

void recommendations_done(struct recommendations *recommendations);
#define _cleanup_recommendations_ _cleanup_(recommendations_done)

/* What the rules say of a machine, in the order of expected effect. `workload` may be NULL: then
 * lpartune.conf may name one. Only -ENOMEM is an error. */
int recommendations_make(struct machine *machine, const char *workload,
			 struct recommendations *ret);

/* Drops those for which `keep` is false. */
typedef bool (*recommendation_fn)(const struct recommendation *recommendation, const void *arg);
void recommendations_keep(struct recommendations *recommendations, recommendation_fn keep,
			  const void *arg);

/* Is this the id of the rule, or of one of its tunables? */
bool recommendation_is(const struct recommendation *recommendation, const char *id);

/* "ok", "change", … : a word of documents. */
const char *standing_word(enum standing standing);

/* Does somebody have to do something? (`--check`) */
bool recommendations_ask(const struct recommendations *recommendations);

/*
 * The settings that are to be changed: of the default plan, or, if `ids` has any, of the rules and
 * tunables named there. -ENOMEM.
 */
int recommendations_plan(const struct recommendations *recommendations, const char *const *ids,
			 size_t ids_count, struct settings *ret);

/* A sentence that tells why nothing of the rule or tunable `id` is to be changed. Allocated. -ENOMEM. */
int recommendations_why_nothing(const struct recommendations *recommendations, const char *id,
				char **ret);

#endif
