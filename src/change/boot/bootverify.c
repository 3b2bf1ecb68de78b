/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file compares boot parameters with the boot entries and the running kernel; it only reads. */
#include "change/boot/bootverify.h"

#include <errno.h>

#include "change/boot/bootline.h"
#include "change/boot/bootsource.h"
#include "change/boot/snapshot.h"
#include "change/record/entry.h"
#include "machine/source/cmdline.h"

/* What is known of one parameter. */
struct view {
	struct root *root;
	const char *name, *token;
	struct cmdlines lines;
	enum loader_kind kind;
	bool effective;
	bool changed_in_this_boot;
};

static int say(struct change_item *item, enum change_status status, const char *detail)
{
	item->status = status;
	return change_detail(item, "%s", detail);
}

/* The entry that the running kernel was booted with: of those with its file the one whose other
 * parameters are the same, else the first. */
static const struct cmdline_entry *booted_entry(const struct view *view, const char *cmdline)
{
	_cleanup_free_ char *parameters = NULL;
	const char *blank = strchr(cmdline, ' ');
	struct span image;

	if (!cmdline_get(span_of(cmdline), "BOOT_IMAGE", &image))
		return NULL;
	parameters = strdup(starts_with(cmdline, "BOOT_IMAGE=") && blank ? blank : cmdline);
	for (size_t i = 0; i < view->lines.count && parameters; i++) {
		const struct cmdlines one = { &view->lines.entry[i], 1 };

		if (cmdlines_of_image(&one, image) &&
		    bootline_same_but(one.entry->line, parameters, view->name) > 0)
			return one.entry;
	}
	return cmdlines_of_image(&view->lines, image);
}

/* Configured, and the machine was booted since without it: why? */
static int judge_not_effective(const struct view *view, struct change_item *item)
{
	_cleanup_free_ char *cmdline = NULL;
	const struct cmdline_entry *booted;

	item->status = CHANGE_NOT_EFFECTIVE;
	if (root_read_string(view->root, &cmdline, "proc/cmdline") < 0)
		return change_detail(item, "configured, and the machine was booted without it");
	if (strlen(cmdline) >= BOOTEDIT_LINE_MAX)
		return change_detail(item, "the kernel's command line was cut off at 2048 bytes");
	if (!cmdline_get(span_of(cmdline), "BOOT_IMAGE", NULL))
		return change_detail(item, "GRUB did not start the running kernel: it came by "
					   "kexec or from the network");
	booted = booted_entry(view, cmdline);
	if (!booted)
		return change_detail(item, "the running kernel has no boot entry: it came from "
					   "another disk, a snapshot, kexec or the network");
	if (booted->kind != ENTRY_NORMAL)
		return change_detail(item,
				     "the machine was booted with %s entry of /%s, which "
				     "does not get it",
				     booted->kind == ENTRY_RESCUE ? "the rescue" : "another's",
				     booted->file);
	return change_detail(item,
			     "the entry of /%s has it, but was booted without: edited in GRUB's "
			     "menu, configured by hand after the boot, or kexec",
			     booted->file);
}

static const struct cmdline_entry *entry_called(const struct cmdlines *lines, struct span id)
{
	for (size_t i = 0; i < lines->count; i++) {
		struct span file = span_of(lines->entry[i].file);
		size_t around = strlen(BLS_DIR "/") + strlen(".conf");

		if (!lines->entry[i].is_generated && file.len == id.len + around &&
		    !memcmp(file.text + strlen(BLS_DIR "/"), id.text, id.len))
			return &lines->entry[i];
	}
	return NULL;
}

/* Will the next boot use an entry that does not get it? */
static int judge_pending(const struct view *view, struct change_item *item)
{
	static const char *const variables[] = { "next_entry", "saved_entry" };
	const struct cmdline_entry *next = NULL;
	_cleanup_content_ struct content env = { 0 };
	struct span id;

	item->status = CHANGE_PENDING_REBOOT;
	if (root_read(view->root, &env, GRUBENV) < 0)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(variables) && !next; i++)
		if (cmdlines_grubenv(content_span(&env), variables[i], &id) == 0 && id.len)
			next = entry_called(&view->lines, id);
	if (!next || next->kind == ENTRY_NORMAL)
		return 0;
	return change_detail(item, "the next boot uses /%s, which does not get it", next->file);
}

/* "/FILE sets it to VALUE", or that it does not have it. */
static int describe(const struct boot_claim *claim, const char *path, bool is_wanted, char **ret)
{
	int len;

	if (!claim->place)
		len = asprintf(ret, "/%s does not have it%s", path, is_wanted ? "" : " any more");
	else if (!claim->token)
		len = asprintf(ret, "%s says something of it that only the shell can tell",
			       claim->place);
	else if (!*claim->token)
		len = asprintf(ret, "%s has it without a value", claim->place);
	else
		len = asprintf(ret, "%s sets it to %s", claim->place, claim->token);
	return len < 0 ? -ENOMEM : 0;
}

