/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file plays one block: what all benchmarks have in common between gathering and joining. */
#include "bench/bench.h"
#include "bench/team.h"

#define GRACE_NS (500 * NS_PER_MS)

static bool measure(struct session *session, struct team *team, struct block *block)
{
	struct environment_reading before = { 0 }, after = { 0 };
	bool stopped;

	stopped = stop_wait_until(session->stop, team->measure_ns);
	if (!stopped) {
		environment_read(session->root, session->attribution, &before);
		stopped = stop_wait_until(session->stop, team->end_ns);
		environment_read(session->root, session->attribution, &after);
		block->environment = environment_between(session->attribution, &before, &after);
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
	r = team_disband(team, GRACE_NS);
	if (r < 0)
		return r;
	return complete ? 0 : -EINTR;
}
