/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file appends to the history and to syslog; it reads the history back and changes neither. */
#include "change/record/history.h"

#include <errno.h>
#include <syslog.h>

#include "base/store.h"
#include "change/record/record.h"

const char *change_outcome_word(enum change_outcome outcome)
{
	static const char *const words[] = {
		[CHANGE_DONE] = "done",
		[CHANGE_NOTHING] = "nothing",
		[CHANGE_UNDONE] = "undone",
		[CHANGE_NOT_UNDONE] = "not-undone",
	};

	return words[outcome];
}

static json_t *line_of(const struct step *step, const char *action, const char *outcome,
		       const json_t *stamp)
{
	const char *id = step->tunable ? step->tunable->id : NULL;

	return json_pack("{s:O, s:O, s:O, s:i, s:s, s:s?, s:s?, s:s, s:s?, s:s?, s:s}", "time",
			 json_object_get(stamp, "time"), "boot_id",
			 json_object_get(stamp, "boot_id"), "kernel",
			 json_object_get(stamp, "kernel"), "uid", (int)getuid(), "action", action,
			 "tunable", id, "instance", step->instance, "path", step->path, "from",
			 step->from, "to", step->to, "outcome", outcome);
}

static int append(const struct workspace *ws, const json_t *line)
{
	_cleanup_free_ char *text = json_dumps(line, JSON_COMPACT), *whole = NULL;

	if (!text || asprintf(&whole, "%s\n", text) < 0) {
		whole = NULL;
		return -ENOMEM;
	}
	return store_append_at(ws->lib, WORKSPACE_HISTORY, whole, 0644);
}

static void tell_syslog(const struct step *step, const char *action, const char *outcome)
{
	if (step->tunable)
		syslog(LOG_NOTICE, "action=%s tunable=%s%s%s from=\"%s\" to=\"%s\" outcome=%s",
		       action, step->tunable->id, step->instance ? " instance=" : "",
		       step->instance ? step->instance : "", step->from, step->to, outcome);
	else
		syslog(LOG_NOTICE, "action=%s file=/%s outcome=%s", action, step->path, outcome);
}

int history_write(const struct change *change, const char *action, enum change_outcome outcome)
{
	const char *word = change_outcome_word(outcome);
	json_t *stamp;
	int first = 0;

	if (!root_is_live(change->root) || outcome == CHANGE_NOTHING)
		return 0;
	stamp = record_new(change->root, "stamp");
	openlog("lpartune", LOG_PID, LOG_DAEMON);
	for (size_t i = 0; i < change->steps.count; i++) {
		json_t *line = line_of(&change->steps.step[i], action, word, stamp);
		int r = line ? append(&change->ws, line) : -ENOMEM;

		json_decref(line);
		first = first ? first : r;
		tell_syslog(&change->steps.step[i], action, word);
	}
	closelog();
	json_decref(stamp);
	return first;
}

int history_read(const struct workspace *ws, json_t **ret)
{
	_cleanup_free_ char *text = NULL;
	size_t len = 0;
	struct span rest, line;
	json_t *array;
	int r = ws->lib < 0 ? -ENOENT : store_read_at(ws->lib, WORKSPACE_HISTORY, &text, &len);

	if (r < 0 && r != -ENOENT)
		return r;
	array = json_array();
	if (!array)
		return -ENOMEM;
	rest = (struct span) { text ? text : "", len };
	while (span_line(&rest, &line)) {
		json_t *entry = json_loadb(line.text, line.len, JSON_REJECT_DUPLICATES, NULL);

		if (entry)
			(void)json_array_append_new(array, entry);
	}
	*ret = array;
	return 0;
}
