/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file is `lpartune inspect`. */
#include "cmd/command.h"

static enum status run(const struct command *self, int argc, char **argv)
{
	struct common_options options = { 0 };

	command_parse(self, argc, argv, &options);
	return STATUS_OK;
}

const struct command cmd_inspect = {
	.name = "inspect",
	.summary = "Tell what this partition is, how it is doing and what is wrong",
	.argp = &common_argp,
	.needs = NEEDS_READ,
	.run = run,
};
