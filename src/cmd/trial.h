/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of `lpartune trial` hand to each other. */
#ifndef LPARTUNE_CMD_TRIAL_H
#define LPARTUNE_CMD_TRIAL_H

#include "bench/trial.h"
#include "change/temporary.h"
#include "output/output.h"
#include "output/text.h"

void trial_view(const json_t *doc, struct text *out);

/* Metrics and cells as a table, whose sides are called `a` and `b`. */
void trial_effects_view(const json_t *doc, const char *a, const char *b, struct text *out);

/* The distributions of both arms as SVG; the caller's. NULL when memory is out. */
char *trial_plot(const struct trial *trial, const char *heading);

/*
 * Applies what was tried, for good. `*ret` is the outcome as a word of documents. Returns 0; what
 * went wrong is said and is -errno.
 */
int trial_keep(struct root *root, const struct change_wish *wishes, size_t count,
	       unsigned int wait_s, const char **ret);

#endif
