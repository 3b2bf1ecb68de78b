/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file undoes what a crash interrupted; it never gives up a record of what it could not undo. */
#include "change/record/recover.h"

#include <errno.h>

#include "base/store.h"
#include "change/boot/bootrecover.h"
#include "change/record/entry.h"
#include "change/record/record.h"
#include "change/record/temporary.h"

/* Was the journal's change entered in the books? Then only the journal itself was left. */
static bool is_entered(const json_t *journal, const struct books *books)
{
	const char *a = entry_text(journal, "transaction");
	const char *b = entry_text(books->state, "transaction");

	return a && b && streq(a, b);
}

/* Values of another boot are gone with it; files are not. */
static void drop_values(struct steps *steps)
{
	size_t kept = 0;

	for (size_t i = 0; i < steps->count; i++) {
		if (steps->step[i].tunable)
			step_done(&steps->step[i]);
		else
			steps->step[kept++] = steps->step[i];
	}
	steps->count = kept;
}

static const char *place_of(const struct step *step)
{
	return step->instance ? step->instance : step->path;
}

/* What a new entry takes from the machine is our value by now: the steps know what was before. */
static int correct(json_t *entry, const struct step *step, const struct steps *all)
{
	bool is_spelling = !step->instance && !streq(step->undo_text, step->from);
	int r = 0;

	(void)json_object_del(entry, "from_text");
	if (is_spelling)
		r |= json_object_set_new(entry, "from_text", json_string(step->undo_text));
	for (size_t i = 0; i < all->count && step->tunable->twin; i++)
		if (all->step[i].tunable && streq(all->step[i].tunable->id, step->tunable->twin))
			r |= json_object_set_new(entry, "twin_from",
						 json_string(all->step[i].from));
	return r ? -ENOMEM : 0;
}

/*
 * A value that cannot be brought back now is what it would be had the change been carried through:
 * applied, and known as that. `all` are the steps that it is one of.
 */
static int keep_as_applied(struct change *change, struct books *past, const struct step *step,
			   const struct steps *all)
{
	_cleanup_tunable_now_ struct tunable_now now = { 0 };
	const struct steps one = { .step = (struct step *)step, .count = 1 };
	const json_t *known = books_setting(past, step->tunable->id);
	struct setting setting = {
		.tunable = step->tunable,
		.from = step->thread < 0 ? step->from : NULL,
		.to = step->to,
		.rule = (char *)entry_text(known, "rule"),
		.reason = (char *)entry_text(known, "reason"),
	};
	int r = step->thread < 0 ? 0 : tunable_read(change->root, step->tunable, &now);

	if (now.value) /* threads of cores: the level is what counts */
		setting.to = now.value;
	if (r == 0)
		r = books_enter(change->root, past, &setting, true);
	if (r == 0 && !known)
		r = correct(books_setting(past, step->tunable->id), step, all);
	return r < 0 ? r : books_enter_steps(past, &one);
}

static int undo_value(struct change *change, struct books *past, struct step *step,
		      const struct steps *all)
{
	const char *id = step->tunable->id;
	bool lost = step_is_lost(change->root, step);
	int r = step_undo(change->root, step, false);

	if (r == 0)
		return lost ? change_note(change, "%s is gone with %s: nothing to bring back", id,
					  place_of(step))
			    : 0;
	if (r == -ESTALE)
		return change_note(change, "%s (%s) was changed by somebody else and stays", id,
				   place_of(step));
	if (r == -ENOMEM)
		return r;
	r = change_note(change,
			"%s (%s) cannot be brought back now: %s: it stays applied, and 'lpartune "
			"revert %s' takes it back later",
			id, place_of(step), strerror(-r), id);
	return r < 0 ? r : keep_as_applied(change, past, step, all);
}

static int undo_file(struct change *change, struct step *step)
{
	int r = bootrecover_file(change, step);

	if (r > 0)
		return 0;
	if (r == 0)
		r = step_undo(change->root, step, false);
	if (r == -ESTALE)
		return change_note(change, "'/%s' was changed by somebody else and stays",
				   step->path);
	if (r < 0 && !change->obstacle)
		change->obstacle = strdup(step->path);
	return r;
}

