/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * schema_check SCHEMA: does the JSON document on standard input fit? Prints what does not, with its
 * place. Knows the part of JSON Schema that schema/ uses, and refuses any other keyword, so that
 * nothing is taken for checked that is not.
 */
#include <jansson.h>
#include <regex.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/util.h"

struct check {
	const json_t *schema; /* the whole, for $ref */
	unsigned int errors;
	bool is_trial; /* an alternative: count, say nothing */
};

static void check(struct check *c, const json_t *schema, const json_t *value, const char *at);

static void complain(struct check *c, const char *at, const char *what)
{
	if (!c->is_trial)
		printf("%s: %s\n", *at ? at : "document", what);
	c->errors++;
}

static bool is_type(const json_t *value, const char *type)
{
	return (streq(type, "object") && json_is_object(value)) ||
	       (streq(type, "array") && json_is_array(value)) ||
	       (streq(type, "string") && json_is_string(value)) ||
	       (streq(type, "integer") && json_is_integer(value)) ||
	       (streq(type, "number") && json_is_number(value)) ||
	       (streq(type, "boolean") && json_is_boolean(value)) ||
	       (streq(type, "null") && json_is_null(value));
}

static void check_type(struct check *c, const json_t *type, const json_t *value, const char *at)
{
	json_t *one;
	size_t i;

	if (json_is_string(type) && is_type(value, json_string_value(type)))
		return;
	json_array_foreach (type, i, one)
		if (is_type(value, json_string_value(one)))
			return;
	complain(c, at, "wrong type");
}

static void check_enum(struct check *c, const json_t *words, const json_t *value, const char *at)
{
	json_t *one;
	size_t i;

	json_array_foreach (words, i, one)
		if (json_equal(one, value))
			return;
	complain(c, at, "not one of the values");
}

static void check_const(struct check *c, const json_t *wanted, const json_t *value, const char *at)
{
	if (!json_equal(wanted, value))
		complain(c, at, "not the value");
}

static void check_required(struct check *c, const json_t *names, const json_t *value,
			   const char *at)
{
	json_t *name;
	size_t i;

	json_array_foreach (names, i, name)
		if (json_is_object(value) && !json_object_get(value, json_string_value(name)))
			complain(c, at, json_string_value(name));
}

static void check_pattern(struct check *c, const json_t *pattern, const json_t *value,
			  const char *at)
{
	regex_t regex;

	if (!json_is_string(value))
		return;
	if (regcomp(&regex, json_string_value(pattern), REG_EXTENDED | REG_NOSUB)) {
		complain(c, at, "the schema's pattern is wrong");
		return;
	}
	if (regexec(&regex, json_string_value(value), 0, NULL, 0))
		complain(c, at, "does not fit the pattern");
	regfree(&regex);
}

static void check_items(struct check *c, const json_t *items, const json_t *value, const char *at)
{
	char place[512];
	json_t *one;
	size_t i;

	json_array_foreach (value, i, one) {
		snprintf(place, sizeof(place), "%s[%zu]", at, i);
		check(c, items, one, place);
	}
}

static void check_bound(struct check *c, const json_t *bound, const json_t *value, const char *at,
			bool lower)
{
	double is = json_number_value(value), limit = json_number_value(bound);

	if (json_is_number(value) && (lower ? is < limit : is > limit))
		complain(c, at, "out of bounds");
}

static void check_minimum(struct check *c, const json_t *bound, const json_t *value, const char *at)
{
	check_bound(c, bound, value, at, true);
}

static void check_maximum(struct check *c, const json_t *bound, const json_t *value, const char *at)
{
	check_bound(c, bound, value, at, false);
}

/* "#/$defs/NAME" */
static void check_ref(struct check *c, const json_t *ref, const json_t *value, const char *at)
{
	const char *name = strrchr(json_string_value(ref), '/');
	const json_t *schema = json_object_get(json_object_get(c->schema, "$defs"),
					       name ? name + 1 : "");

	if (schema)
		check(c, schema, value, at);
	else
		complain(c, at, "the schema's reference leads nowhere");
}

static void check_any_of(struct check *c, const json_t *schemas, const json_t *value,
			 const char *at)
{
	json_t *one;
	size_t i;

	json_array_foreach (schemas, i, one) {
		struct check trial = { c->schema, 0, true };

		check(&trial, one, value, at);
		if (!trial.errors)
			return;
	}
	complain(c, at, "fits none of the alternatives");
}

static const struct {
	const char *keyword;
	void (*test)(struct check *c, const json_t *is, const json_t *value, const char *at);
} keywords[] = {
	{ "type", check_type },
	{ "enum", check_enum },
	{ "const", check_const },
	{ "required", check_required },
	{ "pattern", check_pattern },
	{ "items", check_items },
	{ "minimum", check_minimum },
	{ "maximum", check_maximum },
	{ "$ref", check_ref },
	{ "anyOf", check_any_of },
	{ "properties", NULL },
	{ "additionalProperties", NULL },
	{ "$schema", NULL },
	{ "$id", NULL },
	{ "title", NULL },
	{ "description", NULL },
	{ "$defs", NULL },
};

static void check_keyword(struct check *c, const char *keyword, const json_t *is,
			  const json_t *value, const char *at)
{
	for (size_t i = 0; i < ARRAY_SIZE(keywords); i++)
		if (streq(keywords[i].keyword, keyword)) {
			if (keywords[i].test)
				keywords[i].test(c, is, value, at);
			return;
		}
	complain(c, keyword, "a keyword of the schema that this program does not know");
}

static void check_members(struct check *c, const json_t *schema, const json_t *value,
			  const char *at)
{
	const json_t *properties = json_object_get(schema, "properties");
	const json_t *others = json_object_get(schema, "additionalProperties");
	const char *name;
	json_t *member;

	if (!json_is_object(value))
		return;
	json_object_foreach ((json_t *)value, name, member) {
		const json_t *own = json_object_get(properties, name);
		char place[512];

		snprintf(place, sizeof(place), "%s.%s", at, name);
		if (own)
			check(c, own, member, place);
		else if (json_is_object(others))
			check(c, others, member, place);
		else if (json_is_false(others))
			complain(c, place, "is not in the schema");
	}
}

static void check(struct check *c, const json_t *schema, const json_t *value, const char *at)
{
	const char *keyword;
	json_t *is;

	json_object_foreach ((json_t *)schema, keyword, is)
		check_keyword(c, keyword, is, value, at);
	check_members(c, schema, value, at);
}

int main(int argc, char **argv)
{
	json_error_t error = { .text = "usage: schema_check SCHEMA" };
	json_t *schema = argc == 2 ? json_load_file(argv[1], 0, &error) : NULL;
	json_t *doc = schema ? json_loadf(stdin, 0, &error) : NULL;
	struct check c = { schema, 0, false };

	if (!doc) {
		printf("%s: %s, line %d\n", schema ? "document" : "schema", error.text, error.line);
		return 2;
	}
	check(&c, schema, doc, "");
	json_decref(doc);
	json_decref(schema);
	return c.errors ? 1 : 0;
}
