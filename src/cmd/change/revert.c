/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file is `lpartune revert`. */
#include "change/revert.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/similar.h"
#include "change/boot/dropin.h"
#include "change/confirmation.h"
#include "change/record/entry.h"
#include "change/record/history.h"
#include "change/record/recover.h"
#include "cmd/change/change_document.h"

#define IDS_MAX 256

struct options {
	struct common_options common;
	bool all, force, dry_run, repair, removal;
	unsigned int wait_s;
	char *ids[IDS_MAX];
	size_t count;
};

enum { KEY_FORCE = 256, KEY_WAIT, KEY_REPAIR, KEY_REMOVAL };

#define REMOVAL_WAIT_S 30

static const struct argp_option options[] = {
	{ .name = "all", .key = 'a', .doc = "Revert everything that was applied" },
	{ .name = "dry-run", .key = 'n', .doc = "Show what would be written; write nothing" },
	{ .name = "force",
	  .key = KEY_FORCE,
	  .doc = "Also where somebody else has changed the value since; says what it overrides" },
	{ .name = "wait",
	  .key = KEY_WAIT,
	  .arg = "SECONDS",
	  .doc = "Wait so long for another lpartune to finish, instead of exit status 6 at once" },
	{ .name = "repair",
	  .key = KEY_REPAIR,
	  .doc = "Set damaged records aside; what they held can then not be reverted any more" },
	{ .name = "removal",
	  .key = KEY_REMOVAL,
	  .doc = "As --all, for the removal of the package: waits for the lock, and says of what stays "
		 "how to take it out by hand" },
	{ 0 }
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->common;
		return 0;
	case 'a':
		o->all = true;
		return 0;
	case 'n':
		o->dry_run = true;
		return 0;
	case KEY_FORCE:
		o->force = true;
		return 0;
	case KEY_WAIT:
		change_parse_wait(state, arg, &o->wait_s);
		return 0;
	case KEY_REPAIR:
		o->repair = true;
		return 0;
	case KEY_REMOVAL:
		o->removal = o->all = true;
		o->wait_s = REMOVAL_WAIT_S;
		return 0;
	case ARGP_KEY_ARG:
		if (o->count == IDS_MAX)
			argp_error(state, "more than %d ids", IDS_MAX);
		else
			o->ids[o->count++] = arg;
		return 0;
	case ARGP_KEY_END:
		if (o->all && o->count)
			argp_error(state, "ids go with neither --all nor --removal");
		if (o->repair &&
		    (o->all || o->count || o->force || o->dry_run || o->wait_s || o->common.json))
			argp_error(state, "--repair goes with nothing but --root");
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
	.doc = "Bring back exactly what was there before apply, where it is still as apply left "
	       "it. Without ID and --all it lists what could be reverted and changes nothing. With "
	       "--root the files of the tree in DIR are changed and nothing else.",
	.children = children,
};

static void view(const json_t *doc, struct text *out)
{
	const char *outcome = json_string_value(json_object_get(doc, "outcome"));

	change_view_settings(doc, out);
	change_view_files(doc, out);
	change_view_notes(doc, out);
	if (streq(outcome, "nothing") && !json_array_size(json_object_get(doc, "settings")))
		text_paragraph(out, 0, 0, STYLE_PLAIN, "Nothing to revert.");
	else if (streq(outcome, "planned") || streq(outcome, "nothing"))
		text_paragraph(out, 0, 0, STYLE_DIM, "Nothing was written.");
}

static enum status print(const struct change *change, const struct options *o, const char *outcome,
			 enum status status)
{
	json_t *doc = change_document_new(change->root, "revert");
	int r = doc ? change_document_fill(doc, change, streq(outcome, "done")) : -ENOMEM;

	if (r == 0)
		r = json_object_set_new(doc, "outcome", json_string(outcome)) ? -ENOMEM : 0;
	if (r == 0)
		r = output_document(doc, o->common.json, view);
	json_decref(doc);
	if (r < 0 && r != -EPIPE) {
		log_error("cannot write to standard output: %s", strerror(-r));
		return status == STATUS_OK ? STATUS_FAILED : status;
	}
	return status;
}

/* Is something still in the books that was to be reverted? */
static bool is_left(const struct change *change, size_t item)
{
	return books_setting(&change->future, change->items[item].tunable->id) != NULL;
}

/* Says what was not brought back; the reasons are in the document. */
static bool tell_left(const struct change *change)
{
	unsigned int left = 0, drift = 0;

	for (size_t i = 0; i < change->count; i++) {
		left += is_left(change, i);
		drift += change->items[i].status == CHANGE_DRIFT;
	}
	if (drift)
		log_error("some values were changed by somebody else and left alone: --force "
			  "overrides them");
	if (left > drift)
		log_error("%u of the values could not be brought back now: the originals are kept",
			  left - drift);
	return left || change->is_partial;
}

static enum status carry_out(struct change *change, const struct options *o)
{
	enum change_outcome outcome;
	enum status status = STATUS_OK;
	int error = 0, r;

