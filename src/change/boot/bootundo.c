/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file undoes what an interrupted change wrote to a loader file that others wrote to since. */
#include <errno.h>

#include "change/boot/bootline.h"
#include "change/boot/bootrecover.h"
#include "change/change.h"
#include "machine/source/cmdline.h"

static struct span text_of(const struct image *image)
{
	return (struct span) { image->data, image->len };
}

static bool is_grub_cfg(const char *path)
{
	return streq(path, "boot/grub2/grub.cfg") || streq(path, "boot/grub/grub.cfg");
}

/* The kernel that a line of grub.cfg starts. */
static bool next_kernel(struct span *rest, struct span *ret)
{
	struct span line, word;

	while (span_line(rest, &line))
		if (span_word(&line, &word) && span_starts(word, "linux") && span_word(&line, ret))
			return true;
	return false;
}

static bool has_kernel(struct span file, struct span kernel)
{
	struct span other;

	while (next_kernel(&file, &other))
		if (other.len == kernel.len && !memcmp(other.text, kernel.text, kernel.len))
			return true;
	return false;
}

/* Is the file of a kernel still in /boot? */
static bool is_installed(struct root *root, struct span kernel)
{
	const char *slash = memrchr(kernel.text, '/', kernel.len);
	const char *name = slash ? slash + 1 : kernel.text;

	return root_exists(root, "boot/%.*s", (int)(kernel.text + kernel.len - name), name) == 0;
}

/* Would the old menu lack a kernel that came since, or start one that went? A menu that was written
 * half has none of that. */
static bool has_other_kernels(struct root *root, const struct image *now,
			      const struct image *before)
{
	struct span rest = text_of(now), kernel;

	while (next_kernel(&rest, &kernel))
		if (!has_kernel(text_of(before), kernel))
			return true;
	rest = text_of(before);
	while (next_kernel(&rest, &kernel))
		if (!has_kernel(text_of(now), kernel) && !is_installed(root, kernel))
			return true;
	return false;
}

static unsigned int count_same(struct span line, struct span wanted)
{
	struct span parameter;
	unsigned int count = 0;

	while (cmdline_next(&line, &parameter))
		count += parameter.len == wanted.len &&
			 !memcmp(parameter.text, wanted.text, wanted.len);
	return count;
}

/* Takes one parameter, which the change set (or took out: no value), back in a line. */
static int take_back(struct span parameter, bool is_set, const char *before, char **line)
{
	struct span name, value;
	_cleanup_free_ char *key = NULL, *token = NULL;
	char *back;

	cmdline_split(parameter, &name, &value);
	key = span_dup(name);
	token = is_set ? span_dup(value) : NULL;
	if (!key || (is_set && !token))
		return -ENOMEM;
	back = bootline_back(span_of(*line), key, token, before);
	if (!back)
		return -ENOMEM;
	free(*line);
	*line = back;
	return 0;
}

/* First what was set, in place of what was there; then what was only taken out. */
static int undo_line(struct span before, struct span after, char **line)
{
	_cleanup_free_ char *was = span_dup(before);
	struct span rest = after, parameter;
	int r = was ? 0 : -ENOMEM;

	while (r == 0 && cmdline_next(&rest, &parameter))
		if (count_same(after, parameter) > count_same(before, parameter))
			r = take_back(parameter, true, was, line);
	rest = before;
	while (r == 0 && cmdline_next(&rest, &parameter))
		if (count_same(before, parameter) > count_same(after, parameter))
			r = take_back(parameter, false, was, line);
	return r;
}

/* -EBADMSG: it cannot be told any more what of the file is ours. */
static int undo_part(enum bootedit kind, const struct step *step, char **text)
{
	struct span before, after, now;
	_cleanup_free_ char *line = NULL;
	char *edited;
	int r;

	if (bootedit_find(kind, text_of(&step->after), &after) < 0)
		return 0; /* nothing was set there */
	if (bootedit_find(kind, text_of(&step->before), &before) < 0)
		before = (struct span) { "", 0 };
	if (bootedit_find(kind, span_of(*text), &now) < 0)
		return -EBADMSG;
	line = span_dup(now);
	r = line ? undo_line(before, after, &line) : -ENOMEM;
	if (r == 0)
		r = bootedit_replace(kind, span_of(*text), line, &edited);
	if (r < 0)
		return r;
	free(*text);
	*text = edited;
	return 0;
}

static bool is_beginning(const struct image *a, const struct image *of)
{
	return a->len < of->len && !memcmp(a->data, of->data, a->len);
}

/* As before, as we meant it to be, or cut off while it was written: then nobody else was there. */
static bool is_ours(const struct step *step, const struct image *now)
{
	return image_same(now, &step->before) || image_same(now, &step->after) ||
	       is_beginning(now, &step->before) || is_beginning(now, &step->after) ||
	       memchr(now->data, 0, now->len);
}

/* 1 if it was done, 0 if nobody can tell what of the file is ours. */
static int undo_shared(struct change *change, const struct step *step, struct image *now)
{
	_cleanup_free_ char *text = strdup(now->data);
	enum bootedit kind[2];
	size_t kinds = bootparam_places(step->path, kind);
	bool is_old;
	int r = text ? 0 : -ENOMEM;

	for (size_t i = 0; i < kinds && r == 0; i++)
		r = undo_part(kind[i], step, &text);
	if (r < 0)
		return r == -ENOMEM ? r : 0;
	is_old = streq(text, step->before.data);
	free(now->data);
	now->len = strlen(text);
	now->data = take_ptr(&text);
	write_drop_leftover(change->root, step->path);
	r = write_image(change->root, step->path, is_old ? &step->before : now, is_old);
	if (r == 0 && !is_old)
		r = change_note(change,
				"'/%s' was changed by somebody else since: only what the "
				"interrupted change had set there was taken out",
				step->path);
	return r < 0 ? r : 1;
}

int bootrecover_file(struct change *change, const struct step *step)
{
	_cleanup_image_ struct image now = { 0 };
	int r;

	if (!bootparam_is_file(step->path) || !step->before.exists)
		return 0;
	r = write_read(change->root, step->path, &now);
	if (r < 0 || !now.exists)
		return r == -ENOMEM ? r : 0;
	if (is_grub_cfg(step->path)) {
		change->menu_is_stale |= has_other_kernels(change->root, &now, &step->before);
		return change->menu_is_stale;
	}
	if (!step->after.exists || is_ours(step, &now))
		return 0;
	return undo_shared(change, step, &now);
}
