/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file carries a planned change through journal, writes and books, or undoes it. */
#include "change/change.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <time.h>

#include "base/store.h"
#include "change/boot/bootrecover.h"
#include "change/record/record.h"
#include "change/record/recover.h"

const char *change_status_word(enum change_status status)
{
	static const char *const words[CHANGE_STATUS_COUNT] = {
		[CHANGE_OK] = "ok",
		[CHANGE_SET] = "change",
		[CHANGE_PENDING_REBOOT] = "pending-reboot",
		[CHANGE_NEXT_LOAD] = "next-load",
		[CHANGE_REVERTED] = "revert",
		[CHANGE_DRIFT] = "drift",
		[CHANGE_CONFLICT] = "conflict",
		[CHANGE_PENDING_CPU] = "pending-online",
		[CHANGE_NOT_EFFECTIVE] = "not-effective",
		[CHANGE_LOCKED] = "locked",
		[CHANGE_DENIED] = "denied",
		[CHANGE_ABSENT] = "absent",
		[CHANGE_OBSOLETE] = "obsolete",
		[CHANGE_STUCK] = "stuck",
		[CHANGE_UNSUPPORTED] = "unsupported",
		[CHANGE_UNSUITED] = "not-applicable",
		[CHANGE_NEW] = "new",
	};

	return words[status];
}

const char *change_file_word(enum file_state state)
{
	static const char *const words[] = {
		[FILE_NONE] = "none",	  [FILE_OK] = "ok",	[FILE_DELETED] = "deleted",
		[FILE_EDITED] = "edited", [FILE_LEFT] = "left", [FILE_DENIED] = "denied",
	};

	return words[state];
}

static void item_done(struct change_item *item)
{
	free(item->from);
	free(item->to);
	free(item->rule);
	free(item->reason);
	free(item->detail);
}

static void plan_done(struct change *change)
{
	for (size_t i = 0; i < change->count; i++)
		item_done(&change->items[i]);
	free(change->items);
	for (size_t i = 0; i < change->notes; i++)
		free(change->note[i]);
	free(change->note);
	steps_done(&change->steps);
	books_done(&change->future);
	loader_done(&change->loader);
}

static int copy_books(const struct books *books, struct books *ret)
{
	json_t *copy = books_to_json(books);
	int r = copy ? books_from_json(copy, ret) : -ENOMEM;

	json_decref(copy);
	return r;
}

int change_start_over(struct change *change)
{
	plan_done(change);
	change->items = NULL;
	change->note = NULL;
	change->count = change->notes = 0;
	change->future = (struct books) { 0 };
	change->is_partial = false;
	return copy_books(&change->books, &change->future);
}

void change_close(struct change *change)
{
	plan_done(change);
	for (size_t i = 0; i < CHANGE_FILES; i++)
		free(change->file[i].detail);
	free(change->boot_stays);
	free(change->obstacle);
	free(change->interrupted.time);
	books_done(&change->books);
	workspace_close(&change->ws);
	*change = (struct change) { .ws = { .run = -1, .lib = -1, .lock = -1 } };
}

struct change_item *change_add_item(struct change *change, const struct tunable *tunable,
				    const char *from, const char *to, enum change_status status)
{
	struct change_item *items = reallocarray(change->items, change->count + 1,
						 sizeof(*change->items));
	struct change_item *item;

	if (!items)
		return NULL;
	change->items = items;
	item = &items[change->count];
	*item = (struct change_item) {
		.tunable = tunable,
		.from = from ? strdup(from) : NULL,
		.to = to ? strdup(to) : NULL,
		.status = status,
	};
	if ((from && !item->from) || (to && !item->to)) {
		item_done(item);
		return NULL;
	}
	change->count++;
	return item;
}

/* A sentence, safe to print. NULL when memory is out. */
static char *sentence(const char *format, va_list args) _printf_(1, 0);

static char *sentence(const char *format, va_list args)
{
	_cleanup_free_ char *text = NULL;

	if (vasprintf(&text, format, args) < 0) {
		text = NULL;
		return NULL;
	}
	return span_dup_utf8(span_of(text));
}

int change_detail(struct change_item *item, const char *format, ...)
{
	va_list args;

	free(item->detail);
	va_start(args, format);
	item->detail = sentence(format, args);
	va_end(args);
	return item->detail ? 0 : -ENOMEM;
}

int change_note(struct change *change, const char *format, ...)
{
	char **grown = reallocarray(change->note, change->notes + 1, sizeof(*grown));
	va_list args;

	if (!grown)
		return -ENOMEM;
	change->note = grown;
	va_start(args, format);
	grown[change->notes] = sentence(format, args);
	va_end(args);
	if (!grown[change->notes])
		return -ENOMEM;
	change->notes++;
	return 0;
}

enum change_status change_status_of(const struct tunable_now *now)
{
	if (now->state == TUNABLE_OBSOLETE)
		return CHANGE_OBSOLETE;
	if (now->reason == REASON_LOCKED_DOWN)
		return CHANGE_LOCKED;
	return now->reason == REASON_DENIED ? CHANGE_DENIED : CHANGE_ABSENT;
}