/* A file that new entries come from lacks it, or says something else. */
static int judge_source(const struct view *view, struct change_item *item, const char *path)
{
	_cleanup_boot_claim_ struct boot_claim claim = { 0 };
	_cleanup_free_ char *text = NULL;
	bool is_grubd = view->kind == LOADER_GRUBD;
	int r = bootsource_find(view->root, view->kind, path, view->name, &claim);

	item->status = CHANGE_CONFLICT;
	if (r == 0 && claim.place)
		r = describe(&claim, path, true, &text);
	if (r < 0)
		return r == -ENOMEM ? r : 0;
	if (text)
		return change_detail(item, "the entries have it, but %s: %s", text,
				     is_grubd ? "gone when update-grub runs"
					      : "a new kernel comes with that");
	if (is_grubd)
		return change_detail(item, "the entries have it, but no file that update-grub "
					   "makes them from: gone when it runs");
	return change_detail(
		item, "the entries have it, but /%s has not: a new kernel comes without it", path);
}

/* grub.cfg lacks what the files have that it is made from. */
static int judge_generated(const struct view *view, struct change_item *item)
{
	const char *tool = view->kind == LOADER_GRUBD ? "update-grub"
						      : "update-bootloader --refresh";

	if (view->changed_in_this_boot && snapshot_is_installed(view->root))
		return say(item, CHANGE_PENDING_REBOOT,
			   "it is in the snapshot of transactional-update that the next boot uses");
	item->status = root_is_live(view->root) ? CHANGE_DRIFT : CHANGE_PENDING_REBOOT;
	return change_detail(item, "%s has not been run since", tool);
}

/* What an entry says of it. */
static int claim_of_entry(const struct view *view, const struct cmdline_entry *entry,
			  struct boot_claim *ret)
{
	struct span value;

	if (!cmdline_get(span_of(entry->line), view->name, &value))
		return 0;
	if (asprintf(&ret->place, "/%s", entry->file) < 0)
		ret->place = NULL;
	ret->token = span_dup(value);
	return ret->place && ret->token ? 0 : -ENOMEM;
}

/* An entry lacks it, or says something else: then so may do what it is made from. */
static int judge_entry(const struct view *view, struct change_item *item,
		       const struct cmdline_entry *entry)
{
	_cleanup_boot_claim_ struct boot_claim claim = { 0 };
	_cleanup_free_ char *text = NULL;
	bool is_made = (!entry || entry->is_generated) && view->kind != LOADER_GRUBBY;
	const char *path = is_made && view->kind == LOADER_GRUBD ? "etc/default/grub.d"
			   : entry				 ? entry->file
								 : BLS_DIR;
	int r = is_made ? bootsource_find(view->root, view->kind, NULL, view->name, &claim) : 0;

	if (r == 0 && !claim.place && entry)
		r = claim_of_entry(view, entry, &claim);
	item->status = view->effective ? CHANGE_CONFLICT : CHANGE_DRIFT;
	if (r == 0)
		r = describe(&claim, path, view->effective, &text);
	if (r < 0)
		return r == -ENOMEM ? r : 0;
	return change_detail(item, "%s%s%s", view->effective ? "in force, but " : "", text,
			     view->effective ? ": gone at the next boot" : "");
}

/* No file tells any more what new entries are made from. */
static int judge_unknown(const struct view *view, struct change_item *item)
{
	const char *why = "";

	(void)bootparam_detect(view->root, &why);
	item->status = view->effective ? CHANGE_CONFLICT : CHANGE_DRIFT;
	return change_detail(item, "%sno boot entry has it, and %s",
			     view->effective ? "in force, but " : "", why);
}

static int judge_not_configured(const struct view *view, struct change_item *item, const char *path)
{
	const struct cmdline_entry *entry = NULL;
	int r;

	for (size_t i = 0; i < view->lines.count; i++)
		if (path == view->lines.entry[i].file)
			entry = &view->lines.entry[i];
	if (path && !entry)
		return judge_source(view, item, path);
	if (view->kind == LOADER_UNKNOWN)
		return judge_unknown(view, item);
	r = bootparam_source_has(view->root, view->kind, view->name, view->token);
	if (r < 0)
		return r;
	if (r && (!entry || entry->is_generated) && view->kind != LOADER_GRUBBY && !view->effective)
		return judge_generated(view, item);
	return judge_entry(view, item, entry);
}

static int judge(const struct view *view, struct change_item *item)
{
	const char *path;
	int r = bootparam_is_configured(view->root, view->kind, &view->lines, view->name,
					view->token, &path);

	if (r < 0)
		return change_detail(item, "/%s cannot be read: %s", path, strerror(-r));
	if (!r)
		return judge_not_configured(view, item, path);
	if (view->effective)
		return 0;
	return view->changed_in_this_boot ? judge_pending(view, item)
					  : judge_not_effective(view, item);
}

int bootverify(struct change *change, const json_t *entry, struct change_item *item)
{
	struct view view = {
		.root = change->root,
		.name = item->tunable->name,
		.token = bootparam_token(item->to),
		.effective = item->from && tunable_same(item->tunable, item->from, item->to),
		.changed_in_this_boot = entry_is_of_this_boot(change->root, entry),
	};
	const char *why;
	int r = cmdlines_read(change->root, NULL, &view.lines);

	item->status = view.effective ? CHANGE_OK : CHANGE_PENDING_REBOOT;
	if (r < 0)
		return r == -ENOMEM ? r
				    : change_detail(item, "the boot entries cannot be read: %s",
						    strerror(-r));
	view.kind = bootparam_detect(change->root, &why);
	r = judge(&view, item);
	cmdlines_done(&view.lines);
	return r;
}
