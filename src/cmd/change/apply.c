/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file is `lpartune apply`. */
#include <errno.h>
#include <sys/stat.h>

#include "base/store.h"
#include "change/apply.h"
#include "change/record/history.h"
#include "cmd/advice/plan.h"
#include "cmd/advice/recommendation.h"
#include "cmd/change/apply_confirm.h"
#include "cmd/change/approved.h"
#include "cmd/change/change_document.h"
#include "cmd/suggest.h"

#define IDS_MAX 64

struct options {
	struct common_options common;
	bool dry_run, boot, online, force, yes, confirm;
	const char *plan, *workload;
	const char *ids[IDS_MAX];
	size_t count;
	unsigned int wait_s;
};

/* What is to be applied, on which machine and for which workload. */
struct wish {
	struct machine machine;
	struct settings settings;
	char *workload;
	char *why_nothing[IDS_MAX]; /* of ids that ask for nothing here */
	struct apply_confirmation confirmation;
};

static void wish_done(struct wish *wish)
{
	machine_done(&wish->machine);
	settings_done(&wish->settings);
	free(wish->workload);
	for (size_t i = 0; i < ARRAY_SIZE(wish->why_nothing); i++)
		free(wish->why_nothing[i]);
	apply_confirmation_done(&wish->confirmation);
}

enum { KEY_PLAN = 256, KEY_BOOT, KEY_ONLINE, KEY_FORCE, KEY_WAIT, KEY_CONFIRM };

static const struct argp_option options[] = {
	{ .name = "dry-run",
	  .key = 'n',
	  .doc = "Show what would be written, old and new; write nothing" },
	{ .name = "plan",
	  .key = KEY_PLAN,
	  .arg = "FILE",
	  .doc = "Apply the settings of a plan that lpartune recommend --plan saved" },
	{ .name = "workload",
	  .key = 'w',
	  .arg = "NAME",
	  .doc = "As for lpartune recommend: the settings that the workload's vendor requires belong "
		 "to the plan" },
	{ .name = "yes", .key = 'y', .doc = "Do not ask before the default plan is carried out" },
	{ .name = "boot",
	  .key = KEY_BOOT,
	  .doc = "Apply again what was approved before and still suits the machine; for "
		 "lpartune.service" },
	{ .name = "online",
	  .key = KEY_ONLINE,
	  .doc = "Give CPUs that came online what was applied to all; for lpartune-hotplug.service" },
	{ .name = "confirm",
	  .key = KEY_CONFIRM,
	  .doc = "Try first what takes effect at once, as lpartune trial does, and measure a session "
		 "before what takes a boot, for lpartune confirm; keep the result with the change" },
	{ .name = "force",
	  .key = KEY_FORCE,
	  .doc = "Also over a file of ours that somebody has edited" },
	{ .name = "wait",
	  .key = KEY_WAIT,
	  .arg = "SECONDS",
	  .doc = "Wait so long for another lpartune to finish, instead of exit status 6 at once" },
	{ 0 }
};

