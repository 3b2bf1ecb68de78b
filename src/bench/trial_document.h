/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A trial as a part of a document, by the shape of schema/trial.json. */
#ifndef LPARTUNE_BENCH_TRIAL_DOCUMENT_H
#define LPARTUNE_BENCH_TRIAL_DOCUMENT_H

#include <jansson.h>

#include "bench/judgement/trial_odds.h"
#include "bench/trial.h"

/* Adds definition, config, placement, cells, rounds, metrics, effects, counters, steal, rates and
 * verdict. -ENOMEM. */
int trial_to_json(const struct trial *trial, const struct trial_verdict *verdict, json_t *doc);

/*
 * What a self-test adds: trials drawn from its rounds without a change, and with each of two known
 * delays. -ENODATA: no round is complete; -ENOMEM.
 */
int trial_self_test_to_json(const struct trial *trial, json_t **ret);

/* All blocks of a cell in an arm. -ENOMEM. */
int trial_pool(const struct measurement *m, struct distribution *ret);

#endif
