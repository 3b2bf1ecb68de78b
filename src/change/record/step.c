/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file plans, does and undoes single changes; every write of them goes through change/write. */
#include "change/record/step.h"

#include <errno.h>

void step_done(struct step *step)
{
	free(step->path);
	free(step->instance);
	free(step->from);
	free(step->to);
	free(step->text);
	free(step->undo_text);
	image_done(&step->before);
	image_done(&step->after);
}

void steps_done(struct steps *steps)
{
	for (size_t i = 0; i < steps->count; i++)
		step_done(&steps->step[i]);
	free(steps->step);
	*steps = (struct steps) { 0 };
}

/* A new, empty step at the end. */
static struct step *add_step(struct steps *steps, const char *path)
{
	struct step *grown = reallocarray(steps->step, steps->count + 1, sizeof(*steps->step));

	if (!grown)
		return NULL;
	steps->step = grown;
	grown[steps->count] = (struct step) { .path = strdup(path), .thread = -1 };
	if (!grown[steps->count].path)
		return NULL;
	return &grown[steps->count++];
}

/* The content of a tree's file with its value exchanged for a text, blanks around it kept. */
static int exchange(const struct image *image, const char *text, char **ret)
{
	struct span all = { image->data, image->len }, old = span_trim(all);
	size_t head = (size_t)(old.text - all.text);

	if (asprintf(ret, "%.*s%s%.*s", (int)head, all.text, text, (int)(all.len - head - old.len),
		     old.text + old.len) < 0)
		return -ENOMEM;
	return 0;
}

/*
 * A file of a tree takes no commands: it is given the content that the kernel would show after
 * one, so that later readings of the tree see the change and the old bytes can come back.
 */
static int write_tree(struct root *root, const struct step *step, const char *value,
		      const char *text)
{
	const struct tunable *t = step->tunable;
	_cleanup_free_ char *usual = NULL;
	_cleanup_image_ struct image image = { 0 };
	char *content = NULL;
	int r = write_read(root, step->path, &image);

	if (r == 0 && !image.exists)
		r = -ENOENT;
	if (r < 0)
		return r;
	r = grammar_write(t->grammar, t->name, value, &usual);
	if (r < 0)
		return r;
	/* An unusual spelling is what was there before, and returns as it was. */
	if (streq(text, usual))
		r = grammar_render(t->grammar, t->name, (struct span) { image.data, image.len },
				   value, &content);
	else
		r = exchange(&image, text, &content);
	if (r < 0)
		return r;
	free(image.data);
	image.data = content;
	image.len = strlen(content);
	return write_image(root, step->path, &image, false);
}

static int write_step(struct root *root, const struct step *step, const char *value,
		      const char *text)
{
	int r = write_is_kernel(root, step->path);

	if (r < 0)
		return r;
	return r ? write_value(root, step->path, text) : write_tree(root, step, value, text);
}

static int fill_step(const struct tunable *t, const struct tunable_place *place, struct step *step,
		     char *text, char *to)
{
	step->tunable = t;
	step->thread = place->thread;
	step->text = text;
	step->to = to;
	step->from = strdup(place->value);
	step->undo_text = strdup(place->text);
	step->instance = place->instance ? strdup(place->instance) : NULL;
	if (!step->from || !step->undo_text || (place->instance && !step->instance))
		return -ENOMEM;
	return 0;
}

/* One place's step, unless it shows the wanted value already. Returns 1 or 0. */
static int plan_place(const struct tunable *t, const struct tunable_place *place, const char *value,
		      struct steps *steps)
{
	_cleanup_free_ char *text = NULL, *to = NULL;
	struct step *step;
	int r;

	if (!place->value)
		return -place->error;
	if (t->one_way && streq(place->value, t->one_way))
		return -EBUSY;
	r = tunable_wanted(t, place, value, &text, &to);
	if (r < 0)
		return r;
	if (tunable_same(t, place->value, to))
		return 0;
	step = add_step(steps, place->path);
	if (!step)
		return -ENOMEM;
	r = fill_step(t, place, step, take_ptr(&text), take_ptr(&to));
	return r < 0 ? r : 1;
}

