/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which rules hold on a machine, and what they find there. */
#ifndef LPARTUNE_ADVICE_JUDGE_H
#define LPARTUNE_ADVICE_JUDGE_H

#include "advice/rules.h"

/* Why a rule does not hold; {0} if it does. */
struct ruling {
	const struct condition *failed;
	bool unknown;		       /* it failed because the fact is absent */
	const struct rule *covered_by; /* this rule holds and says more */
};

bool judge_rule(const struct facts *facts, const struct rule *rule, struct ruling *ret);

/* The rule's sentence with this machine's numbers. Allocated; NULL when memory is out. */
char *judge_evidence(const struct facts *facts, const struct rule *rule);

struct finding {
	const struct rule *rule;
	char *evidence; /* the rule's text with this machine's numbers */
};

struct findings {
	struct finding *list;
	size_t count;
};

void findings_done(struct findings *findings);
#define _cleanup_findings_ _cleanup_(findings_done)

/* What is wrong: the rules with a severity that hold, worst first. Returns 0 or -ENOMEM. */
int judge(const struct facts *facts, struct findings *ret);

/* What could be done: the rules with an action or settings that hold, the largest expected effect
 * first, then the better evidence. Rules of a workload only if it is `workload` (may be NULL).
 * Returns 0 or -ENOMEM. */
int judge_actions(const struct facts *facts, const char *workload, struct findings *ret);

#endif
