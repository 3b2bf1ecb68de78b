/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file plays one block: what all benchmarks have in common between gathering and joining. */
#include <math.h>

#include "bench/bench.h"
#include "bench/workload/team.h"

/* Counts of the block, as rates. */
static void count(const struct counters *counters, const struct counter_reading *before,
		  const struct counter_reading *after, struct block *block)
{
	double seconds = (double)block->duration_ns * 1e-9, happened;

	for (unsigned int i = 0; counters && i < counters->count; i++) {
		block->counter_per_s[i] = block->counter_running[i] = NAN;
		if (counters_between(before, after, i, &happened, &block->counter_running[i]))
			block->counter_per_s[i] = happened / seconds;
	}
}

static void read_edge(struct session *session, struct environment_reading *environment,
		      struct counter_reading *counters)
{
	environment_read(session->root, session->attribution, environment);
	if (session->counters)
		counters_read(session->counters, counters);
}

static bool measure(struct session *session, struct team *team, struct block *block)
{
	struct environment_reading before = { 0 }, after = { 0 };
	struct counter_reading counted, counted_after;
	bool stopped = stop_wait_until(session->stop, team->measure_ns);

	if (!stopped) {
		read_edge(session, &before, &counted);
		stopped = stop_wait_until(session->stop, team->end_ns);
		read_edge(session, &after, &counted_after);
		block->environment = environment_between(session->attribution, &before, &after);
		if (session->zero_steal_is_unknown)
			environment_doubt_zero_steal(&block->environment);
		count(session->counters, &counted, &counted_after, block);
	}
	environment_reading_done(&before);
	environment_reading_done(&after);
	return !stopped;
}

int session_play(struct session *session, struct team *team, struct block *block)
{
	const struct bench_config *config = session->config;
	int r = team_gather(team);
	bool complete;

	if (r < 0)
		return r;
	team_go(team, config->lead_ns, config->block_ns);
	block->start_ns = team->measure_ns - session->began_ns;
	block->duration_ns = config->block_ns;
	complete = measure(session, team, block);
	if (complete)
		team_finish(team);
	r = team_disband(team);
	if (r < 0)
		return r;
	return complete ? 0 : -EINTR;
}
