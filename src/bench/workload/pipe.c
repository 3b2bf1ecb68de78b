/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file is ping-pong: two threads that hand a token to and fro, each wake paid by the next. */
#include <sys/resource.h>

#include "bench/workload/benchmarks.h"
#include "bench/workload/team.h"

struct table_end {
	struct histogram round_trip;
	uint64_t warmup;
};

struct table {
	struct channel to, back;
	_Atomic bool ending;
	struct table_end *end;
	uint64_t ping_switches, pong_switches; /* from the start on, warm-up too */
};

struct hall {
	struct table *tables;
	struct member *members;
	unsigned int count;
};

static uint64_t switches_of_thread(void)
{
	struct rusage use;

	if (getrusage(RUSAGE_THREAD, &use) < 0)
		return 0;
	return (uint64_t)use.ru_nvcsw + (uint64_t)use.ru_nivcsw;
}

/* Round trips until an instant; the only cost beside them is a stamp and a histogram entry. */
static void play_until(struct table *t, struct team *team, uint64_t until, bool is_recorded)
{
	uint64_t before = clock_ns(), now;

	for (; before < until && !team_is_stopped(team); before = now) {
		channel_send(&t->to);
		(void)channel_receive(&t->back);
		now = clock_ns();
		if (is_recorded)
			histogram_add(&t->end->round_trip, now - before);
		else
			t->end->warmup++;
	}
}

static void ping_body(struct member *self)
{
	struct table *t = self->arg;
	struct team *team = self->team;
	uint64_t before;

	t->end = own_memory(sizeof(*t->end));
	if (!t->end) {
		team_fail(self, -ENOMEM);
		return;
	}
	if (team_gate(self)) {
		before = switches_of_thread();
		play_until(t, team, team->measure_ns, false);
		play_until(t, team, team->end_ns, true);
		t->ping_switches = switches_of_thread() - before;
	}
	atomic_store(&t->ending, true);
	channel_send(&t->to);
}

static void pong_body(struct member *self)
{
	struct table *t = self->arg;
	uint64_t before;

	if (!team_gate(self))
		return;
	before = switches_of_thread();
	for (;;) {
		(void)channel_receive(&t->to);
		if (atomic_load(&t->ending))
			break;
		channel_send(&t->back);
	}
	t->pong_switches = switches_of_thread() - before;
}

static int open_table(struct table *t, enum primitive primitive)
{
	int r;

	memset(t, 0, sizeof(*t));
	r = channel_open(&t->to, primitive);
	if (r == 0)
		r = channel_open(&t->back, primitive);
	return r;
}

static int make(const struct measurement *m, struct hall *hall)
{
	hall->tables = aligned_alloc(LINE_SIZE, m->pair_count * sizeof(*hall->tables));
	hall->members = calloc(2 * m->pair_count, sizeof(*hall->members));
	if (!hall->tables || !hall->members)
		return -ENOMEM;
	for (; hall->count < m->pair_count; hall->count++) {
		struct table *t = &hall->tables[hall->count];
		struct member *pair = &hall->members[2 * hall->count];
		int r = open_table(t, m->cell.primitive);

		if (r < 0)
			return r;
		pair[0] = (struct member) { .body = ping_body,
					    .arg = t,
					    .name = "ping",
					    .cpu = m->pairs[hall->count].waker,
					    .ends_itself = true };
		pair[1] = (struct member) { .body = pong_body,
					    .arg = t,
					    .name = "pong",
					    .cpu = m->pairs[hall->count].worker,
					    .ends_itself = true };
	}
	return 0;
}

static int collect(const struct hall *hall, struct measurement *m, struct block *block)
{
	for (unsigned int i = 0; i < hall->count; i++) {
		const struct table *t = &hall->tables[i];

		if (distribution_add_histogram(&block->wake, &t->end->round_trip) < 0)
			return -ENOMEM;
		block->warmup += t->end->warmup;
		m->switches += t->ping_switches + t->pong_switches;
		m->switch_operations += t->end->warmup + t->end->round_trip.count;
	}
	block->done = block->wake.count;
	return 0;
}

static void hall_done(struct hall *hall)
{
	for (unsigned int i = 0; hall->tables && i < hall->count; i++) {
		own_memory_free(hall->tables[i].end, sizeof(struct table_end));
		channel_close(&hall->tables[i].to);
		channel_close(&hall->tables[i].back);
	}
	free(hall->tables);
	free(hall->members);
}

static int pipe_run(struct session *session, struct measurement *m, struct block *block)
{
	struct hall hall = { 0 };
	struct team team = { 0 };
	int r = make(m, &hall);

	if (r == 0) {
		team = (struct team) {
			.member = hall.members,
			.count = 2 * hall.count,
			.fifo = session->config->fifo,
			.finish_ns = 100 * NS_PER_MS,
		};
		r = session_play(session, &team, block);
	}
	if (r == -ETIME)
		return r;
	if (r == 0)
		r = collect(&hall, m, block);
	hall_done(&hall);
	return r;
}

static int pipe_cells(const struct session *session, struct cell_list *list)
{
	static const enum primitive primitives[] = { PRIMITIVE_FUTEX, PRIMITIVE_PIPE };

	for (unsigned int d = 0; d < DISTANCE_COUNT; d++) {
		struct cpu_pair pair;
		int r = layout_pairs(session->layout, (enum distance)d, 1, &pair);

		for (size_t i = 0; i < ARRAY_SIZE(primitives) && r > 0; i++) {
			struct cell cell = {
				.benchmark = &benchmark_pipe,
				.distance = (enum distance)d,
				.primitive = primitives[i],
			};

			if (cell_list_add(list, &cell) < 0)
				return -ENOMEM;
		}
		if (r < 0)
			return r;
	}
	return 0;
}

const struct benchmark benchmark_pipe = {
	.name = "pipe",
	.id = "bench-pipe",
	.summary = "ping-pong of two threads: the time of a round trip",
	.about =
		"Two threads hand four bytes to and fro through pipes, or a token by futexes or "
		"eventfds; a round trip has two wakes. Like perf bench sched pipe -T, but at a named "
		"distance: unpinned, a busy machine looks faster, because both threads end up on one "
		"CPU. Context switches for each round trip are counted, since versions of perf bench "
		"differ by a factor of two in them.",
	.operation = "trip",
	.cells = pipe_cells,
	.run = pipe_run,
};
