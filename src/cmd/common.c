/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file holds what commands share. */
#include <stdio.h>
#include <stdlib.h>

#include "cmd/command.h"
#include "machine/root.h"
#include "machine/tunable/tunables.h"
#include "output/output.h"

static const struct argp_option options[] = {
	{ .name = "root",
	  .key = 'R',
	  .arg = "DIR",
	  .doc = "Read the tree, capture, sosreport or supportconfig in DIR instead of this machine" },
	{ .name = "json", .key = 'J', .doc = "Print the document as JSON" },
	{ 0 }
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct common_options *common = state->input;

	switch (key) {
	case 'R':
		common->root = arg;
		return 0;
	case 'J':
		common->json = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp common_argp = { .options = options, .parser = parse_option };

void command_parse(const struct command *self, int argc, char **argv, void *input)
{
	/* Help and errors name the command: "lpartune inspect: …". */
	char name[64];

	snprintf(name, sizeof(name), "lpartune %s", self->name);
	argv[0] = name;
	argp_parse(self->argp, argc, argv, 0, NULL, input);
}

enum status command_finish(int r)
{
	if (r >= 0)
		return STATUS_OK;
	log_error("cannot write to standard output: %s", strerror(-r));
	return STATUS_FAILED;
}

int command_open(const struct common_options *common, struct root **ret)
{
	int r = root_open(common->root, ret);

	if (r < 0)
		log_error("cannot open '%s': %s", common->root ? common->root : "/", strerror(-r));
	return r;
}

bool command_check_value(struct root *root, const struct tunable *tunable, const char *value)
{
	unsigned int limit;

	if (!tunable_exceeds(root, tunable, value, &limit))
		return true;
	log_error("cannot set %s to %s: a core of this machine has %u thread%s", tunable->id, value,
		  limit, limit == 1 ? "" : "s");
	return false;
}