int change_open(struct root *root, bool write, unsigned int wait_s, struct change *ret)
{
	_cleanup_change_ struct change change = {
		.root = root,
		.ws = { .root = root, .run = -1, .lib = -1, .lock = -1 },
	};
	int r = write ? workspace_open(root, wait_s, &change.ws)
		      : workspace_open_read(root, &change.ws);

	if (r >= 0 && write)
		r = change_recover(&change);
	if (r >= 0)
		r = books_load(&change.ws, &change.books, &change.damaged);
	if (r >= 0 && !write)
		r = change_find_interrupted(&change);
	if (r >= 0)
		r = change_note_forgotten(&change);
	if (r >= 0)
		r = copy_books(&change.books, &change.future);
	if (r < 0) {
		ret->damaged = change.damaged;
		ret->obstacle = take_ptr(&change.obstacle);
		return r;
	}
	*ret = change;
	change = (struct change) { .ws = { .run = -1, .lib = -1, .lock = -1 } };
	return 0;
}

/* A name for this change that no earlier one had. */
static int name_transaction(struct change *change, json_t *journal)
{
	struct timespec now;
	char name[64];

	clock_gettime(CLOCK_REALTIME, &now);
	snprintf(name, sizeof(name), "%lld.%09ld-%ld", (long long)now.tv_sec, now.tv_nsec,
		 (long)getpid());
	if (json_object_set_new(journal, "transaction", json_string(name)) < 0 ||
	    json_object_set_new(change->future.state, "transaction", json_string(name)) < 0)
		return -ENOMEM;
	return 0;
}

static int write_journal(struct change *change)
{
	json_t *journal = record_new(change->root, "journal");
	int r = -ENOMEM;

	if (journal && json_object_set_new(journal, "steps", steps_to_json(&change->steps)) == 0 &&
	    json_object_set_new(journal, "books", books_to_json(&change->books)) == 0)
		r = name_transaction(change, journal);
	if (r == 0)
		r = bootrecover_remember(change, journal);
	if (r == 0)
		r = record_save(change->ws.lib, WORKSPACE_JOURNAL, journal, 0600);
	json_decref(journal);
	return r;
}

static int do_steps(struct change *change)
{
	int r = 0;

	for (change->failed = 0; change->failed < change->steps.count; change->failed++) {
		r = step_do(change->root, &change->steps.step[change->failed]);
		if (r < 0)
			break;
	}
	return r;
}

/* CPUs that did not come online after all: their originals are kept. */
static int keep_skipped(struct change *change)
{
	int r = 0;

	for (size_t i = 0; i < change->steps.count && r == 0; i++)
		if (change->steps.step[i].skipped)
			r = books_keep(&change->future, &change->books, &change->steps.step[i]);
	return r;
}

/* The loader's tool, and what it wrote. */
static int do_loader(struct change *change)
{
	int r = bootparam_finish(change->root, change->ws.lock, &change->loader, &change->steps);

	change->loader_failed = r < 0;
	if (r < 0 || !change->loader.run)
		return r;
	return bootparam_nothing_stays(change)
		       ? books_update_files(&change->future, &change->steps)
		       : books_enter_watched(&change->future, &change->steps);
}

static bool books_differ(const struct change *change)
{
	return !json_equal(change->books.state, change->future.state);
}

/* Undoes the last step first; goes on after a failure and returns the first. */
static int undo_steps(struct root *root, struct steps *steps)
{
	int first = 0;

	for (size_t i = steps->count; i-- > 0;) {
		int r = step_undo(root, &steps->step[i], true);

		first = first ? first : r;
	}
	return first;
}

static enum change_outcome give_up(struct change *change)
{
	if (undo_steps(change->root, &change->steps) < 0 ||
	    books_save(&change->ws, &change->books) < 0 ||
	    store_remove_at(change->ws.lib, WORKSPACE_JOURNAL) < 0)
		return CHANGE_NOT_UNDONE;
	return CHANGE_UNDONE;
}

enum change_outcome change_run(struct change *change, int *ret_error)
{
	int r;

	if (!change->steps.count && !books_differ(change))
		return CHANGE_NOTHING;
	r = write_journal(change);
	if (r < 0) {
		*ret_error = r;
		change->failed = change->steps.count;
		(void)store_remove_at(change->ws.lib, WORKSPACE_JOURNAL);
		return CHANGE_UNDONE;
	}
	r = do_steps(change);
	if (r == 0)
		r = do_loader(change);
	if (r == 0)
		r = keep_skipped(change);
	if (r == 0)
		r = books_save(&change->ws, &change->future);
	if (r == 0)
		r = store_remove_at(change->ws.lib, WORKSPACE_JOURNAL);
	if (r < 0) {
		*ret_error = r;
		return give_up(change);
	}
	return CHANGE_DONE;
}
