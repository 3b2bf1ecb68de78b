/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file makes changes that end with their command; nothing of them outlives it but its record. */
#include "change/record/temporary.h"

#include <errno.h>

#include "base/store.h"
#include "change/record/record.h"
#include "change/record/workspace.h"

struct change_temporary {
	struct workspace ws;
	struct steps steps;
};

static void temporary_free(struct change_temporary *temporary)
{
	steps_done(&temporary->steps);
	workspace_close(&temporary->ws);
	free(temporary);
}

/* Undoes the last step first. Goes on after a failure and returns the first. */
static int undo_all(struct root *root, struct steps *steps, bool force)
{
	int first = 0;

	for (size_t i = steps->count; i-- > 0;) {
		int r = step_undo(root, &steps->step[i], force);

		if (r < 0 && (first == 0 || first == -ESTALE))
			first = r;
	}
	return first;
}

int change_temporary_recover(struct workspace *ws)
{
	_cleanup_steps_ struct steps steps = { 0 };
	json_t *record;
	int undone, r = record_load(ws->run, WORKSPACE_TEMPORARY, &record);

	if (r < 0)
		return r == -ENOENT ? 0 : r;
	r = record_is_of_this_boot(ws->root, record)
		    ? steps_from_json(json_object_get(record, "steps"), &steps)
		    : 0;
	json_decref(record);
	if (r < 0)
		return r;
	undone = undo_all(ws->root, &steps, false);
	if (undone < 0 && undone != -ESTALE)
		return undone;
	r = store_remove_at(ws->run, WORKSPACE_TEMPORARY);
	return r < 0 || undone < 0 ? r : (int)steps.count;
}

static int plan(struct change_temporary *temporary, const struct change_wish *wishes, size_t count,
		size_t *failed)
{
	for (size_t i = 0; i < count; i++) {
		int r = step_plan_value(temporary->ws.root, wishes[i].tunable, wishes[i].value,
					&temporary->steps);

		if (r < 0) {
			*failed = i;
			return r;
		}
	}
	return 0;
}

static int write_record(struct change_temporary *temporary)
{
	json_t *record = record_new(temporary->ws.root, "temporary");
	int r = -ENOMEM;

	if (record && json_object_set_new(record, "steps", steps_to_json(&temporary->steps)) == 0)
		r = record_save(temporary->ws.run, WORKSPACE_TEMPORARY, record, 0600);
	json_decref(record);
	return r;
}

static size_t wish_of(const struct step *step, const struct change_wish *wishes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (wishes[i].tunable == step->tunable)
			return i;
	return count;
}

static int do_all(struct root *root, struct steps *steps, size_t *failed_step)
{
	for (size_t i = 0; i < steps->count; i++) {
		int r = step_do(root, &steps->step[i]);

		if (r < 0) {
			*failed_step = i;
			return r;
		}
	}
	return 0;
}

static int begin(struct change_temporary *temporary, const struct change_wish *wishes, size_t count,
		 size_t *failed)
{
	size_t step = 0;
	int r = change_temporary_recover(&temporary->ws);

	if (r >= 0)
		r = plan(temporary, wishes, count, failed);
	if (r >= 0 && temporary->steps.count)
		r = write_record(temporary);
	if (r < 0)
		return r;
	r = do_all(temporary->ws.root, &temporary->steps, &step);
	if (r < 0) {
		*failed = wish_of(&temporary->steps.step[step], wishes, count);
		if (undo_all(temporary->ws.root, &temporary->steps, true) < 0)
			return -ENOTRECOVERABLE;
		(void)store_remove_at(temporary->ws.run, WORKSPACE_TEMPORARY);
	}
	return r;
}

int change_temporary_begin(struct root *root, const struct change_wish *wishes, size_t count,
			   unsigned int wait_s, struct change_temporary **ret, size_t *ret_failed)
{
	struct change_temporary *temporary = calloc(1, sizeof(*temporary));
	size_t failed = count;
	int r;

	if (!temporary)
		return -ENOMEM;
	temporary->ws = (struct workspace) { .root = root, .run = -1, .lib = -1, .lock = -1 };
	r = workspace_open(root, wait_s, &temporary->ws);
	if (r >= 0)
		r = begin(temporary, wishes, count, &failed);
	if (r < 0) {
		temporary_free(temporary);
		if (ret_failed)
			*ret_failed = failed;
		return r == -EALREADY ? -EBUSY : r;
	}
	*ret = temporary;
	return 0;
}

int change_temporary_switch(struct change_temporary *temporary, bool wished)
{
	struct root *root = temporary->ws.root;
	struct steps *steps = &temporary->steps;
	size_t step;

	if (!wished)
		return undo_all(root, steps, false);
	for (size_t i = 0; i < steps->count; i++)
		if (!step_is_ours(root, &steps->step[i]))
			return -ESTALE;
	return do_all(root, steps, &step);
}

int change_temporary_end(struct change_temporary *temporary)
{
	int r, removed;

	if (!temporary)
		return 0;
	r = undo_all(temporary->ws.root, &temporary->steps, false);
	if (r == 0 || r == -ESTALE) {
		removed = store_remove_at(temporary->ws.run, WORKSPACE_TEMPORARY);
		r = r == 0 ? removed : r;
	}
	temporary_free(temporary);
	return r;
}
