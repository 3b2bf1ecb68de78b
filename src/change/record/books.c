/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file keeps what has been applied and what was there before; the first original stays. */
#include "change/record/books.h"

#include <errno.h>

#include "base/store.h"
#include "change/record/entry.h"
#include "change/record/record.h"

void books_done(struct books *books)
{
	json_decref(books->state);
	json_decref(books->lines);
	steps_done(&books->runtime);
	steps_done(&books->originals);
	*books = (struct books) { 0 };
}

static int load_runtime(const struct workspace *ws, struct steps *ret)
{
	json_t *record;
	int r = ws->run < 0 ? -ENOENT : record_load(ws->run, WORKSPACE_RUNTIME, &record);

	if (r < 0)
		return r == -ENOENT ? 0 : r;
	if (record_is_of_this_boot(ws->root, record))
		r = steps_from_json(json_object_get(record, "steps"), ret);
	json_decref(record);
	return r == -EINVAL ? -EBADMSG : r;
}

static int lines_from_json(const json_t *lines, json_t **ret)
{
	json_t *copy = json_is_object(lines) ? json_deep_copy(lines) : json_object();

	if (!copy)
		return -ENOMEM;
	*ret = copy;
	return 0;
}

/* Files may hold secrets (boot loader passwords): only root reads the originals. */
static int load_originals(const struct workspace *ws, struct books *books)
{
	json_t *record;
	int r = ws->lib < 0 ? -ENOENT : record_load(ws->lib, WORKSPACE_ORIGINALS, &record);

	if (r == -ENOENT || (r == -EACCES && ws->lock < 0))
		return lines_from_json(NULL, &books->lines);
	if (r < 0)
		return r;
	r = steps_from_json(json_object_get(record, "steps"), &books->originals);
	if (r == 0)
		r = lines_from_json(json_object_get(record, "lines"), &books->lines);
	json_decref(record);
	return r == -EINVAL ? -EBADMSG : r;
}

static int load_state(struct root *root, int dirfd, json_t **ret)
{
	json_t *record;
	int r = dirfd < 0 ? -ENOENT : record_load(dirfd, WORKSPACE_STATE, &record);

	if (r == -ENOENT) {
		record = record_new(root, "state");
		if (record && json_object_set_new(record, "settings", json_array()) < 0)
			record = (json_decref(record), NULL);
		r = record ? 0 : -ENOMEM;
	} else if (r == 0 && !json_is_array(json_object_get(record, "settings"))) {
		json_decref(record);
		r = -EBADMSG;
	}
	if (r == 0)
		*ret = record;
	return r;
}

int books_load(const struct workspace *ws, struct books *ret, const char **ret_name)
{
	_cleanup_books_ struct books books = { 0 };
	const char *name = WORKSPACE_STATE;
	int r = load_state(ws->root, ws->lib, &books.state);

	if (r == 0) {
		name = WORKSPACE_RUNTIME;
		r = load_runtime(ws, &books.runtime);
	}
	if (r == 0) {
		name = WORKSPACE_ORIGINALS;
		r = load_originals(ws, &books);
	}
	if (r < 0) {
		*ret_name = name;
		return r;
	}
	*ret = books;
	books = (struct books) { 0 };
	return 0;
}

/* A record of steps, and with NULL or an empty `lines` of nothing else; an empty one is removed. */
static int save_steps(struct root *root, int dirfd, const char *name, const struct steps *steps,
		      json_t *lines, mode_t mode)
{
	json_t *record;
	int r = -ENOMEM;

	if (!steps->count && !json_object_size(lines))
		return store_remove_at(dirfd, name);
	record = record_new(root, "steps");
	if (record && json_object_set_new(record, "steps", steps_to_json(steps)) == 0 &&
	    (!json_object_size(lines) || json_object_set(record, "lines", lines) == 0))
		r = record_save(dirfd, name, record, mode);
	json_decref(record);
	return r;
}

int books_save(const struct workspace *ws, struct books *books)
{
	int r = save_steps(ws->root, ws->run, WORKSPACE_RUNTIME, &books->runtime, NULL, 0644);

	if (r == 0)
		r = save_steps(ws->root, ws->lib, WORKSPACE_ORIGINALS, &books->originals,
			       books->lines, 0600);
	if (r < 0)
		return r;
	if (!json_array_size(json_object_get(books->state, "settings")))
		return store_remove_at(ws->lib, WORKSPACE_STATE);
	return record_save(ws->lib, WORKSPACE_STATE, books->state, 0644);
}

