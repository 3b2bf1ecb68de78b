/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file turns facts into their part of a document, and a document's fact into words. */
#include "output/facts.h"

#include "output/text.h"

static json_t *counts_to_json(const struct fact_counts *counts)
{
	json_t *object = json_object();

	for (unsigned int i = 0; i < counts->used; i++) {
		char key[16];

		snprintf(key, sizeof(key), "%u", counts->item[i].key);
		if (json_object_set_new(object, key, json_integer(counts->item[i].count)) < 0) {
			json_decref(object);
			return NULL;
		}
	}
	return object;
}

static json_t *value_to_json(const struct fact_value *value, enum fact_type type)
{
	switch (type) {
	case FACT_TYPE_STRING:
		return json_string(value->string);
	case FACT_TYPE_INTEGER:
		return json_integer(value->integer);
	case FACT_TYPE_REAL:
		return json_real(value->real);
	case FACT_TYPE_BOOL:
		return json_boolean(value->boolean);
	case FACT_TYPE_COUNTS:
		return counts_to_json(&value->counts);
	}
	return NULL;
}

static json_t *fact_to_json(const struct facts *facts, enum fact fact)
{
	const struct fact_value *value = &facts->value[fact];

	if (!value->present)
		return json_pack("{s:n, s:s, s:s*}", "value", "reason", reason_word(value->reason),
				 "source", value->source);
	return json_pack("{s:o, s:s?, s:s, s:s*}", "value",
			 value_to_json(value, fact_info[fact].type), "unit", fact_info[fact].unit,
			 "source", value->source, "conflict", value->conflict);
}

json_t *facts_to_json(const struct facts *facts)
{
	json_t *object = json_object();

	for (int i = 0; i < FACT_COUNT; i++)
		if (json_object_set_new(object, fact_info[i].key,
					fact_to_json(facts, (enum fact)i)) < 0) {
			json_decref(object);
			return NULL;
		}
	return object;
}

/* "5 x 8, 1 x 7": cores by threads online. */
static char *counts_to_text(const json_t *counts)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	const char *key, *comma = "";
	json_t *count;

	if (!f)
		return NULL;
	json_object_foreach ((json_t *)counts, key, count) {
		fprintf(f, "%s%" JSON_INTEGER_FORMAT " x %s", comma, json_integer_value(count),
			key);
		comma = ", ";
	}
	if (fclose(f)) {
		free(text);
		return NULL;
	}
	return text;
}

/* Large numbers of bytes, seconds and nanoseconds in the unit that people use. */
static bool scale(double value, const char *unit, char *buf, size_t size)
{
	if (streq(unit, "bytes"))
		snprintf(buf, size, "%.1f GiB", value / (1 << 30));
	else if (streq(unit, "s") && value >= 86400)
		snprintf(buf, size, "%.1f days", value / 86400);
	else if (streq(unit, "s") && value >= 3600)
		snprintf(buf, size, "%.1f hours", value / 3600);
	else if (streq(unit, "ns") && value >= 1e6)
		snprintf(buf, size, "%g ms", value / 1e6);
	else if (streq(unit, "ns") && value >= 1e3)
		snprintf(buf, size, "%g us", value / 1e3);
	else if (streq(unit, "Hz") && value >= 1e6)
		snprintf(buf, size, "%g MHz", value / 1e6);
	else
		return false;
	return true;
}

static char *number_to_text(const json_t *value, const char *unit)
{
	char number[64], scaled[64], *text = NULL;

	if (unit && scale(json_number_value(value), unit, scaled, sizeof(scaled)))
		return strdup(scaled);
	if (json_is_integer(value))
		snprintf(number, sizeof(number), "%" JSON_INTEGER_FORMAT,
			 json_integer_value(value));
	else if (unit && streq(unit, "cores")) /* the HMC gives them by the hundredth */
		snprintf(number, sizeof(number), "%.2f", json_real_value(value));
	else
		text_real(number, sizeof(number), json_real_value(value));
	return asprintf(&text, "%s%s%s", number, unit ? " " : "", unit ? unit : "") < 0 ? NULL
											: text;
}

char *fact_to_text(const json_t *facts, enum fact fact)
{
	const json_t *entry = json_object_get(facts, fact_info[fact].key);
	const json_t *value = json_object_get(entry, "value");

	if (json_is_string(value))
		return strdup(json_string_value(value));
	if (json_is_boolean(value))
		return strdup(json_is_true(value) ? "yes" : "no");
	if (json_is_object(value))
		return counts_to_text(value);
	if (json_is_number(value))
		return number_to_text(value, json_string_value(json_object_get(entry, "unit")));
	return NULL;
}
