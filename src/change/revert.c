/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file plans the way back from what the books hold; it writes nothing. */
#include "change/revert.h"

#include <errno.h>

#include "change/dropin.h"

/* What stands at a step's place now, compared with what we found and what we left. */
enum holder { HOLDER_ORIGINAL, HOLDER_US, HOLDER_OTHER, HOLDER_NOBODY };

static enum holder holder_of(struct root *root, const struct step *step, char **ret_now)
{
	struct tunable_place place = { .path = step->path, .thread = step->thread };

	if (tunable_place_read(root, step->tunable, &place, ret_now) < 0)
		return HOLDER_NOBODY;
	if (tunable_same(step->tunable, *ret_now, step->from))
		return HOLDER_ORIGINAL;
	return tunable_same(step->tunable, *ret_now, step->to) ? HOLDER_US : HOLDER_OTHER;
}

/* Returns 1 if the step was planned or there is nothing to bring back, 0 if it is another's now. */
static int plan_step_back(struct change *change, const struct step *step, bool force,
			  struct change_item *item)
{
	_cleanup_free_ char *now = NULL;
	enum holder holder = holder_of(change->root, step, &now);
	int r;

	if (holder == HOLDER_NOBODY) {
		item->status = step->instance ? CHANGE_PENDING_CPU : CHANGE_ABSENT;
		r = change_detail(item,
				  "/%s cannot be read now: its original is kept, revert again when "
				  "it is back",
				  step->path);
		return r < 0 ? r : 0;
	}
	if (holder == HOLDER_OTHER && !force) {
		item->status = CHANGE_DRIFT;
		r = change_detail(item, "%s%s/%s is %s: somebody else set it",
				  step->instance ? step->instance : "", step->instance ? ": " : "",
				  step->path, now);
		return r < 0 ? r : 0;
	}
	if (holder == HOLDER_OTHER) {
		r = change_detail(item, "overrides %s, which somebody else set", now);
		if (r < 0)
			return r;
	}
	if (holder == HOLDER_US || holder == HOLDER_OTHER) {
		r = step_plan_back(step, now, &change->steps);
		if (r < 0)
			return r;
	}
	return 1;
}

/* The values of this boot: last first, so that pairs come back in order. */
static int plan_values_back(struct change *change, const struct tunable *t, bool force,
			    struct change_item *item)
{
	bool all = true;

	for (size_t i = change->books.runtime.count; i-- > 0;) {
		const struct step *step = &change->books.runtime.step[i];
		int r;

		if (step->tunable != t)
			continue;
		r = plan_step_back(change, step, force, item);
		if (r < 0)
			return r;
		all &= r > 0;
	}
	return all;
}

static bool has_values(const struct books *books, const struct tunable *t)
{
	for (size_t i = 0; i < books->runtime.count; i++)
		if (books->runtime.step[i].tunable == t)
			return true;
	return false;
}

/*
 * No value of this boot is in the books: the machine was rebooted, and sysctl.d (or whoever saves
 * the state at shutdown) has brought our value back. What was there before the first apply is known.
 */
static int plan_first_original(struct change *change, const json_t *entry, const struct tunable *t,
			       bool force, struct change_item *item)
{
	const char *from = json_string_value(json_object_get(entry, "from"));
	const char *kernel = json_string_value(json_object_get(entry, "kernel"));
	const char *to = json_string_value(json_object_get(entry, "to"));
	_cleanup_free_ char *kernel_now = NULL;
	int r;

	if (!from || !to || !item->from || t->where == WHERE_CMDLINE || t->where == WHERE_MODULE ||
	    tunable_check(t, from) < 0)
		return 1;
	if (!tunable_same(t, item->from, to) && !tunable_same(t, item->from, from) && !force) {
		item->status = CHANGE_DRIFT;
		r = change_detail(item, "it is %s: somebody else set it", item->from);
		return r < 0 ? r : 0;
	}
	r = step_plan_value(change->root, t, from, &change->steps);
	if (r > 0 && kernel &&
	    root_read_string(change->root, &kernel_now, "proc/sys/kernel/osrelease") == 0 &&
	    !streq(kernel, kernel_now))
		return change_detail(item, "%s was found under kernel %s", from, kernel);
	return r < 0 ? r : 1;
}

static int plan_boot_back(struct change *change, const json_t *entry, const struct tunable *t)
{
	const char *to = json_string_value(json_object_get(entry, "to"));
	const char *old = json_string_value(json_object_get(entry, "configured_from"));
	int r = to ? bootparam_wish_back(&change->loader, t->name, bootparam_token(to), old) : 0;

	return r < 0 ? r : 1;
}

static int plan_entry_back(struct change *change, const json_t *entry, const struct tunable *t,
			   bool force, struct change_item *item)
{
	const struct tunable *twin = t->twin ? tunable_find(t->twin) : NULL;
	int r;

	if (!json_is_true(json_object_get(entry, "ours"))) {
		r = change_detail(item, "it was so before");
		return r < 0 ? r : 1;
	}
	if (t->where == WHERE_CMDLINE)
		return plan_boot_back(change, entry, t);
	if (!has_values(&change->books, t))
		return plan_first_original(change, entry, t, force, item);
	/* The twin's step came second: it goes first, and its value clears this one again. */
	if (twin && !books_setting(&change->books, twin->id)) {
		r = plan_values_back(change, twin, force, item);
		if (r < 0)
			return r;
		books_strike_values(&change->future, twin);
	}
	return plan_values_back(change, t, force, item);
}

static int revert_entry(struct change *change, const json_t *entry, bool force)
{
	_cleanup_tunable_now_ struct tunable_now now = { 0 };
	const char *id = json_string_value(json_object_get(entry, "tunable"));
	const struct tunable *t = id ? tunable_find(id) : NULL;
	struct change_item *item;
	int r;

	if (!t)
		return 0;
	r = tunable_read(change->root, t, &now);
	if (r < 0)
		return r;
	item = change_add_item(change, t, now.value,
			       json_string_value(json_object_get(entry, "from")), CHANGE_REVERTED);
	if (!item)
		return -ENOMEM;
	r = plan_entry_back(change, entry, t, force, item);
	/* What somebody else holds stays in the books: --force can still bring it back. */
	if (r <= 0)
		return r;
	books_strike_values(&change->future, t);
	books_strike(&change->future, t->id);
	return 0;
}

static bool is_wanted(const char *id, char *const *ids, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (streq(ids[i], id))
			return true;
	return count == 0;
}

int change_plan_revert(struct change *change, char *const *ids, size_t count, bool force,
		       const char **ret_name)
{
	json_t *entries = json_object_get(change->books.state, "settings");
	int r = 0;

	for (size_t i = 0; i < count; i++)
		if (!books_setting(&change->books, ids[i])) {
			*ret_name = ids[i];
			return -ESRCH;
		}
	for (size_t i = json_array_size(entries); i-- > 0 && r == 0;) {
		const json_t *entry = json_array_get(entries, i);
		const char *id = json_string_value(json_object_get(entry, "tunable"));

		if (id && is_wanted(id, ids, count))
			r = revert_entry(change, entry, force);
	}
	change->all_goes = !json_array_size(json_object_get(change->future.state, "settings"));
	if (r == 0)
		r = bootparam_plan(change, force, ret_name);
	if (r == 0)
		r = dropin_plan(change, force, ret_name);
	return r < 0 ? r : books_update_files(&change->future, &change->steps);
}
