/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file is `lpartune inspect`: facts and findings as one document, and how it reads. */
#include <errno.h>

#include "cmd/command.h"
#include "cmd/inspect/inspect.h"
#include "output/output.h"

struct options {
	struct common_options common;
	bool all;
};

static const struct argp_option options[] = {
	{ .name = "all",
	  .key = 'a',
	  .doc = "Print every fact with its source, or why it is absent" },
	{ 0 }
};

static const struct argp_child children[] = { { .argp = &common_argp }, { 0 } };

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	(void)arg;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->common;
		return 0;
	case 'a':
		o->all = true;
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "unexpected argument '%s'", arg);
		return EINVAL;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse_option,
	.doc = "Tell what this partition is, how it has been doing since boot, what is wrong and what "
	       "to do next. Needs no root; says what root would add.",
	.children = children,
};

static enum status run(const struct command *self, int argc, char **argv)
{
	_cleanup_json_ json_t *doc = NULL;
	_cleanup_machine_ struct machine machine = { 0 };
	_cleanup_root_ struct root *root = NULL;
	struct options o = { 0 };
	int r;

	command_parse(self, argc, argv, &o);
	if (command_open(&o.common, &root) < 0)
		return STATUS_FAILED;
	r = machine_read(root, &machine);
	if (r >= 0)
		doc = inspect_document(&machine, o.all);
	if (!doc) {
		log_error("cannot inspect '%s': %s", root_name(root),
			  strerror(r < 0 ? -r : ENOMEM));
		return STATUS_FAILED;
	}
	return command_finish(
		output_document(doc, o.common.json, o.all ? inspect_view_all : inspect_view));
}

const struct command cmd_inspect = {
	.name = "inspect",
	.summary = "Tell what this partition is, how it is doing and what is wrong",
	.argp = &argp,
	.needs = NEEDS_READ,
	.run = run,
};
