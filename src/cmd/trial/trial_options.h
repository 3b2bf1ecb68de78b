/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line of `lpartune trial`. */
#ifndef LPARTUNE_CMD_TRIAL_OPTIONS_H
#define LPARTUNE_CMD_TRIAL_OPTIONS_H

#include "bench/trial.h"
#include "change/record/temporary.h"
#include "cmd/bench/bench_options.h"

#define TRIAL_CHANGES_MAX 32

struct trial_options {
	struct bench_options bench; /* what is measured, and how */
	struct trial_config config;
	bool has_settle; /* else by the kind of tunable */
	struct change_wish wish[TRIAL_CHANGES_MAX];
	size_t wishes;
	bool json, check, self_test, apply_if_better;
	unsigned int wait_s;
	const char *save, *plot;
};

extern const struct argp trial_argp;
void trial_options_init(struct trial_options *options);
/* Fills in what follows from the rest, when all of it is known. */
void trial_options_complete(struct trial_options *options);
void trial_options_done(struct trial_options *options);

#endif