static int plan_places(struct root *root, const struct tunable *t, const char *value,
		       struct steps *steps)
{
	_cleanup_tunable_places_ struct tunable_places places = { 0 };
	int r = tunable_places(root, t, &places), added = 0;

	if (r < 0)
		return r;
	if (!places.count)
		return places.reason == REASON_LOCKED_DOWN ? -EPERM : -ENOENT;
	for (size_t i = 0; i < places.count; i++) {
		r = plan_place(t, &places.place[i], value, steps);
		if (r < 0)
			return r;
		added += r;
	}
	return added;
}

int step_plan_value(struct root *root, const struct tunable *t, const char *value,
		    struct steps *steps)
{
	const struct tunable *twin = t->twin ? tunable_find(t->twin) : NULL;
	int r = tunable_check(t, value), cleared = 0;

	if (r < 0)
		return r;
	r = plan_places(root, t, value, steps);
	/* The twin comes second: undone first, its own value clears this one again. */
	if (r > 0 && twin && !streq(value, "0"))
		cleared = plan_places(root, twin, "0", steps);
	return r < 0 || cleared < 0 ? (r < 0 ? r : cleared) : r + cleared;
}

/* How many of the directories that lead to a file are not there yet? */
static int missing_directories(struct root *root, const char *path)
{
	int missing = 0;

	for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/'))
		missing += root_exists(root, "%.*s", (int)(slash - path), path) == -ENOENT;
	return missing;
}

int step_plan_back(const struct step *done, const char *now, struct steps *steps)
{
	struct step *step = add_step(steps, done->path);

	if (!step)
		return -ENOMEM;
	step->tunable = done->tunable;
	step->thread = done->thread;
	step->instance = done->instance ? strdup(done->instance) : NULL;
	step->from = strdup(now);
	step->to = strdup(done->from);
	step->text = strdup(done->undo_text);
	step->undo_text = strdup(done->text);
	if (!step->from || !step->to || !step->text || !step->undo_text ||
	    (done->instance && !step->instance))
		return -ENOMEM;
	return 1;
}

int step_plan_file(struct root *root, const char *path, const char *content, struct steps *steps)
{
	_cleanup_image_ struct image before = { 0 }, after = { 0 };
	struct step *step;
	int r = write_read(root, path, &before);

	if (r >= 0 && content)
		r = image_of_text(content, before.exists ? before.mode : 0644, &after);
	if (r < 0)
		return r;
	if (image_same(&before, &after))
		return 0;
	step = add_step(steps, path);
	if (!step)
		return -ENOMEM;
	step->before = before;
	step->after = after;
	step->directories = before.exists ? 0 : missing_directories(root, path);
	before = after = (struct image) { 0 };
	return 1;
}

static int copy_image(const struct image *from, struct image *ret)
{
	struct image copy = *from;

	if (from->exists) {
		copy.data = malloc(from->len + 1);
		if (!copy.data)
			return -ENOMEM;
		memcpy(copy.data, from->data, from->len + 1);
	}
	*ret = copy;
	return 0;
}

int step_plan_image(struct root *root, const char *path, const struct image *image, int directories,
		    struct steps *steps)
{
	_cleanup_image_ struct image before = { 0 };
	struct step *step;
	int r = write_read(root, path, &before);

	if (r < 0)
		return r;
	if (image_same(&before, image))
		return 0;
	step = add_step(steps, path);
	if (!step)
		return -ENOMEM;
	step->directories = directories;
	step->before = before;
	before = (struct image) { 0 };
	r = copy_image(image, &step->after);
	return r < 0 ? r : 1;
}

int step_plan_watched(struct root *root, const char *path, const char *content, struct steps *steps)
{
	_cleanup_image_ struct image before = { 0 }, after = { 0 };
	struct step *step;
	int r = write_read(root, path, &before);

	if (r >= 0 && content)
		r = image_of_text(content, before.mode, &after);
	if (r < 0)
		return r;
	step = add_step(steps, path);
	if (!step)
		return -ENOMEM;
	step->before = before;
	step->after = after;
	before = after = (struct image) { 0 };
	step->by_tool = true;
	return 1;
}

