/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file turns changes into documents and messages; it plans and changes nothing. */
#include "cmd/change/change_document.h"

#include <errno.h>

#include "base/privilege.h"
#include "cmd/change/diff.h"
#include "machine/tunable/setting.h"

json_t *change_document_new(struct root *root, const char *command)
{
	_cleanup_free_ char *boot_id = NULL;

	if (root_read_string(root, &boot_id, "proc/sys/kernel/random/boot_id") < 0)
		boot_id = NULL;
	return document_new(command, boot_id, root_name(root));
}

/* "change" is a plan, "changed" a fact. */
static const char *status_word(enum change_status status, bool done)
{
	if (done && status == CHANGE_SET)
		return "changed";
	if (done && status == CHANGE_REVERTED)
		return "reverted";
	return change_status_word(status);
}

static json_t *item_to_json(const struct change_item *item, bool done)
{
	return json_pack("{s:s, s:s, s:s?, s:s?, s:s, s:s, s:s?, s:s?, s:s?}", "tunable",
			 item->tunable->id, "title", item->tunable->title, "from", item->from, "to",
			 item->to, "scope", scope_word(tunable_scope(item->tunable)), "status",
			 status_word(item->status, done), "rule", item->rule, "reason",
			 item->reason, "detail", item->detail);
}

static json_t *file_to_json(const struct step *step)
{
	_cleanup_free_ char *diff = NULL, *clean = NULL;
	const char *action = !step->before.exists ? "create"
			     : step->after.exists ? "change"
						  : "remove";
	char path[4096];

	clean = span_dup_utf8(span_of(step->path));
	diff = diff_unified(clean ? clean : "?", step->before.exists ? step->before.data : NULL,
			    step->after.exists ? step->after.data : NULL);
	snprintf(path, sizeof(path), "/%s", clean ? clean : "?");
	return json_pack("{s:s, s:s, s:s?}", "path", path, "action", action, "diff", diff);
}

/* What a tool edits is shown where it is known; what it generates, from files that are shown, not. */
static bool is_shown(const struct step *step)
{
	const char *name = strrchr(step->path, '/');

	if (step->tunable || !step->by_tool)
		return !step->tunable;
	return step->after.exists && !image_same(&step->before, &step->after) && name &&
	       !streq(name, "/grub.cfg");
}

int change_document_fill(json_t *doc, const struct change *change, bool done)
{
	json_t *settings = json_array(), *files = json_array(), *notes = json_array();
	int values = 0, r = 0;

	for (size_t i = 0; i < change->count; i++)
		r |= json_array_append_new(settings, item_to_json(&change->items[i], done));
	for (size_t i = 0; i < change->steps.count; i++) {
		const struct step *step = &change->steps.step[i];

		values += step->tunable != NULL;
		if (is_shown(step))
			r |= json_array_append_new(files, file_to_json(step));
	}
	for (size_t i = 0; i < change->notes; i++)
		r |= json_array_append_new(notes, json_string(change->note[i]));
	r |= json_object_set_new(doc, "settings", settings);
	r |= json_object_set_new(doc, "notes", notes);
	r |= json_object_set_new(doc, "files", files);
	r |= json_object_set_new(doc, "values", json_integer(values));
	r |= json_object_set_new(doc, "recovered", json_integer(change->recovered));
	return r ? -ENOMEM : 0;
}

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "-";
}

