/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file looks rules up and names their grades. */
#include "advice/rules.h"

const struct rule *rule_find(const char *id)
{
	for (size_t i = 0; i < rules_count; i++)
		if (streq(rules[i].id, id))
			return &rules[i];
	return NULL;
}

const char *severity_word(enum severity severity)
{
	static const char *const words[] = {
		[SEVERITY_NONE] = "none",
		[SEVERITY_NOTE] = "note",
		[SEVERITY_WARNING] = "warning",
		[SEVERITY_CRITICAL] = "critical",
	};

	return words[severity];
}

const char *evidence_word(enum evidence evidence)
{
	static const char *const words[] = {
		[EVIDENCE_N] = "N", [EVIDENCE_C] = "C", [EVIDENCE_B] = "B",
		[EVIDENCE_A] = "A", [EVIDENCE_V] = "V",
	};

	return words[evidence];
}

const char *evidence_meaning(enum evidence evidence)
{
	static const char *const words[] = {
		[EVIDENCE_N] = "no evidence found",
		[EVIDENCE_C] = "reasoning from code and documentation",
		[EVIDENCE_B] = "measured on another architecture",
		[EVIDENCE_A] = "measured on Power",
		[EVIDENCE_V] = "required by a workload's vendor",
	};

	return words[evidence];
}

const char *effect_word(enum effect effect)
{
	static const char *const words[] = {
		[EFFECT_UNKNOWN] = "unknown",
		[EFFECT_SMALL] = "small",
		[EFFECT_MODERATE] = "moderate",
		[EFFECT_LARGE] = "large",
	};

	return words[effect];
}

const char *risk_word(enum risk risk)
{
	static const char *const words[] = {
		[RISK_NONE] = "none",
		[RISK_LOW] = "low",
		[RISK_MEDIUM] = "medium",
		[RISK_HIGH] = "high",
	};

	return words[risk];
}
