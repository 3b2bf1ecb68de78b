/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file undoes the snapshot of a change that was cut off, or tells that it cannot. */
#include "change/boot/bootrecover.h"

#include <errno.h>

#include "change/boot/snapshot.h"
#include "change/change.h"
#include "machine/source/cmdline.h"

#define KEY "snapshot"

int bootrecover_remember(const struct change *change, json_t *journal)
{
	unsigned int next;

	if (!change->loader.run || change->loader.kind != LOADER_SUSE ||
	    !snapshot_is_needed(change->root))
		return 0;
	/* If btrfs does not tell it now, the change will fail for that, and roll back. */
	if (snapshot_next(change->ws.lock, &next) < 0)
		return 0;
	return json_object_set_new(journal, KEY, json_integer(next)) < 0 ? -ENOMEM : 0;
}

static bool same_value(struct span a, struct span b, const char *name)
{
	struct span in_a = { "", 0 }, in_b = { "", 0 };
	bool has_a = cmdline_get(a, name, &in_a), has_b = cmdline_get(b, name, &in_b);

	return has_a == has_b && in_a.len == in_b.len && !memcmp(in_a.text, in_b.text, in_a.len);
}

/* Do the entries agree in all parameters that lpartune ever sets? 1, 0, -errno. */
static int same_entries(struct root *a, struct root *b)
{
	_cleanup_cmdlines_ struct cmdlines of_a = { 0 }, of_b = { 0 };
	const struct cmdline_entry *first_a, *first_b;
	int r = cmdlines_read(a, NULL, &of_a);

	if (r == 0)
		r = cmdlines_read(b, NULL, &of_b);
	if (r < 0)
		return r;
	first_a = cmdlines_first_normal(&of_a);
	first_b = cmdlines_first_normal(&of_b);
	if (!first_a || !first_b)
		return 0;
	for (size_t i = 0; i < tunable_count; i++)
		if (tunables[i].where == WHERE_CMDLINE &&
		    !same_value(span_of(first_a->line), span_of(first_b->line), tunables[i].name))
			return 0;
	return 1;
}

/* Is it in a snapshot as it was in the one before the change? 1, 0; -ENODATA: that one is gone. */
static int check(struct change *change, unsigned int old, unsigned int other)
{
	_cleanup_root_ struct root *before = NULL, *after = NULL;
	int r = snapshot_open(other, &after);

	if (r == 0 && snapshot_running(change->root) != old && snapshot_open(old, &before) < 0)
		r = -ENODATA;
	return r < 0 ? r : same_entries(before ? before : change->root, after);
}

/* Other kernels came or went since: the old menu would not be right. */
static int make_menu(struct change *change)
{
	const char *path = cmdlines_grub_cfg(change->root), *tool;
	int r = bootparam_make_menu(change->root, change->ws.lock, &tool);

	if (r == 0)
		return change_note(change,
				   "'/%s' has other kernels since the interrupted change, and was "
				   "made anew without it",
				   path ? path : "boot");
	change->is_partial = true;
	return change_note(change,
			   "'/%s' has other kernels since the interrupted change, and still its "
			   "boot parameters: run %s",
			   path ? path : "boot", tool);
}

static int undo_snapshot(struct change *change, const json_t *journal)
{
	json_int_t known = json_integer_value(json_object_get(journal, KEY));
	unsigned int old = (unsigned int)known, next, made;
	int r;

	if (known <= 0 || !root_is_live(change->root))
		return 0;
	r = snapshot_next(change->ws.lock, &next);
	/* Nothing was made, or somebody else's that has nothing of the change. */
	if (r == 0 && (next == old || check(change, old, next) > 0))
		return 0;
	if (r == 0)
		r = snapshot_update(change->root, next, change->ws.lock, &made);
	if (r == 0) {
		r = check(change, old, made);
		r = r == 0 ? -EREMOTEIO : r;
	}
	if (r > 0 || r == -ENODATA)
		return change_note(change,
				   "snapshot %u, which has the interrupted change, is not booted: "
				   "the next boot uses snapshot %u, without the change",
				   next, made);
	if (r == -ENOMEM)
		return r;
	change->is_partial = true;
	return change_note(
		change,
		"the next boot may use a snapshot that has the interrupted change, and none "
		"without it could be made (%s): "
		"'transactional-update rollback %u' goes back to the one before",
		strerror(-r), old);
}

int bootrecover_undo(struct change *change, const json_t *journal)
{
	int r = change->menu_is_stale ? make_menu(change) : 0;

	return r < 0 ? r : undo_snapshot(change, journal);
}
