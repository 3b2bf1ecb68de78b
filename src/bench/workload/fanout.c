/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * This file wakes a crowd: one waker, many workers, each with a stamp of its own, so that the place
 * in the queue and the wake itself are told apart. (schbench has one stamp for the whole list.)
 */
#include <math.h>
#include <sched.h>

#include "bench/workload/benchmarks.h"
#include "bench/workload/team.h"

#define PATIENCE_NS (10 * NS_PER_MS)
#define BACKLOG_NS (50 * NS_PER_MS)

struct worker_record {
	struct histogram wake, response, batch;
	uint64_t warmup;
};

struct crowd;

struct worker {
	struct channel wake;
	uint64_t issued_ns;
	struct crowd *crowd;
	struct worker_record *record;
};

struct crowd {
	_own_line_ _Atomic uint32_t asleep; /* workers that have recorded the last wake */
	_own_line_ _Atomic uint32_t alarm;
	_Atomic bool ending;
	uint64_t intended_ns, began_ns; /* of the batch */
	const struct session *session;
	uint64_t idle_ns;
	struct random random;
	struct worker *workers;
	struct member *members;
	unsigned int count;
	uint64_t planned, unissued;
};

static uint64_t next_gap(struct crowd *c)
{
	if (c->session->config->periodic)
		return c->idle_ns;
	return (uint64_t)(-log(random_unit(&c->random)) * (double)c->idle_ns) + 1;
}

static bool sleep_until(struct crowd *c, uint64_t until_ns)
{
	while (clock_ns() < until_ns) {
		if (atomic_load(&c->alarm))
			return false;
		futex_wait_until(&c->alarm, 0, until_ns);
	}
	return true;
}

/* Waits until every worker has recorded. False if all is over first. */
static bool await_workers(struct crowd *c, struct team *team)
{
	uint32_t asleep;

	while ((asleep = atomic_load(&c->asleep)) < c->count) {
		if (team_is_stopped(team))
			return false;
		futex_wait_until(&c->asleep, asleep, clock_ns() + PATIENCE_NS);
	}
	return true;
}

static void wake_crowd(struct crowd *c, uint64_t intended_ns)
{
	atomic_store(&c->asleep, 0);
	c->intended_ns = intended_ns;
	c->began_ns = clock_ns();
	for (unsigned int i = 0; i < c->count; i++) {
		c->workers[i].issued_ns = clock_ns();
		channel_send(&c->workers[i].wake);
	}
}

/* Wakes the crowd once; false if the block is over first. */
static bool arrive(struct crowd *c, struct team *team, uint64_t intended_ns)
{
	if (!sleep_until(c, intended_ns) || !await_workers(c, team) ||
	    clock_ns() > team->end_ns + BACKLOG_NS)
		return false;
	if (intended_ns >= team->measure_ns)
		c->planned += c->count;
	wake_crowd(c, intended_ns);
	return true;
}

static void plan_batches(struct crowd *c, struct team *team)
{
	for (uint64_t next = team->start_ns + next_gap(c); next < team->end_ns;
	     next += next_gap(c)) {
		if (next < team->measure_ns && clock_ns() >= team->measure_ns)
			continue; /* left behind by the warm-up */
		if (!arrive(c, team, next)) {
			c->unissued = c->count * team_left(team, next, c->idle_ns);
			return;
		}
	}
}

static void waker_body(struct member *self)
{
	struct crowd *c = self->arg;

	if (team_gate(self))
		plan_batches(c, self->team);
	(void)await_workers(c, self->team);
	atomic_store(&c->ending, true);
	for (unsigned int i = 0; i < c->count; i++)
		channel_send(&c->workers[i].wake);
}

static void record_wake(struct worker *w, uint64_t running_ns, uint64_t measure_ns)
{
	const struct crowd *c = w->crowd;

	if (c->intended_ns < measure_ns) {
		w->record->warmup++;
		return;
	}
	histogram_add(&w->record->wake, running_ns - w->issued_ns);
	histogram_add(&w->record->batch, running_ns - c->began_ns);
	histogram_add(&w->record->response, running_ns - c->intended_ns);
}

/* A worker that was held until after the end has its last wake still to record. */
static void serve(struct worker *w, uint64_t measure_ns)
{
	uint64_t recorded_ns = 0;
	bool is_over = false;

	while (!is_over) {
		uint64_t running;

		(void)channel_receive(&w->wake);
		running = clock_ns();
		is_over = atomic_load(&w->crowd->ending);
		if (w->issued_ns == recorded_ns)
			break;
		recorded_ns = w->issued_ns;
		record_wake(w, running, measure_ns);
		if (atomic_fetch_add(&w->crowd->asleep, 1) + 1 == w->crowd->count)
			futex_wake(&w->crowd->asleep, 1);
	}
}

static void worker_body(struct member *self)
{
	struct worker *w = self->arg;

	w->record = own_memory(sizeof(*w->record));
	if (!w->record) {
		team_fail(self, -ENOMEM);
		return;
	}
	if (team_gate(self))
		serve(w, self->team->measure_ns);
}

