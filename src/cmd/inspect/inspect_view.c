/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * This file renders the document of `lpartune inspect`, in the order in which an administrator asks:
 * what it is, how it is doing, what is wrong, what next.
 */
#include "cmd/inspect/inspect.h"
#include "output/facts.h"

/* The facts of the one screen. */
static const enum fact what_it_is[] = {
	FACT_LPAR_NAME,
	FACT_LPAR_MODEL,
	FACT_HYPERVISOR,
	FACT_LPAR_MODE,
	FACT_LPAR_ENTITLEMENT,
	FACT_LPAR_VIRTUAL_PROCESSORS,
	FACT_LPAR_ENTITLEMENT_PER_VP,
	FACT_LPAR_WEIGHT,
	FACT_LPAR_POOL_CORES,
	FACT_LPAR_AFFINITY_SCORE,
	FACT_CPU_MODEL,
	FACT_CPU_ONLINE,
	FACT_CPU_CORES,
	FACT_CPU_SMT,
	FACT_CPU_SMT_CORES,
	FACT_NUMA_NODES,
	FACT_MEMORY_TOTAL,
	FACT_KERNEL_RELEASE,
	FACT_DISTRO_NAME,
	FACT_KERNEL_LOCKDOWN,
};

static const enum fact how_it_is_doing[] = {
	FACT_UPTIME,
	FACT_CPU_BUSY,
	FACT_STEAL_SINCE_BOOT,
	FACT_STEAL_DISPATCH_WAIT,
	FACT_STEAL_ENTITLEMENT_WAIT,
	FACT_STEAL_SINCE_BOOT_OF_DEMAND,
	FACT_STEAL_EXPECTED_AT_FULL_LOAD,
	FACT_STEAL_STAT,
	FACT_STEAL_KERNEL_ACCOUNTING,
	FACT_DISPATCH_DISPERSION,
	FACT_DISPATCH_HOME,
	FACT_LOG_RCU_STALLS,
	FACT_LOG_SOFT_LOCKUPS,
};

