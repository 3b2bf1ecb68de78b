/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file tests conditions against facts. A condition over an absent fact never holds. */
#include "advice/condition.h"

#include "advice/words.h"
#include "machine/source/cmdline.h"

static bool test_string(const struct condition *c, const char *is)
{
	switch (c->op) {
	case OP_IS:
		return words_have(c->text, is);
	case OP_IS_NOT:
		return !words_have(c->text, is);
	case OP_CONTAINS:
		return words_found_in(c->text, is);
	case OP_HAS_WORD:
		return words_listed(c->text, is);
	default:
		return !words_listed(c->text, is);
	}
}

static bool string_holds(const struct condition *c, const struct facts *facts, bool *unknown)
{
	const char *is;

	*unknown = !facts_string(facts, c->fact, &is);
	return !*unknown && test_string(c, is);
}

static bool number_holds(const struct condition *c, const struct facts *facts, bool *unknown)
{
	double is;

	*unknown = !facts_real(facts, c->fact, &is);
	return !*unknown && (c->op == OP_BELOW ? is < c->number : is >= c->number);
}

static bool two_facts_hold(const struct condition *c, const struct facts *facts, bool *unknown)
{
	double is, other;

	*unknown = !facts_real(facts, c->fact, &is) || !facts_real(facts, c->other, &other);
	return !*unknown && (is > other + c->number) == (c->op == OP_ABOVE_FACT);
}

static bool bool_holds(const struct condition *c, const struct facts *facts, bool *unknown)
{
	bool is;

	*unknown = !facts_bool(facts, c->fact, &is);
	return !*unknown && is == (c->op == OP_TRUE);
}

static bool parameter_set(const char *cmdline, struct span parameter)
{
	struct span name = parameter, value = { "", 0 }, is;
	bool with_value = span_split(parameter, '=', &name, &value);
	_cleanup_free_ char *key = span_dup(name);

	return key && cmdline_get(span_of(cmdline), key, &is) &&
	       (!with_value || (is.len == value.len && memcmp(is.text, value.text, is.len) == 0));
}

static bool any_parameter_set(const char *cmdline, const char *parameters)
{
	struct span rest = span_of(parameters), parameter;

	while (words_next(&rest, &parameter))
		if (parameter_set(cmdline, parameter))
			return true;
	return false;
}

static bool parameter_holds(const struct condition *c, const struct facts *facts, bool *unknown)
{
	const char *cmdline;

	*unknown = !facts_string(facts, FACT_KERNEL_CMDLINE, &cmdline);
	return !*unknown && any_parameter_set(cmdline, c->text) == (c->op == OP_PARAMETER);
}

static bool version_holds(const struct condition *c, const struct facts *facts, bool *unknown)
{
	struct release release;
	const char *text;

	*unknown = !facts_string(facts, FACT_KERNEL_RELEASE, &text) ||
		   release_parse(text, &release) < 0;
	return !*unknown &&
	       (version_compare(release.version, c->version) >= 0) == (c->op == OP_SINCE);
}

static bool behaviour_holds(const struct condition *c, const struct facts *facts, bool *unknown)
{
	struct verdict verdict = kernels_judge(facts, c->behaviour);

	*unknown = verdict.confidence == CONFIDENCE_NONE && verdict.presence == PRESENCE_UNSURE;
	if (c->op == OP_HAS)
		return verdict.presence == PRESENCE_HAS;
	return !*unknown &&
	       (verdict.presence == PRESENCE_LACKS || verdict.presence == PRESENCE_UNSURE);
}

static bool conflict_holds(const struct condition *c, const struct facts *facts, bool *unknown)
{
	(void)c;
	*unknown = false;
	for (size_t i = 0; i < FACT_COUNT; i++)
		if (facts->value[i].conflict)
			return true;
	return false;
}

typedef bool (*holds_fn)(const struct condition *, const struct facts *, bool *unknown);

