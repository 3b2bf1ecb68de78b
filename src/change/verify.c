/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file compares the books with the machine; it writes nothing. */
#include "change/verify.h"

#include <errno.h>

#include "change/apply.h"
#include "change/boot/bootverify.h"
#include "change/boot/dropin.h"
#include "change/record/entry.h"
#include "machine/tunable/origin.h"

/* Who gave the value that stands there instead of ours, if somebody's configuration did. */
static int name_drifter(struct change *change, struct change_item *item)
{
	static const char again[] = "'lpartune apply --boot' makes them equal again";
	_cleanup_origin_claims_ struct origin_claims claims = { 0 };
	const struct origin_claim *claim = NULL;
	enum origin origin;
	int r = origin_find(change->root, item->tunable, &claims);

	if (r < 0)
		return r;
	if (streq(item->from, TUNABLE_MIXED))
		return item->tunable->where == WHERE_SMT
			       ? change_detail(item,
					       "cores run different numbers of threads: CPUs came "
					       "online or went offline since; %s",
					       again)
			       : change_detail(item,
					       "CPUs differ: somebody set some of them at run "
					       "time; %s",
					       again);
	origin = origin_of(&claims, item->tunable, item->from, &claim);
	if (claim)
		return change_detail(item, "set to %s by %s %s", item->from, origin_word(origin),
				     claim->where);
	if (item->tunable->by_cpus)
		return change_detail(
			item,
			"it is %s: the kernel computes it anew whenever a CPU comes or "
			"goes, or somebody set it",
			item->from);
	if (origin == ORIGIN_DEFAULT)
		return change_detail(item, "%s is the kernel's default", item->from);
	return change_detail(item, "somebody set it to %s at run time", item->from);
}

static bool is_in_runtime(const struct books *books, const struct tunable *t, const char *path)
{
	for (size_t i = 0; i < books->runtime.count; i++)
		if (books->runtime.step[i].tunable == t && streq(books->runtime.step[i].path, path))
			return true;
	return false;
}

/* Was the machine booted since the setting was made, and has nobody applied it in this boot? */
static bool is_of_another_boot(const struct change *change, const json_t *entry,
			       const struct tunable *t)
{
	for (size_t i = 0; i < change->books.runtime.count; i++)
		if (change->books.runtime.step[i].tunable == t)
			return false;
	return !entry_is_of_this_boot(change->root, entry);
}

/* CPUs that show another value: did they come online after we were here, or were they changed? */
static int judge_cpus(struct change *change, struct change_item *item)
{
	_cleanup_tunable_places_ struct tunable_places places = { 0 };
	unsigned int changed = 0, others = 0;
	const char *first = NULL;
	int r = tunable_places(change->root, item->tunable, &places);

	for (size_t i = 0; i < places.count && r == 0; i++) {
		const struct tunable_place *place = &places.place[i];

		if (!place->value || !place->instance || place->thread >= 0 ||
		    tunable_same(item->tunable, place->value, item->to))
			continue;
		first = first ? first : place->instance;
		others++;
		changed += is_in_runtime(&change->books, item->tunable, place->path);
	}
	if (r < 0 || !others || changed)
		return r < 0 ? r : name_drifter(change, item);
	item->status = CHANGE_PENDING_CPU;
	return change_detail(item, "%u CPUs from %s on came online later and have the default",
			     others, first);
}

static int judge_other_value(struct change *change, const json_t *entry, struct change_item *item)
{
	const struct tunable *t = item->tunable;

	item->status = CHANGE_DRIFT;
	if (t->persist == PERSIST_BOOT_UNIT && is_of_another_boot(change, entry, t))
		return change_detail(
			item, "not applied since the last boot: 'lpartune apply --boot' does "
			      "it, or lpartune.service once it is enabled");
	return t->where == WHERE_CPUIDLE ? judge_cpus(change, item) : name_drifter(change, item);
}

static int judge_value(struct change *change, const json_t *entry, struct change_item *item)
{
	int r;

	if (!tunable_same(item->tunable, item->from, item->to))
		return judge_other_value(change, entry, item);
	item->status = CHANGE_OK;
	r = change_find_conflict(change->root, item->tunable, item->to, &item->detail);
	if (r > 0)
		item->status = CHANGE_CONFLICT;
	return r < 0 ? r : change_note_boot_unit(change->root, item);
}

/* A value may be in force, and yet our own file not say so any more. */
static int judge_file(struct change *change, const json_t *entry, struct change_item *item)
{
	_cleanup_free_ char *fault = NULL;
	bool in_force = item->status == CHANGE_OK || item->status == CHANGE_CONFLICT;
	int r = dropin_find_fault(change, entry, item->tunable, &fault);

	if (r <= 0 || item->status == CHANGE_DRIFT)
		return r < 0 ? r : 0;
	item->status = CHANGE_DRIFT;
	return change_detail(item, "%s%s", in_force ? "in force, but " : "", fault);
}

static int judge_module(struct change_item *item)
{
	bool is_loaded = item->from && !streq(item->from, "absent");

	if (item->from && tunable_same(item->tunable, item->from, item->to)) {
		item->status = CHANGE_OK;
		return 0;
	}
	item->status = CHANGE_NEXT_LOAD;
	return change_detail(item, is_loaded ? "the module was loaded before with another value"
					     : "the module is not loaded");
}

static int judge_absent(const struct tunable_now *now, struct change_item *item)
{
	item->status = change_status_of(now);
	return now->state == TUNABLE_OBSOLETE ? change_detail(item, "%s", item->tunable->gone_text)
					      : 0;
}

static int verify_entry(struct change *change, const json_t *entry)
{
	_cleanup_tunable_now_ struct tunable_now now = { 0 };
	const char *id = entry_text(entry, "tunable"), *to = entry_text(entry, "to");
	const char *rule = entry_text(entry, "rule");
	const struct tunable *t = id ? tunable_find(id) : NULL;
	struct change_item *item;
	int r;

	if (!t || !to)
		return id ? change_note(change, "'%s' is not known to this lpartune: not checked",
					id)
			  : 0;
	r = tunable_read(change->root, t, &now);
	if (r < 0)
		return r;
	item = change_add_item(change, t, now.value, to, CHANGE_ABSENT);
	if (!item)
		return -ENOMEM;
	item->rule = rule ? strdup(rule) : NULL;
	if (t->where == WHERE_CMDLINE)
		return bootverify(change, entry, item);
	if (t->where == WHERE_MODULE)
		r = judge_module(item);
	else if (now.state != TUNABLE_READ)
		r = judge_absent(&now, item);
	else
		r = judge_value(change, entry, item);
	return r < 0 ? r : judge_file(change, entry, item);
}

int change_verify(struct change *change)
{
	const json_t *entry;
	size_t i;
	int r = bootparam_adopt(change);

	if (r < 0)
		return r;
	change->is_partial |= r > 0;
	r = bootparam_note_lost(change);
	if (r == 0)
		r = bootparam_note_unknown(change);
	if (r < 0)
		return r;
	json_array_foreach (json_object_get(change->books.state, "settings"), i, entry) {
		r = verify_entry(change, entry);
		if (r < 0)
			return r;
	}
	return dropin_look(change);
}
