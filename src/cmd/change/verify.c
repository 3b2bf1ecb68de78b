/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file is `lpartune verify`. */
#include "change/verify.h"

#include <errno.h>

#include "change/confirmation.h"
#include "change/record/history.h"
#include "cmd/change/approved.h"
#include "cmd/change/change_document.h"

struct options {
	struct common_options common;
	bool strict, history;
};

enum { KEY_STRICT = 256, KEY_HISTORY };

static const struct argp_option options[] = {
	{ .name = "strict",
	  .key = KEY_STRICT,
	  .doc = "Exit status 3 also if only a reboot or a module load is pending" },
	{ .name = "history", .key = KEY_HISTORY, .doc = "Show every change that was ever made" },
	{ 0 }
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->common;
		return 0;
	case KEY_STRICT:
		o->strict = true;
		return 0;
	case KEY_HISTORY:
		o->history = true;
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "unexpected argument '%s'", arg);
		return EINVAL;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = { { .argp = &common_argp }, { 0 } };
static const struct argp argp = {
	.options = options,
	.parser = parse_option,
	.doc = "Tell of every applied value whether it is still in force, who changed it if not, "
	       "and who will set another one at the next boot. Exit status 3 if something differs.",
	.children = children,
};

/* What a status means for the exit status. */
enum weight { WEIGHT_OK, WEIGHT_PENDING, WEIGHT_SKIPPED, WEIGHT_DIFFERENT, WEIGHT_COUNT };

static enum weight weight_of(enum change_status status)
{
	switch (status) {
	case CHANGE_OK:
		return WEIGHT_OK;
	case CHANGE_PENDING_REBOOT:
	case CHANGE_NEXT_LOAD:
		return WEIGHT_PENDING;
	case CHANGE_UNSUITED:
		return WEIGHT_SKIPPED;
	default:
		return WEIGHT_DIFFERENT;
	}
}

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

static long long integer_of(const json_t *object, const char *key)
{
	return (long long)json_integer_value(json_object_get(object, key));
}

static void view_files(const json_t *doc, struct text *out)
{
	const json_t *file;
	size_t i;

	json_array_foreach (json_object_get(doc, "files"), i, file) {
		const char *status = text_of(file, "status"), *detail = text_of(file, "detail");

		if (!streq(status, "ok"))
			text_paragraph(out, 0, 2, STYLE_RED, "%s: %s%s%s", text_of(file, "path"),
				       status, *detail ? ": " : "", detail);
	}
}

static void view_confirmed(const json_t *doc, struct text *out)
{
	const json_t *setting;
	size_t i;

	json_array_foreach (json_object_get(doc, "settings"), i, setting)
		if (*text_of(setting, "confirmed"))
			text_paragraph(out, 0, 2, STYLE_PLAIN, "%s: measured: %s",
				       text_of(setting, "tunable"), text_of(setting, "confirmed"));
}

static void view(const json_t *doc, struct text *out)
{
	const char *interrupted = text_of(json_object_get(doc, "interrupted"), "detail");

	if (*interrupted)
		text_paragraph(out, 0, 0, STYLE_RED, "%s", interrupted);
	change_view_settings(doc, out);
	view_files(doc, out);
	change_view_notes(doc, out);
	view_confirmed(doc, out);
	text_paragraph(out, 0, 0, STYLE_PLAIN,
		       "%lld applied, %lld in force, %lld pending, %lld different",
		       (long long)json_array_size(json_object_get(doc, "settings")),
		       integer_of(doc, "in_force"), integer_of(doc, "pending"),
		       integer_of(doc, "different"));
	if (integer_of(doc, "skipped"))
		text_paragraph(out, 0, 0, STYLE_PLAIN,
			       "%lld left out: their rules do not hold on this machine any more",
			       integer_of(doc, "skipped"));
}

/* null, or what nobody has finished. */
static json_t *interrupted_json(const struct change *change)
{
	_cleanup_free_ char *detail = change_describe_interrupted(change);

	if (!detail)
		return json_null();
	return json_pack("{s:s?, s:i, s:b, s:s}", "time", change->interrupted.time, "steps",
			 (int)change->interrupted.steps, "running",
			 (int)change->interrupted.is_running, "detail", detail);
}

