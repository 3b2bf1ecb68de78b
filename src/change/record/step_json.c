/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file turns steps into JSON and back; bytes that are not text travel in hexadecimal. */
#include <errno.h>

#include "change/record/step.h"

/* {"text": …} or {"hex": …}; null for a file that does not exist. */
static json_t *image_to_json(const struct image *image)
{
	json_t *object, *data;

	if (!image->exists)
		return json_null();
	object = json_pack("{s:i, s:I}", "mode", (int)image->mode, "mtime_ns",
			   (json_int_t)image->mtime_ns);
	data = memchr(image->data, '\0', image->len) ? NULL : json_stringn(image->data, image->len);
	if (data) {
		json_object_set_new(object, "text", data);
		return object;
	}
	char *hex = malloc(image->len * 2 + 1);

	for (size_t i = 0; hex && i < image->len; i++)
		snprintf(hex + 2 * i, 3, "%02x", (unsigned char)image->data[i]);
	if (!hex || json_object_set_new(object, "hex", json_stringn(hex, image->len * 2)) < 0) {
		json_decref(object);
		object = NULL;
	}
	free(hex);
	return object;
}

static int hex_to_bytes(const char *hex, struct image *image)
{
	size_t len = strlen(hex) / 2;

	image->data = malloc(len + 1);
	if (!image->data)
		return -ENOMEM;
	for (size_t i = 0; i < len; i++) {
		uint64_t byte;

		if (parse_hex64((struct span) { hex + 2 * i, 2 }, &byte) < 0)
			return -EINVAL;
		image->data[i] = (char)byte;
	}
	image->data[len] = '\0';
	image->len = len;
	return 0;
}

static int image_from_json(const json_t *json, struct image *image)
{
	const json_t *text = json_object_get(json, "text"), *hex = json_object_get(json, "hex");

	if (!json || json_is_null(json))
		return 0;
	image->exists = true;
	image->mode = (mode_t)json_integer_value(json_object_get(json, "mode")) & 07777;
	image->mtime_ns = json_integer_value(json_object_get(json, "mtime_ns"));
	if (json_is_string(hex))
		return hex_to_bytes(json_string_value(hex), image);
	if (!json_is_string(text))
		return -EINVAL;
	image->data = span_dup((struct span) { json_string_value(text), json_string_length(text) });
	image->len = json_string_length(text);
	return image->data ? 0 : -ENOMEM;
}

static json_t *step_to_json(const struct step *step)
{
	if (!step->tunable)
		return json_pack("{s:s, s:b, s:i, s:o, s:o}", "file", step->path, "by_tool",
				 (int)step->by_tool, "directories", step->directories, "before",
				 image_to_json(&step->before), "after",
				 image_to_json(&step->after));
	return json_pack("{s:s, s:s, s:s*, s:i, s:s, s:s, s:s, s:s}", "tunable", step->tunable->id,
			 "path", step->path, "instance", step->instance, "thread", step->thread,
			 "from", step->from, "to", step->to, "text", step->text, "undo_text",
			 step->undo_text);
}

json_t *steps_to_json(const struct steps *steps)
{
	json_t *array = json_array();

	for (size_t i = 0; array && i < steps->count; i++)
		if (json_array_append_new(array, step_to_json(&steps->step[i])) < 0) {
			json_decref(array);
			return NULL;
		}
	return array;
}

/* A member that must be a string, copied. */
static char *copy_member(const json_t *json, const char *key)
{
	const char *text = json_string_value(json_object_get(json, key));

	return text ? strdup(text) : NULL;
}

static int value_from_json(const json_t *json, struct step *step)
{
	const char *id = json_string_value(json_object_get(json, "tunable"));

	step->tunable = id ? tunable_find(id) : NULL;
	step->path = copy_member(json, "path");
	step->instance = copy_member(json, "instance");
	step->thread = (int)json_integer_value(json_object_get(json, "thread"));
	step->from = copy_member(json, "from");
	step->to = copy_member(json, "to");
	step->text = copy_member(json, "text");
	step->undo_text = copy_member(json, "undo_text");
	if (!step->tunable || !step->path || !step->from || !step->to || !step->text ||
	    !step->undo_text)
		return -EINVAL;
	return 0;
}

static int file_from_json(const json_t *json, struct step *step)
{
	int r;

	step->path = copy_member(json, "file");
	step->by_tool = json_is_true(json_object_get(json, "by_tool"));
	step->directories = (int)json_integer_value(json_object_get(json, "directories"));
	step->thread = -1;
	if (!step->path)
		return -EINVAL;
	r = image_from_json(json_object_get(json, "before"), &step->before);
	return r < 0 ? r : image_from_json(json_object_get(json, "after"), &step->after);
}

int steps_from_json(const json_t *array, struct steps *ret)
{
	_cleanup_steps_ struct steps steps = { 0 };
	const json_t *json;
	size_t i;
	int r = 0;

	if (!json_is_array(array))
		return -EINVAL;
	steps.step = calloc(json_array_size(array) + 1, sizeof(*steps.step));
	if (!steps.step)
		return -ENOMEM;
	json_array_foreach (array, i, json) {
		struct step *step = &steps.step[steps.count++];

		r = json_object_get(json, "file") ? file_from_json(json, step)
						  : value_from_json(json, step);
		if (r < 0)
			return r;
	}
	*ret = steps;
	steps = (struct steps) { 0 };
	return 0;
}
