/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file keeps facts: values, sources, reasons, conflicts. The table of facts is fact_info.c. */
#include "machine/fact/facts.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>

#include "base/parse.h"

static void value_done(struct fact_value *value, enum fact_type type)
{
	if (value->present && type == FACT_TYPE_STRING)
		free(value->string);
	free(value->source);
	free(value->conflict);
	*value = (struct fact_value) { 0 };
}

void facts_done(struct facts *facts)
{
	for (size_t i = 0; i < FACT_COUNT; i++)
		value_done(&facts->value[i], fact_info[i].type);
}

_printf_(2, 0) static char *format_source(struct facts *facts, const char *format, va_list args)
{
	char *source = NULL, *clean;

	if (vasprintf(&source, format, args) < 0) {
		facts->out_of_memory = true;
		return NULL;
	}
	/* A source can hold a file's name, and a name can be any bytes. */
	clean = span_dup_utf8(span_of(source));
	free(source);
	facts->out_of_memory |= !clean;
	return clean;
}

static bool equal(const struct fact_value *a, const struct fact_value *b, enum fact_type type)
{
	switch (type) {
	case FACT_TYPE_STRING:
		return streq(a->string, b->string);
	case FACT_TYPE_INTEGER:
		return a->integer == b->integer;
	case FACT_TYPE_REAL:
		return fabs(a->real - b->real) <= 1e-9 * fmax(1, fabs(a->real));
	case FACT_TYPE_BOOL:
		return a->boolean == b->boolean;
	case FACT_TYPE_COUNTS:
		return memcmp(&a->counts, &b->counts, sizeof(a->counts)) == 0;
	}
	return false;
}

static int describe(char **ret, const struct fact_value *value, enum fact_type type)
{
	switch (type) {
	case FACT_TYPE_STRING:
		return asprintf(ret, "%s says %s", value->source, value->string);
	case FACT_TYPE_INTEGER:
		return asprintf(ret, "%s says %lld", value->source, (long long)value->integer);
	case FACT_TYPE_REAL:
		return asprintf(ret, "%s says %g", value->source, value->real);
	case FACT_TYPE_BOOL:
		return asprintf(ret, "%s says %s", value->source,
				value->boolean ? "true" : "false");
	case FACT_TYPE_COUNTS:
		return asprintf(ret, "%s differs", value->source);
	}
	return -1;
}

static void add_conflict(struct facts *facts, struct fact_value *kept,
			 const struct fact_value *other, enum fact_type type)
{
	_cleanup_free_ char *one = NULL;
	char *all = NULL;

	if (describe(&one, other, type) < 0) {
		one = NULL;
		facts->out_of_memory = true;
		return;
	}
	if (asprintf(&all, "%s%s%s", kept->conflict ? kept->conflict : "",
		     kept->conflict ? "; " : "", one) < 0) {
		facts->out_of_memory = true;
		return;
	}
	free(kept->conflict);
	kept->conflict = all;
}

/* Takes `value` (with its source) over, or notes the disagreement and frees it. */
static void set(struct facts *facts, enum fact fact, struct fact_value *value, enum fact_type type)
{
	struct fact_value *kept = &facts->value[fact];

	assert(fact_info[fact].type == type);
	value->present = true;
	if (!kept->present) {
		value_done(kept, type);
		*kept = *value;
		return;
	}
	if (!equal(kept, value, type))
		add_conflict(facts, kept, value, type);
	value_done(value, type);
}

#define SOURCE(facts, last, ret)                         \
	do {                                             \
		va_list args_;                           \
		va_start(args_, last);                   \
		ret = format_source(facts, last, args_); \
		va_end(args_);                           \
	} while (0)

void facts_set_string(struct facts *facts, enum fact fact, const char *string, const char *source,
		      ...)
{
	struct fact_value value = { .string = strdup(string) };

	SOURCE(facts, source, value.source);
	if (!value.string || !value.source) {
		facts->out_of_memory = true;
		free(value.string);
		free(value.source);
		return;
	}
	set(facts, fact, &value, FACT_TYPE_STRING);
}

