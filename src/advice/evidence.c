/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file fills a machine's numbers into the sentences of rules. */
#include "advice/evidence.h"

#include <inttypes.h>
#include <math.h>

#include "advice/kernels.h"
#include "base/parse.h"

/* Of cores each hundredth counts, as on the HMC. */
static void put_real(FILE *out, double value, const char *unit)
{
	double magnitude = fabs(value);
	bool is_capacity = unit && streq(unit, "cores");

	fprintf(out, "%.*f", magnitude < 10 || is_capacity ? 2 : magnitude < 1000 ? 1 : 0, value);
}

static void put_counts(FILE *out, const struct fact_counts *counts)
{
	for (unsigned int i = 0; i < counts->used; i++)
		fprintf(out, "%s%u x %u", i ? ", " : "", counts->item[i].count,
			counts->item[i].key);
}

static void put_value(FILE *out, const struct fact_value *value, const struct fact_info *info)
{
	switch (info->type) {
	case FACT_TYPE_STRING:
		fputs(value->string, out);
		break;
	case FACT_TYPE_INTEGER:
		fprintf(out, "%" PRId64, value->integer);
		break;
	case FACT_TYPE_REAL:
		put_real(out, value->real, info->unit);
		break;
	case FACT_TYPE_BOOL:
		fputs(value->boolean ? "yes" : "no", out);
		break;
	case FACT_TYPE_COUNTS:
		put_counts(out, &value->counts);
		break;
	}
}

static void put_fact(FILE *out, const struct facts *facts, enum fact fact)
{
	const struct fact_info *info = &fact_info[fact];

	if (!facts->value[fact].present) {
		fputs("unknown", out);
		return;
	}
	put_value(out, &facts->value[fact], info);
	if (info->unit)
		fprintf(out, " %s", info->unit);
}

static void put_conflicts(FILE *out, const struct facts *facts)
{
	const char *separator = "";

	for (int i = 0; i < FACT_COUNT; i++) {
		const struct fact_value *value = &facts->value[i];

		if (!value->conflict)
			continue;
		fprintf(out, "%s%s is ", separator, fact_info[i].key);
		put_value(out, value, &fact_info[i]);
		fprintf(out, " (%s), but %s", value->source ? value->source : "?", value->conflict);
		separator = "; ";
	}
}

static void put_behaviour(FILE *out, const struct facts *facts, const char *id)
{
	int behaviour = behaviour_find(id);
	_cleanup_free_ char *text = NULL;

	if (behaviour >= 0)
		text = verdict_describe(facts, (enum behaviour)behaviour);
	fputs(text ? text : "unknown", out);
}

/* Writes what a name in braces stands for; false if it stands for nothing. */
static bool put_name(FILE *out, const struct facts *facts, const char *name)
{
	int fact = fact_find(name);

	if (fact >= 0)
		put_fact(out, facts, (enum fact)fact);
	else if (starts_with(name, "kernel:"))
		put_behaviour(out, facts, name + strlen("kernel:"));
	else if (streq(name, "conflicts"))
		put_conflicts(out, facts);
	else
		return false;
	return true;
}

static const char *put_placeholder(FILE *out, const struct facts *facts, const char *open)
{
	const char *close = strchr(open, '}');
	_cleanup_free_ char *name = NULL;

	if (close)
		name = span_dup((struct span) { open + 1, (size_t)(close - open) - 1 });
	if (name && put_name(out, facts, name))
		return close + 1;
	putc('{', out);
	return open + 1;
}

char *evidence_render(const char *text, const struct facts *facts)
{
	char *rendered = NULL;
	size_t size;
	FILE *out = open_memstream(&rendered, &size);

	if (!out)
		return NULL;
	while (*text) {
		size_t plain = strcspn(text, "{");

		fwrite(text, 1, plain, out);
		text += plain;
		if (*text)
			text = put_placeholder(out, facts, text);
	}
	if (fclose(out) == 0)
		return rendered;
	free(rendered);
	return NULL;
}