static void ring(struct team *team)
{
	struct crowd *c = team->arg;

	atomic_store(&c->alarm, 1);
	futex_wake(&c->alarm, 1);
}

/* Workers of a pinned crowd sit on the CPUs behind the waker's, in turn; all on it for "same". */
static int cpu_of_worker(const struct session *session, const struct measurement *m, unsigned int i)
{
	const struct idset *allowed = &session->layout->allowed;
	int cpu = m->pairs[0].waker;

	for (unsigned int step = 0; step <= i && m->cell.distance != DISTANCE_SAME && cpu >= 0;
	     step++) {
		cpu = idset_next(allowed, (unsigned int)cpu + 1);
		if (cpu < 0)
			cpu = idset_next(allowed, 0);
	}
	return cpu;
}

static void crowd_done(struct crowd *c)
{
	for (unsigned int i = 0; c->workers && i < c->count; i++) {
		own_memory_free(c->workers[i].record, sizeof(struct worker_record));
		channel_close(&c->workers[i].wake);
	}
	free(c->workers);
	free(c->members);
	free(c);
}

static int fill_crowd(struct session *session, const struct measurement *m, struct crowd *c)
{
	for (; c->count < m->cell.size; c->count++) {
		struct worker *w = &c->workers[c->count];
		int r = channel_open(&w->wake, m->cell.primitive);

		if (r < 0)
			return r;
		w->crowd = c;
		c->members[c->count] = (struct member) {
			.body = worker_body,
			.arg = w,
			.name = "worker",
			.cpu = cpu_of_worker(session, m, c->count),
			.ends_itself = true,
		};
	}
	c->members[c->count] = (struct member) {
		.body = waker_body,
		.arg = c,
		.name = "waker",
		.cpu = m->pairs[0].waker,
		.ends_itself = true,
	};
	atomic_store(&c->asleep, c->count);
	return 0;
}

static int crowd_make(struct session *session, const struct measurement *m, struct crowd **ret)
{
	struct crowd *c = aligned_alloc(LINE_SIZE, sizeof(*c));
	size_t n = m->cell.size;
	int r;

	if (!c)
		return -ENOMEM;
	memset(c, 0, sizeof(*c));
	c->session = session;
	c->idle_ns = m->cell.idle_ns;
	c->random = random_seeded(random_u64(&session->random));
	c->workers = aligned_alloc(LINE_SIZE, n * sizeof(*c->workers));
	c->members = calloc(n + 1, sizeof(*c->members));
	if (c->workers)
		memset(c->workers, 0, n * sizeof(*c->workers));
	r = c->workers && c->members ? fill_crowd(session, m, c) : -ENOMEM;
	if (r < 0) {
		crowd_done(c);
		return r;
	}
	*ret = c;
	return 0;
}

static int collect(const struct crowd *c, struct measurement *m, struct block *block)
{
	int r = 0;

	if (!m->position)
		m->position = calloc(c->count, sizeof(*m->position));
	if (!m->position)
		return -ENOMEM;
	for (unsigned int i = 0; i < c->count && r == 0; i++) {
		const struct worker_record *record = c->workers[i].record;

		r = distribution_add_histogram(&block->wake, &record->wake);
		if (r == 0)
			r = distribution_add_histogram(&block->response, &record->response);
		if (r == 0)
			r = distribution_add_histogram(&m->batch, &record->batch);
		if (r == 0)
			r = distribution_add_histogram(&m->position[i], &record->wake);
		block->warmup += record->warmup;
	}
	block->planned = c->planned + c->unissued;
	block->unissued = c->unissued;
	block->done = block->response.count;
	return r;
}

static int fanout_run(struct session *session, struct measurement *m, struct block *block)
{
	struct crowd *c = NULL;
	struct team team;
	int r = crowd_make(session, m, &c);

	if (r < 0)
		return r;
	team = (struct team) {
		.member = c->members,
		.count = c->count + 1,
		.fifo = session->config->fifo,
		.finish_ns = BACKLOG_NS + PATIENCE_NS,
		.wake_all = ring,
		.arg = c,
	};
	r = session_play(session, &team, block);
	if (r == -ETIME)
		return r;
	if (r == 0)
		r = collect(c, m, block);
	crowd_done(c);
	return r;
}

static int fanout_cells(const struct session *session, struct cell_list *list)
{
	const struct cell cell = {
		.benchmark = &benchmark_fanout,
		.distance = DISTANCE_FREE,
		.idle_ns = 2 * NS_PER_MS,
		.size = 16,
	};

	(void)session;
	return cell_list_add(list, &cell);
}

const struct benchmark benchmark_fanout = {
	.name = "fanout",
	.id = "bench-fanout",
	.summary = "one waker, many workers: latency by position",
	.about =
		"One thread wakes --size workers (16) one after the other; each wake has its own stamp, "
		"so that latency is known by position. Latency from the first stamp of a batch, which "
		"is what schbench prints, contains the wake calls of all workers before: --schbench "
		"prints that in schbench's old layout.",
	.operation = "wake",
	.cells = fanout_cells,
	.run = fanout_run,
};
