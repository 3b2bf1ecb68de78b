/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file decides what is applied at boot; it plans no step. */
#include "cmd/change/approved.h"

#include <errno.h>

#include "advice/condition.h"
#include "change/apply.h"
#include "change/record/entry.h"
#include "cmd/advice/recommendation.h"
#include "machine/source/preferences.h"

/* Is this fact about what the machine is, not about how it is doing? */
static bool is_identity(enum fact fact)
{
	return fact == FACT_ARCH || fact == FACT_HYPERVISOR || fact == FACT_PLATFORM ||
	       fact == FACT_LPAR_MODE || fact == FACT_LPPACA_SHARED;
}

static bool is_of_kernel(enum op op)
{
	return op == OP_SINCE || op == OP_BEFORE || op == OP_HAS || op == OP_MAY_LACK;
}

bool approved_fits(const struct facts *facts, const char *id)
{
	const struct rule *rule = id ? rule_find(id) : NULL;

	for (const struct condition *c = rule ? rule->when : NULL; c && c->op != OP_END; c++) {
		bool unknown = false;

		if ((is_of_kernel(c->op) || is_identity(c->fact)) &&
		    !condition_holds(c, facts, &unknown) && !unknown)
			return false;
	}
	return true;
}

static int add_item(struct change *change, const struct setting *s, enum change_status status,
		    const char *detail)
{
	_cleanup_tunable_now_ struct tunable_now now = { 0 };
	struct change_item *item;
	int r = tunable_read(change->root, s->tunable, &now);

	if (r < 0)
		return r;
	item = change_add_item(change, s->tunable, now.value, s->to, status);
	if (!item)
		return -ENOMEM;
	item->rule = s->rule ? strdup(s->rule) : NULL;
	item->reason = s->reason ? strdup(s->reason) : NULL;
	if ((s->rule && !item->rule) || (s->reason && !item->reason))
		return -ENOMEM;
	return change_detail(item, "%s", detail);
}

static int add_setting(const struct setting *s, struct settings *settings)
{
	return settings_add(settings, s->tunable, s->from, s->to, s->rule, s->reason);
}

/* What was approved: applied, or told to suit the machine no more. */
static int take_approved(const struct facts *facts, struct change *change, struct settings *ret)
{
	_cleanup_settings_ struct settings all = { 0 };
	int r = change_settings_of_books(&change->books, &all);

	for (size_t i = 0; i < all.count && r == 0; i++)
		if (approved_fits(facts, all.list[i].rule))
			r = add_setting(&all.list[i], ret);
		else
			r = add_item(change, &all.list[i], CHANGE_UNSUITED,
				     "not set: its rule does not hold on this machine any more");
	return r;
}

static bool is_known(const struct books *books, const struct tunable *t)
{
	return books_setting(books, t->id) || (t->twin && books_setting(books, t->twin));
}

/* What nobody has approved: told, or applied where that was left to lpartune. */
static int take_new(struct change *change, const struct settings *found, bool apply_auto,
		    struct settings *ret)
{
	int r = 0;

	for (size_t i = 0; i < found->count && r == 0; i++) {
		const struct setting *s = &found->list[i];

		if (is_known(&change->books, s->tunable))
			continue;
		if (apply_auto && tunable_scope(s->tunable) == SCOPE_NOW)
			r = add_setting(s, ret);
		else
			r = add_item(change, s, CHANGE_NEW,
				     apply_auto ? "recommended; needs a file: 'lpartune apply'"
						: "recommended; not approved: 'lpartune apply'");
	}
	return r;
}

int approved_at_boot(struct machine *machine, struct change *change, struct settings *ret)
{
	_cleanup_recommendations_ struct recommendations all = { 0 };
	_cleanup_preferences_ struct preferences preferences = { 0 };
	_cleanup_settings_ struct settings found = { 0 };
	const char *workload = entry_text(change->books.state, "workload");
	int r = preferences_read(machine->root, &preferences);

	if (r == -ENOMEM)
		return r;
	if (preferences.workload || (workload && !workload_find(workload)))
		workload = NULL; /* lpartune.conf decides */
	r = take_approved(&machine->facts, change, ret);
	if (r == 0)
		r = recommendations_make(machine, workload, &all);
	if (r == 0)
		r = recommendations_plan(&all, NULL, 0, &found);
	if (r == 0)
		r = take_new(change, &found, preferences.apply_auto, ret);
	if (r == 0 && all.complaint)
		r = change_note(change, "%s", all.complaint);
	return r < 0 ? r : approved_note_mode(&machine->facts, change);
}

int approved_online(struct machine *machine, struct change *change, struct settings *ret)
{
	_cleanup_settings_ struct settings all = { 0 };
	int r = change_settings_of_books(&change->books, &all);

	for (size_t i = 0; i < all.count && r == 0; i++) {
		const struct tunable *t = all.list[i].tunable;

		if ((t->where == WHERE_CPUIDLE || t->by_cpus) &&
		    approved_fits(&machine->facts, all.list[i].rule))
			r = add_setting(&all.list[i], ret);
	}
	return r;
}

int approved_remember(const struct facts *facts, const char *workload, struct change *change)
{
	json_t *state = change->future.state;
	const char *mode = NULL;
	int r;

	if (!json_array_size(json_object_get(state, "settings")))
		return 0;
	(void)facts_string(facts, FACT_LPAR_MODE, &mode);
	r = json_object_set_new(state, "mode", mode ? json_string(mode) : json_null());
	r |= json_object_set_new(state, "workload", workload ? json_string(workload) : json_null());
	return r ? -ENOMEM : 0;
}

int approved_note_mode(const struct facts *facts, struct change *change)
{
	const char *then = entry_text(change->books.state, "mode"), *now = NULL;

	if (!then || !facts_string(facts, FACT_LPAR_MODE, &now) || !now || streq(then, now))
		return 0;
	return change_note(change, "the settings were approved for lpar.mode %s; it is %s now",
			   then, now);
}