static const holds_fn tests[] = {
	[OP_IS] = string_holds,
	[OP_IS_NOT] = string_holds,
	[OP_CONTAINS] = string_holds,
	[OP_HAS_WORD] = string_holds,
	[OP_LACKS_WORD] = string_holds,
	[OP_AT_LEAST] = number_holds,
	[OP_BELOW] = number_holds,
	[OP_ABOVE_FACT] = two_facts_hold,
	[OP_WITHIN_FACT] = two_facts_hold,
	[OP_TRUE] = bool_holds,
	[OP_FALSE] = bool_holds,
	[OP_PARAMETER] = parameter_holds,
	[OP_NO_PARAMETER] = parameter_holds,
	[OP_SINCE] = version_holds,
	[OP_BEFORE] = version_holds,
	[OP_HAS] = behaviour_holds,
	[OP_MAY_LACK] = behaviour_holds,
	[OP_CONFLICT] = conflict_holds,
};

bool condition_holds(const struct condition *condition, const struct facts *facts, bool *unknown)
{
	return tests[condition->op](condition, facts, unknown);
}

/* "a|b" as people read it: "a or b". Allocated. */
static char *alternatives_text(const char *alternatives)
{
	struct span rest = span_of(alternatives ? alternatives : ""), word;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	for (const char * or = ""; words_next(&rest, &word); or = " or ")
		fprintf(f, "%s%.*s", or, (int)word.len, word.text);
	if (fclose(f) == 0)
		return text;
	free(text);
	return NULL;
}

/* How an operation over a fact reads. */
static int describe_simple(const struct condition *c, const char *text, char **ret)
{
	const char *key = fact_info[c->fact].key;

	switch (c->op) {
	case OP_IS:
		return asprintf(ret, "%s is %s", key, text);
	case OP_IS_NOT:
		return asprintf(ret, "%s is not %s", key, text);
	case OP_CONTAINS:
		return asprintf(ret, "%s names %s", key, text);
	case OP_HAS_WORD:
		return asprintf(ret, "%s has %s", key, text);
	case OP_LACKS_WORD:
		return asprintf(ret, "%s does not have %s", key, text);
	case OP_AT_LEAST:
		return asprintf(ret, "%s >= %g", key, c->number);
	case OP_BELOW:
		return asprintf(ret, "%s < %g", key, c->number);
	case OP_TRUE:
		return asprintf(ret, "%s", key);
	case OP_FALSE:
		return asprintf(ret, "not %s", key);
	default:
		return -1;
	}
}

static int describe_two(const struct condition *c, char **ret)
{
	const char *key = fact_info[c->fact].key, *other = fact_info[c->other].key;
	const char *sign = c->op == OP_ABOVE_FACT ? ">" : "<=";

	if (c->number == 0)
		return asprintf(ret, "%s %s %s", key, sign, other);
	return asprintf(ret, "%s %s %s + %g", key, sign, other, c->number);
}

static int describe_other(const struct condition *c, const char *text, char **ret)
{
	switch (c->op) {
	case OP_ABOVE_FACT:
	case OP_WITHIN_FACT:
		return describe_two(c, ret);
	case OP_PARAMETER:
		return asprintf(ret, "boot parameter %s", text);
	case OP_NO_PARAMETER:
		return asprintf(ret, "no boot parameter %s", text);
	case OP_SINCE:
	case OP_BEFORE:
		return asprintf(ret, "kernel %s %u.%u", c->op == OP_SINCE ? "from" : "before",
				c->version.major, c->version.minor);
	case OP_HAS:
		return asprintf(ret, "kernel has %s", behaviour_info[c->behaviour].id);
	case OP_MAY_LACK:
		return asprintf(ret, "kernel lacks or may lack %s",
				behaviour_info[c->behaviour].id);
	case OP_CONFLICT:
		return asprintf(ret, "sources of a fact disagree");
	default:
		return -1;
	}
}

char *condition_describe(const struct condition *condition)
{
	_cleanup_free_ char *words = alternatives_text(condition->text);
	char *text = NULL;

	if (!words || (describe_simple(condition, words, &text) < 0 &&
		       describe_other(condition, words, &text) < 0))
		return NULL;
	return text;
}