static enum text_style style_of(const char *status)
{
	static const struct {
		const char *status;
		enum text_style style;
	} rows[] = {
		{ "ok", STYLE_GREEN },	 { "changed", STYLE_GREEN }, { "reverted", STYLE_GREEN },
		{ "drift", STYLE_RED },	 { "conflict", STYLE_RED },  { "not-effective", STYLE_RED },
		{ "absent", STYLE_DIM }, { "obsolete", STYLE_DIM },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (streq(rows[i].status, status))
			return rows[i].style;
	return STYLE_YELLOW;
}

static const char *note_of(const json_t *array, size_t i)
{
	return json_string_value(json_object_get(json_array_get(array, i), "detail"));
}

static char *ids_with(const json_t *array, const char *note)
{
	char *ids = NULL;
	size_t size, count = 0;
	FILE *f = open_memstream(&ids, &size);

	if (!f)
		return NULL;
	for (size_t i = 0; i < json_array_size(array); i++)
		if (note_of(array, i) && streq(note_of(array, i), note))
			fprintf(f, "%s%s", count++ ? ", " : "",
				text_of(json_array_get(array, i), "tunable"));
	if (fclose(f)) {
		free(ids);
		return NULL;
	}
	return ids;
}

/* Each note once, with all tunables that it is about. */
static void view_notes(const json_t *array, struct text *out)
{
	for (size_t i = 0; i < json_array_size(array); i++) {
		const char *note = note_of(array, i);
		_cleanup_free_ char *ids = NULL;

		for (size_t k = 0; k < i && note; k++)
			if (note_of(array, k) && streq(note_of(array, k), note))
				note = NULL;
		ids = note ? ids_with(array, note) : NULL;
		if (ids)
			text_paragraph(out, 0, 2, STYLE_PLAIN, "%s: %s", ids, note);
	}
}

void change_view_settings(const json_t *doc, struct text *out)
{
	static const struct text_column columns[] = {
		{ .title = "TUNABLE" },
		{ .title = "NOW" },
		{ .title = "WANT" },
		{ .title = "STATUS" },
	};
	const json_t *array = json_object_get(doc, "settings"), *item;
	struct text_table *table;
	size_t i;

	if (!json_array_size(array))
		return;
	table = text_table_begin(out, 0, columns, ARRAY_SIZE(columns));
	json_array_foreach (array, i, item) {
		const char *status = text_of(item, "status");

		text_table_row(table);
		text_table_cell(table, STYLE_PLAIN, "%s", text_of(item, "tunable"));
		text_table_cell(table, STYLE_PLAIN, "%s", text_of(item, "from"));
		text_table_cell(table, STYLE_PLAIN, "%s", text_of(item, "to"));
		text_table_cell(table, style_of(status), "%s", status);
	}
	text_table_end(table);
	view_notes(array, out);
	out->started = true;
}

void change_view_notes(const json_t *doc, struct text *out)
{
	const json_t *note;
	size_t i;

	json_array_foreach (json_object_get(doc, "notes"), i, note)
		text_paragraph(out, 0, 2, STYLE_YELLOW, "%s", json_string_value(note));
}

void change_warn_recovered(const struct change *change)
{
	if (change->recovered)
		log_warning("an interrupted change was undone first");
	for (size_t i = 0; i < change->notes; i++)
		log_warning("%s", change->note[i]);
}

void change_warn_interrupted(const struct change *change)
{
	_cleanup_free_ char *text = change_describe_interrupted(change);

	if (text)
		log_warning("%s", text);
}

char *change_describe_interrupted(const struct change *change)
{
	const char *time = change->interrupted.time;
	char *text;
	int len;

	if (!change->interrupted.is_there)
		return NULL;
	if (change->interrupted.is_running)
		len = asprintf(&text, "a change is under way since %s", time ? time : "?");
	else
		len = asprintf(&text,
			       "a change that began at %s was interrupted: the next 'lpartune "
			       "revert --all' or 'lpartune apply' undoes it first",
			       time ? time : "a time that only root can tell");
	return len < 0 ? NULL : text;
}

void change_view_files(const json_t *doc, struct text *out)
{
	const json_t *file;
	size_t i;

	json_array_foreach (json_object_get(doc, "files"), i, file) {
		char heading[4200];

		snprintf(heading, sizeof(heading), "%s %s", text_of(file, "action"),
			 text_of(file, "path"));
		text_heading(out, heading);
		fputs(text_of(file, "diff"), out->out);
	}
}

enum status change_open_failed(const struct change *change, const char *root, int error)
{
	const char *damaged = change->damaged ? change->damaged : "?";

