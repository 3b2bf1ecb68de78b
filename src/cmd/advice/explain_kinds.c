/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file makes the sections that explain each kind of thing. */
#include <stdarg.h>

#include "advice/glossary.h"
#include "advice/judge.h"
#include "bench/workload/benchmarks.h"
#include "cmd/advice/explain.h"
#include "machine/sample/columns.h"
#include "machine/tunable/origin.h"
#include "output/facts.h"

/* Adds {"name", "text"} to an array; nothing for a text that is NULL or could not be made. */
static void _printf_(3, 4) add_section(json_t *sections, const char *name, const char *format, ...)
{
	_cleanup_free_ char *text = NULL;
	va_list args;
	int r;

	va_start(args, format);
	r = vasprintf(&text, format, args);
	va_end(args);
	if (r < 0)
		text = NULL;
	else
		json_array_append_new(sections,
				      json_pack("{s:s, s:s}", "name", name, "text", text));
}

static void add_text(json_t *sections, const char *name, const char *text)
{
	if (text)
		add_section(sections, name, "%s", text);
}

/* ---- rules ---- */

static size_t rule_count(void)
{
	return rules_count;
}

static const char *rule_id(size_t i)
{
	return rules[i].id;
}

static const char *rule_title(size_t i)
{
	return rules[i].title;
}

static const char *const *rule_sources(size_t i)
{
	return rules[i].source;
}

static void add_conditions(json_t *sections, const struct rule *rule)
{
	_cleanup_free_ char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return;
	for (const struct condition *c = rule->when; c->op != OP_END; c++) {
		_cleanup_free_ char *one = condition_describe(c);

		fprintf(f, "%s%s", c == rule->when ? "" : "; ", one ? one : "?");
	}
	if (rule->unless)
		fprintf(f, "; unless %s holds", rule->unless);
	if (fclose(f) == 0)
		add_section(sections, "Holds when", "%s", text);
}

static void add_settings(json_t *sections, const struct rule *rule)
{
	for (const struct rule_setting *s = rule->setting; s->tunable; s++)
		add_section(sections, "Setting", "%s = %s", s->tunable, s->value);
}

static void add_grades(json_t *sections, const struct rule *rule)
{
	if (rule->severity != SEVERITY_NONE)
		add_section(sections, "Severity", "%s", severity_word(rule->severity));
	add_section(sections, "Evidence", "%s, %s", evidence_word(rule->evidence),
		    evidence_meaning(rule->evidence));
	if (!rule->action && !rule->setting[0].tunable)
		return;
	add_section(sections, "Effect", "%s", effect_word(rule->effect));
	add_section(sections, "Risk", "%s", risk_word(rule->risk));
	add_section(sections, "Takes effect", "%s", scope_word(rule->scope));
}

static void add_ruling(json_t *sections, const struct rule *rule, const struct machine *m)
{
	_cleanup_free_ char *text = NULL;
	struct ruling ruling;

	if (judge_rule(&m->facts, rule, &ruling)) {
		text = judge_evidence(&m->facts, rule);
		add_section(sections, "Here", "holds: %s", text ? text : "?");
	} else if (ruling.covered_by) {
		add_section(sections, "Here", "%s says more", ruling.covered_by->id);
	} else {
		text = condition_describe(ruling.failed);
		add_section(sections, "Here", "%s: %s",
			    ruling.unknown ? "cannot be told" : "does not hold; it needs",
			    text ? text : "?");
	}
}

static void rule_fill(json_t *sections, size_t i, struct machine *m)
{
	const struct rule *rule = &rules[i];

	add_text(sections, "Popular advice", rule->popular);
	add_text(sections, "Why", rule->why);
	add_conditions(sections, rule);
	add_settings(sections, rule);
	add_text(sections, "Do", rule->action);
	add_grades(sections, rule);
	add_text(sections, "Limits", rule->caution);
	add_text(sections, "Workload", rule->workload);
	add_text(sections, "Shown by", rule->confirm);
	add_text(sections, "Undo", rule->undo);
	add_ruling(sections, rule, m);
}

/* ---- kernel behaviours ---- */

static size_t behaviour_count(void)
{
	return BEHAVIOUR_COUNT;
}

static const char *behaviour_id(size_t i)
{
	return behaviour_info[i].id;
}

static const char *behaviour_title(size_t i)
{
	return behaviour_info[i].title;
}

static const char *const *behaviour_sources(size_t i)
{
	static const char *sources[2];

	sources[0] = behaviour_info[i].source;
	return sources;
}

static void add_backports(json_t *sections, const struct behaviour_info *info)
{
	for (size_t i = 0; i < BACKPORTS_MAX && info->backport[i].version.major; i++) {
		const struct backport *b = &info->backport[i];
		const struct version *v = &b->version;

		if (b->builder == BUILDER_UPSTREAM)
			add_section(sections, "Backport", "stable %u.%u.%u", v->major, v->minor,
				    v->patch);
		else
			add_section(sections, "Backport", "%s, %u.%u.%u-%u",
				    builder_name(b->builder), v->major, v->minor, v->patch,
				    b->build);
	}
}