json_t *books_to_json(const struct books *books)
{
	return json_pack("{s:O, s:o, s:o, s:O}", "state", books->state, "runtime",
			 steps_to_json(&books->runtime), "originals",
			 steps_to_json(&books->originals), "lines", books->lines);
}

int books_from_json(const json_t *json, struct books *ret)
{
	_cleanup_books_ struct books books = { 0 };
	int r = steps_from_json(json_object_get(json, "runtime"), &books.runtime);

	if (r == 0)
		r = steps_from_json(json_object_get(json, "originals"), &books.originals);
	if (r == 0)
		r = lines_from_json(json_object_get(json, "lines"), &books.lines);
	if (r < 0)
		return r;
	books.state = json_deep_copy(json_object_get(json, "state"));
	if (!json_is_array(json_object_get(books.state, "settings")))
		return -EBADMSG;
	*ret = books;
	books = (struct books) { 0 };
	return 0;
}

static size_t index_of(const json_t *settings, const char *id)
{
	size_t i = 0;

	for (; i < json_array_size(settings); i++) {
		const char *other = json_string_value(
			json_object_get(json_array_get(settings, i), "tunable"));

		if (other && streq(other, id))
			break;
	}
	return i;
}

json_t *books_setting(const struct books *books, const char *id)
{
	json_t *settings = json_object_get(books->state, "settings");

	return json_array_get(settings, index_of(settings, id));
}

int books_enter(struct root *root, struct books *books, const struct setting *setting, bool ours)
{
	const struct tunable *t = setting->tunable;
	json_t *entry = books_setting(books, t->id), *twin;
	int r = 0;

	if (entry && !tunable_same(t, json_string_value(json_object_get(entry, "to")), setting->to))
		(void)json_object_del(entry, "confirmed");
	if (entry)
		return entry_update(root, entry, setting, ours);
	entry = entry_new(root, setting, ours);
	if (json_array_append_new(json_object_get(books->state, "settings"), entry) < 0)
		return -ENOMEM;
	twin = t->twin ? books_setting(books, t->twin) : NULL;
	if (twin) {
		r = entry_succeed(entry, twin);
		books_strike(books, t->twin);
	}
	return r < 0 ? r : entry_update(root, entry, setting, ours);
}

void books_strike(struct books *books, const char *id)
{
	json_t *settings = json_object_get(books->state, "settings");

	(void)json_array_remove(settings, index_of(settings, id));
}

