/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plans: what is written is read back; what may never be written is refused. */
#include "cmd/advice/plan.h"
#include "unit.h"

static int parse(const char *text, struct settings *ret, char **error)
{
	return plan_parse(text, strlen(text), ret, error);
}

static void test_round_trip(void)
{
	_cleanup_settings_ struct settings settings = { 0 }, back = { 0 };
	_cleanup_free_ char *text = NULL, *error = NULL;
	json_t *doc;

	CHECK(settings_add(&settings, tunable_find("feature:NONTASK_CAPACITY"), "on", "off",
			   "nontask-capacity", "steal 21 %") == 0);
	CHECK(settings_add(&settings, tunable_find("cmdline:powersave"), NULL, "absent", NULL,
			   NULL) == 0);
	doc = json_pack("{s:o}", "settings", plan_settings_to_json(&settings));
	text = json_dumps(doc, 0);
	json_decref(doc);
	CHECK(text && parse(text, &back, &error) == 0);
	CHECK(back.count == 2);
	CHECK(back.count == 2 && back.list[0].tunable == settings.list[0].tunable);
	CHECK(back.count == 2 && streq(back.list[0].from, "on") && streq(back.list[0].to, "off"));
	CHECK(back.count == 2 && streq(back.list[0].reason, "steal 21 %"));
	CHECK(back.count == 2 && !back.list[1].from && !back.list[1].rule);
}

static void test_refused(void)
{
	static const struct {
		const char *plan, *error;
	} cases[] = {
		{ "", "line 1: '[' or '{' expected near end of file" },
		{ "[]", "there is no array 'settings'" },
		{ "{\"settings\": [{}]}", "setting 1 has no 'tunable' or no 'to'" },
		{ "{\"settings\": [{\"tunable\": \"/etc/passwd\", \"to\": \"1\"}]}",
		  "'/etc/passwd' is not a tunable" },
		{ "{\"settings\": [{\"tunable\": \"ksm:run\", \"to\": \"7\"}]}",
		  "'7' is not a value of ksm:run" },
		{ "{\"settings\": [{\"tunable\": \"ksm:run\", \"to\": 0}]}",
		  "setting 1 has no 'tunable' or no 'to'" },
		{ "{\"settings\": [{\"tunable\": \"cpuidle:CEDE\", \"to\": \"on\", "
		  "\"instance\": \"cpu1\"}]}",
		  "cpuidle:CEDE can only be set for the whole machine" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_settings_ struct settings settings = { 0 };
		_cleanup_free_ char *error = NULL;

		CHECK(parse(cases[i].plan, &settings, &error) < 0);
		CHECK(error && streq(error, cases[i].error));
		CHECK(settings.count == 0);
	}
}

int main(void)
{
	test_round_trip();
	test_refused();
	return unit_done();
}
