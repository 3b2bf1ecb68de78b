/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A command is a row: a name, a line about it, its options, what it needs, and a function. Each
 * cmd/NAME.c ends with its row; main.c has the list.
 */
#ifndef LPARTUNE_CMD_COMMAND_H
#define LPARTUNE_CMD_COMMAND_H

#include <argp.h>
#include <stdbool.h>

/* The exit statuses of the whole program (the only table). */
enum status {
	STATUS_OK = 0,
	STATUS_FAILED = 1, /* failed, or the right to do it is missing */
	STATUS_USAGE = 2,
	STATUS_DIFFERENT = 3,  /* a difference, and --check or verify asked */
	STATUS_UNDONE = 4,     /* a change failed, everything was undone */
	STATUS_NOT_UNDONE = 5, /* a change failed and could not be undone */
	STATUS_BUSY = 6,       /* another lpartune holds the lock */
	STATUS_INTERRUPTED = 130,
};

/* What must be true before the command runs; main provides it by dropping everything else. */
enum needs {
	NEEDS_READ,    /* reads; keeps only the right to read what root may read */
	NEEDS_MEASURE, /* also perf events, affinity and scheduling of its own threads */
	NEEDS_WRITE,   /* changes the machine */
};

struct command {
	const char *name;
	const char *summary; /* one line, no full stop */
	const struct argp *argp;
	enum needs needs;
	/* Parses with command_parse, does the work, prints, returns the exit status. */
	enum status (*run)(const struct command *self, int argc, char **argv);
};

/* Options that every reading command has; give `&common_argp` as a child, and a
 * `struct common_options` as that child's input (children_input). */
struct common_options {
	const char *root; /* NULL: the running machine */
	bool json;
};
extern const struct argp common_argp;

/* Parses the options of a command; `options` is the argp input. Usage errors exit with 2. */
void command_parse(const struct command *self, int argc, char **argv, void *options);

/* Opens the root that the options name, or the running machine's. Says what went wrong; -errno. */
struct root;
int command_open(const struct common_options *common, struct root **ret);

/* May this machine have the value? If not, says why. */
struct tunable;
bool command_check_value(struct root *root, const struct tunable *tunable, const char *value);

/* What printing came to, as exit status: says what went wrong, if it did. */
enum status command_finish(int r);

extern const struct command cmd_inspect;
extern const struct command cmd_capture;
extern const struct command cmd_sample;
extern const struct command cmd_recommend;
extern const struct command cmd_explain;
extern const struct command cmd_apply;
extern const struct command cmd_verify;
extern const struct command cmd_revert;
extern const struct command cmd_bench;
extern const struct command cmd_compare;
extern const struct command cmd_trial;
extern const struct command cmd_confirm;

#endif
