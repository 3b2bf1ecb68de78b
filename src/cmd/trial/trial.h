/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of `lpartune trial` hand to each other. */
#ifndef LPARTUNE_CMD_TRIAL_H
#define LPARTUNE_CMD_TRIAL_H

#include "bench/trial.h"
#include "change/record/temporary.h"
#include "cmd/command.h"
#include "output/output.h"
#include "output/text.h"

void trial_view(const json_t *doc, struct text *out);

/* The distributions of both arms as SVG; the caller's. NULL when memory is out. */
char *trial_plot(const struct trial *trial, const char *heading);

/*
 * The trial of `apply --confirm`: of the default cells, with the default rounds. `*ret` is what it
 * came to in a line for the books, the caller's; NULL if every value is as wanted already. Returns
 * the exit status; what went wrong is said.
 */
enum status trial_confirm(const struct change_wish *wishes, size_t count, unsigned int wait_s,
			  char **ret);

/* Puts back what a killed lpartune left, so that it is not taken for what this one found. What went
 * wrong is said. */
enum status trial_recover(struct root *root, unsigned int wait_s);

/*
 * Applies what was tried, for good; `summary` is what the trial came to, for verify. `*ret` is the
 * outcome as a word of documents. Returns 0; what went wrong is said and is -errno.
 */
int trial_keep(struct root *root, const struct change_wish *wishes, size_t count,
	       unsigned int wait_s, char *summary, const char **ret);

#endif
