/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file is `lpartune capture`. */
#include "cmd/inspect/capture.h"

#include <errno.h>
#include <time.h>

#include "base/store.h"
#include "cmd/command.h"
#include "output/output.h"
#include "output/text.h"

#define INSTANTS_MAX 1000

struct options {
	struct common_options common;
	const char *dir;
	bool keep_names;
	uint64_t instants;
	double interval_s;
};

static const struct argp_option options[] = {
	{ .name = "instants",
	  .key = 'n',
	  .arg = "N",
	  .doc = "Also take the counters N times, for sample --replay (2 to 1000)" },
	{ .name = "interval",
	  .key = 'i',
	  .arg = "SECONDS",
	  .doc = "Time between two instants (default 1)" },
	{ .name = "keep-names",
	  .key = 'k',
	  .doc = "Keep partition names and serial numbers, which are replaced otherwise" },
	{ 0 }
};

static const struct argp_child children[] = { { .argp = &common_argp }, { 0 } };

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->common;
		return 0;
	case 'n':
		if (parse_u64(span_of(arg), &o->instants) < 0 || o->instants < 2 ||
		    o->instants > INSTANTS_MAX)
			argp_error(state, "--instants '%s' is no number from 2 to 1000", arg);
		return 0;
	case 'i':
		if (parse_real(span_of(arg), &o->interval_s) < 0 || o->interval_s < 0.01 ||
		    o->interval_s > 86400)
			argp_error(state,
				   "--interval '%s' is no number of seconds from 0.01 to 86400",
				   arg);
		return 0;
	case 'k':
		o->keep_names = true;
		return 0;
	case ARGP_KEY_ARG:
		if (o->dir)
			argp_error(state, "unexpected argument '%s'", arg);
		o->dir = arg;
		return 0;
	case ARGP_KEY_END:
		if (!o->dir)
			argp_error(state, "DIR is missing");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse_option,
	.args_doc = "DIR",
	.doc = "Copy the files that lpartune reads into DIR, for --root on another machine. Exactly "
	       "those, and of the kernel log and the symbols only the lines that are looked at. What "
	       "cannot be read is recorded with its error.",
	.children = children,
};

static json_t *make_document(const struct capture *c, const char *dir)
{
	json_t *doc = document_new("capture", NULL, root_name(c->root));

	if (!doc ||
	    json_object_update_new(
		    doc, json_pack("{s:s, s:I, s:I, s:I, s:b, s:O}", "directory", dir, "files",
				   (json_int_t)c->files, "bytes", (json_int_t)c->bytes, "instants",
				   (json_int_t)json_array_size(c->instants), "names_kept",
				   c->keep_names, "errors", c->errors)) < 0) {
		json_decref(doc);
		return NULL;
	}
	return doc;
}

static void view(const json_t *doc, struct text *out)
{
	const json_t *errors = json_object_get(doc, "errors");
	json_int_t instants = json_integer_value(json_object_get(doc, "instants"));
	const char *dir = json_string_value(json_object_get(doc, "directory")), *path;
	size_t denied = 0;
	json_t *error;

	text_paragraph(out, 0, 0, STYLE_PLAIN,
		       "%" JSON_INTEGER_FORMAT " files, %" JSON_INTEGER_FORMAT
		       " bytes, %" JSON_INTEGER_FORMAT " instants in '%s'",
		       json_integer_value(json_object_get(doc, "files")),
		       json_integer_value(json_object_get(doc, "bytes")), instants, dir);
	json_object_foreach ((json_t *)errors, path, error) {
		const char *name = json_string_value(error);

		denied += streq(name, "EACCES") || streq(name, "EPERM");
	}
	if (json_object_size(errors))
		text_paragraph(out, 0, 0, STYLE_PLAIN,
			       "%zu could not be read, %zu of them for want of the right: "
			       "manifest.json names them",
			       json_object_size(errors), denied);
	if (json_is_false(json_object_get(doc, "names_kept")))
		text_paragraph(out, 0, 0, STYLE_PLAIN,
			       "names and serial numbers were replaced; look through it before you "
			       "send it: proc/cmdline and etc/ are as they were");
	text_paragraph(out, 0, 0, STYLE_PLAIN, "read it with: lpartune inspect --root %s", dir);
}

static void pause_until(const struct timespec *start, double seconds)
{
	struct timespec at = *start;

	at.tv_sec += (time_t)seconds;
	at.tv_nsec += (long)((seconds - (double)(time_t)seconds) * 1e9);
	if (at.tv_nsec >= 1000000000) {
		at.tv_sec++;
		at.tv_nsec -= 1000000000;
	}
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR)
		;
}

static int take_instants(struct capture *c, const struct options *o)
{
	struct timespec start;
	int r = 0;

	clock_gettime(CLOCK_MONOTONIC, &start);
	for (uint64_t i = 0; r >= 0 && i < o->instants; i++) {
		if (i)
			pause_until(&start, (double)i * o->interval_s);
		log_progress("instant %llu of %llu", (unsigned long long)i + 1,
			     (unsigned long long)o->instants);
		r = capture_instant(c);
	}
	log_progress(NULL);
	return r;
}

static int take(struct capture *c, const struct options *o)
{
	int r;

	c->dirfd = store_new_directory(o->dir);
	if (c->dirfd < 0)
		return c->dirfd;
	r = capture_watch(c);
	if (r >= 0)
		r = capture_copy(c);
	if (r >= 0)
		r = take_instants(c, o);
	return r < 0 ? r : capture_finish(c);
}

static enum status run(const struct command *self, int argc, char **argv)
{
	_cleanup_(capture_done) struct capture capture = { .dirfd = -1 };
	_cleanup_root_ struct root *root = NULL;
	_cleanup_json_ json_t *doc = NULL;
	struct options o = { .interval_s = 1 };
	int r;

	command_parse(self, argc, argv, &o);
	if (command_open(&o.common, &root) < 0)
		return STATUS_FAILED;
	capture.root = root;
	capture.keep_names = o.keep_names;
	r = take(&capture, &o);
	if (r < 0) {
		log_error(r == -ENOTEMPTY ? "'%s' is not empty: name a new directory"
					  : "cannot write the capture '%s': %s",
			  o.dir, strerror(-r));
		return STATUS_FAILED;
	}
	doc = make_document(&capture, o.dir);
	return command_finish(doc ? output_document(doc, o.common.json, view) : -ENOMEM);
}

const struct command cmd_capture = {
	.name = "capture",
	.summary = "Copy the files that lpartune reads, for --root elsewhere",
	.argp = &argp,
	.needs = NEEDS_READ,
	.run = run,
};
