/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file keeps what was measured before and after a reboot; it judges nothing. */
#include "change/confirmation.h"

#include <errno.h>

#include "base/store.h"
#include "change/record/record.h"

const char *confirmation_side_word(enum confirmation_side side)
{
	return side == CONFIRMATION_BEFORE ? "before" : "after";
}

int confirmation_load(const struct workspace *ws, json_t **ret)
{
	return ws->lib < 0 ? -ENOENT : record_load(ws->lib, WORKSPACE_CONFIRM, ret);
}

/* Removes the files of sessions: of one side, or of both (NULL). */
static int drop_sessions(const struct workspace *ws, const json_t *record, const char *side)
{
	const json_t *session;
	size_t i;

	json_array_foreach (json_object_get(record, "sessions"), i, session) {
		const char *file = json_string_value(json_object_get(session, "file"));
		const char *word = json_string_value(json_object_get(session, "side"));
		bool goes = file && (!side || (word && streq(word, side)));
		int r = goes ? store_remove_at(ws->lib, file) : 0;

		if (r < 0)
			return r;
	}
	return 0;
}

static int drop(const struct workspace *ws, const json_t *record)
{
	int r = drop_sessions(ws, record, NULL);

	return r < 0 ? r : store_remove_at(ws->lib, WORKSPACE_CONFIRM);
}

/* What a boot parameter is in force as before the change: as it is now, or, when the change is in
 * force by now, as it was before the first of ours. */
static const char *value_before(const struct change_item *item, const json_t *entry)
{
	if (item->from && item->to && !tunable_same(item->tunable, item->from, item->to))
		return item->from;
	return json_string_value(json_object_get(entry, "from"));
}

/* The boot parameters among the items of a change; what was there before us is no change. */
static json_t *changes_of(const struct change *change)
{
	json_t *array = json_array();

	for (size_t i = 0; i < change->count; i++) {
		const struct change_item *item = &change->items[i];
		const json_t *entry = books_setting(&change->future, item->tunable->id);
		const char *from = value_before(item, entry);

		if (item->tunable->where != WHERE_CMDLINE || !entry || !item->to ||
		    (from && tunable_same(item->tunable, from, item->to)))
			continue;
		json_array_append_new(array,
				      json_pack("{s:s, s:s?, s:s}", "tunable", item->tunable->id,
						"from", from, "to", item->to));
	}
	return array;
}

/* The same parameters and values? Where they come from is told by the first time. */
static bool are_same(const json_t *changes, const json_t *old)
{
	static const char *const keys[] = { "tunable", "to" };
	const json_t *one;
	size_t i;

	if (json_array_size(changes) != json_array_size(old))
		return false;
	json_array_foreach (changes, i, one)
		for (size_t k = 0; k < ARRAY_SIZE(keys); k++)
			if (!json_equal(json_object_get(one, keys[k]),
					json_object_get(json_array_get(old, i), keys[k])))
				return false;
	return true;
}

static int begin_anew(const struct change *change, json_t *changes)
{
	json_t *record = record_new(change->root, "confirm");
	int r;

	if (!record)
		return -ENOMEM;
	json_object_set(record, "changes", changes);
	json_object_set_new(record, "sessions", json_array());
	json_object_set_new(record, "verdict", json_null());
	json_object_set_new(record, "summary", json_null());
	r = record_save(change->ws.lib, WORKSPACE_CONFIRM, record, 0644);
	json_decref(record);
	return r;
}

int confirmation_begin(const struct change *change)
{
	json_t *changes = changes_of(change), *old = NULL;
	int count = (int)json_array_size(changes);
	int r = confirmation_load(&change->ws, &old);

	if (count && r == 0 && !are_same(changes, json_object_get(old, "changes")))
		r = drop(&change->ws, old) ? -EIO : -ENOENT;
	if (count && r == -ENOENT)
		r = begin_anew(change, changes);
	json_decref(old);
	json_decref(changes);
	return r < 0 && r != -ENOENT ? r : count;
}

int confirmation_side_now(struct root *root, const json_t *record, enum confirmation_side *ret)
{
	const json_t *changes = json_object_get(record, "changes"), *one;
	size_t before = 0, after = 0, i;

	json_array_foreach (changes, i, one) {
		const char *id = json_string_value(json_object_get(one, "tunable"));
		const char *from = json_string_value(json_object_get(one, "from"));
		const char *to = json_string_value(json_object_get(one, "to"));
		const struct tunable *t = id ? tunable_find(id) : NULL;
		_cleanup_tunable_now_ struct tunable_now now = { 0 };

		if (t && tunable_read(root, t, &now) < 0)
			return -ENOMEM;
		if (!t || !now.value)
			continue;
		if (to && tunable_same(t, now.value, to))
			after++;
		else if (!from || tunable_same(t, now.value, from))
			before++;
	}
	if (before < i && after < i)
		return 0;
	*ret = after == i ? CONFIRMATION_AFTER : CONFIRMATION_BEFORE;
	return 1;
}

static bool has_file(const json_t *sessions, const char *file)
{
	const json_t *session;
	size_t i;

	json_array_foreach (sessions, i, session) {
		const char *name = json_string_value(json_object_get(session, "file"));

		if (name && streq(name, file))
			return true;
	}
	return false;
}

