/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file walks the rules: which hold, and in which order they are told. */
#include "advice/judge.h"

#include <errno.h>

#include "advice/condition.h"
#include "advice/evidence.h"

static bool all_hold(const struct facts *facts, const struct rule *rule, struct ruling *ruling)
{
	for (const struct condition *c = rule->when; c->op != OP_END; c++) {
		if (!condition_holds(c, facts, &ruling->unknown)) {
			ruling->failed = c;
			return false;
		}
	}
	return true;
}

bool judge_rule(const struct facts *facts, const struct rule *rule, struct ruling *ret)
{
	const struct rule *better = rule->unless ? rule_find(rule->unless) : NULL;
	struct ruling ruling = { 0 }, other = { 0 };

	if (all_hold(facts, rule, &ruling) && better && all_hold(facts, better, &other))
		ruling.covered_by = better;
	*ret = ruling;
	return !ruling.failed && !ruling.covered_by;
}

char *judge_evidence(const struct facts *facts, const struct rule *rule)
{
	return evidence_render(rule->evidence_text, facts);
}

void findings_done(struct findings *findings)
{
	for (size_t i = 0; i < findings->count; i++)
		free(findings->list[i].evidence);
	free(findings->list);
	*findings = (struct findings) { 0 };
}

static int add(struct findings *findings, const struct rule *rule, const struct facts *facts)
{
	struct finding *finding = &findings->list[findings->count];

	finding->rule = rule;
	finding->evidence = judge_evidence(facts, rule);
	if (!finding->evidence)
		return -ENOMEM;
	findings->count++;
	return 0;
}

typedef bool (*wanted_fn)(const struct rule *rule, const char *workload);
typedef int (*order_fn)(const void *a, const void *b);

static int collect(const struct facts *facts, wanted_fn wanted, const char *workload,
		   order_fn order, struct findings *ret)
{
	_cleanup_findings_ struct findings found = { 0 };
	struct ruling ruling;

	found.list = calloc(rules_count, sizeof(*found.list));
	if (!found.list)
		return -ENOMEM;
	for (size_t i = 0; i < rules_count; i++)
		if (wanted(&rules[i], workload) && judge_rule(facts, &rules[i], &ruling) &&
		    add(&found, &rules[i], facts) < 0)
			return -ENOMEM;
	qsort(found.list, found.count, sizeof(*found.list), order);
	*ret = found;
	found = (struct findings) { 0 };
	return 0;
}

static bool is_finding(const struct rule *rule, const char *workload)
{
	(void)workload;
	return rule->severity != SEVERITY_NONE;
}

static bool is_action(const struct rule *rule, const char *workload)
{
	return (rule->action || rule->setting[0].tunable) &&
	       (!rule->workload || (workload && streq(rule->workload, workload)));
}

/* The table's order decides among equals, so that the output never depends on qsort. */
static int by_place(const struct rule *a, const struct rule *b)
{
	return a < b ? -1 : a > b;
}

static int worst_first(const void *a, const void *b)
{
	const struct rule *x = ((const struct finding *)a)->rule;
	const struct rule *y = ((const struct finding *)b)->rule;

	if (x->severity != y->severity)
		return x->severity > y->severity ? -1 : 1;
	return by_place(x, y);
}

static int largest_first(const void *a, const void *b)
{
	const struct rule *x = ((const struct finding *)a)->rule;
	const struct rule *y = ((const struct finding *)b)->rule;

	if (x->effect != y->effect)
		return x->effect > y->effect ? -1 : 1;
	if (x->evidence != y->evidence)
		return x->evidence > y->evidence ? -1 : 1;
	return by_place(x, y);
}

int judge(const struct facts *facts, struct findings *ret)
{
	return collect(facts, is_finding, NULL, worst_first, ret);
}

int judge_actions(const struct facts *facts, const char *workload, struct findings *ret)
{
	return collect(facts, is_action, workload, largest_first, ret);
}