static const char *member(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

static const json_t *entry(const json_t *facts, enum fact fact)
{
	return json_object_get(facts, fact_info[fact].key);
}

static bool is_absent(const json_t *facts, enum fact fact)
{
	return json_is_null(json_object_get(entry(facts, fact), "value"));
}

/* The beginning of a line that says where a fact is from: the rest of a long derivation is --all's. */
static const char *asks_for(const json_t *facts, enum fact fact)
{
	return member(entry(facts, fact), "reason");
}

/* A fact that would be a line of its own for every healthy machine, and says nothing there. */
static bool is_idle_chatter(const json_t *facts, enum fact fact)
{
	const json_t *value = json_object_get(entry(facts, fact), "value");

	switch (fact) {
	case FACT_CPU_SMT_CORES: /* the mode says it, unless it is mixed */
		return !streq(member(entry(facts, FACT_CPU_SMT), "value"), "mixed");
	case FACT_LOG_RCU_STALLS:
	case FACT_LOG_SOFT_LOCKUPS:
		return json_integer_value(value) == 0;
	case FACT_KERNEL_LOCKDOWN:
		return streq(member(entry(facts, fact), "value"), "none");
	default:
		return false;
	}
}

/* Absent facts that an administrator would miss; the others are left out. */
static bool is_worth_a_gap(const json_t *facts, enum fact fact)
{
	const char *reason = asks_for(facts, fact);

	return !streq(reason, "not-applicable") && !streq(reason, "missing") &&
	       !streq(reason, "not-sampled") && !streq(reason, "no-data");
}

static void add_fact(struct text_table *t, const json_t *facts, enum fact fact)
{
	_cleanup_free_ char *text = fact_to_text(facts, fact);
	const char *conflict = member(entry(facts, fact), "conflict");

	if (!text && !is_worth_a_gap(facts, fact))
		return;
	if (text && is_idle_chatter(facts, fact))
		return;
	text_table_row(t);
	text_table_cell(t, STYLE_PLAIN, "%s", fact_info[fact].title);
	if (!text)
		text_table_cell(t, STYLE_DIM, "- (%s)", asks_for(facts, fact));
	else if (*conflict)
		text_table_cell(t, STYLE_YELLOW, "%s (but %s)", text, conflict);
	else
		text_table_cell(t, STYLE_PLAIN, "%s", text);
}

static void show_facts(struct text *out, const char *heading, const json_t *facts,
		       const enum fact *list, size_t count)
{
	static const struct text_column columns[] = { { .title = NULL }, { .wrap = true } };
	struct text_table *t;

	text_heading(out, heading);
	t = text_table_begin(out, 2, columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < count; i++)
		add_fact(t, facts, list[i]);
	text_table_end(t);
}

static enum text_style severity_style(const char *severity)
{
	if (streq(severity, "critical"))
		return STYLE_RED;
	return streq(severity, "warning") ? STYLE_YELLOW : STYLE_PLAIN;
}

/* Is this a tree of which nothing is known? No finding then means nothing. */
static bool is_blank(const json_t *facts)
{
	return is_absent(facts, FACT_ARCH) && is_absent(facts, FACT_CPU_ONLINE) &&
	       is_absent(facts, FACT_KERNEL_RELEASE) && is_absent(facts, FACT_LPAR_ENTITLEMENT);
}

static void show_findings(struct text *out, const json_t *facts, const json_t *findings)
{
	const json_t *finding;
	size_t i;

	text_heading(out, "What is wrong");
	if (!json_array_size(findings))
		text_paragraph(
			out, 2, 2, STYLE_PLAIN,
			is_blank(facts)
				? "nothing could be read: this is no root of a machine's files"
				: "nothing found");
	json_array_foreach (findings, i, finding) {
		const char *severity = member(finding, "severity");

		text_paragraph(out, 2, 4, severity_style(severity), "%s: %s [%s]", severity,
			       member(finding, "title"), member(finding, "id"));
		text_paragraph(out, 4, 4, STYLE_PLAIN, "%s", member(finding, "evidence"));
	}
}

/* Each step once, in the order of the findings. */
static void show_next(struct text *out, const json_t *doc)
{
	const json_t *findings = json_object_get(doc, "findings");
	const char *root = member(doc, "root");
	const json_t *finding;
	size_t i;

	text_heading(out, "What next");
	json_array_foreach (findings, i, finding) {
		const char *next = member(finding, "next");
		bool said = !*next;

		for (size_t k = 0; k < i && !said; k++)
			said = streq(next, member(json_array_get(findings, k), "next"));
		if (!said)
			text_paragraph(out, 2, 4, STYLE_PLAIN, "%s", next);
	}
	/* sample reads the running machine: to a tree it has nothing to say. */
	if (!json_array_size(findings) && streq(root, "/"))
		text_paragraph(out, 2, 4, STYLE_PLAIN, "lpartune sample 1 10");
	else if (!json_array_size(findings))
		text_paragraph(out, 2, 4, STYLE_PLAIN, "lpartune recommend --root %s", root);
}

static void show_denied(struct text *out, const json_t *facts)
{
	_cleanup_free_ char *list = NULL;
	size_t size, found = 0;
	FILE *f = open_memstream(&list, &size);

	if (!f)
		return;
	for (int i = 0; i < FACT_COUNT; i++)
		if (is_absent(facts, (enum fact)i) &&
		    streq(asks_for(facts, (enum fact)i), "denied"))
			fprintf(f, "%s%s", found++ ? ", " : "", fact_info[i].key);
	if (fclose(f) == 0 && found) {
		text_heading(out, "What root would add");
		text_paragraph(out, 2, 2, STYLE_DIM, "%s", list);
	}
}

void inspect_view(const json_t *doc, struct text *out)
{
	const json_t *facts = json_object_get(doc, "facts");
	const json_t *findings = json_object_get(doc, "findings");

	show_facts(out, "What it is", facts, what_it_is, ARRAY_SIZE(what_it_is));
	show_facts(out, "How it has been doing since boot", facts, how_it_is_doing,
		   ARRAY_SIZE(how_it_is_doing));
	show_findings(out, facts, findings);
	show_next(out, doc);
	show_denied(out, facts);
}

static void show_group(struct text *out, const json_t *facts, enum fact_group group)
{
	static const char *const headings[GROUP_COUNT] = {
		[GROUP_PARTITION] = "Partition", [GROUP_PROCESSORS] = "Processors",
		[GROUP_SYSTEM] = "System",	 [GROUP_DOING] = "Since boot",
		[GROUP_SETTINGS] = "Settings",
	};

	text_heading(out, headings[group]);
	for (int i = 0; i < FACT_COUNT; i++) {
		_cleanup_free_ char *text = fact_to_text(facts, (enum fact)i);
		const char *source = member(entry(facts, (enum fact)i), "source");
		const char *conflict = member(entry(facts, (enum fact)i), "conflict");

		if (fact_info[i].group != group)
			continue;
		text_paragraph(out, 2, 6, STYLE_PLAIN, "%s%s%s  %s%s%s", text_on(out, STYLE_BOLD),
			       fact_info[i].key, text_off(out), text ? text : "- (",
			       text ? "" : asks_for(facts, (enum fact)i), text ? "" : ")");
		if (*source)
			text_paragraph(out, 6, 6, STYLE_DIM, "from %s", source);
		if (*conflict)
			text_paragraph(out, 6, 6, STYLE_YELLOW, "but %s", conflict);
	}
}

static void show_kernel(struct text *out, const json_t *behaviours)
{
	static const struct text_column columns[] = { { .title = "BEHAVIOUR" },
						      { .title = "IS" },
						      { .title = "BY" } };
	const json_t *behaviour;
	struct text_table *t;
	size_t i;

	text_heading(out, "What this kernel does");
	t = text_table_begin(out, 2, columns, ARRAY_SIZE(columns));
	json_array_foreach (behaviours, i, behaviour) {
		text_table_row(t);
		text_table_cell(t, STYLE_PLAIN, "%s", member(behaviour, "id"));
		text_table_cell(t, STYLE_PLAIN, "%s", member(behaviour, "presence"));
		text_table_cell(t, STYLE_DIM, "%s", member(behaviour, "confidence"));
	}
	text_table_end(t);
}

static void show_lparcfg(struct text *out, const json_t *lparcfg)
{
	static const struct text_column columns[] = { { .title = "KEY" },
						      { .title = "VALUE", .right = true },
						      { .title = "UNIT" } };
	struct text_table *t;
	const char *key;
	json_t *line;

	if (!json_object_size(lparcfg))
		return;
	text_heading(out, "lparcfg as it stands");
	t = text_table_begin(out, 2, columns, ARRAY_SIZE(columns));
	json_object_foreach ((json_t *)lparcfg, key, line) {
		text_table_row(t);
		text_table_cell(t, STYLE_PLAIN, "%s", key);
		text_table_cell(t, STYLE_PLAIN, "%s", member(line, "value"));
		text_table_cell(t, STYLE_DIM, "%s",
				json_is_true(json_object_get(line, "known")) ? member(line, "unit")
									     : "(unknown key)");
	}
	text_table_end(t);
}

void inspect_view_all(const json_t *doc, struct text *out)
{
	for (int group = 0; group < GROUP_COUNT; group++)
		show_group(out, json_object_get(doc, "facts"), (enum fact_group)group);
	show_kernel(out, json_object_get(doc, "kernel"));
	show_lparcfg(out, json_object_get(doc, "lparcfg"));
	show_findings(out, json_object_get(doc, "facts"), json_object_get(doc, "findings"));
	show_next(out, doc);
}
