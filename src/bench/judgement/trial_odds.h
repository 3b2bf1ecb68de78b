/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How often a trial would be fooled on this machine, and what it would find: trials drawn from
 * rounds in which nothing was changed. Each draws rounds with replacement and lots which of a
 * round's two halves was the changed one, as the order of a real trial is drawn.
 */
#ifndef LPARTUNE_BENCH_TRIAL_ODDS_H
#define LPARTUNE_BENCH_TRIAL_ODDS_H

#include "bench/judgement/trial_verdict.h"

struct trial_odds {
	unsigned int trials;
	unsigned int better, worse; /* verdicts */
	unsigned int metric_worse[TRIAL_METRICS_MAX];
};

/*
 * Draws `trials` trials of `rounds` rounds. The changed half comes from `delayed`, the other from
 * `plain`: the same data for false alarms, the same with a known delay added to both halves for what
 * is found. -ENODATA: there are no rounds; -ENOMEM.
 */
int trial_draw(const struct trial_data *plain, const struct trial_data *delayed,
	       const struct trial_rule *rule, size_t rounds, unsigned int trials, uint64_t seed,
	       struct trial_odds *ret);

/* A copy in which every operation took longer by `share` of its cell's median p50. Throughput stays.
 * -ENOMEM. */
int trial_data_slowed(const struct trial_data *data, double share, struct trial_data *ret);

/* The 95 % interval of a share of `hits` in `trials` (Wilson 1927). */
struct share_interval {
	double low, high;
};
struct share_interval share_interval(unsigned int hits, unsigned int trials);

#endif