int confirmation_add(const struct workspace *ws, json_t *record, enum confirmation_side side,
		     const char *boot_id, const json_t *session)
{
	json_t *sessions = json_object_get(record, "sessions");
	_cleanup_free_ char *text = json_dumps(session, JSON_COMPACT | JSON_REAL_PRECISION(15));
	size_t number = json_array_size(sessions);
	char file[48];
	int r;

	if (!text || !json_is_array(sessions))
		return -ENOMEM;
	do
		snprintf(file, sizeof(file), "session-%zu.json", ++number);
	while (has_file(sessions, file));
	r = store_write_at(ws->lib, file, text, strlen(text), 0644);
	if (r < 0)
		return r;
	json_array_append_new(sessions, json_pack("{s:s, s:s, s:s?, s:O?}", "file", file, "side",
						  confirmation_side_word(side), "boot_id", boot_id,
						  "time", json_object_get(session, "time")));
	return record_save(ws->lib, WORKSPACE_CONFIRM, record, 0644);
}

static const char *time_of(const json_t *session)
{
	const char *time = json_string_value(json_object_get(session, "time"));

	return time ? time : "";
}

int confirmation_insert(json_t *sessions, json_t *document)
{
	size_t place = json_array_size(sessions);

	for (size_t i = 0; i < json_array_size(sessions); i++)
		if (json_equal(json_array_get(sessions, i), document))
			return -EEXIST;
	/* Times of documents are UTC in one form: they sort as text. */
	while (place > 0 &&
	       strcmp(time_of(json_array_get(sessions, place - 1)), time_of(document)) > 0)
		place--;
	return json_array_insert(sessions, place, document) ? -ENOMEM : 0;
}

/* NULL if it is gone or damaged. */
static json_t *load_session(const struct workspace *ws, const char *file)
{
	_cleanup_free_ char *text = NULL;
	size_t len;

	if (!file || strchr(file, '/') || store_read_at(ws->lib, file, &text, &len) < 0)
		return NULL;
	return json_loadb(text, len, JSON_REJECT_DUPLICATES, NULL);
}

int confirmation_sessions(const struct workspace *ws, const json_t *record,
			  enum confirmation_side side, json_t **ret, const char **ret_bad)
{
	json_t *array = json_array();
	const json_t *session;
	size_t i;
	int r = array ? 0 : -ENOMEM;

	json_array_foreach (json_object_get(record, "sessions"), i, session) {
		const char *file = json_string_value(json_object_get(session, "file"));
		const char *word = json_string_value(json_object_get(session, "side"));
		json_t *document;

		if (r < 0 || !word || !streq(word, confirmation_side_word(side)))
			continue;
		document = load_session(ws, file);
		if (document)
			r = confirmation_insert(array, document);
		else
			*ret_bad = file ? file : "?";
		json_decref(document);
		r = r == -EEXIST ? 0 : r; /* an older lpartune has kept it twice */
	}
	if (r < 0) {
		json_decref(array);
		return r;
	}
	*ret = array;
	return 0;
}

int confirmation_settle(const struct workspace *ws, json_t *record, const char *verdict,
			const char *summary)
{
	json_object_set_new(record, "verdict", json_string(verdict));
	json_object_set_new(record, "summary", json_string(summary));
	return record_save(ws->lib, WORKSPACE_CONFIRM, record, 0644);
}

/* Some of the changes stay: sessions without any are still good, those with all are not. */
static int go_on_with(const struct workspace *ws, json_t *record, json_t *changes)
{
	const char *after = confirmation_side_word(CONFIRMATION_AFTER);
	json_t *sessions = json_object_get(record, "sessions");
	int r = drop_sessions(ws, record, after);

	for (size_t i = json_array_size(sessions); i-- > 0 && r == 0;) {
		const json_t *session = json_array_get(sessions, i);
		const char *word = json_string_value(json_object_get(session, "side"));

		if (word && streq(word, after) && json_array_remove(sessions, i) < 0)
			r = -ENOMEM;
	}
	if (r < 0)
		return r;
	json_object_set(record, "changes", changes);
	json_object_set_new(record, "verdict", json_null());
	json_object_set_new(record, "summary", json_null());
	return record_save(ws->lib, WORKSPACE_CONFIRM, record, 0644);
}

int confirmation_prune(const struct workspace *ws, const struct books *books)
{
	json_t *record, *stay, *changes, *one;
	size_t i;
	int r = confirmation_load(ws, &record);

	if (r < 0)
		return r == -ENOENT ? 0 : r;
	changes = json_object_get(record, "changes");
	stay = json_array();
	json_array_foreach (changes, i, one) {
		const char *id = json_string_value(json_object_get(one, "tunable"));

		if (id && books_setting(books, id))
			json_array_append(stay, one);
	}
	if (!json_array_size(stay))
		r = drop(ws, record);
	else if (json_array_size(stay) < json_array_size(changes))
		r = go_on_with(ws, record, stay);
	json_decref(stay);
	json_decref(record);
	return r;
}