static void behaviour_fill(json_t *sections, size_t i, struct machine *m)
{
	const struct behaviour_info *info = &behaviour_info[i];
	struct verdict verdict = kernels_judge(&m->facts, (enum behaviour)i);
	_cleanup_free_ char *text = verdict_describe(&m->facts, (enum behaviour)i);

	add_text(sections, "What", info->about);
	add_text(sections, "Architecture", info->arch);
	add_text(sections, "Commit", info->commit);
	if (info->until.major)
		add_section(sections, "Mainline", "%u.%u, until %u.%u", info->since.major,
			    info->since.minor, info->until.major, info->until.minor);
	else if (info->since.major)
		add_section(sections, "Mainline", "%u.%u", info->since.major, info->since.minor);
	add_backports(sections, info);
	if (info->seen)
		add_section(sections, "Seen by", "%s", fact_info[info->seen].key);
	add_text(sections, "Symbol", info->symbol);
	add_text(sections, "Configuration", info->config);
	add_section(sections, "Here", "%s (by %s): %s", presence_word(verdict.presence),
		    confidence_word(verdict.confidence), text ? text : "?");
}

/* ---- tunables ---- */

static size_t tunables_size(void)
{
	return tunable_count;
}

static const char *tunable_id(size_t i)
{
	return tunables[i].id;
}

static const char *tunable_title(size_t i)
{
	return tunables[i].title;
}

static const char *persistence(const struct tunable *t)
{
	static const char *const words[] = {
		[PERSIST_NONE] = "nothing should carry it over a reboot",
		[PERSIST_SYSCTLD] = "/etc/sysctl.d",
		[PERSIST_BOOT_UNIT] = "lpartune apply --boot",
		[PERSIST_CMDLINE] = "the boot loader's command line",
		[PERSIST_MODPROBED] = "/etc/modprobe.d",
	};

	return words[t->persist];
}

static void add_values(json_t *sections, const struct tunable *t)
{
	if (t->values)
		add_section(sections, "Values", "%s", t->values);
	else if (t->min || t->max)
		add_section(sections, "Values", "%lld to %lld", t->min, t->max);
}

static void add_wanting_rules(json_t *sections, const char *tunable)
{
	for (size_t i = 0; i < rules_count; i++)
		for (const struct rule_setting *s = rules[i].setting; s->tunable; s++)
			if (streq(s->tunable, tunable))
				add_section(sections, "Rule", "%s wants %s", rules[i].id, s->value);
}

static void add_claims(json_t *sections, const struct origin_claims *claims)
{
	for (size_t i = 0; i < claims->count; i++)
		add_section(sections, "Set by", "%s %s = %s%s",
			    origin_word(claims->claim[i].origin), claims->claim[i].where,
			    claims->claim[i].value ? claims->claim[i].value : "?",
			    claims->claim[i].at_boot ? "" : " (not at boot)");
}

static void add_now(json_t *sections, const struct tunable *t, struct machine *m)
{
	_cleanup_tunable_now_ struct tunable_now now = { 0 };
	_cleanup_origin_claims_ struct origin_claims claims = { 0 };

	if (tunable_read(m->root, t, &now) < 0 || origin_find(m->root, t, &claims) < 0)
		return;
	if (now.state == TUNABLE_READ)
		add_section(sections, "Here", "%s (%s)", now.value, now.path);
	else if (now.state == TUNABLE_OBSOLETE)
		add_section(sections, "Here", "obsolete: %s", t->gone_text);
	else
		add_section(sections, "Here", "absent: %s", reason_word(now.reason));
	add_claims(sections, &claims);
}

static void tunable_fill(json_t *sections, size_t i, struct machine *m)
{
	const struct tunable *t = &tunables[i];

	add_text(sections, "What", t->about);
	add_values(sections, t);
	for (size_t k = 0; k < TUNABLE_PATHS && t->paths[k]; k++)
		add_section(sections, "File", "/%s", t->paths[k]);
	add_section(sections, "Takes effect", "%s", scope_word(tunable_scope(t)));
	add_section(sections, "Kept by", "%s", persistence(t));
	add_text(sections, "Needs", t->capability);
	add_text(sections, "Clears", t->twin);
	add_text(sections, "No way back", t->one_way);
	add_text(sections, "Obsolete", t->gone_text);
	add_wanting_rules(sections, t->id);
	add_now(sections, t, m);
}

/* ---- facts ---- */

static size_t facts_size(void)
{
	return FACT_COUNT;
}

static const char *fact_id(size_t i)
{
	return fact_info[i].key;
}

static const char *fact_title(size_t i)
{
	return fact_info[i].title;
}

