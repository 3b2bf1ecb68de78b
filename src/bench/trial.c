/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file plays the rounds of a trial and fills its numbers; the verdict is not its business. */
#include "bench/trial.h"

#include <math.h>

#include "bench/document.h"
#include "bench/workload/futex.h"

const char *trial_end_word(enum trial_end end)
{
	static const char *const words[] = {
		[TRIAL_COMPLETE] = "complete",	  [TRIAL_EARLY] = "early",
		[TRIAL_TIME_UP] = "time",	  [TRIAL_INTERRUPTED] = "interrupted",
		[TRIAL_SWITCH_FAILED] = "switch", [TRIAL_STUCK] = "stuck",
	};

	return words[end];
}

void trial_done(struct trial *trial)
{
	if (trial->end == TRIAL_STUCK)
		return;
	for (unsigned int arm = 0; arm < TRIAL_ARMS; arm++)
		bench_done(&trial->arm[arm]);
	trial_data_done(&trial->data);
	trial_data_done(&trial->tail);
	free(trial->first);
	*trial = (struct trial) { 0 };
}

static uint64_t round_ns(const struct trial_config *config, const struct bench_config *bench,
			 size_t cells)
{
	return TRIAL_ARMS * (config->settle_ns + cells * bench_block_cost_ns(bench));
}

static unsigned int rounds_that_fit(const struct trial_config *config,
				    const struct bench_config *bench, size_t cells)
{
	uint64_t rounds = config->max_ns / round_ns(config, bench, cells);

	if (rounds > TRIAL_ROUNDS_MAX)
		return TRIAL_ROUNDS_MAX;
	return rounds ? (unsigned int)rounds : 1;
}

static uint64_t usual_block_ns(size_t cells)
{
	uint64_t ns = TRIAL_HALF_NS / (cells ? cells : 1);

	return ns > TRIAL_BLOCK_MIN_NS ? ns : TRIAL_BLOCK_MIN_NS;
}

static int make_data(struct trial *trial, size_t cells)
{
	int r = trial_data_make(cells, trial->config.rounds, &trial->data);

	if (r == 0 && trial->config.keeps_tail)
		r = trial_data_make(cells, trial->config.rounds, &trial->tail);
	trial->first = calloc(trial->config.rounds, sizeof(*trial->first));
	return r == 0 && !trial->first ? -ENOMEM : r;
}

int trial_plan(const struct trial_config *config, const struct bench_config *bench,
	       const struct session *session, const struct cell_list *cells, struct trial *ret)
{
	struct bench_config planned = *bench;
	int r = 0;

	*ret = (struct trial) { .config = *config, .random = random_seeded(bench->seed) };
	if (!planned.block_ns)
		planned.block_ns = usual_block_ns(cells->count);
	if (!ret->config.rounds)
		ret->config.rounds = rounds_that_fit(config, &planned, cells->count);
	planned.rounds = ret->config.rounds;
	for (unsigned int arm = 0; arm < TRIAL_ARMS && r == 0; arm++) {
		r = bench_plan(&planned, session, cells, &ret->arm[arm]);
		planned.seed++;
	}
	if (r == 0)
		r = make_data(ret, cells->count);
	if (r < 0)
		trial_done(ret);
	return r;
}

uint64_t trial_round_ns(const struct trial *trial)
{
	const struct bench *bench = &trial->arm[TRIAL_A];
	size_t cells = 0;

	for (unsigned int i = 0; i < bench->count; i++)
		cells += !bench->measurement[i].error;
	return round_ns(&trial->config, &bench->config, cells);
}

uint64_t trial_planned_ns(const struct trial *trial)
{
	return trial->config.rounds * trial_round_ns(trial);
}

static void fill_quantiles(const struct block *block, struct trial_data *data, size_t cell,
			   unsigned int arm)
{
	for (unsigned int f = 0; f < FIGURE_RATE; f++) {
		const struct distribution *d = f == FIGURE_RESPONSE_P99 ? &block->response
									: &block->wake;
		uint64_t ns;

		/* Saturated arrivals have no response time: it grows with the block. */
		if (f == FIGURE_RESPONSE_P99 && block->planned && block->unissued)
			continue;
		if (distribution_quantile(d, figures[f].q, &ns))
			trial_values(data, cell, (enum figure_id)f, arm)[data->rounds] = (double)ns;
	}
}

static void fill(const struct block *block, struct trial_data *data, size_t cell, unsigned int arm)
{
	double rate = (double)block->done * 1e9 / (double)block->duration_ns;

	fill_quantiles(block, data, cell, arm);
	trial_rate(data, cell, arm)[data->rounds] = rate;
	trial_steal(data, cell, arm)[data->rounds] = block->environment.steal_pct;
	/* Open arrivals have a planned rate, which is no result. */
	if (!block->planned)
		trial_values(data, cell, FIGURE_RATE, arm)[data->rounds] = rate;
}

/* The same with the delay of a self-test. */
static int fill_tail(const struct block *block, struct trial_data *data, size_t cell,
		     unsigned int arm)
{
	struct block delayed = *block;
	int r;

	delayed.wake = (struct distribution) { 0 };
	r = distribution_delay(&block->wake, TRIAL_DELAY_NS, TRIAL_DELAY_ONE_IN, &delayed.wake);
	if (r < 0)
		return r;
	fill(&delayed, data, cell, arm);
	distribution_done(&delayed.wake);
	return 0;
}

