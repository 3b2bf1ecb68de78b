/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file runs threads in a closed loop; there are no arrivals here, so no response time. */
#include "bench/workload/crew.h"

#include "bench/workload/futex.h"

struct crew_record {
	struct histogram took;
	uint64_t warmup;
	int error; /* of the operation that failed */
};

struct crew_hand {
	const struct crew_work *work;
	void *shared;
	struct crew_record *record;
};

static void work_on(struct crew_hand *hand, struct team *team, void *own)
{
	uint64_t before = clock_ns(), now;

	for (; before < team->end_ns && !team_is_stopped(team); before = now) {
		hand->record->error = hand->work->operate(hand->shared, own);
		if (hand->record->error < 0)
			return;
		now = clock_ns();
		if (before >= team->measure_ns)
			histogram_add(&hand->record->took, now - before);
		else
			hand->record->warmup++;
	}
}

static void crew_body(struct member *self)
{
	struct crew_hand *hand = self->arg;
	void *own = NULL;
	int r = 0;

	hand->record = own_memory(sizeof(*hand->record));
	if (!hand->record)
		r = -ENOMEM;
	else if (hand->work->prepare)
		r = hand->work->prepare(hand->shared, &own);
	if (r < 0) {
		team_fail(self, r);
		return;
	}
	if (team_gate(self))
		work_on(hand, self->team, own);
	if (hand->work->finish)
		hand->work->finish(hand->shared, own);
}

/* The CPU of the i-th thread. */
static int cpu_for(const struct session *session, const struct measurement *m, unsigned int i)
{
	const struct idset *allowed = &session->layout->allowed;
	int cpu = idset_next(allowed, 0);

	if (m->cell.distance == DISTANCE_FREE)
		return -1;
	for (; i > 0 && m->cell.distance != DISTANCE_SAME; i--) {
		cpu = idset_next(allowed, (unsigned int)cpu + 1);
		if (cpu < 0)
			cpu = idset_next(allowed, 0);
	}
	return cpu;
}

struct crew {
	struct crew_hand *hands;
	struct member *members;
	unsigned int count;
};

static int crew_make(const struct session *session, const struct measurement *m,
		     const struct crew_work *work, void *shared, struct crew *crew)
{
	crew->count = m->cell.size;
	crew->hands = calloc(crew->count, sizeof(*crew->hands));
	crew->members = calloc(crew->count, sizeof(*crew->members));
	if (!crew->hands || !crew->members)
		return -ENOMEM;
	for (unsigned int i = 0; i < crew->count; i++) {
		crew->hands[i] = (struct crew_hand) { .work = work, .shared = shared };
		crew->members[i] = (struct member) {
			.body = crew_body,
			.arg = &crew->hands[i],
			.name = m->cell.benchmark->name,
			.cpu = cpu_for(session, m, i),
			.ends_itself = true,
		};
	}
	return 0;
}

static void crew_done(struct crew *crew)
{
	for (unsigned int i = 0; crew->hands && i < crew->count; i++)
		own_memory_free(crew->hands[i].record, sizeof(struct crew_record));
	free(crew->hands);
	free(crew->members);
}

static int crew_collect(const struct crew *crew, struct block *block)
{
	for (unsigned int i = 0; i < crew->count; i++) {
		const struct crew_record *record = crew->hands[i].record;

		if (record->error < 0)
			return record->error;
		if (distribution_add_histogram(&block->wake, &record->took) < 0)
			return -ENOMEM;
		block->warmup += record->warmup;
	}
	block->done = block->wake.count;
	return 0;
}

int crew_run(struct session *session, struct measurement *m, struct block *block,
	     const struct crew_work *work, void *shared)
{
	struct crew crew = { 0 };
	struct team team = { 0 };
	int r = crew_make(session, m, work, shared, &crew);

	if (r == 0) {
		team = (struct team) {
			.member = crew.members,
			.count = crew.count,
			.fifo = session->config->fifo,
			.finish_ns = 100 * NS_PER_MS,
		};
		r = session_play(session, &team, block);
	}
	if (r == -ETIME)
		return r;
	if (r == 0)
		r = crew_collect(&crew, block);
	crew_done(&crew);
	return r;
}

int crew_cells(const struct session *session, struct cell cell, struct cell_list *list)
{
	unsigned int cpus = idset_count(&session->layout->allowed);

	cell.distance = DISTANCE_FREE;
	for (cell.size = 1; cell.size <= 2 * cpus; cell.size *= 2)
		if (cell_list_add(list, &cell) < 0)
			return -ENOMEM;
	return 0;
}