static void fact_fill(json_t *sections, size_t i, struct machine *m)
{
	const struct fact_value *value = &m->facts.value[i];
	json_t *facts = facts_to_json(&m->facts);
	_cleanup_free_ char *text = fact_to_text(facts, (enum fact)i);

	json_decref(facts);
	add_text(sections, "What", fact_info[i].about);
	add_text(sections, "Unit", fact_info[i].unit);
	if (text)
		add_section(sections, "Here", "%s (%s)", text, value->source);
	else
		add_section(sections, "Here", "absent: %s%s%s%s", reason_word(value->reason),
			    value->source ? " (" : "", value->source ? value->source : "",
			    value->source ? ")" : "");
	add_text(sections, "But", value->conflict);
}

/* ---- columns of samples ---- */

static size_t columns_size(void)
{
	return COLUMN_COUNT;
}

static const char *column_id(size_t i)
{
	return column_info[i].name;
}

static const char *column_title(size_t i)
{
	return column_info[i].heading;
}

static void column_fill(json_t *sections, size_t i, struct machine *m)
{
	(void)m;
	add_text(sections, "What", column_info[i].about);
	add_text(sections, "Unit", column_info[i].unit);
	add_text(sections, "Source", column_info[i].source);
}

/* ---- workloads and terms ---- */

static size_t workload_count(void)
{
	return workloads_count;
}

static const char *workload_id(size_t i)
{
	return workloads[i].id;
}

static const char *workload_title(size_t i)
{
	return workloads[i].title;
}

static void workload_fill(json_t *sections, size_t i, struct machine *m)
{
	(void)m;
	add_text(sections, "What", workloads[i].about);
	for (size_t k = 0; k < rules_count; k++)
		if (rules[k].workload && streq(rules[k].workload, workloads[i].id))
			add_section(sections, "Rule", "%s: %s", rules[k].id, rules[k].title);
}

static size_t benchmark_count(void)
{
	size_t n = 0;

	while (benchmarks[n])
		n++;
	return n;
}

static const char *benchmark_id(size_t i)
{
	return benchmarks[i]->id;
}

static const char *benchmark_title(size_t i)
{
	return benchmarks[i]->summary;
}

static void benchmark_fill(json_t *sections, size_t i, struct machine *m)
{
	(void)m;
	add_text(sections, "What", benchmarks[i]->about);
	add_section(sections, "Run", "lpartune bench %s", benchmarks[i]->name);
}

static size_t term_count(void)
{
	return glossary_count;
}

static const char *term_id(size_t i)
{
	return glossary[i].id;
}

static const char *term_title(size_t i)
{
	return glossary[i].title;
}

static void term_fill(json_t *sections, size_t i, struct machine *m)
{
	(void)m;
	add_text(sections, "What", glossary[i].text);
}

static size_t left_out_entries(void)
{
	return 1;
}

static const char *left_out_id(size_t i)
{
	(void)i;
	return "left-out";
}

static const char *left_out_title(size_t i)
{
	(void)i;
	return "What has no rule, and why";
}

static void left_out_fill(json_t *sections, size_t i, struct machine *m)
{
	(void)i;
	(void)m;
	for (size_t k = 0; k < left_out_count; k++)
		add_section(sections, "-", "%s. %s", left_out[k].topic, left_out[k].reason);
}

const struct explain_kind explain_kinds[] = {
	{ "rule", "Rules", rule_count, rule_id, rule_title, rule_fill, rule_sources },
	{ "behaviour", "Kernel behaviours", behaviour_count, behaviour_id, behaviour_title,
	  behaviour_fill, behaviour_sources },
	{ "tunable", "Tunables", tunables_size, tunable_id, tunable_title, tunable_fill, NULL },
	{ "fact", "Facts", facts_size, fact_id, fact_title, fact_fill, NULL },
	{ "column", "Columns of sample", columns_size, column_id, column_title, column_fill, NULL },
	{ "benchmark", "Benchmarks", benchmark_count, benchmark_id, benchmark_title, benchmark_fill,
	  NULL },
	{ "workload", "Workloads", workload_count, workload_id, workload_title, workload_fill,
	  NULL },
	{ "term", "Terms", term_count, term_id, term_title, term_fill, NULL },
	{ "list", "Lists", left_out_entries, left_out_id, left_out_title, left_out_fill, NULL },
};
const size_t explain_kinds_count = ARRAY_SIZE(explain_kinds);

bool explain_find(const char *id, const struct explain_kind **ret_kind, size_t *ret_index)
{
	for (size_t k = 0; k < explain_kinds_count; k++)
		for (size_t i = 0; i < explain_kinds[k].count(); i++)
			if (streq(explain_kinds[k].id(i), id)) {
				*ret_kind = &explain_kinds[k];
				*ret_index = i;
				return true;
			}
	return false;
}
