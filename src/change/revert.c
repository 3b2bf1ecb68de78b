/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file plans the way back from what the books hold; it writes nothing. */
#include "change/revert.h"

#include <errno.h>

#include "change/apply.h"
#include "change/boot/dropin.h"
#include "change/record/entry.h"

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

/* A CPU that is offline now, and comes online because SMT is reverted in the same change? If it does
 * not, its original stays in the books. */
static bool comes_online(const struct change *change, const struct step *step)
{
	const struct step *smt = change->steps.step;

	for (size_t i = 0; i < change->steps.count && step->instance; i++)
		if (smt[i].tunable && smt[i].tunable->where == WHERE_SMT &&
		    (!smt[i].instance || streq(smt[i].instance, step->instance)))
			return true;
	return false;
}

/* A value that cannot be read now. Returns 1 if there is nothing to bring back. */
static int plan_unreadable(struct change *change, const struct step *step, struct change_item *item)
{
	int r;

	if (step_is_lost(change->root, step)) {
		r = change_detail(item, "gone with %s: nothing to bring back",
				  step->instance ? step->instance : "its module");
		return r < 0 ? r : 1;
	}
	if (comes_online(change, step))
		return step_plan_back(step, step->to, &change->steps);
	if (item->status == CHANGE_REVERTED)
		item->status = step->instance ? CHANGE_PENDING_CPU : CHANGE_ABSENT;
	r = change_detail(item,
			  "/%s cannot be read now: its original is kept, revert again when it is "
			  "back",
			  step->path);
	return r < 0 ? r : 0;
}

static int tell_drift(const struct step *step, const char *now, struct change_item *item)
{
	int r = change_detail(item, "%s%s/%s is %s: somebody else set it",
			      step->instance ? step->instance : "", step->instance ? ": " : "",
			      step->path, now);

	item->status = CHANGE_DRIFT;
	return r < 0 ? r : 0;
}

/* Returns 1 if it is forbidden to write there, and the item says so. */
static int tell_forbidden(struct change *change, const char *path, struct change_item *item)
{
	int r = change_is_forbidden(change, path, item);

	if (r > 0 && item->status == CHANGE_LOCKED &&
	    change_detail(item, "kernel lockdown forbids it: its original is kept") < 0)
		return -ENOMEM;
	return r;
}

/* Returns 1 if the step was planned or there is nothing to bring back, 0 if it stays. */
static int plan_step_back(struct change *change, const struct step *step, bool force,
			  struct change_item *item)
{
	_cleanup_free_ char *now = NULL;
	enum holder holder = holder_of(change->root, step, &now);
	int r;

	if (holder == HOLDER_NOBODY)
		return plan_unreadable(change, step, item);
	if (holder == HOLDER_ORIGINAL)
		return 1;
	if (holder == HOLDER_OTHER && !force)
		return tell_drift(step, now, item);
	r = tell_forbidden(change, step->path, item);
	if (r)
		return r < 0 ? r : 0;
	if (holder == HOLDER_OTHER) {
		r = change_detail(item, "overrides %s, which somebody else set", now);
		if (r < 0)
			return r;
	}
	return step_plan_back(step, now, &change->steps);
}

static bool is_of(const struct step *step, const struct tunable *t, const struct tunable *twin)
{
	return step->tunable == t || (twin && step->tunable == twin);
}

/* Of a pair nothing is brought back where somebody else has set either: the kernel would clear it. */
static int plan_pair_drift(struct change *change, const struct tunable *t,
			   const struct tunable *twin, struct change_item *item)
{
	for (size_t i = 0; i < change->books.runtime.count; i++) {
		const struct step *step = &change->books.runtime.step[i];
		_cleanup_free_ char *now = NULL;

		if (!is_of(step, t, twin) || holder_of(change->root, step, &now) != HOLDER_OTHER)
			continue;
		return tell_drift(step, now, item) < 0 ? -ENOMEM : 1;
	}
	return 0;
}

/*
 * The values of this boot, of the tunable and of its twin: first what was not zero, because the
 * kernel clears the other one then.
 */
static int plan_values_back(struct change *change, const struct tunable *t,
			    const struct tunable *twin, bool force, struct change_item *item)
{
	bool all = true;
	int r = twin && !force ? plan_pair_drift(change, t, twin, item) : 0;

	if (r)
		return r < 0 ? r : 0;
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = change->books.runtime.count; i-- > 0;) {
			const struct step *step = &change->books.runtime.step[i];
			bool is_late = twin && streq(step->from, "0");

			if (!is_of(step, t, twin) || is_late != (pass == 1))
				continue;
			r = plan_step_back(change, step, force, item);
			if (r < 0)
				return r;
			all &= r > 0;
		}
	return all;
}

static bool has_values(const struct books *books, const struct tunable *t,
		       const struct tunable *twin)
{
	for (size_t i = 0; i < books->runtime.count; i++)
		if (is_of(&books->runtime.step[i], t, twin))
			return true;
	return false;
}