void facts_set_integer(struct facts *facts, enum fact fact, int64_t integer, const char *source,
		       ...)
{
	struct fact_value value = { .integer = integer };

	SOURCE(facts, source, value.source);
	set(facts, fact, &value, FACT_TYPE_INTEGER);
}

void facts_set_real(struct facts *facts, enum fact fact, double real, const char *source, ...)
{
	struct fact_value value = { .real = real };

	SOURCE(facts, source, value.source);
	if (!isfinite(real)) {
		facts_absent(facts, fact, REASON_INVALID, "%s", value.source ? value.source : "?");
		free(value.source);
		return;
	}
	set(facts, fact, &value, FACT_TYPE_REAL);
}

void facts_set_bool(struct facts *facts, enum fact fact, bool boolean, const char *source, ...)
{
	struct fact_value value = { .boolean = boolean };

	SOURCE(facts, source, value.source);
	set(facts, fact, &value, FACT_TYPE_BOOL);
}

void facts_set_counts(struct facts *facts, enum fact fact, const struct fact_counts *counts,
		      const char *source, ...)
{
	struct fact_value value = { .counts = *counts };

	SOURCE(facts, source, value.source);
	set(facts, fact, &value, FACT_TYPE_COUNTS);
}

static void absent(struct facts *facts, enum fact fact, enum reason reason, char *source)
{
	struct fact_value *value = &facts->value[fact];

	if (value->present || (value->source && reason <= value->reason)) {
		free(source);
		return;
	}
	free(value->source);
	value->source = source;
	value->reason = reason;
}

void facts_absent(struct facts *facts, enum fact fact, enum reason reason, const char *source, ...)
{
	char *text;

	SOURCE(facts, source, text);
	absent(facts, fact, reason, text);
}

void facts_withdraw(struct facts *facts, enum fact fact, enum reason reason, const char *source,
		    ...)
{
	char *text;

	SOURCE(facts, source, text);
	value_done(&facts->value[fact], fact_info[fact].type);
	absent(facts, fact, reason, text);
}

void facts_pass_conflict(struct facts *facts, enum fact from, enum fact to)
{
	const char *conflict = facts->value[from].conflict;

	if (!conflict || facts->value[to].conflict || !facts->value[to].present)
		return;
	facts->value[to].conflict = strdup(conflict);
	facts->out_of_memory |= !facts->value[to].conflict;
}

bool facts_string(const struct facts *facts, enum fact fact, const char **ret)
{
	assert(fact_info[fact].type == FACT_TYPE_STRING);
	if (facts->value[fact].present)
		*ret = facts->value[fact].string;
	return facts->value[fact].present;
}

bool facts_integer(const struct facts *facts, enum fact fact, int64_t *ret)
{
	assert(fact_info[fact].type == FACT_TYPE_INTEGER);
	if (facts->value[fact].present)
		*ret = facts->value[fact].integer;
	return facts->value[fact].present;
}

bool facts_real(const struct facts *facts, enum fact fact, double *ret)
{
	const struct fact_value *value = &facts->value[fact];

	if (value->present)
		*ret = fact_info[fact].type == FACT_TYPE_INTEGER ? (double)value->integer
								 : value->real;
	return value->present;
}

bool facts_bool(const struct facts *facts, enum fact fact, bool *ret)
{
	assert(fact_info[fact].type == FACT_TYPE_BOOL);
	if (facts->value[fact].present)
		*ret = facts->value[fact].boolean;
	return facts->value[fact].present;
}

bool facts_is(const struct facts *facts, enum fact fact, const char *value)
{
	const char *is;

	return facts_string(facts, fact, &is) && streq(is, value);
}

int fact_find(const char *key)
{
	for (int i = 0; i < FACT_COUNT; i++)
		if (streq(fact_info[i].key, key))
			return i;
	return -1;
}