	outcome = change_run(change, &error);
	if (outcome == CHANGE_DONE && confirmation_prune(&change->ws, &change->future) < 0)
		log_warning("cannot drop what was measured for lpartune confirm");
	r = history_write(change, "revert", outcome);
	if (r < 0)
		log_warning("cannot write the history: %s", strerror(-r));
	if (outcome == CHANGE_UNDONE || outcome == CHANGE_NOT_UNDONE)
		status = change_run_failed(change, outcome, error);
	else if (tell_left(change))
		status = STATUS_DIFFERENT;
	return print(change, o, change_outcome_word(outcome), status);
}

static void tell_unknown(const struct books *books, const char *id)
{
	struct similar similar = { .wanted = id };
	_cleanup_free_ char *hint = NULL;
	const json_t *entry;
	size_t i;

	json_array_foreach (json_object_get(books->state, "settings"), i, entry)
		if (entry_text(entry, "tunable"))
			similar_offer(&similar, entry_text(entry, "tunable"));
	hint = similar_hint(&similar);
	log_error("'%s' is not applied%s", id,
		  hint && *hint ? hint : ": lpartune revert lists what is");
}

static enum status revert(struct root *root, const struct options *o)
{
	_cleanup_change_ struct change change = { .ws = { .run = -1, .lib = -1, .lock = -1 } };
	bool only_list = o->dry_run || (!o->all && !o->count);
	const char *name = NULL;
	int r = change_open(root, !only_list, o->wait_s, &change);

	if (r < 0)
		return change_open_failed(&change, root_name(root), r);
	change_warn_interrupted(&change);
	change_warn_recovered(&change);
	r = change_plan_revert(&change, o->ids, o->count, o->force, &name);
	if (r == -ESRCH) {
		tell_unknown(&change.books, name);
		return STATUS_FAILED;
	}
	if (r < 0) {
		change_plan_failed(&change, "the way back", name, r);
		return STATUS_FAILED;
	}
	return only_list ? print(&change, o, "planned", STATUS_OK) : carry_out(&change, o);
}

/* How a boot parameter is taken out by hand. */
static const char *way_out(struct root *root)
{
	static const char *const ways[] = {
		[LOADER_UNKNOWN] = "take it out of the boot loader's configuration",
		[LOADER_GRUBBY] = "grubby --update-kernel=ALL --remove-args=PARAMETER does it",
		[LOADER_GRUBD] = "delete /" BOOTPARAM_DROPIN " and run update-grub",
		[LOADER_SUSE] =
			"take it out of /etc/default/grub and run update-bootloader --refresh",
	};
	const char *why = NULL;

	return ways[bootparam_detect(root, &why)];
}

static void tell_boot_parameters(struct root *root, const struct books *books)
{
	const json_t *entry;
	size_t i;

	json_array_foreach (json_object_get(books->state, "settings"), i, entry) {
		const char *id = entry_text(entry, "tunable");
		const struct tunable *t = id ? tunable_find(id) : NULL;

		if (t && t->where == WHERE_CMDLINE && json_is_true(json_object_get(entry, "ours")))
			log_error("NOT taken back: boot parameter '%s' (%s): %s", t->name,
				  entry_text(entry, "to"), way_out(root));
	}
}

/* Nobody will be there to say it later. */
static enum status finish_removal(struct root *root, enum status status)
{
	_cleanup_change_ struct change change = { .ws = { .run = -1, .lib = -1, .lock = -1 } };

	if (status == STATUS_OK)
		return status;
	if (change_open(root, false, 0, &change) < 0)
		log_error(
			"NOT taken back: what lpartune has set, because its records cannot be "
			"read; look at the boot parameters, /%s and /etc/modprobe.d/lpartune.conf",
			SYSCTLD_PATH);
	else
		tell_boot_parameters(root, &change.books);
	log_error("lpartune is removed all the same; its records stay in /var/lib/lpartune, for "
		  "'lpartune revert --all' after installing it again");
	return status;
}

static enum status repair(struct root *root)
{
	int restored = 0, r = change_repair(root, &restored);

	if (r < 0) {
		log_error("cannot repair the records: %s", strerror(-r));
		return r == -EALREADY ? STATUS_BUSY : STATUS_FAILED;
	}
	if (r)
		log_warning("%d damaged %s set aside as *.damaged: what only they held cannot be "
			    "reverted",
			    r, r == 1 ? "record" : "records");
	else
		log_note("no record is damaged");
	if (restored)
		log_warning("%d settings are known again from the values of this boot", restored);
	return STATUS_OK;
}

static enum status run(const struct command *self, int argc, char **argv)
{
	_cleanup_root_ struct root *root = NULL;
	struct options o = { 0 };
	enum status status;

	command_parse(self, argc, argv, &o);
	umask(022); /* verify is for everybody: so are the directories and the state */
	if (command_open(&o.common, &root) < 0)
		return STATUS_FAILED;
	if (o.repair)
		return repair(root);
	status = revert(root, &o);
	return o.removal ? finish_removal(root, status) : status;
}

const struct command cmd_revert = {
	.name = "revert",
	.summary = "Bring back what was there before apply",
	.argp = &argp,
	.needs = NEEDS_WRITE,
	.run = run,
};
