/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file is `lpartune confirm`: one more session, before or after the boot that makes a change
 * effective, and what all sessions come to. */
#include "cmd/trial/confirm.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/store.h"
#include "bench/judgement/compare.h"
#include "bench/judgement/sequential.h"
#include "change/confirmation.h"
#include "cmd/bench/bench_format.h"
#include "cmd/change/change_document.h"
#include "cmd/trial/compare.h"

struct options {
	struct common_options common;
	struct bench_options bench;
	const char *session;
	double within_pct;
	bool check;
	unsigned int wait_s;
};

enum { KEY_SESSION = 0x400, KEY_WITHIN, KEY_CHECK, KEY_WAIT };

static const struct argp_option options[] = {
	{ .name = "session",
	  .key = KEY_SESSION,
	  .arg = "FILE",
	  .doc = "Take this result of lpartune bench --save for the session instead of measuring" },
	{ .name = "within",
	  .key = KEY_WITHIN,
	  .arg = "PERCENT",
	  .doc = "Take a change of at most PERCENT (2) for none" },
	{ .name = "check", .key = KEY_CHECK, .doc = "Exit with status 3 if anything got worse" },
	{ .name = "wait",
	  .key = KEY_WAIT,
	  .arg = "SECONDS",
	  .doc = "Wait so long for another lpartune to finish, instead of exit status 6 at once" },
	{ 0 }
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->bench;
		state->child_inputs[1] = &o->common;
		return 0;
	case KEY_SESSION:
		o->session = arg;
		return 0;
	case KEY_WITHIN:
		o->within_pct = option_percent(state, "--within", arg);
		return 0;
	case KEY_CHECK:
		o->check = true;
		return 0;
	case KEY_WAIT:
		change_parse_wait(state, arg, &o->wait_s);
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "unexpected argument '%s'", arg);
		return EINVAL;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = { { .argp = &measure_argp },
					      { .argp = &common_argp },
					      { 0 } };
static const struct argp argp = {
	.options = options,
	.parser = parse_option,
	.doc = "Measure one more session for the boot parameters that lpartune apply --confirm set: "
	       "before the boot that makes them effective or after it. With 3 separated sessions "
	       "on each side there can be a verdict; it is sequential: not protected from drift.",
	.children = children,
};

static enum status fail(const char *what, int error)
{
	log_error("cannot %s: %s", what, strerror(-error));
	return STATUS_FAILED;
}

/* On which side of the change a session would be now. */
static enum status find_side(struct root *root, enum confirmation_side *ret)
{
	_cleanup_workspace_ struct workspace ws = { .run = -1, .lib = -1, .lock = -1 };
	_cleanup_json_ json_t *record = NULL;
	int r = workspace_open_read(root, &ws);

	if (r == 0)
		r = confirmation_load(&ws, &record);
	if (r == -ENOENT) {
		log_error("nothing waits to be confirmed: lpartune apply --confirm begins it");
		return STATUS_FAILED;
	}
	if (r == 0)
		r = confirmation_side_now(root, record, ret);
	if (r < 0) {
		struct change damaged = { .damaged = WORKSPACE_CONFIRM };

		return change_open_failed(&damaged, root_name(root), r);
	}
	if (r > 0)
		return STATUS_OK;
	log_error("the values in force are neither all as before the change nor all as after it: a "
		  "session would be on neither side");
	return STATUS_FAILED;
}

static bool is_result(const json_t *session)
{
	struct saved_side side;
	size_t bad;

	if (saved_side_read(&session, 1, &side, &bad) < 0)
		return false;
	saved_side_done(&side);
	return true;
}

static int read_session(const char *path, json_t **ret)
{
	_cleanup_free_ char *text = NULL;
	json_error_t error;
	size_t len;
	int r = store_read(path, &text, &len);

	if (r < 0) {
		log_error("cannot read '%s': %s", path, strerror(-r));
		return r;
	}
	*ret = json_loadb(text, len, JSON_REJECT_DUPLICATES, &error);
	if (*ret && is_result(*ret))
		return 0;
	log_error("'%s' is no result of lpartune bench", path);
	return -EINVAL;
}

static const char *boot_of(const json_t *session)
{
	return json_string_value(json_object_get(session, "boot_id"));
}

