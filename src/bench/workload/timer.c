/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file measures how late a thread runs after a timer: no other thread wakes it. */
#include <math.h>

#include "bench/workload/benchmarks.h"
#include "bench/workload/team.h"

struct sleeper {
	struct histogram wake, response;
	uint64_t planned, warmup;
};

struct bed {
	const struct session *session;
	uint64_t idle_ns;
	struct random random;
	struct sleeper *sleeper;
	_Atomic uint32_t alarm;
};

struct dormitory {
	struct bed *beds;
	struct member *members;
	unsigned int count;
};

static uint64_t next_gap(struct bed *bed)
{
	if (bed->session->config->periodic)
		return bed->idle_ns;
	return (uint64_t)(-log(random_unit(&bed->random)) * (double)bed->idle_ns) + 1;
}

/* Records one deadline. `slept`: it was still to come, so that the timer woke us; one that passed
 * while an earlier one was late has a response but no wake of its own. */
static void record(struct sleeper *s, const struct team *team, uint64_t deadline, uint64_t now,
		   bool slept)
{
	if (deadline < team->measure_ns) {
		s->warmup++;
		return;
	}
	s->planned++;
	histogram_add(&s->response, now - deadline);
	if (slept)
		histogram_add(&s->wake, now - deadline);
}

static void sleep_on(struct bed *bed, struct team *team)
{
	uint64_t deadline = team->start_ns + next_gap(bed);

	for (; deadline < team->end_ns; deadline += next_gap(bed)) {
		bool slept = clock_ns() < deadline;
		uint64_t now;

		while ((now = clock_ns()) < deadline) {
			if (atomic_load(&bed->alarm))
				return;
			futex_wait_until(&bed->alarm, 0, deadline);
		}
		record(bed->sleeper, team, deadline, now, slept);
	}
}

static void timer_body(struct member *self)
{
	struct bed *bed = self->arg;

	bed->sleeper = own_memory(sizeof(*bed->sleeper));
	if (!bed->sleeper) {
		team_fail(self, -ENOMEM);
		return;
	}
	if (team_gate(self))
		sleep_on(bed, self->team);
}

static void ring(struct team *team)
{
	struct dormitory *d = team->arg;

	for (unsigned int i = 0; i < d->count; i++) {
		atomic_store(&d->beds[i].alarm, 1);
		futex_wake(&d->beds[i].alarm, 1);
	}
}

static int make(struct session *session, const struct measurement *m, struct dormitory *d)
{
	d->beds = calloc(m->pair_count, sizeof(*d->beds));
	d->members = calloc(m->pair_count, sizeof(*d->members));
	if (!d->beds || !d->members)
		return -ENOMEM;
	for (; d->count < m->pair_count; d->count++) {
		struct bed *bed = &d->beds[d->count];

		bed->session = session;
		bed->idle_ns = m->cell.idle_ns;
		bed->random = random_seeded(random_u64(&session->random));
		d->members[d->count] = (struct member) {
			.body = timer_body,
			.arg = bed,
			.name = "timer",
			.cpu = m->pairs[d->count].worker,
			.ends_itself = true,
		};
	}
	return 0;
}

static int collect(const struct dormitory *d, struct block *block)
{
	for (unsigned int i = 0; i < d->count; i++) {
		const struct sleeper *s = d->beds[i].sleeper;

		if (distribution_add_histogram(&block->wake, &s->wake) < 0 ||
		    distribution_add_histogram(&block->response, &s->response) < 0)
			return -ENOMEM;
		block->planned += s->planned;
		block->warmup += s->warmup;
	}
	block->done = block->response.count;
	return 0;
}

static void dormitory_done(struct dormitory *d)
{
	for (unsigned int i = 0; d->beds && i < d->count; i++)
		own_memory_free(d->beds[i].sleeper, sizeof(struct sleeper));
	free(d->beds);
	free(d->members);
}

static int timer_run(struct session *session, struct measurement *m, struct block *block)
{
	struct dormitory d = { 0 };
	struct team team = { 0 };
	int r = make(session, m, &d);

	if (r == 0) {
		team = (struct team) {
			.member = d.members,
			.count = d.count,
			.fifo = session->config->fifo,
			.finish_ns = 20 * NS_PER_MS,
			.wake_all = ring,
			.arg = &d,
		};
		r = session_play(session, &team, block);
	}
	if (r == -ETIME)
		return r;
	if (r == 0)
		r = collect(&d, block);
	dormitory_done(&d);
	return r;
}

static int timer_cells(const struct session *session, struct cell_list *list)
{
	static const enum distance distances[] = { DISTANCE_SAME, DISTANCE_FREE };

	(void)session;
	for (size_t i = 0; i < ARRAY_SIZE(distances); i++) {
		struct cell cell = {
			.benchmark = &benchmark_timer,
			.distance = distances[i],
			.idle_ns = 1 * NS_PER_MS,
		};

		if (cell_list_add(list, &cell) < 0)
			return -ENOMEM;
	}
	return 0;
}

const struct benchmark benchmark_timer = {
	.name = "timer",
	.id = "bench-timer",
	.summary = "how late a thread runs after a timer",
	.about =
		"Threads sleep to absolute times, as cyclictest's do: timer interrupt, idle exit and "
		"switch, no wake by another thread. Three caveats: an ordinary thread has 50 us of timer "
		"slack, set to 1 ns here; idle states are left as they are, while cyclictest holds the "
		"CPU in the shallowest (which on a shared partition keeps the core and costs "
		"entitlement); and a deadline that passes while an earlier one is late counts in "
		"response, not in wake.",
	.operation = "wake",
	.cells = timer_cells,
	.run = timer_run,
};