/* The steps of a tunable that stands in one place get its old spelling. */
static int spell(const json_t *entry, const struct tunable *t, struct steps *steps, size_t first)
{
	const char *text = entry_text(entry, "from_text");

	for (size_t i = first; i < steps->count && text; i++) {
		struct step *step = &steps->step[i];

		if (step->tunable != t || step->instance)
			continue;
		free(step->text);
		step->text = strdup(text);
		if (!step->text)
			return -ENOMEM;
	}
	return 0;
}

/* Of a pair the value that was not zero is what is set. */
static int plan_first_value(struct change *change, const json_t *entry, const struct tunable *t,
			    const char *from)
{
	const struct tunable *twin = t->twin ? tunable_find(t->twin) : NULL;
	const char *twin_from = entry_text(entry, "twin_from");
	size_t first = change->steps.count;
	int r;

	if (twin && twin_from && streq(from, "0") && !streq(twin_from, "0"))
		return step_plan_value(change->root, twin, twin_from, &change->steps);
	r = step_plan_value(change->root, t, from, &change->steps);
	return r <= 0 || spell(entry, t, &change->steps, first) == 0 ? r : -ENOMEM;
}

static int tell_kernel(struct change *change, const json_t *entry, const char *from,
		       struct change_item *item)
{
	const char *kernel = entry_text(entry, "kernel");
	_cleanup_free_ char *now = NULL;

	if (!kernel || root_read_string(change->root, &now, "proc/sys/kernel/osrelease") < 0 ||
	    streq(kernel, now))
		return 0;
	return change_detail(item, "%s was found under kernel %s", from, kernel);
}

/* What cannot be brought back is told, and ends with that: no later revert could do it either. */
static int tell_unknown_original(struct change *change, const struct tunable_now *now,
				 const char *to, const char *from, struct change_item *item)
{
	bool is_ours = tunable_same(item->tunable, now->value, to);
	bool was_mixed = from && streq(from, TUNABLE_MIXED);
	int r;

	change->is_partial |= is_ours;
	item->status = is_ours ? CHANGE_STUCK : item->status;
	r = change_detail(item, "%s%s%s%s", is_ours ? "it stays " : "", is_ours ? now->value : "",
			  is_ours ? ": " : "",
			  was_mixed ? "CPUs differed before apply, and after a reboot nobody knows "
				      "how"
				    : "what it was before is not known");
	return r < 0 ? r : 1;
}

/* After a reboot nothing of ours is in a tunable that cannot be read. */
static int tell_nothing_to_do(struct change *change, const struct tunable_now *now,
			      const char *from, const char *to, struct change_item *item)
{
	int r;

	if (now->state == TUNABLE_READ)
		return tell_unknown_original(change, now, to, from, item);
	item->status = change_status_of(now);
	r = change_detail(item, "not there since the last boot: nothing to bring back");
	return r < 0 ? r : 1;
}

/*
 * No value of this boot is in the books: the machine was rebooted, and sysctl.d (or whoever saves
 * the state at shutdown) has brought our value back. What was there before the first apply is known.
 */
static int plan_first_original(struct change *change, const json_t *entry, const struct tunable *t,
			       bool force, struct change_item *item, const struct tunable_now *now)
{
	const char *from = entry_text(entry, "from"), *to = entry_text(entry, "to");
	int r;

	if (t->where == WHERE_CMDLINE || t->where == WHERE_MODULE || !to)
		return 1;
	if (!from || now->state != TUNABLE_READ || tunable_check(t, from) < 0)
		return tell_nothing_to_do(change, now, from, to, item);
	if (!tunable_same(t, now->value, to) && !tunable_same(t, now->value, from) && !force) {
		item->status = CHANGE_DRIFT;
		r = streq(now->value, TUNABLE_MIXED)
			    ? change_detail(item, "CPUs differ: somebody else set some of them")
			    : change_detail(item, "it is %s: somebody else set it", now->value);
		return r < 0 ? r : 0;
	}
	r = tunable_same(t, now->value, from) ? 0 : tell_forbidden(change, now->path, item);
	if (r)
		return r < 0 ? r : 0;
	r = plan_first_value(change, entry, t, from);
	if (r == -ENOMEM)
		return r;
	if (r < 0) {
		item->status = r == -EBUSY ? CHANGE_STUCK : CHANGE_DENIED;
		r = change_detail(item, "%s cannot be brought back: %s", from, strerror(-r));
		return r < 0 ? r : 0;
	}
	return r > 0 && tell_kernel(change, entry, from, item) < 0 ? -ENOMEM : 1;
}

static int plan_boot_back(struct change *change, const json_t *entry, const struct tunable *t,
			  struct change_item *item)
{
	const char *to = json_string_value(json_object_get(entry, "to"));
	int r;

	if (change->boot_stays) {
		item->status = change->boot_error == -ESTALE ? CHANGE_DRIFT : CHANGE_UNSUPPORTED;
		r = change_detail(item, "%s", change->boot_stays);
		return r < 0 ? r : 0;
	}
	r = to ? bootparam_wish_back(&change->loader, t->name, bootparam_token(to)) : 0;
	return r < 0 ? r : 1;
}

