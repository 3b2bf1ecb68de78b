/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file renders the document of `lpartune recommend` as text. */
#include "base/util.h"
#include "cmd/advice/recommend.h"

static const char *text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static const char *or_dash(const char *text)
{
	return text ? text : "-";
}

static enum text_style style_of(const char *status)
{
	if (streq(status, "change") || streq(status, "conflict"))
		return STYLE_YELLOW;
	return streq(status, "ok") ? STYLE_GREEN : STYLE_PLAIN;
}

static void add_row(struct text_table *t, const char *what, const char *now, const char *want,
		    const json_t *status_of, const json_t *r)
{
	const char *status = text_of(status_of, "status");

	text_table_row(t);
	text_table_cell(t, STYLE_PLAIN, "%s", what);
	text_table_cell(t, STYLE_PLAIN, "%s", or_dash(now));
	text_table_cell(t, STYLE_PLAIN, "%s", or_dash(want));
	text_table_cell(t, style_of(status), "%s", status);
	text_table_cell(t, STYLE_PLAIN, "%s", text_of(r, "evidence_class"));
	text_table_cell(t, STYLE_PLAIN, "%s", text_of(r, "risk"));
	text_table_cell(t, STYLE_PLAIN, "%s", or_dash(text_of(status_of, "set_by")));
}

/* A row for each setting; for advice that no setting carries out, one with the rule's name. */
static void show_table(const json_t *list, struct text *out)
{
	static const struct text_column columns[] = {
		{ .title = "WHAT" },   { .title = "NOW" }, { .title = "WANT" },
		{ .title = "STATUS" }, { .title = "EV" },  { .title = "RISK" },
		{ .title = "SET BY" },
	};
	struct text_table *t = text_table_begin(out, 0, columns, ARRAY_SIZE(columns));
	json_t *r, *s;
	size_t i, k;

	json_array_foreach (list, i, r) {
		json_t *settings = json_object_get(r, "settings");

		if (!json_array_size(settings))
			add_row(t, text_of(r, "id"), NULL, NULL, r, r);
		json_array_foreach (settings, k, s)
			add_row(t, text_of(s, "tunable"), text_of(s, "now"), text_of(s, "want"), s,
				r);
	}
	text_table_end(t);
}

#define INDENT 4
#define LABEL_WIDTH 10

static void show_line(struct text *out, const char *label, const char *text)
{
	if (text)
		text_item(out, INDENT, LABEL_WIDTH, label, "%s", text);
}

static const char *scope_text(const char *scope)
{
	static const struct {
		const char *word, *text;
	} scopes[] = {
		{ "now", "now" },
		{ "next-load", "when the module is loaded" },
		{ "next-boot", "at the next boot" },
		{ "outside", "outside Linux" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(scopes); i++)
		if (streq(scopes[i].word, scope))
			return scopes[i].text;
	return scope;
}

/* What there is to say of a setting that is right, or that is not there, the table says. */
static bool needs_words(const json_t *r)
{
	const char *status = text_of(r, "status");

	return !streq(status, "ok") && !streq(status, "absent");
}

static void show_grades(struct text *out, const json_t *r)
{
	const char *severity = text_of(r, "severity"), *confirm = text_of(r, "confirm");

	text_item(out, INDENT, LABEL_WIDTH, "Grades",
		  "%s%seffect %s, evidence %s, risk %s, takes effect %s%s%s",
		  severity ? severity : "", severity ? ", " : "", text_of(r, "effect"),
		  text_of(r, "evidence_class"), text_of(r, "risk"), scope_text(text_of(r, "scope")),
		  confirm ? ", shown by bench " : "", confirm ? confirm : "");
}

/* Only what stands in the way of a setting: its values are in the table above. */
static void show_obstacles(struct text *out, const json_t *r)
{
	json_t *s;
	size_t i;

	json_array_foreach (json_object_get(r, "settings"), i, s) {
		const char *obsolete = text_of(s, "obsolete"), *reason = text_of(s, "reason");

		if (obsolete || reason)
			text_item(out, INDENT, LABEL_WIDTH, text_of(s, "status"), "%s: %s",
				  text_of(s, "tunable"), obsolete ? obsolete : reason);
	}
}

static void show_one(const json_t *r, struct text *out)
{
	text_heading(out, text_of(r, "id"));
	text_paragraph(out, 2, 2, STYLE_PLAIN, "%s", text_of(r, "title"));
	show_line(out, "Seen", text_of(r, "evidence"));
	show_line(out, "Why", text_of(r, "why"));
	show_obstacles(out, r);
	show_line(out, "Do", text_of(r, "action"));
	show_grades(out, r);
	show_line(out, "Limits", text_of(r, "caution"));
	show_line(out, "Next", text_of(r, "next"));
}

/* How many have which status, where there are any; the first four are somebody's work. */
static const struct {
	const char *status, *text;
} summary_parts[] = {
	{ "change", "to change" },     { "conflict", "in conflict" },
	{ "consider", "to consider" }, { "pending-reboot", "waiting for a reboot" },
	{ "ok", "as it should be" },   { "denied", "that only root can tell" },
	{ "locked", "locked down" },
};
#define WORK_PARTS 4

static void show_summary(const json_t *doc, struct text *out)
{
	const json_t *summary = json_object_get(doc, "summary");
	_cleanup_free_ char *text = NULL;
	const char *separator = "";
	bool work = false;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(summary_parts); i++) {
		json_int_t n = json_integer_value(
			json_object_get(summary, summary_parts[i].status));

		if (!n)
			continue;
		work |= i < WORK_PARTS;
		fprintf(f, "%s%" JSON_INTEGER_FORMAT " %s", separator, n, summary_parts[i].text);
		separator = ", ";
	}
	if (fclose(f))
		return;
	if (work)
		text_paragraph(out, 0, 0, STYLE_PLAIN, "%s.", text);
	else
		text_paragraph(out, 0, 0, STYLE_GREEN, "Nothing to change%s%s.", *text ? ": " : "",
			       text);
}

static void show_considered(const json_t *list, struct text *out)
{
	json_t *item;
	size_t i;

	if (!json_array_size(list))
		return;
	text_heading(out, "Considered");
	json_array_foreach (list, i, item)
		text_item(out, 2, 32, text_of(item, "id"), "%s", or_dash(text_of(item, "reason")));
}

static void show_popular(const json_t *list, struct text *out)
{
	json_t *item;
	size_t i;

	if (!json_array_size(list))
		return;
	text_heading(out, "Popular advice without evidence");
	json_array_foreach (list, i, item)
		text_paragraph(out, 2, 4, STYLE_PLAIN, "\"%s\" (%s): %s", text_of(item, "advice"),
			       text_of(item, "id"), text_of(item, "why"));
}

void recommend_view(const json_t *doc, struct text *out)
{
	json_t *list = json_object_get(doc, "recommendations"), *r;
	size_t i;

	if (json_array_size(list)) {
		show_table(list, out);
		json_array_foreach (list, i, r)
			if (needs_words(r))
				show_one(r, out);
		text_heading(out, "In sum");
	}
	show_summary(doc, out);
	show_considered(json_object_get(doc, "considered"), out);
	show_popular(json_object_get(doc, "popular"), out);
}