/* The last step first. Goes on after a failure and returns the first. */
static int undo_steps(struct change *change, struct books *past, struct steps *steps)
{
	int first = 0;

	for (size_t i = steps->count; i-- > 0;) {
		struct step *step = &steps->step[i];
		int r = step->tunable ? undo_value(change, past, step, steps)
				      : undo_file(change, step);

		first = first ? first : r;
	}
	return first;
}

static int undo_journal(struct change *change, const json_t *journal)
{
	_cleanup_steps_ struct steps steps = { 0 };
	_cleanup_books_ struct books past = { 0 };
	int r = steps_from_json(json_object_get(journal, "steps"), &steps);

	if (r == 0)
		r = books_from_json(json_object_get(journal, "books"), &past);
	if (r < 0)
		return r == -EINVAL ? -EBADMSG : r;
	if (!record_is_of_this_boot(change->root, journal)) {
		drop_values(&steps);
		steps_done(&past.runtime);
	}
	r = undo_steps(change, &past, &steps);
	if (r == 0)
		r = bootrecover_undo(change, journal);
	if (r < 0)
		return r;
	change->recovered += (int)steps.count;
	return books_save(&change->ws, &past);
}

/* A trial or sample that was killed. What cannot be put back now is tried again the next time. */
static int recover_temporary(struct change *change)
{
	int r = change_temporary_recover(&change->ws);

	if (r > 0)
		change->recovered += r;
	if (r >= 0 || r == -ENOMEM || r == -EBADMSG || r == -EPROTONOSUPPORT)
		return r;
	if (r == -EINVAL)
		return -EBADMSG;
	return change_note(change,
			   "a value that a killed trial or sample had set cannot be put back: %s",
			   strerror(-r));
}

int change_recover(struct change *change)
{
	struct workspace *ws = &change->ws;
	_cleanup_books_ struct books books = { 0 };
	json_t *journal;
	int r;

	change->damaged = WORKSPACE_TEMPORARY;
	r = recover_temporary(change);
	if (r < 0)
		return r;
	change->damaged = WORKSPACE_JOURNAL;
	r = record_load(ws->lib, WORKSPACE_JOURNAL, &journal);
	if (r < 0)
		return r == -ENOENT ? 0 : r;
	r = books_load(ws, &books, &change->damaged);
	if (r == 0)
		change->damaged = WORKSPACE_JOURNAL;
	if (r < 0 || !is_entered(journal, &books))
		r = undo_journal(change, journal);
	json_decref(journal);
	return r < 0 ? r : store_remove_at(ws->lib, WORKSPACE_JOURNAL);
}

/* "SECONDS.NANOSECONDS-PID": is that process still there? In a tree nobody can tell. */
static bool is_running(struct root *root, const char *transaction)
{
	const char *dash = transaction ? strrchr(transaction, '-') : NULL;
	uint64_t pid;

	return dash && parse_u64(span_of(dash + 1), &pid) == 0 &&
	       root_exists(root, "proc/%llu", (unsigned long long)pid) == 0;
}

/* Values that are set for a while: by somebody who is at it, or who was killed. */
static int note_temporary(struct change *change)
{
	json_t *record = NULL;
	int r = change->ws.run < 0 ? -ENOENT
				   : record_load(change->ws.run, WORKSPACE_TEMPORARY, &record);
	bool is_there = r == -EACCES || (r == 0 && record_is_of_this_boot(change->root, record));

	json_decref(record);
	return is_there ? change_note(
				  change,
				  "a trial or sample is running, or was killed: what it has set "
				  "for a while is put back by it, or by the next apply or revert")
			: 0;
}

/* Does no record tell that this value of ours was applied? Zeros of a pair go with their twin. */
static bool is_forgotten(const struct books *books, const struct step *step)
{
	const char *twin = step->tunable->twin;

	return !books_setting(books, step->tunable->id) &&
	       !(twin && (books_setting(books, twin) || streq(step->to, "0")));
}

