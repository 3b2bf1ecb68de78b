/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file goes from the command line to a command's row to the exit status; only it exits. */
#include <argp.h>
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/privilege.h"
#include "base/util.h"
#include "cmd/command.h"
#include "output/output.h"
#include "version.h"

static const struct command *const commands[] = {
	&cmd_inspect, &cmd_sample, &cmd_recommend, &cmd_explain, &cmd_apply,   &cmd_verify,
	&cmd_revert,  &cmd_bench,  &cmd_compare,   &cmd_trial,	 &cmd_confirm, &cmd_capture,
};

/* What the outer parse found: the command and the arguments that are its own. */
struct invocation {
	const struct command *command;
	int argc;
	char **argv;
};

const char *argp_program_version = "lpartune " LPARTUNE_VERSION;

#define WORD_MAX 24

static unsigned int min3(unsigned int a, unsigned int b, unsigned int c)
{
	unsigned int ab = a < b ? a : b;

	return ab < c ? ab : c;
}

/* Edits (insert, delete, replace, swap neighbours) that turn a into b; WORD_MAX if too long. */
static unsigned int edits(const char *a, const char *b)
{
	unsigned int d[WORD_MAX][WORD_MAX];
	size_t la = strlen(a), lb = strlen(b);

	if (la >= WORD_MAX || lb >= WORD_MAX)
		return WORD_MAX;
	for (size_t i = 0; i <= la; i++)
		d[i][0] = (unsigned int)i;
	for (size_t j = 0; j <= lb; j++)
		d[0][j] = (unsigned int)j;
	for (size_t i = 1; i <= la; i++)
		for (size_t j = 1; j <= lb; j++) {
			d[i][j] = min3(d[i - 1][j] + 1, d[i][j - 1] + 1,
				       d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				d[i][j] = min3(d[i][j], d[i - 2][j - 2] + 1, d[i][j]);
		}
	return d[la][lb];
}

/* The command that the user may have meant: an unfinished name, or at most two slips. */
static const struct command *closest(const char *name)
{
	const struct command *found = NULL;
	unsigned int best = 3;

	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		bool is_start = *name && starts_with(commands[i]->name, name);
		unsigned int slips = is_start ? 0 : edits(name, commands[i]->name);

		if (slips < best) {
			best = slips;
			found = commands[i];
		}
	}
	return found;
}

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (streq(commands[i]->name, name))
			return commands[i];
	return NULL;
}

static void unknown_command(struct argp_state *state, const char *name)
{
	const struct command *near = closest(name);

	if (near)
		argp_error(state, "unknown command '%s': did you mean '%s'?", name, near->name);
	else
		argp_error(state, "unknown command '%s'", name);
}

static error_t parse_main(int key, char *arg, struct argp_state *state)
{
	struct invocation *call = state->input;

	switch (key) {
	case ARGP_KEY_ARG:
		call->command = find_command(arg);
		if (!call->command)
			unknown_command(state, arg);
		call->argc = state->argc - state->next + 1;
		call->argv = state->argv + state->next - 1;
		state->next = state->argc;
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_state_help(state, state->err_stream, ARGP_HELP_STD_USAGE);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* The list of commands in --help comes from the rows. */
static char *list_commands(int key, const char *text, void *input)
{
	char *list = NULL;
	size_t size;
	FILE *f;

	(void)input;
	if (key != ARGP_KEY_HELP_POST_DOC)
		return (char *)text;
	f = open_memstream(&list, &size);
	if (!f)
		return NULL;
	fputs("Commands:\n", f);
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		fprintf(f, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
	fputs("\nlpartune COMMAND --help tells a command's options; see also lpartune(8).\n", f);
	return fclose(f) ? NULL : list;
}

static const struct argp main_argp = {
	.parser = parse_main,
	.args_doc = "COMMAND [OPTION...]",
	.doc = "Inspect, measure and tune a Linux LPAR on IBM Power.\v ",
	.help_filter = list_commands,
};

/* argp prints --help and --version itself and exits with 0, whatever became of them. */
static void check_output(int status, void *unused)
{
	int r = output_flush();

	(void)unused;
	if (status != STATUS_OK || r == 0)
		return;
	log_error("cannot write to standard output: %s", strerror(-r));
	_exit(STATUS_FAILED);
}

int main(int argc, char **argv)
{
	static const enum privilege privileges[] = {
		[NEEDS_READ] = PRIVILEGE_READ,
		[NEEDS_MEASURE] = PRIVILEGE_MEASURE,
		[NEEDS_WRITE] = PRIVILEGE_WRITE,
	};
	struct invocation call = { 0 };
	int r;

	/* Beyond the limit of a file's size writing shall fail, not kill without a word. */
	(void)signal(SIGXFSZ, SIG_IGN);
	errno = 0; /* libcap before 2.63 leaves one behind, before main */
	setlocale(LC_CTYPE, "");
	argp_err_exit_status = STATUS_USAGE;
	on_exit(check_output, NULL);
	if (argc > 0)
		argv[0] = program_invocation_short_name;
	argp_parse(&main_argp, argc, argv, ARGP_IN_ORDER, NULL, &call);
	if (!call.command)
		return STATUS_USAGE;
	r = privilege_drop(privileges[call.command->needs]);
	if (r < 0) {
		log_error("cannot give up capabilities: %s", strerror(-r));
		return STATUS_FAILED;
	}
	return (int)call.command->run(call.command, call.argc, call.argv);
}