static int plan_entry_back(struct change *change, const json_t *entry, const struct tunable *t,
			   bool force, struct change_item *item, const struct tunable_now *now)
{
	const struct tunable *twin = t->twin ? tunable_find(t->twin) : NULL;
	int r;

	if (!json_is_true(json_object_get(entry, "ours"))) {
		r = change_detail(item, "it was so before apply, and stays");
		return r < 0 ? r : 1;
	}
	if (t->where == WHERE_CMDLINE)
		return plan_boot_back(change, entry, t, item);
	if (!has_values(&change->books, t, twin))
		return plan_first_original(change, entry, t, force, item, now);
	r = plan_values_back(change, t, twin, force, item);
	if (r > 0 && twin)
		books_strike_values(&change->future, twin);
	return r;
}

static int revert_entry(struct change *change, const json_t *entry, bool force)
{
	_cleanup_tunable_now_ struct tunable_now now = { 0 };
	const char *id = entry_text(entry, "tunable");
	const struct tunable *t = id ? tunable_find(id) : NULL;
	struct change_item *item;
	int r;

	if (!t) {
		change->is_partial = true;
		return change_note(change, "'%s' is not known to this lpartune: it stays", id);
	}
	r = tunable_read(change->root, t, &now);
	if (r < 0)
		return r;
	item = change_add_item(change, t, now.value, entry_text(entry, "from"), CHANGE_REVERTED);
	if (!item)
		return -ENOMEM;
	r = plan_entry_back(change, entry, t, force, item, &now);
	/* What stays as it is stays in the books: a later revert can still bring it back. */
	if (r <= 0)
		return r;
	books_strike_values(&change->future, t);
	books_strike(&change->future, t->id);
	if (t->where == WHERE_CMDLINE)
		books_strike_lines(&change->future, t->name);
	return 0;
}

static bool is_wanted(const char *id, char *const *ids, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (streq(ids[i], id))
			return true;
	return count == 0;
}

/* The last one first. CPUs come online before what is per CPU comes back, so SMT has its own turn. */
static int revert_entries(struct change *change, char *const *ids, size_t count, bool force,
			  bool is_smt)
{
	json_t *entries = json_object_get(change->books.state, "settings");
	int r = 0;

	for (size_t i = json_array_size(entries); i-- > 0 && r == 0;) {
		const json_t *entry = json_array_get(entries, i);
		const char *id = entry_text(entry, "tunable");

		if (id && is_wanted(id, ids, count) && streq(id, "smt") == is_smt)
			r = revert_entry(change, entry, force);
	}
	return r;
}

/* Why the way back of boot parameters cannot be planned. Allocated; NULL when memory is out. */
static char *why_boot_stays(const struct change *change, int error)
{
	const char *path = change->loader.blamed, *reason = NULL;
	char *text = NULL;

	if (error == -ESTALE && path)
		return asprintf(&text, "'/%s' was edited since lpartune wrote it", path) < 0 ? NULL
											     : text;
	if (bootparam_detect(change->root, &reason) == LOADER_UNKNOWN)
		return strdup(reason);
	reason = bootparam_reason(&change->loader, error);
	reason = reason ? reason : strerror(-error);
	if (!path)
		return strdup(reason);
	return asprintf(&text, "'/%s': %s", path, reason) < 0 ? NULL : text;
}

/* They stay as they are, and the rest is planned anew. */
static int leave_boot(struct change *change, int error)
{
	change->boot_stays = why_boot_stays(change, error);
	change->boot_error = error;
	return change->boot_stays ? change_start_over(change) : -ENOMEM;
}

static int plan_back(struct change *change, char *const *ids, size_t count, bool force,
		     const char **ret_name)
{
	int r = revert_entries(change, ids, count, force, true);

	if (r == 0)
		r = revert_entries(change, ids, count, force, false);
	change->all_goes = !json_array_size(json_object_get(change->future.state, "settings"));
	return r == 0 ? bootparam_plan(change, force, ret_name) : r;
}

int change_plan_revert(struct change *change, char *const *ids, size_t count, bool force,
		       const char **ret_name)
{
	int r = bootparam_adopt(change);

	if (r >= 0)
		r = bootparam_note_unknown(change);
	if (r < 0)
		return r;
	for (size_t i = 0; i < count; i++)
		if (!books_setting(&change->books, ids[i])) {
			*ret_name = ids[i];
			return -ESRCH;
		}
	r = plan_back(change, ids, count, force, ret_name);
	if (r < 0 && r != -ENOMEM && change->loader.count) {
		r = leave_boot(change, r);
		if (r == 0)
			r = plan_back(change, ids, count, force, ret_name);
	}
	if (r == 0)
		r = dropin_plan(change, force ? DROPIN_FORCE : DROPIN_LEAVE, ret_name);
	return r < 0 ? r : books_update_files(&change->future, &change->steps);
}