static void take_id(struct argp_state *state, struct options *o, const char *id)
{
	if (!rule_find(id) && !tunable_find(id))
		id_refuse(state, id);
	else if (o->count == IDS_MAX)
		argp_error(state, "more than %d ids", IDS_MAX);
	else
		o->ids[o->count++] = id;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->common;
		return 0;
	case 'n':
		o->dry_run = true;
		return 0;
	case 'y':
		o->yes = true;
		return 0;
	case 'w':
		o->workload = workload_argument(state, arg);
		return 0;
	case KEY_PLAN:
		o->plan = arg;
		return 0;
	case KEY_BOOT:
		o->boot = true;
		return 0;
	case KEY_ONLINE:
		o->online = true;
		return 0;
	case KEY_CONFIRM:
		o->confirm = true;
		return 0;
	case KEY_FORCE:
		o->force = true;
		return 0;
	case KEY_WAIT:
		change_parse_wait(state, arg, &o->wait_s);
		return 0;
	case ARGP_KEY_ARG:
		take_id(state, o, arg);
		return 0;
	case ARGP_KEY_END:
		if ((o->plan != NULL) + o->boot + o->online + (o->count > 0) > 1)
			argp_error(state, "ids, --plan, --boot and --online do not go together");
		if (o->confirm && (o->dry_run || !(o->plan || o->count || o->yes)))
			argp_error(state, "--confirm needs ids, --plan or --yes, and no --dry-run");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = { { .argp = &common_argp }, { 0 } };
static const struct argp argp = {
	.options = options,
	.parser = parse_option,
	.args_doc = "[ID...]",
	.doc = "Make the changes of the default plan of lpartune recommend, of the rules or tunables "
	       "named by ID, or of a plan: now, and so that they last. Every original is kept "
	       "first, every value is read back, and a failure undoes all of it. With --root the "
	       "files of the tree in DIR are changed and nothing else.",
	.children = children,
};

static int read_plan(const char *path, struct settings *ret, char **ret_workload)
{
	_cleanup_free_ char *text = NULL, *error = NULL;
	size_t len;
	int r = store_read(path, &text, &len);

	if (r < 0) {
		log_error("cannot read '%s': %s", path, strerror(-r));
		return r;
	}
	r = plan_parse(text, len, ret, &error);
	if (r < 0)
		log_error("cannot use '%s' as a plan: %s", path, error ? error : strerror(-r));
	else
		*ret_workload = plan_workload(text, len);
	return r;
}

static bool asks(const struct settings *settings, const char *id)
{
	for (size_t i = 0; i < settings->count; i++)
		if (streq(settings->list[i].tunable->id, id) || streq(settings->list[i].rule, id))
			return true;
	return false;
}

/* The settings that recommend would put into a plan, and for which workload. */
static int recommended(struct wish *wish, const struct options *o)
{
	_cleanup_recommendations_ struct recommendations all = { 0 };
	int r = recommendations_make(&wish->machine, o->workload, &all);

	if (r == 0)
		r = recommendations_plan(&all, o->ids, o->count, &wish->settings);
	if (r == 0 && all.complaint)
		log_warning("%s", all.complaint);
	for (size_t i = 0; i < o->count && r == 0; i++)
		if (!asks(&wish->settings, o->ids[i]))
			r = recommendations_why_nothing(&all, o->ids[i], &wish->why_nothing[i]);
	if (r == 0)
		wish->workload = take_ptr(&all.workload);
	return r;
}

static void view(const json_t *doc, struct text *out)
{
	const char *outcome = json_string_value(json_object_get(doc, "outcome"));

	change_view_settings(doc, out);
	change_view_files(doc, out);
	change_view_notes(doc, out);
	if (streq(outcome, "planned"))
		text_paragraph(out, 0, 0, STYLE_DIM, "Nothing was written.");
	else if (streq(outcome, "nothing"))
		text_paragraph(out, 0, 0, STYLE_PLAIN, "Nothing to change.");
}

static int print(const struct change *change, const struct options *o, const char *outcome)
{
	json_t *doc = change_document_new(change->root, "apply");
	int r = doc ? change_document_fill(doc, change, streq(outcome, "done")) : -ENOMEM;

	if (r == 0)
		r = json_object_set_new(doc, "outcome", json_string(outcome)) ? -ENOMEM : 0;
	if (r == 0)
		r = output_document(doc, o->common.json, view);
	json_decref(doc);
	return r;
}

/* Everything was skipped, and something of it because we may or can not: that is a failure. */
static bool is_refused(const struct change *change)
{
	bool refused = false;

	for (size_t i = 0; i < change->count; i++) {
		enum change_status status = change->items[i].status;

		if (status < CHANGE_LOCKED)
			return false;
		refused |= status == CHANGE_LOCKED || status == CHANGE_DENIED ||
			   status == CHANGE_UNSUPPORTED ||
			   (status == CHANGE_UNSUITED && !change->at_boot);
	}
	return refused;
}

static enum status finish(const struct change *change, const struct options *o, const char *outcome,
			  enum status status)
{
	int r = print(change, o, outcome);

	if (r < 0 && r != -EPIPE) {
		log_error("cannot write to standard output: %s", strerror(-r));
		return status == STATUS_OK ? STATUS_FAILED : status;
	}
	return status == STATUS_OK && is_refused(change) ? STATUS_FAILED : status;
}

/* The default plan was nobody's explicit wish: it is shown, and carried out if the answer is yes. */
static enum status get_consent(const struct change *change, const struct options *o)
{
	int r;

	if (o->plan || o->boot || o->online || o->count || o->yes || !change->steps.count)
		return STATUS_OK;
	if (o->common.json || !isatty(STDIN_FILENO)) {
		log_error(
			"the default plan needs --yes where nobody can be asked; --dry-run shows it");
		return STATUS_USAGE;
	}
	r = print(change, o, "planned");
	if (r < 0)
		return STATUS_FAILED;
	return log_ask("carry this out?") ? STATUS_OK : STATUS_FAILED;
}

static const char *action_of(const struct options *o)
{
	return o->boot ? "apply --boot" : o->online ? "apply --online" : "apply";
}

static int confirm_after(const struct change *change, const struct options *o,
			 const struct apply_confirmation *confirmation)
{
	int r = o->confirm ? apply_confirm_after(change, confirmation) : 0;

	if (r < 0)
		log_error("cannot keep what was measured: %s", strerror(-r));
	return r;
}

static enum status carry_out(struct change *change, const struct options *o,
			     const struct apply_confirmation *confirmation)
{
	enum change_outcome outcome;
	enum status consent = get_consent(change, o);
	int error = 0, r;

	if (consent != STATUS_OK)
		return consent;
	outcome = change_run(change, &error);
	r = history_write(change, action_of(o), outcome);
	if (r < 0)
		log_warning("cannot write the history: %s", strerror(-r));
	if (outcome == CHANGE_UNDONE || outcome == CHANGE_NOT_UNDONE) {
		enum status status = change_run_failed(change, outcome, error);

		return finish(change, o, change_outcome_word(outcome), status);
	}
	r = confirm_after(change, o, confirmation);
	return finish(change, o, change_outcome_word(outcome), r < 0 ? STATUS_FAILED : STATUS_OK);
}

/* What is to be applied, if the command line did not say it. Known only now that the books are open. */
static int choose(struct wish *wish, const struct options *o, struct change *change)
{
	if (o->boot)
		return approved_at_boot(&wish->machine, change, &wish->settings);
	if (o->online)
		return approved_online(&wish->machine, change, &wish->settings);
	return 0;
}

static int plan(struct wish *wish, const struct options *o, struct change *change,
		const char **ret_path)
{
	const struct apply_options how = {
		.force = o->force,
		.at_boot = o->boot || o->online,
	};
	int r = choose(wish, o, change);

	if (r == 0)
		r = change_plan_apply(change, &wish->settings, &how, ret_path);
	if (r == 0 && !how.at_boot)
		r = approved_remember(&wish->machine.facts, wish->workload, change);
	for (size_t i = 0; i < o->count && r == 0; i++)
		r = wish->why_nothing[i] ? change_note(change, "%s", wish->why_nothing[i]) : 0;
	return r == 0 ? apply_confirm_enter(change, &wish->confirmation) : r;
}

static enum status apply(const struct options *o, struct wish *wish, struct change *change)
{
	const char *path = NULL;
	int r = plan(wish, o, change, &path);

	if (r == -ESTALE) {
		log_error("'/%s' was edited since lpartune wrote it: --force overwrites it", path);
		return STATUS_FAILED;
	}
	if (r < 0) {
		change_plan_failed(change, "the change", path, r);
		return STATUS_FAILED;
	}
	return o->dry_run ? finish(change, o, "planned", STATUS_OK)
			  : carry_out(change, o, &wish->confirmation);
}

static enum status open_books(struct root *root, const struct options *o, struct change *ret)
{
	int r = change_open(root, !o->dry_run, o->wait_s, ret);

	if (r < 0)
		return change_open_failed(ret, root_name(root), r);
	change_warn_interrupted(ret);
	change_warn_recovered(ret);
	return STATUS_OK;
}

/* What is measured may take its time, and a trial needs the lock itself. */
static enum status confirm_before(struct root *root, const struct options *o, struct wish *wish,
				  struct change *change)
{
	enum status status;

	change_close(change);
	status = apply_confirm_before(root, &wish->settings, o->wait_s, &wish->confirmation);
	return status == STATUS_OK ? open_books(root, o, change) : status;
}

static int read_machine(struct root *root, const struct options *o, struct wish *wish)
{
	int r = machine_read(root, &wish->machine);

	if (r == 0 && !o->plan && !o->boot && !o->online)
		r = recommended(wish, o);
	if (r < 0)
		log_error("cannot make a plan: %s", strerror(-r));
	return r;
}

/* At boot what does not fit is left out; what somebody asks for is refused. */
static bool fits(struct root *root, const struct wish *wish)
{
	bool all = true;

	for (size_t i = 0; i < wish->settings.count; i++)
		all &= command_check_value(root, wish->settings.list[i].tunable,
					   wish->settings.list[i].to);
	return all;
}

static enum status run(const struct command *self, int argc, char **argv)
{
	_cleanup_(wish_done) struct wish wish = { 0 };
	_cleanup_root_ struct root *root = NULL;
	_cleanup_change_ struct change change = { .ws = { .run = -1, .lib = -1, .lock = -1 } };
	struct options o = { 0 };
	enum status status;

	command_parse(self, argc, argv, &o);
	umask(022); /* verify is for everybody: so are the directories and the state */
	if (o.plan && read_plan(o.plan, &wish.settings, &wish.workload) < 0)
		return STATUS_FAILED;
	if (command_open(&o.common, &root) < 0)
		return STATUS_FAILED;
	/* Before the machine is read: no rule must take what a killed lpartune left for it. */
	status = open_books(root, &o, &change);
	if (status == STATUS_OK && (read_machine(root, &o, &wish) < 0 || !fits(root, &wish)))
		status = STATUS_FAILED;
	if (status == STATUS_OK && o.confirm)
		status = confirm_before(root, &o, &wish, &change);
	return status == STATUS_OK ? apply(&o, &wish, &change) : status;
}

const struct command cmd_apply = {
	.name = "apply",
	.summary = "Make changes that can be taken back",
	.argp = &argp,
	.needs = NEEDS_WRITE,
	.run = run,
};