/* Of this machine a session counts for the boot that runs, so it must be of that boot. */
static int check_boot(struct root *root, const json_t *session, const char *path)
{
	_cleanup_free_ char *now = NULL;
	const char *then = boot_of(session);

	if (!root_is_live(root) ||
	    root_read_string(root, &now, "proc/sys/kernel/random/boot_id") < 0 ||
	    (then && streq(then, now)))
		return 0;
	log_error("'%s' was not measured in this boot", path);
	return -EINVAL;
}

static int get_session(struct root *root, const struct options *o, json_t **ret)
{
	int r;

	if (!o->session)
		return confirm_measure(root, &o->bench, ret);
	r = read_session(o->session, ret);
	return r < 0 ? r : check_boot(root, *ret, o->session);
}

/* A session takes minutes: whether it can be kept is asked before. */
static enum status check_right(struct root *root, const struct options *o)
{
	_cleanup_change_ struct change change = { .ws = { .run = -1, .lib = -1, .lock = -1 } };
	int r = change_open(root, true, o->wait_s, &change);

	return r < 0 ? change_open_failed(&change, root_name(root), r) : STATUS_OK;
}

static int read_side(const struct workspace *ws, const json_t *record, enum confirmation_side side,
		     json_t **ret)
{
	const char *bad = NULL;
	int r = confirmation_sessions(ws, record, side, ret, &bad);

	if (bad)
		log_warning("the kept session '/var/lib/lpartune/%s' is damaged or gone: it does "
			    "not count",
			    bad);
	return r;
}

/* What the sessions that are kept come to with one more. */
static int judge(const struct workspace *ws, const json_t *record, double within_pct,
		 enum confirmation_side side, json_t *session, json_t *doc)
{
	_cleanup_json_ json_t *before = NULL, *after = NULL;
	int r = read_side(ws, record, CONFIRMATION_BEFORE, &before);

	if (r == 0)
		r = read_side(ws, record, CONFIRMATION_AFTER, &after);
	if (r == 0)
		r = confirmation_insert(side == CONFIRMATION_BEFORE ? before : after, session);
	return r < 0 ? r : sequential_to_json(before, after, within_pct, doc);
}

/* A line for verify: "better (3 sessions before, 3 after; sequential: …)". */
static int settle(const struct workspace *ws, json_t *record, const json_t *doc)
{
	const json_t *sessions = json_object_get(doc, "sessions");
	const char *reason = member_word(doc, "reason");
	size_t changes = json_array_size(json_object_get(record, "changes"));
	char summary[256], together[48] = "";

	/* The verdict on several parameters is one on all of them, not on each. */
	if (changes > 1)
		snprintf(together, sizeof(together), "%zu parameters at once, ", changes);
	snprintf(summary, sizeof(summary), "%s (%s%.0f session%s before, %.0f after%s%s; %s)",
		 member_word(doc, "verdict"), together, member_number(sessions, "before"),
		 member_number(sessions, "before") == 1 ? "" : "s",
		 member_number(sessions, "after"), *reason ? ": " : "", reason, SEQUENTIAL_WARNING);
	return confirmation_settle(ws, record, member_word(doc, "verdict"), summary);
}

static int keep(const struct change *change, const struct options *o, enum confirmation_side side,
		json_t *session, json_t *doc)
{
	_cleanup_json_ json_t *record = NULL;
	int r = confirmation_load(&change->ws, &record);

	/* Judged first: one that cannot be compared would stand in the way of all that follow. */
	if (r == 0)
		r = judge(&change->ws, record, o->within_pct, side, session, doc);
	if (r == 0)
		r = confirmation_add(&change->ws, record, side, boot_of(session), session);
	if (r == 0)
		r = settle(&change->ws, record, doc);
	json_object_set_new(doc, "side", json_string(confirmation_side_word(side)));
	json_object_set(doc, "changes", json_object_get(record, "changes"));
	return r;
}

static void say_changes(const json_t *doc, struct text *out)
{
	const json_t *change;
	size_t i;

	json_array_foreach (json_object_get(doc, "changes"), i, change)
		text_paragraph(out, 0, 2, STYLE_PLAIN, "%s: %s before, %s after",
			       member_word(change, "tunable"),
			       *member_word(change, "from") ? member_word(change, "from") : "?",
			       member_word(change, "to"));
}