/* Enters a round that both arms have whole. */
static int enter_round(struct trial *trial)
{
	int r = 0;

	for (unsigned int arm = 0; arm < TRIAL_ARMS; arm++)
		for (unsigned int cell = 0; cell < trial->arm[arm].count && r == 0; cell++) {
			const struct measurement *m = &trial->arm[arm].measurement[cell];

			if (m->error || m->block_count != trial->data.rounds + 1)
				continue;
			fill(&m->blocks[trial->data.rounds], &trial->data, cell, arm);
			if (trial->config.keeps_tail)
				r = fill_tail(&m->blocks[trial->data.rounds], &trial->tail, cell,
					      arm);
		}
	trial->data.rounds++;
	if (trial->config.keeps_tail)
		trial->tail.rounds++;
	return r;
}

/* Do enough samples of both arms lie above a quantile? */
static bool has_few(const struct trial *trial, unsigned int cell, const struct figure *figure)
{
	for (unsigned int arm = 0; arm < TRIAL_ARMS; arm++) {
		const struct measurement *m = &trial->arm[arm].measurement[cell];
		uint64_t above = 0;

		for (unsigned int i = 0; i < m->block_count; i++)
			above += distribution_exceedances(streq(figure->metric, "wake")
								  ? &m->blocks[i].wake
								  : &m->blocks[i].response,
							  figure->q);
		if (above < EXCEEDANCES_ENOUGH)
			return true;
	}
	return false;
}

static void mark_few(struct trial *trial)
{
	for (unsigned int cell = 0; cell < trial->arm[TRIAL_A].count; cell++)
		for (unsigned int f = 0; f < FIGURE_RATE; f++) {
			bool few = has_few(trial, cell, &figures[f]);

			*trial_few(&trial->data, cell, (enum figure_id)f) = few;
			if (trial->config.keeps_tail)
				*trial_few(&trial->tail, cell, (enum figure_id)f) = few;
		}
}

static bool end_with(struct trial *trial, enum trial_end end, int error)
{
	trial->end = end;
	trial->error = error;
	return false;
}

/* What a run of an arm's cells came to. */
static bool note_half(struct trial *trial, const struct bench *bench)
{
	if (bench->is_stuck)
		return end_with(trial, TRIAL_STUCK, -ETIME);
	if (bench->is_interrupted)
		return end_with(trial, TRIAL_INTERRUPTED, -EINTR);
	return true;
}

static bool play_half(struct trial *trial, unsigned int arm, trial_switch_fn change, void *arg)
{
	struct bench *bench = &trial->arm[arm];
	int r = trial->now == arm ? 0 : change(arg, (enum trial_arm)arm);

	if (r < 0)
		return end_with(trial, TRIAL_SWITCH_FAILED, r);
	trial->now = arm;
	/* Also without a switch, so that the halves do not differ by their place in a round. */
	if (stop_wait_until(bench->session.stop, clock_ns() + trial->config.settle_ns))
		return end_with(trial, TRIAL_INTERRUPTED, -EINTR);
	(void)bench_play_round(bench, NULL, NULL);
	return note_half(trial, bench);
}

static unsigned int draw_first(struct trial *trial)
{
	if (trial->config.is_random)
		return (unsigned int)(random_u64(&trial->random) >> 63);
	return trial->data.rounds % 2 ? TRIAL_B : TRIAL_A;
}

static bool may_end_here(struct trial *trial)
{
	_cleanup_trial_verdict_ struct trial_verdict verdict = { 0 };

	if (!trial->config.may_end_early ||
	    !trial_is_look(trial->data.rounds, trial->config.rounds))
		return false;
	mark_few(trial);
	return trial_judge_metrics(&trial->data, &trial->config.rule, &verdict) == 0 &&
	       trial_may_end(&verdict);
}

static bool has_time(const struct trial *trial, uint64_t round_took_ns)
{
	uint64_t gone = clock_ns() - trial->began_ns;

	return !trial->config.max_ns || gone + round_took_ns <= trial->config.max_ns;
}

static bool play_round(struct trial *trial, trial_switch_fn change, void *change_arg,
		       trial_progress_fn progress, void *progress_arg)
{
	unsigned int first = draw_first(trial);
	int r = 0;

	trial->first[trial->data.rounds] = (unsigned char)first;
	for (unsigned int half = 0; half < TRIAL_ARMS; half++) {
		if (!play_half(trial, half ? !first : first, change, change_arg))
			return false;
		if (half)
			r = enter_round(trial);
		if (r < 0)
			return end_with(trial, TRIAL_SWITCH_FAILED, r);
		progress(progress_arg, trial);
	}
	return !may_end_here(trial) || end_with(trial, TRIAL_EARLY, 0);
}

static bool warm_up(struct trial *trial)
{
	for (unsigned int arm = 0; arm < TRIAL_ARMS; arm++)
		bench_begin(&trial->arm[arm]);
	(void)bench_warm_up(&trial->arm[TRIAL_A]);
	return note_half(trial, &trial->arm[TRIAL_A]);
}

void trial_run(struct trial *trial, trial_switch_fn change, void *change_arg,
	       trial_progress_fn progress, void *progress_arg)
{
	uint64_t longest = trial_round_ns(trial);
	bool go_on;

	trial->began_ns = clock_ns();
	go_on = warm_up(trial);
	while (go_on && trial->data.rounds < trial->config.rounds) {
		uint64_t began = clock_ns(), took;

		if (!has_time(trial, longest)) {
			end_with(trial, TRIAL_TIME_UP, 0);
			break;
		}
		go_on = play_round(trial, change, change_arg, progress, progress_arg);
		took = clock_ns() - began;
		longest = took > longest ? took : longest;
	}
	if (trial->end != TRIAL_STUCK)
		mark_few(trial);
	trial->took_ns = clock_ns() - trial->began_ns;
}