static json_t *files_json(const struct change *change, unsigned int count[WEIGHT_COUNT])
{
	json_t *array = json_array();

	for (size_t i = 0; i < CHANGE_FILES; i++) {
		const struct change_file *file = &change->file[i];
		char path[64];

		if (!file->path || file->state == FILE_NONE)
			continue;
		count[WEIGHT_DIFFERENT] += file->state != FILE_OK && file->state != FILE_DENIED;
		snprintf(path, sizeof(path), "/%s", file->path);
		json_array_append_new(array, json_pack("{s:s, s:s, s:s?}", "path", path, "status",
						       change_file_word(file->state), "detail",
						       file->detail));
	}
	return array;
}

static int fill(json_t *doc, const struct change *change, unsigned int count[WEIGHT_COUNT])
{
	json_t *files = files_json(change, count);

	for (size_t i = 0; i < change->count; i++)
		count[weight_of(change->items[i].status)]++;
	if (change_document_fill(doc, change, true) < 0)
		return -ENOMEM;
	(void)json_object_del(doc, "values");
	(void)json_object_del(doc, "recovered");
	return json_object_update_new(
		       doc, json_pack("{s:o, s:o, s:i, s:i, s:i, s:i}", "interrupted",
				      interrupted_json(change), "files", files, "in_force",
				      count[WEIGHT_OK], "pending", count[WEIGHT_PENDING], "skipped",
				      count[WEIGHT_SKIPPED], "different", count[WEIGHT_DIFFERENT]))
		       ? -ENOMEM
		       : 0;
}

static enum status failed(const char *what, int error)
{
	if (error == -EPIPE)
		return STATUS_OK;
	log_error("cannot %s: %s", what, strerror(-error));
	return STATUS_FAILED;
}

/* A value that is not in force because its rule does not hold any more was left out on purpose. */
static int judge_rule_of(const struct facts *facts, struct change_item *item)
{
	bool in_force = item->status == CHANGE_OK || item->status == CHANGE_CONFLICT;

	if (approved_fits(facts, item->rule))
		return 0;
	if (in_force)
		return change_detail(item,
				     "in force, but its rule does not hold on this machine any "
				     "more: 'lpartune revert' takes it back");
	if (item->status != CHANGE_DRIFT)
		return 0;
	item->status = CHANGE_UNSUITED;
	return change_detail(item, "not set: its rule does not hold on this machine any more");
}

static int judge_rules(struct change *change)
{
	_cleanup_machine_ struct machine machine = { 0 };
	int r = change->count ? machine_read(change->root, &machine) : 0;

	for (size_t i = 0; i < change->count && r == 0; i++)
		r = judge_rule_of(&machine.facts, &change->items[i]);
	if (r == 0 && change->count)
		r = approved_note_mode(&machine.facts, change);
	return r;
}

/* What a trial, or the sessions of confirm, said of a setting; NULL: nothing. */
static const char *confirmed(const struct change *change, const json_t *record, const char *id)
{
	const json_t *entry = books_setting(&change->books, id), *one;
	const char *text = json_string_value(json_object_get(entry, "confirmed"));
	size_t i;

	/* Of the value that is wanted, not of one before it. */
	json_array_foreach (json_object_get(record, "changes"), i, one)
		if (streq(text_of(one, "tunable"), id) &&
		    streq(text_of(one, "to"), text_of(entry, "to")))
			text = json_string_value(json_object_get(record, "summary"));
	return text;
}

static int add_note(json_t *doc, const char *note)
{
	return json_array_append_new(json_object_get(doc, "notes"), json_string(note)) ? -ENOMEM
										       : 0;
}

