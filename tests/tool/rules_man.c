/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints lpartune-rules(7), made of the tables of advice. */
#include <ctype.h>
#include <stdio.h>

#include "advice/judge.h"

/* Text for mdoc: a backslash, and a dot or quote that would begin a request, are escaped. */
static void put_text(const char *text)
{
	if (*text == '.' || *text == '\'')
		fputs("\\&", stdout);
	for (; *text; text++) {
		if (*text == '\\')
			fputs("\\e", stdout);
		/* New sentence, new line: mandoc's rule. */
		else if (*text == '.' && text[1] == ' ' && isupper((unsigned char)text[2]))
			fputs(".\n", stdout), text++;
		else
			putchar(*text);
	}
	putchar('\n');
}

static void put_item(const char *label, const char *text)
{
	if (!text)
		return;
	printf(".It %s\n", label);
	put_text(text);
}

static void put_conditions(const struct rule *rule)
{
	fputs(".It Holds when\n", stdout);
	for (const struct condition *c = rule->when; c->op != OP_END; c++) {
		_cleanup_free_ char *text = condition_describe(c);
		_cleanup_free_ char *line = NULL;

		if (asprintf(&line, "%s%s", text ? text : "?", c[1].op == OP_END ? "" : ";") < 0)
			return;
		put_text(line);
	}
	if (rule->unless)
		printf("(unless %s holds)\n", rule->unless);
}

static void put_grades(const struct rule *rule)
{
	bool acts = rule->action || rule->setting[0].tunable;

	puts(".It Grades");
	if (rule->severity != SEVERITY_NONE)
		printf("%s;\n", severity_word(rule->severity));
	printf("evidence %s (%s)", evidence_word(rule->evidence), evidence_meaning(rule->evidence));
	if (acts)
		printf(";\neffect %s; risk %s; takes effect: %s", effect_word(rule->effect),
		       risk_word(rule->risk), scope_word(rule->scope));
	if (rule->confirm)
		printf(";\nshown by bench %s", rule->confirm);
	puts("");
}

static void put_rule(const struct rule *rule)
{
	printf(".Ss %s\n", rule->id);
	put_text(rule->title);
	puts(".Bl -tag -width Ds -compact");
	put_item("Popular advice", rule->popular);
	put_item("Why", rule->why);
	put_conditions(rule);
	for (const struct rule_setting *s = rule->setting; s->tunable; s++)
		printf(".It Setting\n%s = %s\n", s->tunable, s->value);
	put_item("\\&Do", rule->action);
	put_grades(rule);
	put_item("Limits", rule->caution);
	put_item("Undo", rule->undo);
	if (rule->workload)
		printf(".It Workload\n%s\n", rule->workload);
	puts(".It Sources");
	for (const char *const *url = rule->source; *url; url++)
		printf(".Lk %s\n", *url);
	puts(".El");
}

static void put_section(const char *heading, bool (*belongs)(const struct rule *))
{
	printf(".Sh %s\n", heading);
	for (size_t i = 0; i < rules_count; i++)
		if (belongs(&rules[i]))
			put_rule(&rules[i]);
}

static bool is_finding(const struct rule *rule)
{
	return rule->severity != SEVERITY_NONE;
}

static bool is_recommendation(const struct rule *rule)
{
	return rule->severity == SEVERITY_NONE && !rule->popular && !rule->workload;
}

static bool is_for_workload(const struct rule *rule)
{
	return rule->workload != NULL;
}

static bool is_popular(const struct rule *rule)
{
	return rule->popular != NULL;
}

static void put_left_out(void)
{
	puts(".Sh LEFT OUT\n.Bl -tag -width Ds -compact");
	for (size_t i = 0; i < left_out_count; i++)
		put_item(left_out[i].topic, left_out[i].reason);
	puts(".El");
}

int main(void)
{
	puts(".\\\" SPDX-License-Identifier: GPL-2.0-or-later\n"
	     ".\\\" Made of the table of rules by \"make man\": do not edit.\n"
	     ".Dd December 1, 2026\n"
	     ".Dt LPARTUNE-RULES 7\n"
	     ".Os\n"
	     ".Sh NAME\n"
	     ".Nm lpartune-rules\n"
	     ".Nd what lpartune finds and recommends, and on what evidence\n"
	     ".Sh DESCRIPTION\n"
	     ".Xr lpartune-inspect 8\n"
	     "shows the findings that hold on a machine,\n"
	     ".Xr lpartune-recommend 8\n"
	     "what can be done.\n"
	     "Each rule holds when all its conditions do; a condition over a fact that is not\n"
	     "known never holds.\n"
	     "The default plan is what was measured and is of low risk (evidence A and B), and\n"
	     "what the vendor of the workload that was named requires (V).");
	put_section("FINDINGS", is_finding);
	put_section("RECOMMENDATIONS", is_recommendation);
	put_section("FOR A WORKLOAD", is_for_workload);
	put_section("POPULAR ADVICE WITHOUT EVIDENCE", is_popular);
	put_left_out();
	puts(".Sh SEE ALSO\n"
	     ".Xr lpartune 8 ,\n"
	     ".Xr lpartune-explain 8 ,\n"
	     ".Xr lpartune-recommend 8");
	return ferror(stdout) || fflush(stdout) ? 1 : 0;
}
