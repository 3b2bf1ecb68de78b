/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file renders the documents of `lpartune explain` as text. */
#include "base/util.h"
#include "cmd/advice/explain.h"

#define LIST_WIDTH 34
#define LABEL_WIDTH 16

static const char *text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static void show_list(const json_t *entries, struct text *out)
{
	for (size_t k = 0; k < explain_kinds_count; k++) {
		json_t *entry;
		size_t i;

		text_heading(out, explain_kinds[k].heading);
		json_array_foreach (entries, i, entry)
			if (streq(text_of(entry, "kind"), explain_kinds[k].name))
				text_item(out, 2, LIST_WIDTH, text_of(entry, "id"), "%s",
					  text_of(entry, "title"));
	}
}

void explain_view(const json_t *doc, struct text *out)
{
	json_t *entries = json_object_get(doc, "entries"), *item;
	size_t i;

	if (entries) {
		show_list(entries, out);
		return;
	}
	text_heading(out, text_of(doc, "id"));
	text_paragraph(out, 2, 2, STYLE_BOLD, "%s", text_of(doc, "title"));
	json_array_foreach (json_object_get(doc, "sections"), i, item)
		text_item(out, 2, LABEL_WIDTH, text_of(item, "name"), "%s", text_of(item, "text"));
	json_array_foreach (json_object_get(doc, "sources"), i, item)
		text_item(out, 2, LABEL_WIDTH, i ? "" : "Sources", "%s", json_string_value(item));
}