static int read_now(struct root *root, const struct step *step, char **ret)
{
	struct tunable_place place = { .path = step->path, .thread = step->thread };

	return tunable_place_read(root, step->tunable, &place, ret);
}

static bool shows(struct root *root, const struct step *step, const char *value)
{
	_cleanup_free_ char *now = NULL;

	return read_now(root, step, &now) == 0 && tunable_same(step->tunable, now, value);
}

static bool is_gone(int error)
{
	return error == -ENOENT || error == -ENODEV || error == -ENXIO;
}

bool step_is_ours(struct root *root, const struct step *step)
{
	return shows(root, step, step->from) || shows(root, step, step->to) ||
	       (step->instance && root_exists(root, "%s", step->path) == -ENOENT);
}

static int do_value(struct root *root, struct step *step)
{
	int r;

	if (shows(root, step, step->to))
		return 0;
	step->skipped = step->instance && root_exists(root, "%s", step->path) == -ENOENT;
	if (step->skipped)
		return 0;
	r = write_step(root, step, step->to, step->text);
	if (r < 0)
		return r;
	return shows(root, step, step->to) ? 0 : -EREMOTEIO;
}

static int do_file(struct root *root, struct step *step)
{
	int r = step->after.exists ? write_make_directories(root, step->path) : 0;

	if (r < 0)
		return r;
	r = write_image(root, step->path, &step->after, step->after.mtime_ns >= 0);
	if (r == 0 && !step->after.exists)
		write_drop_directories(root, step->path, step->directories);
	return r;
}

int step_do(struct root *root, struct step *step)
{
	if (step->by_tool)
		return 0;
	return step->tunable ? do_value(root, step) : do_file(root, step);
}

bool step_is_lost(struct root *root, const struct step *step)
{
	if (!step->tunable)
		return false;
	if (step->instance)
		return root_exists(root, "sys/devices/system/cpu/%s", step->instance) == -ENOENT;
	return starts_with(step->path, "sys/module/") &&
	       root_exists(root, "%s", step->path) == -ENOENT;
}

static int undo_value(struct root *root, struct step *step, bool force)
{
	_cleanup_free_ char *now = NULL;
	int r = read_now(root, step, &now);

	if (write_is_kernel(root, step->path) == 0)
		write_drop_leftover(root, step->path);
	if (r < 0 && is_gone(r) && root_exists(root, "%s", step->path) < 0)
		return step_is_lost(root, step) ? 0 : r;
	if (r == 0 && tunable_same(step->tunable, now, step->from))
		return 0;
	if (r == 0 && !force && !tunable_same(step->tunable, now, step->to))
		return -ESTALE;
	r = write_step(root, step, step->from, step->undo_text);
	if (r < 0)
		return r;
	return shows(root, step, step->from) ? 0 : -EREMOTEIO;
}

/* The new bytes up to somewhere and then the old ones: a rewrite in place that was cut off. */
static bool is_mixture(const struct image *now, const struct step *step)
{
	const struct image *before = &step->before, *after = &step->after;
	size_t same = 0;

	if (!now->exists || !before->exists || !after->exists)
		return false;
	while (same < now->len && same < after->len && now->data[same] == after->data[same])
		same++;
	if (same >= before->len)
		return same == now->len;
	return now->len == before->len &&
	       memcmp(now->data + same, before->data + same, now->len - same) == 0;
}

static int undo_file(struct root *root, struct step *step, bool force)
{
	_cleanup_image_ struct image now = { 0 };
	bool ours;
	int r = write_read(root, step->path, &now);

	write_drop_leftover(root, step->path);
	if (r < 0)
		return r;
	ours = step->by_tool || image_same(&now, &step->after) || is_mixture(&now, step);
	if (!image_same(&now, &step->before)) {
		if (!ours && !force)
			return -ESTALE;
		r = step->before.exists ? write_make_directories(root, step->path) : 0;
		if (r >= 0)
			r = write_image(root, step->path, &step->before, true);
	}
	if (r == 0 && !step->before.exists)
		write_drop_directories(root, step->path, step->directories);
	return r;
}

int step_undo(struct root *root, struct step *step, bool force)
{
	return step->tunable ? undo_value(root, step, force) : undo_file(root, step, force);
}