static int add_confirmed(json_t *doc, const struct change *change)
{
	json_t *record = NULL, *setting;
	size_t i;
	int r = confirmation_load(&change->ws, &record);

	if (r == -EBADMSG)
		r = add_note(doc, "the record '" WORKSPACE_CONFIRM
				  "' is damaged: lpartune revert --repair sets it aside");
	if (r < 0 && r != -ENOENT && r != -EACCES && r != -EPROTONOSUPPORT)
		return r;
	json_array_foreach (json_object_get(doc, "settings"), i, setting) {
		const char *text = confirmed(change, record, text_of(setting, "tunable"));

		json_object_set_new(setting, "confirmed", text ? json_string(text) : json_null());
	}
	json_decref(record);
	return 0;
}

static enum status verify(struct change *change, const struct options *o)
{
	unsigned int count[WEIGHT_COUNT] = { 0 };
	json_t *doc;
	int r = change_verify(change);

	if (r == 0)
		r = judge_rules(change);
	if (r < 0)
		return failed("verify", r);
	doc = change_document_new(change->root, "verify");
	r = doc ? fill(doc, change, count) : -ENOMEM;
	if (r == 0)
		r = add_confirmed(doc, change);
	if (r == 0)
		r = output_document(doc, o->common.json, view);
	json_decref(doc);
	if (r < 0)
		return command_finish(r);
	return change->interrupted.is_there || change->is_partial || count[WEIGHT_DIFFERENT] ||
			       (o->strict && (count[WEIGHT_PENDING] || count[WEIGHT_SKIPPED]))
		       ? STATUS_DIFFERENT
		       : STATUS_OK;
}

static void view_history(const json_t *doc, struct text *out)
{
	static const struct text_column columns[] = {
		{ .title = "TIME" }, { .title = "ACTION" }, { .title = "TUNABLE" },
		{ .title = "FROM" }, { .title = "TO" },	    { .title = "OUTCOME" },
		{ .title = "FILE" },
	};
	const json_t *array = json_object_get(doc, "history"), *line;
	struct text_table *table;
	size_t i;

	if (!json_array_size(array)) {
		text_paragraph(out, 0, 0, STYLE_PLAIN, "No change is in the history.");
		return;
	}
	table = text_table_begin(out, 0, columns, ARRAY_SIZE(columns));
	json_array_foreach (array, i, line) {
		text_table_row(table);
		text_table_cell(table, STYLE_PLAIN, "%s", text_of(line, "time"));
		text_table_cell(table, STYLE_PLAIN, "%s", text_of(line, "action"));
		text_table_cell(table, STYLE_PLAIN, "%s", text_of(line, "tunable"));
		text_table_cell(table, STYLE_PLAIN, "%s", text_of(line, "from"));
		text_table_cell(table, STYLE_PLAIN, "%s", text_of(line, "to"));
		text_table_cell(table, STYLE_PLAIN, "%s", text_of(line, "outcome"));
		text_table_cell(table, STYLE_PLAIN, "/%s", text_of(line, "path"));
	}
	text_table_end(table);
}

static enum status history(struct change *change, const struct options *o)
{
	json_t *lines, *doc;
	int r = history_read(&change->ws, &lines);

	if (r < 0)
		return failed("read the history", r);
	doc = change_document_new(change->root, "verify");
	if (!doc || json_object_set_new(doc, "history", lines) < 0)
		r = -ENOMEM;
	else
		r = output_document(doc, o->common.json, view_history);
	json_decref(doc);
	return command_finish(r);
}

static enum status run(const struct command *self, int argc, char **argv)
{
	_cleanup_change_ struct change change = { .ws = { .run = -1, .lib = -1, .lock = -1 } };
	_cleanup_root_ struct root *root = NULL;
	struct options o = { 0 };
	int r;

	command_parse(self, argc, argv, &o);
	if (command_open(&o.common, &root) < 0)
		return STATUS_FAILED;
	r = change_open(root, false, 0, &change);
	if (r < 0)
		return change_open_failed(&change, root_name(root), r);
	return o.history ? history(&change, &o) : verify(&change, &o);
}

const struct command cmd_verify = {
	.name = "verify",
	.summary = "Tell whether every applied value is still in force",
	.argp = &argp,
	.needs = NEEDS_READ,
	.run = run,
};