static void say_agreement(const json_t *doc, const char *side, struct text *out)
{
	const json_t *agree = json_object_get(json_object_get(doc, "agreement"), side);

	text_paragraph(out, 2, 4, STYLE_PLAIN, "%s: %.0f of %.0f separated sessions%s", side,
		       member_number_in(doc, "sessions", side),
		       member_number_in(doc, "sessions", "needed"),
		       json_is_null(agree)   ? ""
		       : json_is_true(agree) ? ", which agree among themselves"
					     : ", which differ among themselves");
}

static void view(const json_t *doc, struct text *out)
{
	const char *reason = member_word(doc, "reason");
	const json_t *comparison = json_object_get(doc, "comparison");

	text_paragraph(out, 0, 2, STYLE_BOLD, "%s%s%s (%s)", member_word(doc, "verdict"),
		       *reason ? ": " : "", reason, member_word(doc, "warning"));
	say_changes(doc, out);
	say_agreement(doc, "before", out);
	say_agreement(doc, "after", out);
	text_paragraph(out, 2, 4, STYLE_PLAIN, "this session was kept as one %s the change",
		       member_word(doc, "side"));
	if (!json_is_object(comparison))
		return;
	text_heading(out, "All sessions");
	compare_view(comparison, out);
}

static enum status publish(const struct options *o, const json_t *doc)
{
	const char *verdict = member_word(doc, "verdict");
	int r = output_document(doc, o->common.json, view);

	if (r < 0)
		return command_finish(r);
	return o->check && (streq(verdict, "worse") || streq(verdict, "mixed")) ? STATUS_DIFFERENT
										: STATUS_OK;
}

/* Why a session is not kept. */
static enum status refuse(int error)
{
	if (error == -EEXIST)
		log_error("this session is kept already");
	else if (error == -EPROTO || error == -ENODATA)
		log_error("the session cannot be compared with the others: %s",
			  error == -EPROTO ? "its definition differs" : "it has no cell in common");
	else if (error == -EINVAL)
		log_error("a session that is kept in /var/lib/lpartune is no result of lpartune "
			  "bench: remove its file");
	else
		return fail("keep the session", error);
	return STATUS_FAILED;
}

static enum status add_session(struct root *root, const struct options *o,
			       enum confirmation_side side, json_t *session)
{
	_cleanup_change_ struct change change = { .ws = { .run = -1, .lib = -1, .lock = -1 } };
	_cleanup_json_ json_t *doc = change_document_new(root, "confirm");
	int r = doc ? change_open(root, true, o->wait_s, &change) : -ENOMEM;

	if (r < 0)
		return change_open_failed(&change, root_name(root), r);
	r = keep(&change, o, side, session, doc);
	return r < 0 ? refuse(r) : publish(o, doc);
}

static enum status confirm(struct root *root, const struct options *o)
{
	_cleanup_json_ json_t *session = NULL;
	enum confirmation_side side = CONFIRMATION_BEFORE;
	enum status status = find_side(root, &side);
	int r;

	if (status == STATUS_OK)
		status = check_right(root, o);
	if (status != STATUS_OK)
		return status;
	r = get_session(root, o, &session);
	if (r < 0)
		return r == -EINTR ? STATUS_INTERRUPTED : STATUS_FAILED;
	return add_session(root, o, side, session);
}

static enum status run(const struct command *self, int argc, char **argv)
{
	_cleanup_root_ struct root *root = NULL;
	struct options o = { .within_pct = COMPARE_WITHIN_PCT };
	enum status status;

	bench_options_init(&o.bench);
	command_parse(self, argc, argv, &o);
	confirm_options(&o.bench);
	umask(022);
	if (command_open(&o.common, &root) < 0)
		return STATUS_FAILED;
	if (!root_is_live(root) && !o.session) {
		log_error("only the running machine can be measured: --root needs --session");
		return STATUS_USAGE;
	}
	status = confirm(root, &o);
	bench_options_done(&o.bench);
	return status;
}

const struct command cmd_confirm = {
	.name = "confirm",
	.summary = "Add a session before or after a reboot, and judge",
	.argp = &argp,
	.needs = NEEDS_WRITE,
	.run = run,
};
