/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file makes the document of `lpartune inspect`. */
#include "advice/judge.h"
#include "advice/kernels.h"
#include "cmd/inspect/inspect.h"
#include "output/facts.h"
#include "output/output.h"

static json_t *findings_to_json(const struct findings *findings)
{
	json_t *array = json_array();

	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->list[i];

		json_array_append_new(
			array, json_pack("{s:s, s:s, s:s, s:s, s:s?}", "id", finding->rule->id,
					 "severity", severity_word(finding->rule->severity),
					 "title", finding->rule->title, "evidence",
					 finding->evidence, "next", finding->rule->next));
	}
	return array;
}

/* Every key of lparcfg as it stands there, the unknown ones too, with the unit that is known of it. */
static json_t *lparcfg_to_json(const struct lparcfg *lparcfg)
{
	struct span rest = content_span(&lparcfg->content), key, value;
	json_t *object = json_object();

	while (lparcfg_next(&rest, &key, &value)) {
		const struct lparcfg_key *known = lparcfg_key(key);
		_cleanup_free_ char *name = span_dup_utf8(key);
		_cleanup_free_ char *text = span_dup_utf8(value);

		if (name && text && !json_object_get(object, name))
			json_object_set_new(object, name,
					    json_pack("{s:s, s:s?, s:b}", "value", text, "unit",
						      known ? known->unit : NULL, "known",
						      known != NULL));
	}
	return object;
}

static json_t *behaviours_to_json(const struct facts *facts)
{
	json_t *array = json_array();

	for (int i = 0; i < BEHAVIOUR_COUNT; i++) {
		struct verdict verdict = kernels_judge(facts, (enum behaviour)i);
		_cleanup_free_ char *why = verdict_describe(facts, (enum behaviour)i);

		if (verdict.presence == PRESENCE_OTHER_ARCH)
			continue;

		json_array_append_new(
			array, json_pack("{s:s, s:s, s:s, s:s, s:s?}", "id", behaviour_info[i].id,
					 "title", behaviour_info[i].title, "presence",
					 presence_word(verdict.presence), "confidence",
					 confidence_word(verdict.confidence), "why", why));
	}
	return array;
}

json_t *inspect_document(const struct machine *m, bool all)
{
	_cleanup_findings_ struct findings findings = { 0 };
	json_t *doc = document_new("inspect", m->boot_id, root_name(m->root));

	if (!doc || judge(&m->facts, &findings) < 0 ||
	    json_object_set_new(doc, "facts", facts_to_json(&m->facts)) < 0 ||
	    json_object_set_new(doc, "findings", findings_to_json(&findings)) < 0 ||
	    (all && (json_object_set_new(doc, "lparcfg", lparcfg_to_json(&m->lparcfg)) < 0 ||
		     json_object_set_new(doc, "kernel", behaviours_to_json(&m->facts)) < 0))) {
		json_decref(doc);
		return NULL;
	}
	return doc;
}