/* Puts a copy of a step at the end. */
static int copy_step(struct steps *steps, const struct step *step)
{
	struct steps one = { .step = (struct step *)step, .count = 1 };
	_cleanup_steps_ struct steps copy = { 0 };
	json_t *json = steps_to_json(&one);
	struct step *grown;
	int r = json ? steps_from_json(json, &copy) : -ENOMEM;

	json_decref(json);
	if (r < 0)
		return r;
	grown = reallocarray(steps->step, steps->count + 1, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	steps->step = grown;
	grown[steps->count++] = copy.step[0];
	copy.count = 0;
	return 0;
}

static struct step *find_step(const struct steps *steps, const struct step *like)
{
	for (size_t i = 0; i < steps->count; i++)
		if (steps->step[i].tunable == like->tunable &&
		    streq(steps->step[i].path, like->path))
			return &steps->step[i];
	return NULL;
}

/*
 * Did somebody else write to a file that is not wholly ours since we left it? Then its original must
 * never come back as a whole: `after` stays what no file is like any more.
 */
static bool is_of_others(const struct step *known, const struct step *from)
{
	return !from->tunable && (from->is_shared || from->by_tool) &&
	       !image_same(&from->before, &known->after);
}

/* Moves what a copy of `from` says about the new value into a known step. */
static int update_step(struct step *known, const struct step *from)
{
	_cleanup_steps_ struct steps copy = { 0 };
	int r = is_of_others(known, from) ? 0 : copy_step(&copy, from);

	if (r < 0 || !copy.count)
		return r;
	free(known->to);
	known->to = take_ptr(&copy.step[0].to);
	free(known->text);
	known->text = take_ptr(&copy.step[0].text);
	image_done(&known->after);
	known->after = copy.step[0].after;
	copy.step[0].after = (struct image) { 0 };
	return 0;
}

static int enter_steps(struct books *books, const struct steps *steps, bool watched)
{
	int r = 0;

	for (size_t i = 0; i < steps->count && r == 0; i++) {
		const struct step *step = &steps->step[i];
		struct steps *list = step->tunable ? &books->runtime : &books->originals;
		struct step *known = find_step(list, step);

		if (step->by_tool != watched ||
		    (watched && image_same(&step->before, &step->after)))
			continue;
		/* Apply takes away only files of ours: what was in them is no original. */
		if (!known && !step->tunable && !step->after.exists)
			continue;
		r = known ? update_step(known, step) : copy_step(list, step);
	}
	return r;
}

int books_enter_steps(struct books *books, const struct steps *steps)
{
	return enter_steps(books, steps, false);
}

int books_enter_watched(struct books *books, const struct steps *steps)
{
	return enter_steps(books, steps, true);
}

int books_update_files(struct books *books, const struct steps *steps)
{
	int r = 0;

	for (size_t i = 0; i < steps->count && r == 0; i++) {
		const struct step *step = &steps->step[i];
		bool is_planned = step->by_tool && !step->after.exists;
		struct step *known = step->tunable || is_planned
					     ? NULL
					     : find_step(&books->originals, step);

		r = known ? update_step(known, step) : 0;
	}
	return r;
}

static void strike_step(struct steps *steps, size_t i)
{
	step_done(&steps->step[i]);
	steps->count--;
	memmove(&steps->step[i], &steps->step[i + 1], (steps->count - i) * sizeof(*steps->step));
}

void books_strike_values(struct books *books, const struct tunable *tunable)
{
	for (size_t i = books->runtime.count; i-- > 0;)
		if (books->runtime.step[i].tunable == tunable)
			strike_step(&books->runtime, i);
}

void books_strike_file(struct books *books, const char *path)
{
	for (size_t i = books->originals.count; i-- > 0;)
		if (streq(books->originals.step[i].path, path)) {
			/* There is one for each path, and `path` may be its own: it is gone now. */
			strike_step(&books->originals, i);
			return;
		}
}

struct step *books_file(const struct books *books, const char *path)
{
	for (size_t i = 0; i < books->originals.count; i++)
		if (streq(books->originals.step[i].path, path))
			return &books->originals.step[i];
	return NULL;
}

int books_keep(struct books *books, const struct books *earlier, const struct step *step)
{
	const struct step *known = find_step(&earlier->runtime, step);
	json_t *entry = books_setting(earlier, step->tunable->id);

	if (!known || !entry || find_step(&books->runtime, step))
		return 0;
	if (!books_setting(books, step->tunable->id) &&
	    json_array_append_new(json_object_get(books->state, "settings"),
				  json_deep_copy(entry)) < 0)
		return -ENOMEM;
	return copy_step(&books->runtime, known);
}

const json_t *books_line(const struct books *books, const char *name, const char *place)
{
	return json_object_get(json_object_get(books->lines, name), place);
}

/* Only that can be kept in a record. */
static bool is_utf8(const char *text)
{
	json_t *json = json_string(text);
	bool is = json != NULL;

	json_decref(json);
	return is;
}

int books_enter_line(struct books *books, const char *name, const char *place, const char *was)
{
	json_t *places = json_object_get(books->lines, name);
	const json_t *known = json_object_get(places, place);

	if (json_is_string(known) || (known && !was))
		return 0;
	if (!is_utf8(place) || (was && !is_utf8(was)))
		return -EILSEQ;
	if (!places) {
		places = json_object();
		if (json_object_set_new(books->lines, name, places) < 0)
			return -ENOMEM;
	}
	return json_object_set_new(places, place, was ? json_string(was) : json_null()) < 0
		       ? -ENOMEM
		       : 0;
}

void books_strike_lines(struct books *books, const char *name)
{
	(void)json_object_del(books->lines, name);
}
