/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The verdict of a trial: a pure function of its rounds and of a rule that was fixed before the
 * first of them. Rounds are the unit; each gives one log ratio B/A a figure.
 *
 * The verdict rests on one or two metrics over all cells (in each round a weighted mean of their log
 * ratios, see combine.h), whose p-values are corrected together (Holm). Every figure of every cell is
 * judged too, all of them corrected together, but decides nothing.
 */
#ifndef LPARTUNE_BENCH_TRIAL_VERDICT_H
#define LPARTUNE_BENCH_TRIAL_VERDICT_H

#include "bench/judgement/effect.h"
#include "bench/judgement/trial_data.h"

#define TRIAL_METRICS_MAX 2

/*
 * The only reason to end before the planned rounds are over: at the one look, after three fifths of
 * the rounds and at least TRIAL_LOOK_MIN (with fewer the exact test cannot say so much), the verdict
 * is better or worse with a corrected p below TRIAL_LOOK_P (Haybittle and Peto: so strict a look
 * leaves the last test what it was).
 */
#define TRIAL_LOOK_MIN 12
#define TRIAL_LOOK_P 0.001

struct trial_rule {
	enum figure_id metric[TRIAL_METRICS_MAX]; /* the first that is decided decides */
	unsigned int metrics;
	double within_pct; /* so small a change is none */
};

#define TRIAL_ALL_CELLS ((size_t)-1)

struct trial_effect {
	enum figure_id figure;
	size_t cell;		   /* or TRIAL_ALL_CELLS */
	double median[TRIAL_ARMS]; /* over the rounds */
	size_t rounds;		   /* that have both arms */
	double weight;		   /* of this cell in the figure over all of them, 0 to 1 */
	bool is_known, has_few;
	struct estimate estimate; /* log ratio B/A */
	double corrected_p;
	struct judgement judgement; /* undecided if it is not known */
	/* The same over blocks that nothing was stolen from, in both arms of a round. Never without
	 * the one above: what a change does to steal is part of its effect. */
	size_t clean_rounds;
	bool clean_is_known;
	struct judgement clean;
};

/* Steal itself as an outcome, in points of CPU time. */
struct trial_steal_effect {
	double mean[TRIAL_ARMS]; /* NAN: not known on this machine */
	bool is_known;
	struct estimate change; /* B - A */
};

struct trial_verdict {
	struct trial_effect metric[TRIAL_METRICS_MAX];
	unsigned int metrics;
	struct trial_effect *effect; /* of each cell and figure */
	size_t effects;
	struct trial_steal_effect steal;
	double rate[TRIAL_ARMS]; /* operations a second over all cells; NAN: unknown */
	enum verdict verdict;
	const struct trial_effect *decided_by; /* of `metric`; NULL: undecided or no change */
	bool is_mixed;			       /* the other metric says the opposite */
	bool got_worse;			       /* any metric or figure did */
};
void trial_verdict_done(struct trial_verdict *verdict);
#define _cleanup_trial_verdict_ _cleanup_(trial_verdict_done)

/* Judges everything. -ENOMEM. */
int trial_judge(const struct trial_data *data, const struct trial_rule *rule,
		struct trial_verdict *ret);

/* Judges only the metrics: `effect`, `steal` and `rate` stay empty. -ENOMEM. */
int trial_judge_metrics(const struct trial_data *data, const struct trial_rule *rule,
			struct trial_verdict *ret);

/* Is this the round after which to look? */
bool trial_is_look(size_t rounds_done, size_t rounds_planned);

/* Does the verdict allow to end at that look? */
bool trial_may_end(const struct trial_verdict *verdict);

/* "better", "worse", "mixed", "no change", "undecided". */
const char *trial_verdict_word(const struct trial_verdict *verdict);

#endif
