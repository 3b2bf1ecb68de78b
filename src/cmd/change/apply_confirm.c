/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file measures for apply; it applies nothing. */
#include "cmd/change/apply_confirm.h"

#include <errno.h>

#include "change/confirmation.h"
#include "cmd/trial/confirm.h"
#include "cmd/trial/trial.h"
#include "output/output.h"

void apply_confirmation_done(struct apply_confirmation *confirmation)
{
	free(confirmation->summary);
	json_decref(confirmation->session);
	*confirmation = (struct apply_confirmation) { 0 };
}

static bool has_scope(const struct settings *settings, enum scope scope)
{
	for (size_t i = 0; i < settings->count; i++)
		if (tunable_scope(settings->list[i].tunable) == scope)
			return true;
	return false;
}

static enum status run_trial(const struct settings *settings, unsigned int wait_s, char **ret)
{
	_cleanup_free_ struct change_wish *wish = calloc(settings->count + 1, sizeof(*wish));
	size_t count = 0;

	if (!wish)
		return STATUS_FAILED;
	for (size_t i = 0; i < settings->count; i++)
		if (tunable_scope(settings->list[i].tunable) == SCOPE_NOW)
			wish[count++] = (struct change_wish) { settings->list[i].tunable,
							       settings->list[i].to };
	return trial_confirm(wish, count, wait_s, ret);
}

/* Is none of the boot parameters in force yet? Else a session now would not be one before. */
static bool is_before(struct root *root, const struct settings *settings)
{
	for (size_t i = 0; i < settings->count; i++) {
		const struct setting *s = &settings->list[i];
		_cleanup_tunable_now_ struct tunable_now now = { 0 };

		if (s->tunable->where == WHERE_CMDLINE &&
		    tunable_read(root, s->tunable, &now) == 0 && now.value &&
		    tunable_same(s->tunable, now.value, s->to))
			return false;
	}
	return true;
}

static enum status measure(struct root *root, json_t **ret)
{
	struct bench_options o;
	int r;

	bench_options_init(&o);
	confirm_options(&o);
	r = confirm_measure(root, &o, ret);
	bench_options_done(&o);
	if (r == -EINTR)
		return STATUS_INTERRUPTED;
	return r < 0 ? STATUS_FAILED : STATUS_OK;
}

enum status apply_confirm_before(struct root *root, const struct settings *settings,
				 unsigned int wait_s, struct apply_confirmation *ret)
{
	enum status status = STATUS_OK;

	if (!root_is_live(root)) {
		log_warning("only the running machine can be measured: lpartune confirm --session "
			    "adds what was measured elsewhere");
		return STATUS_OK;
	}
	if (has_scope(settings, SCOPE_NOW))
		status = run_trial(settings, wait_s, &ret->summary);
	if (status == STATUS_OK && has_scope(settings, SCOPE_REBOOT) && is_before(root, settings))
		status = measure(root, &ret->session);
	return status;
}

int apply_confirm_enter(struct change *change, const struct apply_confirmation *confirmation)
{
	for (size_t i = 0; i < change->count && confirmation->summary; i++) {
		const struct tunable *t = change->items[i].tunable;
		json_t *entry = books_setting(&change->future, t->id);

		if (entry && tunable_scope(t) == SCOPE_NOW &&
		    json_object_set_new(entry, "confirmed", json_string(confirmation->summary)) < 0)
			return -ENOMEM;
	}
	return confirmation->summary ? change_note(change, "tried first: %s", confirmation->summary)
				     : 0;
}

int apply_confirm_after(const struct change *change, const struct apply_confirmation *confirmation)
{
	const char *boot_id = json_string_value(json_object_get(confirmation->session, "boot_id"));
	_cleanup_json_ json_t *record = NULL;
	int r = confirmation_begin(change);

	if (r > 0 && confirmation->session) {
		r = confirmation_load(&change->ws, &record);
		if (r == 0)
			r = confirmation_add(&change->ws, record, CONFIRMATION_BEFORE, boot_id,
					     confirmation->session);
	}
	if (r > 0 || (r == 0 && record))
		log_note(
			"waits to be confirmed: more sessions before the boot and those after it by "
			"lpartune confirm");
	return r < 0 ? r : 0;
}
