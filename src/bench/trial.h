/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trial: the same cells measured in turns as the machine was found (A) and changed (B). What the
 * change is, and how it is made and put back, is the caller's.
 */
#ifndef LPARTUNE_BENCH_TRIAL_H
#define LPARTUNE_BENCH_TRIAL_H

#include "bench/bench.h"
#include "bench/judgement/trial_verdict.h"

#define TRIAL_ROUNDS 20
#define TRIAL_ROUNDS_MAX 1000	     /* also where only the time is limited */
#define TRIAL_HALF_NS (2 * NS_PER_S) /* of measuring an arm in a round, shared by its cells */
#define TRIAL_BLOCK_MIN_NS (250 * NS_PER_MS)
#define TRIAL_SETTLE_NS (200 * NS_PER_MS)

/* The delays that a self-test adds: to every wake this share of its p50, or so much to one in so
 * many. */
#define TRIAL_DELAY_SHARE 0.05
#define TRIAL_DELAY_NS 300000
#define TRIAL_DELAY_ONE_IN 100

struct trial_config {
	unsigned int rounds; /* 0: as many as fit into max_ns */
	uint64_t max_ns;     /* 0: no limit */
	uint64_t settle_ns;  /* after a switch, before it is measured */
	bool is_random;	     /* the order within each round is drawn; else AB, BA, AB, … */
	bool may_end_early;  /* by the look of trial_verdict.h */
	bool keeps_tail;     /* also what the rounds were with the second delay of a self-test */
	struct trial_rule rule;
};

enum trial_end {
	TRIAL_COMPLETE,
	TRIAL_EARLY,	   /* decided at the look */
	TRIAL_TIME_UP,	   /* no further round would have ended in time */
	TRIAL_INTERRUPTED, /* by a signal */
	TRIAL_SWITCH_FAILED,
	TRIAL_STUCK, /* a thread did not come back: nothing may be freed */
};
const char *trial_end_word(enum trial_end end);

struct trial {
	struct trial_config config;
	struct bench arm[TRIAL_ARMS];
	struct trial_data data;
	struct trial_data tail; /* with keeps_tail */
	unsigned char *first;	/* by round: the arm that came first */
	struct random random;
	unsigned int now; /* the arm that the machine is in */
	enum trial_end end;
	int error; /* of the switch, -errno */
	uint64_t began_ns, took_ns;
};

/* Plans a trial; `bench` has the length of a block, or 0 for the usual one. The session's members
 * must outlive the trial. -errno. */
int trial_plan(const struct trial_config *config, const struct bench_config *bench,
	       const struct session *session, const struct cell_list *cells, struct trial *ret);
void trial_done(struct trial *trial);

/* How long a round takes, and all planned ones. */
uint64_t trial_round_ns(const struct trial *trial);
uint64_t trial_planned_ns(const struct trial *trial);

/* Gives the machine the values of an arm; -errno ends the trial. */
typedef int (*trial_switch_fn)(void *arg, enum trial_arm arm);

/* Called after each half of a round; data.rounds are complete. */
typedef void (*trial_progress_fn)(void *arg, const struct trial *trial);

/* Runs the rounds, beginning and ending in any arm: the machine is in A before, and the caller puts
 * it back. */
void trial_run(struct trial *trial, trial_switch_fn change, void *change_arg,
	       trial_progress_fn progress, void *progress_arg);

#endif
