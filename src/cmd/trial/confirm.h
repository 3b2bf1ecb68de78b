/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What confirm shares with apply --confirm. */
#ifndef LPARTUNE_CMD_CONFIRM_H
#define LPARTUNE_CMD_CONFIRM_H

#include <jansson.h>

#include "cmd/bench/bench_options.h"
#include "machine/root.h"

#define CONFIRM_ROUNDS 12 /* blocks of each cell in a session */

/* Sets what a session measures: CONFIRM_ROUNDS rounds of wake, as far as the options say nothing else. */
void confirm_options(struct bench_options *options);

/*
 * Measures a session of the running machine: a bench document with all its histograms, the caller's.
 * What went wrong is said; -EINTR: interrupted, there is no document; -errno.
 */
int confirm_measure(struct root *root, const struct bench_options *options, json_t **ret);

#endif
