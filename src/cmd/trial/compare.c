/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file is `lpartune compare`: saved results in, verdicts out. */
#include "cmd/trial/compare.h"

#include <errno.h>

#include "base/parse.h"
#include "base/store.h"
#include "bench/judgement/compare.h"
#include "cmd/bench/bench_options.h"
#include "cmd/trial/compare_plot.h"
#include "output/output.h"

enum { BEFORE, AFTER, SIDES };

enum {
	OPT_CHECK = 0x200,
	OPT_WITHIN,
	OPT_PLOT,
};

struct side_files {
	const char *pattern;
	struct store_paths paths;
	json_t **document;
	struct saved_side side;
};

struct compare_run {
	struct side_files side[SIDES];
	unsigned int sides;
	bool json, check;
	double within_pct;
	const char *plot;
};

static const struct argp_option options[] = {
	{ .name = "json", .key = 'J', .doc = "Print the document as JSON" },
	{ .name = "check", .key = OPT_CHECK, .doc = "Exit with status 3 if anything got worse" },
	{ .name = "within",
	  .key = OPT_WITHIN,
	  .arg = "PERCENT",
	  .doc = "Take a change of at most PERCENT (2) for none" },
	{ .name = "plot",
	  .key = OPT_PLOT,
	  .arg = "FILE",
	  .doc = "Draw the distributions of both sides into FILE (SVG)" },
	{ 0 }
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct compare_run *run = state->input;

	switch (key) {
	case 'J':
		run->json = true;
		return 0;
	case OPT_CHECK:
		run->check = true;
		return 0;
	case OPT_WITHIN:
		run->within_pct = option_percent(state, "--within", arg);
		return 0;
	case OPT_PLOT:
		run->plot = arg;
		return 0;
	case ARGP_KEY_ARG:
		if (run->sides == SIDES)
			argp_error(state, "two sides are compared: quote a pattern of files");
		run->side[run->sides++].pattern = arg;
		return 0;
	case ARGP_KEY_END:
		if (run->sides < SIDES)
			argp_error(state, "BEFORE and AFTER are needed");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp compare_argp = {
	.options = options,
	.parser = parse_option,
	.args_doc = "BEFORE AFTER",
	.doc = "Compare results that lpartune bench --save wrote. Each side is a file or a quoted "
	       "pattern of files.",
};

static void run_done(struct compare_run *run)
{
	for (unsigned int i = 0; i < SIDES; i++) {
		struct side_files *s = &run->side[i];

		saved_side_done(&s->side);
		for (size_t k = 0; s->document && k < s->paths.count; k++)
			json_decref(s->document[k]);
		free(s->document);
		store_paths_done(&s->paths);
	}
}

static int load(const char *path, json_t **ret)
{
	_cleanup_free_ char *text = NULL;
	size_t len;
	json_error_t error;
	int r = store_read(path, &text, &len);

	if (r < 0) {
		log_error("cannot read '%s': %s", path, strerror(-r));
		return r;
	}
	*ret = json_loadb(text, len, JSON_REJECT_DUPLICATES, &error);
	if (*ret)
		return 0;
	log_error("'%s' is no JSON: line %d: %s", path, error.line, error.text);
	return -EINVAL;
}

struct loaded {
	char *path;
	json_t *document;
};

static int by_time(const void *a, const void *b)
{
	const char *x = json_string_value(
		json_object_get(((const struct loaded *)a)->document, "time"));
	const char *y = json_string_value(
		json_object_get(((const struct loaded *)b)->document, "time"));

	int order = strcmp(x ? x : "", y ? y : "");

	/* Within one second the name decides, so that the same files always give the same. */
	return order ? order
		     : strcmp(((const struct loaded *)a)->path, ((const struct loaded *)b)->path);
}

/* Older first, so that rounds of interleaved sides meet. Names and documents stay together. */
static int sort_by_time(struct side_files *s)
{
	_cleanup_free_ struct loaded *all = calloc(s->paths.count + 1, sizeof(*all));

	if (!all)
		return -ENOMEM;
	for (size_t i = 0; i < s->paths.count; i++)
		all[i] = (struct loaded) { s->paths.path[i], s->document[i] };
	qsort(all, s->paths.count, sizeof(*all), by_time);
	for (size_t i = 0; i < s->paths.count; i++) {
		s->paths.path[i] = all[i].path;
		s->document[i] = all[i].document;
	}
	return 0;
}

static int load_all(struct side_files *s)
{
	int r = store_glob(s->pattern, &s->paths);

	if (r < 0) {
		log_error("cannot read '%s': %s", s->pattern, strerror(-r));
		return r;
	}
	s->document = calloc(s->paths.count + 1, sizeof(json_t *));
	if (!s->document)
		return -ENOMEM;
	for (size_t i = 0; i < s->paths.count; i++) {
		r = load(s->paths.path[i], &s->document[i]);
		if (r < 0)
			return r;
	}
	return sort_by_time(s);
}

static int read_side(struct side_files *s)
{
	size_t bad = 0;
	int r = load_all(s);

	if (r < 0)
		return r;
	r = saved_side_read((const json_t *const *)s->document, s->paths.count, &s->side, &bad);
	if (r == -EPROTO)
		log_error("cannot compare: '%s' has definition %lld, '%s' has %lld",
			  s->paths.path[0], (long long)saved_definition(s->document[0]),
			  s->paths.path[bad], (long long)saved_definition(s->document[bad]));
	else if (r < 0)
		log_error("'%s' is no whole result of lpartune bench", s->paths.path[bad]);
	return r;
}

static json_t *files_to_json(const struct side_files *s)
{
	json_t *array = json_array();

	for (size_t i = 0; i < s->paths.count; i++) {
		_cleanup_free_ char *name = span_dup_utf8(span_of(s->paths.path[i]));

		json_array_append_new(array, name ? json_string(name) : json_null());
	}
	return array;
}

static json_t *make_document(struct compare_run *run)
{
	const struct saved_side *before = &run->side[BEFORE].side, *after = &run->side[AFTER].side;
	json_t *doc = document_new("compare", NULL, "/");
	int r;

	json_object_set_new(doc, "before", files_to_json(&run->side[BEFORE]));
	json_object_set_new(doc, "after", files_to_json(&run->side[AFTER]));
	r = compare_to_json(before, after, compare_is_interleaved(before, after), run->within_pct,
			    doc);
	if (r == 0)
		return doc;
	json_decref(doc);
	if (r == -EPROTO)
		log_error("cannot compare results of different definitions: BEFORE has %lld, AFTER "
			  "has %lld",
			  (long long)saved_definition(before->document[0]),
			  (long long)saved_definition(after->document[0]));
	else if (r == -ENODATA)
		log_error("nothing was measured on both sides");
	else
		log_error("cannot compare: %s", strerror(-r));
	return NULL;
}

static int plot(const struct compare_run *run)
{
	_cleanup_free_ char *svg = compare_plot(&run->side[BEFORE].side, &run->side[AFTER].side);

	return svg ? store_write_atomic(run->plot, svg, strlen(svg), 0666) : -ENOMEM;
}

static enum status publish(const struct compare_run *run, const json_t *doc)
{
	const char *verdict = json_string_value(json_object_get(doc, "verdict"));
	int r = run->plot ? plot(run) : 0;

	if (r < 0) {
		log_error("cannot write '%s': %s", run->plot, strerror(-r));
		return STATUS_FAILED;
	}
	r = output_document(doc, run->json, compare_view);
	if (r < 0) {
		log_error("cannot write the result: %s", strerror(-r));
		return STATUS_FAILED;
	}
	if (run->check && (streq(verdict, "worse") || streq(verdict, "mixed")))
		return STATUS_DIFFERENT;
	return STATUS_OK;
}

static enum status run_compare(const struct command *self, int argc, char **argv)
{
	_cleanup_(run_done) struct compare_run run = { .within_pct = COMPARE_WITHIN_PCT };
	enum status status;
	json_t *doc;

	command_parse(self, argc, argv, &run);
	for (unsigned int i = 0; i < SIDES; i++)
		if (read_side(&run.side[i]) < 0)
			return STATUS_FAILED;
	doc = make_document(&run);
	if (!doc)
		return STATUS_FAILED;
	status = publish(&run, doc);
	json_decref(doc);
	return status;
}

const struct command cmd_compare = {
	.name = "compare",
	.summary = "Compare saved results: better, worse, no change or undecided",
	.argp = &compare_argp,
	.needs = NEEDS_READ,
	.run = run_compare,
};
