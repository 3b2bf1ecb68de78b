/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file turns settings into a plan document and back. */
#include "cmd/advice/plan.h"
#include "cmd/suggest.h"
#include "output/output.h"

#include <errno.h>
#include <stdarg.h>

static json_t *setting_to_json(const struct setting *s)
{
	return json_pack("{s:s, s:s?, s:s?, s:s, s:s, s:s?, s:s?}", "tunable", s->tunable->id,
			 "instance", s->instance, "from", s->from, "to", s->to, "scope",
			 scope_word(tunable_scope(s->tunable)), "rule", s->rule, "reason",
			 s->reason);
}

json_t *plan_settings_to_json(const struct settings *settings)
{
	json_t *array = json_array();

	for (size_t i = 0; array && i < settings->count; i++)
		if (json_array_append_new(array, setting_to_json(&settings->list[i])) < 0) {
			json_decref(array);
			return NULL;
		}
	return array;
}

static int refuse(char **ret_error, const char *format, ...) _printf_(2, 3);

static int refuse(char **ret_error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (vasprintf(ret_error, format, args) < 0)
		*ret_error = NULL;
	va_end(args);
	return -EINVAL;
}

static const char *text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static bool is_in(const struct settings *settings, const struct tunable *tunable)
{
	for (size_t i = 0; i < settings->count; i++)
		if (settings->list[i].tunable == tunable)
			return true;
	return false;
}

/* Does the plan give this tunable a value other than zero? */
static bool is_wanted(const struct settings *settings, const char *id)
{
	for (size_t i = 0; i < settings->count; i++)
		if (streq(settings->list[i].tunable->id, id))
			return !streq(settings->list[i].to, "0");
	return false;
}

static int take_setting(const json_t *object, struct settings *settings, char **ret_error)
{
	const char *id = text_of(object, "tunable"), *to = text_of(object, "to");
	const struct tunable *tunable = id ? tunable_find(id) : NULL;
	_cleanup_free_ char *hint = NULL;

	if (!id || !to)
		return refuse(ret_error, "setting %zu has no 'tunable' or no 'to'",
			      settings->count + 1);
	if (!tunable) {
		hint = suggest_tunable(id);
		return refuse(ret_error, "'%s' is not a tunable%s", id, hint ? hint : "");
	}
	if (tunable_check(tunable, to) < 0)
		return refuse(ret_error, "'%s' is not a value of %s", to, id);
	if (is_in(settings, tunable))
		return refuse(ret_error, "%s is set more than once", id);
	if (tunable->twin && !streq(to, "0") && is_wanted(settings, tunable->twin))
		return refuse(ret_error,
			      "%s and %s exclude one another: the kernel clears one when "
			      "the other is set",
			      id, tunable->twin);
	if (text_of(object, "instance"))
		return refuse(ret_error, "%s can only be set for the whole machine", id);
	return settings_add(settings, tunable, text_of(object, "from"), to, text_of(object, "rule"),
			    text_of(object, "reason"));
}

int plan_parse(const char *text, size_t len, struct settings *ret, char **ret_error)
{
	_cleanup_settings_ struct settings settings = { 0 };
	_cleanup_json_ json_t *doc = NULL;
	json_error_t error;
	json_t *array, *object;
	size_t i;

	doc = json_loadb(text, len, JSON_REJECT_DUPLICATES, &error);
	if (!doc)
		return refuse(ret_error, "line %d: %s", error.line, error.text);
	array = json_object_get(doc, "settings");
	if (!json_is_array(array))
		return refuse(ret_error, "there is no array 'settings'");
	json_array_foreach (array, i, object) {
		int r = take_setting(object, &settings, ret_error);

		if (r < 0)
			return r;
	}
	*ret = settings;
	settings = (struct settings) { 0 };
	return 0;
}

char *plan_workload(const char *text, size_t len)
{
	_cleanup_json_ json_t *doc = json_loadb(text, len, JSON_REJECT_DUPLICATES, NULL);
	const char *workload = text_of(doc, "workload");

	return workload ? strdup(workload) : NULL;
}
