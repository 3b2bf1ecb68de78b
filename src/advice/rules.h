/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The knowledge table: what an expert on PowerVM scheduling would say, as rows. A row has conditions
 * over facts, what it finds or recommends, why, and what the evidence is worth. Popular advice
 * without evidence is in the table too, as what it is.
 *
 * A rule with a severity is a finding (`inspect` shows it); a rule with an action or with settings
 * is a recommendation (`recommend` shows it). It can be both. A rule with neither is popular advice.
 */
#ifndef LPARTUNE_ADVICE_RULES_H
#define LPARTUNE_ADVICE_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include "advice/kernels.h"
#include "machine/fact/facts.h"
#include "machine/tunable/setting.h"

/* A condition over an absent fact never holds, whatever the operation. `text` of the string
 * operations is one word or several separated by '|', of which one must match. */
enum op {
	OP_END,
	OP_IS,		 /* string is `text` */
	OP_IS_NOT,	 /* string is there and is none of `text` */
	OP_CONTAINS,	 /* string has `text` in it, in any case */
	OP_HAS_WORD,	 /* list of words separated by blanks has the word `text` */
	OP_LACKS_WORD,	 /* it has not */
	OP_AT_LEAST,	 /* number >= `number` */
	OP_BELOW,	 /* number < `number` */
	OP_ABOVE_FACT,	 /* number > that of `other` + `number` */
	OP_WITHIN_FACT,	 /* number <= that of `other` + `number` */
	OP_TRUE,	 /* bool */
	OP_FALSE,	 /* bool */
	OP_PARAMETER,	 /* command line sets one of `text`: "name" or "name=value" */
	OP_NO_PARAMETER, /* it does not */
	OP_SINCE,	 /* kernel release is mainline `version` or later */
	OP_BEFORE,	 /* it is older */
	OP_HAS,		 /* the kernel has the behaviour, on whatever evidence */
	OP_MAY_LACK,	 /* the kernel lacks the behaviour, or it cannot be told */
	OP_CONFLICT,	 /* the sources of some fact disagree; `fact` is not looked at */
};

struct condition {
	enum fact fact;
	enum op op;
	const char *text;
	double number;
	enum fact other;
	enum behaviour behaviour;
	struct version version;
};

enum severity { SEVERITY_NONE, SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_CRITICAL };

/* What the evidence is worth. */
enum evidence {
	EVIDENCE_N, /* none found: popular advice */
	EVIDENCE_C, /* reasoning from the code */
	EVIDENCE_B, /* measured on another architecture */
	EVIDENCE_A, /* measured on Power */
	EVIDENCE_V, /* required by a workload's vendor, whose documents are named */
};

enum effect { EFFECT_UNKNOWN, EFFECT_SMALL, EFFECT_MODERATE, EFFECT_LARGE };
enum risk { RISK_NONE, RISK_LOW, RISK_MEDIUM, RISK_HIGH };

/* A value for a row of the table of tunables. */
struct rule_setting {
	const char *tunable;
	const char *value; /* canonical; a boot parameter is removed by "absent" */
};

#define RULE_CONDITIONS_MAX 7
#define RULE_SETTINGS_MAX 8
#define RULE_SOURCES_MAX 3

struct rule {
	const char *id; /* kebab-case; never changes */
	struct condition when[RULE_CONDITIONS_MAX + 1];
	const char *unless; /* a rule that says more: this one is silent where that one holds */
	const char *title;
	const char *evidence_text; /* {fact.key} and {kernel:behaviour} are filled in */
	const char *next;	   /* the next command or step, one line */
	const char *why;	   /* two sentences that an administrator can check */

	enum severity severity; /* of the finding, or none */

	const char *
		popular; /* what people advise, without evidence: shown as that, never recommended */
	const char *action; /* what to do where no setting does it: HMC, host, package */
	struct rule_setting setting[RULE_SETTINGS_MAX + 1];
	enum effect effect;
	enum evidence evidence;
	enum risk risk;
	const char *caution; /* what it costs, and where the evidence ends */
	enum scope scope;
	const char *workload; /* only when this workload is named */
	const char *confirm;  /* the benchmark that would show it */
	const char *undo;

	const char *source[RULE_SOURCES_MAX + 1]; /* URLs, ended by NULL */
};
extern const struct rule rules[];
extern const size_t rules_count;

/* What a machine is for, if the administrator says so. */
struct workload {
	const char *id, *title, *about;
};
extern const struct workload workloads[];
extern const size_t workloads_count;
const struct workload *workload_find(const char *id);

/* Matters that have no rule, and why. */
struct left_out {
	const char *topic, *reason;
};
extern const struct left_out left_out[];
extern const size_t left_out_count;

/* The rule of an id, or NULL. */
const struct rule *rule_find(const char *id);

/* Words of documents. */
const char *severity_word(enum severity severity);
const char *evidence_word(enum evidence evidence);    /* "A" … */
const char *evidence_meaning(enum evidence evidence); /* "measured on Power" … */
const char *effect_word(enum effect effect);
const char *risk_word(enum risk risk);

/* A condition as people read it ("lpar.entitlement_per_vp < 0.6"), allocated; NULL: out of memory. */
char *condition_describe(const struct condition *condition);

#endif
