/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file plans the way back of one place, and remembers what somebody else has changed there. */
#include "change/boot/bootback.h"

#include <errno.h>
#include <stdarg.h>

#include "change/boot/bootline.h"
#include "change/change.h"

/* One more of several things to tell. */
static int tell(struct boot_wish *wish, const char *format, ...) _printf_(2, 3);

static int tell(struct boot_wish *wish, const char *format, ...)
{
	_cleanup_free_ char *text = NULL, *before = take_ptr(&wish->told);
	va_list args;
	int len;

	va_start(args, format);
	len = vasprintf(&text, format, args);
	va_end(args);
	if (len < 0) {
		text = NULL;
		return -ENOMEM;
	}
	len = asprintf(&wish->told, "%s%s%s", before ? before : "", before ? ", " : "", text);
	if (len < 0)
		wish->told = NULL;
	return len < 0 ? -ENOMEM : 0;
}

/* The place stays, and the line that it had before us with it. */
static int keep(struct boot_wish *wish, const char *place, const char *was)
{
	wish->is_left = true;
	if (!was)
		return 0;
	if (!wish->kept)
		wish->kept = json_object();
	return json_object_set_new(wish->kept, place, json_string(was)) < 0 ? -ENOMEM : 0;
}

/* Of a line that others have changed: it stays, or with --force becomes what it was. */
static int plan_changed(struct change *change, struct boot_wish *wish, const struct boot_place *at,
			const char *was, char **line)
{
	bool force = change->loader.force;
	struct span now = { "", 0 };
	bool has = bootline_last(span_of(*line), wish->name, &now);
	char *back;
	int r;

	if (has && force)
		r = tell(wish, "overrides %.*s in '/%s'", (int)now.len, now.text, at->path);
	else if (has)
		r = tell(wish, "'/%s' says %.*s", at->path, (int)now.len, now.text);
	else
		r = tell(wish, "'/%s' no longer has it", at->path);
	if (r == 0 && !force)
		r = keep(wish, at->name, was);
	if (r < 0)
		return r;
	back = force ? bootline_restore(span_of(*line), wish->name, was)
		     : bootline_without(span_of(*line), wish->name, wish->token, was);
	if (!back)
		return -ENOMEM;
	free(*line);
	*line = back;
	return 0;
}

int bootback_plan(struct change *change, struct boot_wish *wish, const struct boot_place *at,
		  char **line)
{
	const json_t *known = books_line(&change->books, wish->name, at->name);
	const char *was = json_string_value(known);
	struct span other;
	char *back;

	if (json_is_null(known))
		return 0;
	if (wish->is_lost && wish->token && bootline_last(span_of(*line), wish->name, &other) &&
	    !bootline_has(span_of(*line), wish->name, wish->token))
		return tell(wish, "'/%s' says %.*s", at->path, (int)other.len, other.text);
	/* A place that the books do not know came later: another value there was never ours. */
	if (was && bootline_is_changed(span_of(*line), wish->name, wish->token, was))
		return plan_changed(change, wish, at, was, line);
	back = bootline_back(span_of(*line), wish->name, wish->token, was);
	if (!back)
		return -ENOMEM;
	free(*line);
	*line = back;
	return 0;
}

int bootback_leave(struct change *change, struct boot_wish *wish, const struct boot_place *at,
		   bool names_it)
{
	const json_t *known = books_line(&change->books, wish->name, at->name);
	const char *was = json_string_value(known);
	bool had = was && bootline_count(span_of(was), wish->name);
	int r;

	if (json_is_null(known) || !(names_it || had))
		return 0;
	r = tell(wish, "'/%s' is written so that lpartune does not edit it: take it back by hand",
		 at->path);
	return r < 0 ? r : keep(wish, at->name, was);
}

static struct change_item *item_of(struct change *change, const struct boot_wish *wish)
{
	for (size_t i = 0; i < change->count; i++)
		if (change->items[i].tunable->where == WHERE_CMDLINE &&
		    streq(change->items[i].tunable->name, wish->name))
			return &change->items[i];
	return NULL;
}

/* What stays somewhere stays in the books: a later revert can still bring it back. */
static int keep_setting(struct change *change, struct boot_wish *wish, struct change_item *item)
{
	json_t *settings = json_object_get(change->future.state, "settings");
	json_t *entry = books_setting(&change->books, item->tunable->id);

	item->status = CHANGE_DRIFT;
	change->all_goes = false;
	if (!books_setting(&change->future, item->tunable->id) &&
	    json_array_append_new(settings, json_deep_copy(entry)) < 0)
		return -ENOMEM;
	return wish->kept && json_object_set(change->future.lines, wish->name, wish->kept) < 0
		       ? -ENOMEM
		       : 0;
}

/* What cannot be brought back for want of its original is told, and ends with that. */
static int tell_lost(struct change *change, const struct boot_wish *wish, struct change_item *item)
{
	change->is_partial = true;
	if (!wish->token) {
		item->status = CHANGE_STUCK;
		return change_detail(item, "not put back: the originals are lost, and nobody knows "
					   "where it stood and with which value");
	}
	return change_detail(item,
			     "taken out; whether another value was there before nobody knows: the "
			     "originals are lost%s%s",
			     wish->told ? "; left as it is: " : "", wish->told ? wish->told : "");
}

int bootback_finish(struct change *change)
{
	int r = 0;

	for (size_t i = 0; i < change->loader.count && r == 0; i++) {
		struct boot_wish *wish = &change->loader.wish[i];
		bool is_told = wish->is_revert && (wish->told || wish->is_lost);
		struct change_item *item = is_told ? item_of(change, wish) : NULL;

		if (item && wish->is_lost)
			r = tell_lost(change, wish, item);
		if (!item || wish->is_lost)
			continue;
		r = change_detail(item, "%s%s", wish->is_left ? "left as it is: " : "", wish->told);
		if (r == 0 && wish->is_left)
			r = keep_setting(change, wish, item);
	}
	return r;
}