	if (change->obstacle) {
		log_error(
			"cannot undo the interrupted change of '%s': '/%s': %s: its journal is kept",
			root, change->obstacle, strerror(-error));
		return STATUS_NOT_UNDONE;
	}
	switch (-error) {
	case EALREADY:
		log_error("another lpartune changes '%s': wait for it, or use --wait SECONDS",
			  root);
		return STATUS_BUSY;
	case EBADMSG:
		log_error(
			"the record '%s' of '%s' is damaged: nothing was changed; 'lpartune revert "
			"--repair' sets it aside",
			damaged, root);
		return STATUS_FAILED;
	case EPROTONOSUPPORT:
		log_error("the records of '%s' are of a newer lpartune", root);
		return STATUS_FAILED;
	case EACCES:
	case EPERM:
		log_error("cannot change '%s': %s: run it as root", root, strerror(-error));
		return STATUS_FAILED;
	case ENOSYS:
		log_error("cannot change '%s': this kernel has no openat2 (Linux 5.6 and later)",
			  root);
		return STATUS_FAILED;
	default:
		log_error("cannot open the records of '%s': %s", root, strerror(-error));
		return STATUS_FAILED;
	}
}

static void say_loader_failure(const struct loader *loader, int error, const char *end)
{
	const char *tool = loader->tool ? loader->tool : "the boot loader's tool";

	if (error == -EREMOTEIO)
		log_error(
			"cannot set the boot parameters: '/%s' is not as it must be after %s (was "
			"its configuration changed before, without running it?): %s",
			loader->blamed ? loader->blamed : "boot", tool, end);
	else
		log_error("cannot set the boot parameters: %s: %s: %s", tool, strerror(-error),
			  end);
}

/* What failed, as "set X to Y" or "write FILE". */
static void say_failure(const struct change *change, int error, const char *end)
{
	const char *cause = error == -EREMOTEIO ? "the kernel took the value and shows another one"
						: strerror(-error);
	const struct step *step = change->failed < change->steps.count
					  ? &change->steps.step[change->failed]
					  : NULL;

	if (change->loader_failed)
		say_loader_failure(&change->loader, error, end);
	else if (!step)
		log_error("cannot keep the books: %s: %s", cause, end);
	else if (!step->tunable)
		log_error("cannot write '/%s': %s: %s", step->path, cause, end);
	else if (error == -EPERM || error == -EACCES)
		log_error("cannot set %s to %s: %s (it takes %s): %s", step->tunable->id, step->to,
			  cause,
			  step->tunable->capability ? step->tunable->capability
						    : privilege_for_path(step->path),
			  end);
	else
		log_error("cannot set %s to %s in '/%s': %s: %s", step->tunable->id, step->to,
			  step->path, cause, end);
}

enum status change_run_failed(const struct change *change, enum change_outcome outcome, int error)
{
	bool at_books = change->failed == change->steps.count && !change->loader_failed;

	if (outcome == CHANGE_UNDONE && at_books && (error == -EACCES || error == -EPERM))
		return change_open_failed(change, root_name(change->root), error);
	if (outcome == CHANGE_UNDONE) {
		say_failure(change, error, "everything is as before");
		return STATUS_UNDONE;
	}
	say_failure(change, error,
		    "not everything could be undone; run 'lpartune revert --all' when the cause is "
		    "gone");
	return STATUS_NOT_UNDONE;
}

void change_plan_failed(const struct change *change, const char *what, const char *path, int error)
{
	const char *reason = bootparam_reason(&change->loader, error);

	reason = reason ? reason : strerror(-error);
	if (path)
		log_error("cannot plan %s: '/%s': %s", what, path, reason);
	else
		log_error("cannot plan %s: %s", what, reason);
}

void change_parse_wait(struct argp_state *state, const char *arg, unsigned int *ret_s)
{
	uint64_t seconds;

	if (parse_u64(span_of(arg), &seconds) < 0 || seconds > 86400)
		argp_error(state, "--wait takes seconds, at most 86400, not '%s'", arg);
	else
		*ret_s = (unsigned int)seconds;
}
