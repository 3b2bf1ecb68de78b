/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file is how a trial meets the records of apply: what an earlier command left there is finished
 * first, and a change that was tried is made one that lasts. */
#include <errno.h>

#include "change/apply.h"
#include "change/record/history.h"
#include "cmd/change/apply_confirm.h"
#include "cmd/change/change_document.h"
#include "cmd/trial/trial.h"

enum status trial_recover(struct root *root, unsigned int wait_s)
{
	_cleanup_change_ struct change change = { .ws = { .run = -1, .lib = -1, .lock = -1 } };
	int r = change_open(root, true, wait_s, &change);

	if (r < 0)
		return change_open_failed(&change, root_name(root), r);
	change_warn_recovered(&change);
	return STATUS_OK;
}

static int add_settings(struct root *root, const struct change_wish *wishes, size_t count,
			struct settings *ret)
{
	int r = 0;

	for (size_t i = 0; i < count && r == 0; i++) {
		_cleanup_tunable_now_ struct tunable_now now = { 0 };

		r = tunable_read(root, wishes[i].tunable, &now);
		if (r == 0)
			r = settings_add(ret, wishes[i].tunable, now.value, wishes[i].value, NULL,
					 "a trial found it better");
	}
	return r;
}

static int carry_out(struct change *change, const char **ret)
{
	enum change_outcome outcome;
	int error = 0, r;

	outcome = change_run(change, &error);
	r = history_write(change, "trial", outcome);
	if (r < 0)
		log_warning("cannot write the history: %s", strerror(-r));
	*ret = change_outcome_word(outcome);
	if (outcome != CHANGE_UNDONE && outcome != CHANGE_NOT_UNDONE)
		return 0;
	(void)change_run_failed(change, outcome, error);
	return error < 0 ? error : -EIO;
}

int trial_keep(struct root *root, const struct change_wish *wishes, size_t count,
	       unsigned int wait_s, char *summary, const char **ret)
{
	const struct apply_confirmation confirmation = { .summary = summary };
	_cleanup_change_ struct change change = { .ws = { .run = -1, .lib = -1, .lock = -1 } };
	_cleanup_settings_ struct settings settings = { 0 };
	const struct apply_options how = { 0 };
	const char *path = NULL;
	int r = change_open(root, true, wait_s, &change);

	*ret = change_outcome_word(CHANGE_UNDONE);
	if (r < 0) {
		(void)change_open_failed(&change, root_name(root), r);
		return r;
	}
	r = add_settings(root, wishes, count, &settings);
	if (r == 0)
		r = change_plan_apply(&change, &settings, &how, &path);
	if (r == 0)
		r = apply_confirm_enter(&change, &confirmation);
	if (r < 0) {
		log_error("cannot apply what was better%s%s: %s", path ? ": /" : "",
			  path ? path : "",
			  r == -ESTALE ? "it was edited since lpartune wrote it" : strerror(-r));
		return r;
	}
	return carry_out(&change, ret);
}