int change_note_forgotten(struct change *change)
{
	bool is_lost = false;

	for (size_t i = 0; i < change->books.runtime.count && !change->interrupted.is_there; i++)
		is_lost |= is_forgotten(&change->books, &change->books.runtime.step[i]);
	if (!is_lost)
		return 0;
	change->is_partial = true;
	return change_note(change,
			   "the record of what is applied is lost, the originals of this boot are "
			   "not: lpartune revert --repair makes it anew");
}

int change_find_interrupted(struct change *change)
{
	const char *time;
	json_t *journal;
	int r = note_temporary(change);

	if (r == 0)
		r = change->ws.lib < 0 ? -ENOENT
				       : record_load(change->ws.lib, WORKSPACE_JOURNAL, &journal);
	change->interrupted.is_there = r != -ENOENT;
	if (r == -ENOENT || r == -EACCES)
		return 0;
	change->damaged = WORKSPACE_JOURNAL;
	if (r < 0)
		return r;
	time = entry_text(journal, "time");
	change->interrupted.time = time ? strdup(time) : NULL;
	change->interrupted.steps = json_array_size(json_object_get(journal, "steps"));
	change->interrupted.is_running = is_running(change->root,
						    entry_text(journal, "transaction"));
	change->interrupted.is_there = !is_entered(journal, &change->books);
	json_decref(journal);
	return 0;
}

/* Can a record that is whole be understood? */
static bool makes_sense(const char *name, const json_t *record)
{
	_cleanup_steps_ struct steps steps = { 0 };

	if (streq(name, WORKSPACE_CONFIRM))
		return json_is_array(json_object_get(record, "changes")) &&
		       json_is_array(json_object_get(record, "sessions"));
	if (streq(name, WORKSPACE_STATE))
		return json_is_array(json_object_get(record, "settings"));
	return steps_from_json(json_object_get(record, "steps"), &steps) != -EINVAL;
}

/* 1 if the record was set aside, 0 if it is sound or not there; -errno. */
static int set_aside(int dirfd, const char *name)
{
	json_t *record;
	char aside[64];
	int r = record_load(dirfd, name, &record);

	if (r == 0) {
		r = makes_sense(name, record) ? 0 : -EBADMSG;
		json_decref(record);
	}
	if (r != -EBADMSG)
		return r == -ENOENT ? 0 : r;
	snprintf(aside, sizeof(aside), "%s.damaged", name);
	return renameat(dirfd, name, dirfd, aside) < 0 ? -errno : 1;
}

/* The state of what the other records still know: the values of this boot. */
static int restore_state(const struct workspace *ws, int *ret_restored)
{
	_cleanup_books_ struct books books = { 0 };
	struct change change = { .root = ws->root };
	const char *name;
	int r = books_load(ws, &books, &name);

	for (size_t i = 0; i < books.runtime.count && r == 0; i++) {
		const struct step *step = &books.runtime.step[i];

		if (!is_forgotten(&books, step))
			continue;
		r = keep_as_applied(&change, &books, step, &books.runtime);
		*ret_restored += r == 0;
	}
	return r < 0 || !*ret_restored ? r : books_save(ws, &books);
}

int change_repair(struct root *root, int *ret_restored)
{
	static const char *const names[] = { WORKSPACE_STATE,	WORKSPACE_ORIGINALS,
					     WORKSPACE_JOURNAL, WORKSPACE_CONFIRM,
					     WORKSPACE_RUNTIME, WORKSPACE_TEMPORARY };
	_cleanup_workspace_ struct workspace ws = { .run = -1, .lib = -1, .lock = -1 };
	int r = workspace_open(root, 0, &ws), count = 0, restored = 0;

	for (size_t i = 0; i < ARRAY_SIZE(names) && r >= 0; i++) {
		r = set_aside(i < 4 ? ws.lib : ws.run, names[i]);
		count += r > 0;
	}
	if (r >= 0)
		r = restore_state(&ws, &restored);
	if (r < 0)
		return r;
	*ret_restored = restored;
	return count;
}
