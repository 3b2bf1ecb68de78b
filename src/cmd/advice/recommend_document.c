/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file makes the document of `lpartune recommend`. */
#include "advice/judge.h"
#include "cmd/advice/recommend.h"
#include "output/output.h"

static json_t *fact_json(const struct machine *m, enum fact fact)
{
	const char *text;

	return facts_string(&m->facts, fact, &text) ? json_string(text) : json_null();
}

static json_t *want_json(const struct want *want)
{
	bool is_read = want->now.state == TUNABLE_READ;

	return json_pack("{s:s, s:s?, s:s, s:s, s:s?, s:s?, s:s?}", "tunable", want->tunable->id,
			 "now", want->now.value, "want", want->value, "status",
			 standing_word(want->standing), "set_by", want->set_by, "reason",
			 is_read ? NULL : reason_word(want->now.reason), "obsolete",
			 want->standing == STANDING_OBSOLETE ? want->tunable->gone_text : NULL);
}

static json_t *wants_json(const struct recommendation *r)
{
	json_t *array = json_array();

	for (size_t i = 0; i < r->wants; i++)
		json_array_append_new(array, want_json(&r->want[i]));
	return array;
}

static json_t *sources_json(const struct rule *rule)
{
	json_t *array = json_array();

	for (size_t i = 0; i < RULE_SOURCES_MAX && rule->source[i]; i++)
		json_array_append_new(array, json_string(rule->source[i]));
	return array;
}

static json_t *recommendation_json(const struct recommendation *r)
{
	const struct rule *rule = r->rule;
	bool is_finding = rule->severity != SEVERITY_NONE;

	return json_pack("{s:s, s:s, s:s, s:b, s:s?, s:s, s:s, s:s, s:s, s:s, s:s, s:s?, s:s?, "
			 "s:s?, s:s?, s:s, s:o, s:o}",
			 "id", rule->id, "title", rule->title, "status", standing_word(r->standing),
			 "planned", r->planned, "severity",
			 is_finding ? severity_word(rule->severity) : NULL, "evidence_class",
			 evidence_word(rule->evidence), "effect", effect_word(rule->effect), "risk",
			 risk_word(rule->risk), "scope", scope_word(rule->scope), "evidence",
			 r->evidence, "why", rule->why, "action", rule->action, "caution",
			 rule->caution, "next", rule->next, "confirm", rule->confirm, "undo",
			 rule->undo, "settings", wants_json(r), "sources", sources_json(rule));
}

static json_t *recommendations_json(const struct recommendations *all)
{
	json_t *array = json_array();

	for (size_t i = 0; i < all->count; i++)
		json_array_append_new(array, recommendation_json(&all->list[i]));
	return array;
}

static json_t *summary_json(const struct recommendations *all)
{
	json_t *object = json_object();

	for (enum standing s = STANDING_OK; s <= STANDING_CHANGE; s++) {
		json_int_t count = 0;

		for (size_t i = 0; i < all->count; i++)
			count += all->list[i].standing == s;
		json_object_set_new(object, standing_word(s), json_integer(count));
	}
	return object;
}

/* Why a rule says nothing on this machine, as a sentence. */
static char *silence(const struct ruling *ruling, const struct rule *rule)
{
	_cleanup_free_ char *condition = NULL;
	char *text = NULL;
	int r;

	if (ruling->failed) {
		condition = condition_describe(ruling->failed);
		r = asprintf(&text, "%s: %s", ruling->unknown ? "cannot be told" : "needs",
			     condition ? condition : "?");
	} else if (ruling->covered_by) {
		r = asprintf(&text, "%s says more", ruling->covered_by->id);
	} else {
		r = asprintf(&text, "only for --workload %s", rule->workload);
	}
	return r < 0 ? NULL : text;
}

static json_t *considered_json(const struct machine *m, const char *workload)
{
	json_t *array = json_array();

	for (size_t i = 0; i < rules_count; i++) {
		const struct rule *rule = &rules[i];
		bool for_this = !rule->workload || (workload && streq(rule->workload, workload));
		struct ruling ruling;
		_cleanup_free_ char *why = NULL;

		if (rule->popular || (!rule->action && !rule->setting[0].tunable))
			continue;
		if (judge_rule(&m->facts, rule, &ruling) && for_this)
			continue;
		why = silence(&ruling, rule);
		json_array_append_new(array, json_pack("{s:s, s:s, s:s?}", "id", rule->id, "title",
						       rule->title, "reason", why));
	}
	return array;
}

static json_t *popular_json(const struct machine *m)
{
	json_t *array = json_array();
	struct ruling ruling;

	for (size_t i = 0; i < rules_count; i++)
		if (rules[i].popular && judge_rule(&m->facts, &rules[i], &ruling))
			json_array_append_new(array, json_pack("{s:s, s:s, s:s}", "id", rules[i].id,
							       "advice", rules[i].popular, "why",
							       rules[i].why));
	return array;
}

json_t *recommend_document(const struct machine *machine, const struct recommendations *all,
			   const char *workload, bool everything)
{
	json_t *doc = document_new("recommend", machine->boot_id, root_name(machine->root));
	int r;

	if (!doc)
		return NULL;
	r = json_object_set_new(doc, "hypervisor", fact_json(machine, FACT_HYPERVISOR));
	r |= json_object_set_new(doc, "mode", fact_json(machine, FACT_LPAR_MODE));
	r |= json_object_set_new(doc, "kernel", fact_json(machine, FACT_KERNEL_RELEASE));
	r |= json_object_set_new(doc, "workload", json_string(workload ? workload : "none"));
	r |= json_object_set_new(doc, "recommendations", recommendations_json(all));
	r |= json_object_set_new(doc, "summary", summary_json(all));
	if (everything) {
		r |= json_object_set_new(doc, "considered", considered_json(machine, workload));
		r |= json_object_set_new(doc, "popular", popular_json(machine));
	}
	if (r == 0)
		return doc;
	json_decref(doc);
	return NULL;
}
