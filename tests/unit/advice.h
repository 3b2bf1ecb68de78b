/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts for tests of advice, written as "key=value;key=value". */
#ifndef LPARTUNE_TESTS_ADVICE_H
#define LPARTUNE_TESTS_ADVICE_H

#include <assert.h>

#include "base/parse.h"
#include "machine/fact/facts.h"

static inline void advice_set_number(struct facts *facts, enum fact fact, const char *value)
{
	double number;

	assert(parse_real(span_of(value), &number) == 0);
	if (fact_info[fact].type == FACT_TYPE_INTEGER)
		facts_set_integer(facts, fact, (int64_t)number, "test");
	else
		facts_set_real(facts, fact, number, "test");
}

/* A fact that is there already gets the new value instead. */
static inline void advice_set(struct facts *facts, const char *key, const char *value)
{
	int fact = fact_find(key);

	assert(fact >= 0);
	if (facts->value[fact].present)
		facts_withdraw(facts, (enum fact)fact, REASON_MISSING, "test");
	if (!*value)
		return;
	if (fact_info[fact].type == FACT_TYPE_STRING)
		facts_set_string(facts, (enum fact)fact, value, "test");
	else if (fact_info[fact].type == FACT_TYPE_BOOL)
		facts_set_bool(facts, (enum fact)fact, streq(value, "true"), "test");
	else
		advice_set_number(facts, (enum fact)fact, value);
}

/* "key=value;key=value"; a value may be empty: the fact is then absent. */
static inline void advice_facts(struct facts *facts, const char *text)
{
	_cleanup_free_ char *copy = strdup(text);
	char *save = NULL;

	assert(copy);
	for (char *item = strtok_r(copy, ";", &save); item; item = strtok_r(NULL, ";", &save)) {
		char *equals = strchr(item, '=');

		assert(equals);
		*equals = '\0';
		advice_set(facts, item, equals + 1);
	}
}

#endif
