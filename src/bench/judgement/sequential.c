/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file judges sessions before and after a change that takes a reboot. */
#include "bench/judgement/sequential.h"

#include <errno.h>
#include <time.h>

#include "base/util.h"
#include "bench/judgement/compare.h"

static const char *word_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

static time_t time_of(const json_t *session)
{
	struct tm tm = { 0 };

	return strptime(word_of(session, "time"), "%Y-%m-%dT%H:%M:%SZ", &tm) ? timegm(&tm) : 0;
}

/* A boot that is not told is no other one. */
static bool is_other_boot(const json_t *a, const json_t *b)
{
	const char *x = word_of(a, "boot_id"), *y = word_of(b, "boot_id");

	return *x && *y && !streq(x, y);
}

/* How many separated sessions an array of bench documents is. */
static size_t sequential_count(const json_t *sessions)
{
	const json_t *session, *last = NULL;
	size_t count = 0, i;

	json_array_foreach (sessions, i, session) {
		if (last && !is_other_boot(session, last) &&
		    time_of(session) < time_of(last) + SEQUENTIAL_APART_S)
			continue;
		last = session;
		count++;
	}
	return count;
}

struct side {
	const json_t **document;
	struct saved_side saved;
};

static void side_done(struct side *side)
{
	saved_side_done(&side->saved);
	free(side->document);
}

/* Sessions from `first` on, at most `count` of them, as one side of a comparison. */
static int side_make(const json_t *sessions, size_t first, size_t count, struct side *ret)
{
	size_t bad;

	ret->document = calloc(count + 1, sizeof(*ret->document));
	if (!ret->document)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		ret->document[i] = json_array_get(sessions, first + i);
	return saved_side_read(ret->document, count, &ret->saved, &bad);
}

static int compare(const struct side *a, const struct side *b, double within_pct, json_t **ret)
{
	json_t *doc = json_object();
	int r = doc ? compare_to_json(&a->saved, &b->saved, false, within_pct, doc) : -ENOMEM;

	if (r < 0)
		json_decref(doc);
	else
		*ret = doc;
	return r;
}

/* Does each session of a side agree with the one before it? */
static int agree(const json_t *sessions, double within_pct, bool *ret)
{
	size_t n = json_array_size(sessions);
	int r = 0;

	*ret = true;
	for (size_t i = 1; i < n && r == 0; i++) {
		_cleanup_(side_done) struct side a = { 0 }, b = { 0 };
		json_t *doc = NULL;

		r = side_make(sessions, i - 1, 1, &a);
		if (r == 0)
			r = side_make(sessions, i, 1, &b);
		if (r == 0)
			r = compare(&a, &b, within_pct, &doc);
		if (r == 0)
			*ret &= streq(word_of(doc, "verdict"), "undecided") ||
				streq(word_of(doc, "verdict"), "no change");
		json_decref(doc);
	}
	return r;
}

static bool has_enough_blocks(const json_t *sessions)
{
	const json_t *session, *result;
	size_t i, k;

	json_array_foreach (sessions, i, session)
		json_array_foreach (json_object_get(session, "results"), k, result)
			if (json_array_size(json_object_get(result, "blocks")) <
				    SEQUENTIAL_BLOCKS &&
			    !json_is_string(json_object_get(result, "error")))
				return false;
	return true;
}

/* What forbids a verdict, or NULL. */
static const char *forbidden(const json_t *before, const json_t *after, bool before_agrees,
			     bool after_agrees)
{
	if (sequential_count(before) < SEQUENTIAL_SESSIONS ||
	    sequential_count(after) < SEQUENTIAL_SESSIONS)
		return "too few sessions";
	if (!has_enough_blocks(before) || !has_enough_blocks(after))
		return "too few blocks in a session";
	if (!before_agrees)
		return "the sessions before differ among themselves";
	if (!after_agrees)
		return "the sessions after differ among themselves";
	return NULL;
}

static int compare_all(const json_t *before, const json_t *after, double within_pct, json_t **ret)
{
	_cleanup_(side_done) struct side a = { 0 }, b = { 0 };
	int r = side_make(before, 0, json_array_size(before), &a);

	if (r == 0)
		r = side_make(after, 0, json_array_size(after), &b);
	return r < 0 ? r : compare(&a, &b, within_pct, ret);
}

static json_t *agreement(const json_t *sessions, bool agrees)
{
	return json_array_size(sessions) < 2 ? json_null() : json_boolean(agrees);
}

int sequential_to_json(const json_t *before, const json_t *after, double within_pct, json_t *doc)
{
	json_t *comparison = NULL;
	bool before_agrees, after_agrees;
	const char *reason;
	int r = agree(before, within_pct, &before_agrees);

	if (r == 0)
		r = agree(after, within_pct, &after_agrees);
	if (r == 0 && json_array_size(before) && json_array_size(after))
		r = compare_all(before, after, within_pct, &comparison);
	if (r < 0)
		return r;
	reason = forbidden(before, after, before_agrees, after_agrees);
	json_object_set_new(doc, "sessions",
			    json_pack("{s:i, s:i, s:i}", "before", (int)sequential_count(before),
				      "after", (int)sequential_count(after), "needed",
				      SEQUENTIAL_SESSIONS));
	json_object_set_new(doc, "agreement",
			    json_pack("{s:o, s:o}", "before", agreement(before, before_agrees),
				      "after", agreement(after, after_agrees)));
	json_object_set_new(doc, "warning", json_string(SEQUENTIAL_WARNING));
	json_object_set_new(doc, "verdict",
			    json_string(reason ? "undecided" : word_of(comparison, "verdict")));
	json_object_set_new(doc, "reason", reason ? json_string(reason) : json_null());
	json_object_set_new(doc, "comparison", comparison ? comparison : json_null());
	return 0;
}
