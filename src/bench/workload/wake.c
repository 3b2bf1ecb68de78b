/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * This file is the wake-path probe: pairs of a waker and a worker. The waker sleeps to absolute
 * instants (the intended times), takes a stamp and wakes; the worker takes a stamp as soon as it
 * runs. Between those two stamps stands nothing but the wake; all else is done before or after.
 *
 * Arrivals are open: a late wake is still issued, and `response` counts from its intended time, so
 * that a stall shows in every arrival that it delayed.
 */
#include <math.h>
#include <sched.h>

#include "bench/bench.h"
#include "bench/workload/benchmarks.h"
#include "bench/workload/load.h"
#include "bench/workload/team.h"

#define SETTLE_NS (2 * NS_PER_US)    /* from "recorded" to asleep, when the waker did not sleep */
#define SPIN_NS (20 * NS_PER_US)     /* then the waker gives its CPU away */
#define PATIENCE_NS (10 * NS_PER_MS) /* of one such sleep, to look whether all is over */
#define BACKLOG_NS (50 * NS_PER_MS)  /* arrivals that are late at the end are issued this long */

/* What the waker alone writes. */
struct waker_record {
	struct histogram issue, late;
	uint64_t planned, unissued;
	double gap_sum, gap_squares;
	uint64_t gaps, last_issue_ns;
};

/* What the worker alone writes. */
struct worker_record {
	struct histogram wake, response;
	struct class_table classes;
	uint64_t warmup;
	uint64_t chosen[DISTANCE_COUNT];
};

/* What the two share. The stamps ride on the line of the word that carries the wake. */
struct link {
	struct channel wake;
	uint64_t intended_ns, issued_ns;
	int waker_cpu;
	struct vcpu_account before;
	_own_line_ _Atomic uint32_t done; /* the worker has recorded and goes to sleep */
	_Atomic uint32_t waker_waits;
	_Atomic int worker_cpu;
	_own_line_ _Atomic uint32_t alarm; /* the waker sleeps on it; raised by a stop */
	_Atomic bool ending;
	const struct session *session;
	struct cpu_pair cpus;
	uint64_t idle_ns;
	struct random random;
	struct waker_record *waker;
	struct worker_record *worker;
};

static uint64_t next_gap(struct link *link)
{
	double mean = (double)link->idle_ns;

	if (link->session->config->periodic)
		return link->idle_ns;
	return (uint64_t)(-log(random_unit(&link->random)) * mean) + 1;
}

/* Sleeps to an instant. False if all is over. */
static bool sleep_until(struct link *link, uint64_t until_ns)
{
	while (clock_ns() < until_ns) {
		if (atomic_load(&link->alarm))
			return false;
		futex_wait_until(&link->alarm, 0, until_ns);
	}
	return true;
}

static bool may_share_cpu(const struct link *link)
{
	return link->cpus.waker == link->cpus.worker;
}

/* Gives the worker its time: by yielding where it may need this very CPU, else by spinning, and at
 * last by sleeping. */
static void wait_a_little(struct link *link, uint64_t since_ns)
{
	if (clock_ns() - since_ns < SPIN_NS) {
		if (may_share_cpu(link))
			sched_yield();
		else
			cpu_relax();
		return;
	}
	atomic_store(&link->waker_waits, 1);
	if (!atomic_load(&link->done))
		futex_wait_until(&link->done, 0, clock_ns() + PATIENCE_NS);
	atomic_store(&link->waker_waits, 0);
}

/* Waits until the worker has recorded the last wake. False if all is over first. */
static bool await_worker(struct link *link, struct team *team)
{
	uint64_t since;

	if (atomic_load(&link->done))
		return true;
	since = clock_ns();
	while (!atomic_load(&link->done)) {
		if (team_is_stopped(team))
			return false;
		wait_a_little(link, since);
	}
	if (!may_share_cpu(link))
		for (since = clock_ns(); clock_ns() - since < SETTLE_NS;)
			cpu_relax();
	return true;
}

/* One wake. Only the first stamp, the wake and the second stamp are timed. */
static uint64_t issue(struct link *link, uint64_t intended_ns, uint64_t *ret_issued_ns)
{
	uint64_t issued, returned;

	atomic_store(&link->done, 0);
	link->intended_ns = intended_ns;
	link->waker_cpu = sched_getcpu();
	if (link->session->attribution)
		link->before = attribution_read_vcpu(link->session->attribution,
						     atomic_load(&link->worker_cpu));
	issued = clock_ns();
	link->issued_ns = issued;
	channel_send(&link->wake);
	returned = clock_ns();
	if (link->cpus.waker >= 0 && may_share_cpu(link))
		sched_yield(); /* the worker needs this CPU: everything else comes after it */
	*ret_issued_ns = issued;
	return returned - issued;
}

static void record_issue(struct waker_record *record, uint64_t issued_ns, uint64_t took_ns)
{
	histogram_add(&record->issue, took_ns);
	if (record->last_issue_ns) {
		double gap = (double)(issued_ns - record->last_issue_ns);

		record->gap_sum += gap;
		record->gap_squares += gap * gap;
		record->gaps++;
	}
	record->last_issue_ns = issued_ns;
}

/* Issues one arrival; false if it is too late for it or all is over. */
static bool arrive(struct link *link, struct team *team, uint64_t intended_ns)
{
	struct waker_record *record = link->waker;
	bool is_recorded = intended_ns >= team->measure_ns;
	bool slept = clock_ns() < intended_ns;
	uint64_t issued, took, woke;

	if (!sleep_until(link, intended_ns))
		return false;
	woke = clock_ns();
	if (woke > team->end_ns + BACKLOG_NS || !await_worker(link, team))
		return false;
	took = issue(link, intended_ns, &issued);
	if (is_recorded) {
		record_issue(record, issued, took);
		if (slept)
			histogram_add(&record->late, woke - intended_ns);
	}
	return true;
}

/* The block is over before this arrival was issued: it, and those that were to follow, were planned
 * all the same. */
static void give_up(struct link *link, const struct team *team, uint64_t next_ns)
{
	uint64_t left = team_left(team, next_ns, link->idle_ns);

	link->waker->planned += left;
	link->waker->unissued += left;
}

static void plan_arrivals(struct link *link, struct team *team)
{
	uint64_t next = team->start_ns + next_gap(link);

	for (; next < team->end_ns; next += next_gap(link)) {
		bool counts = next >= team->measure_ns;

		/* What the warm-up left behind must not be served in the time that is measured. */
		if (!counts && clock_ns() >= team->measure_ns)
			continue;
		if (!arrive(link, team, next)) {
			give_up(link, team, next);
			return;
		}
		link->waker->planned += counts;
	}
}

static void waker_body(struct member *self)
{
	struct link *link = self->arg;

	link->waker = own_memory(sizeof(*link->waker));
	if (!link->waker) {
		team_fail(self, -ENOMEM);
		return;
	}
	if (team_gate(self)) {
		plan_arrivals(link, self->team);
		(void)await_worker(link, self->team);
	}
	atomic_store(&link->ending, true);
	channel_send(&link->wake);
}

/* Everything after the worker's stamp. */
static void record_wake(struct link *link, struct observer *observer, uint64_t running_ns,
			bool slept, uint64_t measure_ns)
{
	struct worker_record *record = link->worker;
	struct wake_event event = {
		.latency_ns = running_ns - link->issued_ns,
		.slept = slept,
		.sleep_is_known = link->wake.primitive == PRIMITIVE_FUTEX,
		.before = link->before,
	};
	int was_on = observer->cpu;
	enum wake_class class;
	enum distance chosen;

	event.from_same_cpu = link->waker_cpu == was_on;
	class = observer_classify(observer, &event);
	atomic_store_explicit(&link->worker_cpu, observer->cpu, memory_order_relaxed);
	if (link->intended_ns < measure_ns) {
		record->warmup++;
		return;
	}
	histogram_add(&record->response, running_ns - link->intended_ns);
	class_table_add(&record->classes, class, event.latency_ns);
	if (class != CLASS_NOT_SLEPT)
		histogram_add(&record->wake, event.latency_ns);
	chosen = layout_distance(link->session->layout, link->waker_cpu, observer->cpu);
	if (chosen < DISTANCE_COUNT)
		record->chosen[chosen]++;
}

static void serve(struct link *link, struct team *team)
{
	struct observer observer;
	bool is_over = false;

	observer_begin(&observer, link->session->attribution);
	atomic_store(&link->worker_cpu, observer.cpu);
	while (!is_over) {
		bool slept = channel_receive(&link->wake);
		uint64_t running = clock_ns();

		is_over = atomic_load_explicit(&link->ending, memory_order_acquire);
		/* A worker that was held until after the end has its last wake still to record: that
		 * is the one to be known. */
		if (is_over && atomic_load(&link->done))
			break;
		record_wake(link, &observer, running, slept, team->measure_ns);
		atomic_store(&link->done, 1);
		if (atomic_load(&link->waker_waits))
			futex_wake(&link->done, 1);
	}
	observer_end(&observer);
}

static void worker_body(struct member *self)
{
	struct link *link = self->arg;

	link->worker = own_memory(sizeof(*link->worker));
	if (!link->worker) {
		team_fail(self, -ENOMEM);
		return;
	}
	if (team_gate(self))
		serve(link, self->team);
}

/* The memory of one block. */
struct probe {
	struct link *links;
	struct member *members;
	unsigned int count; /* links */
};

static void ring_alarms(struct team *team)
{
	struct probe *probe = team->arg;

	for (unsigned int i = 0; i < probe->count; i++) {
		atomic_store(&probe->links[i].alarm, 1);
		futex_wake(&probe->links[i].alarm, 1);
	}
}

static void probe_done(struct probe *probe)
{
	for (unsigned int i = 0; probe->links && i < probe->count; i++) {
		own_memory_free(probe->links[i].waker, sizeof(struct waker_record));
		own_memory_free(probe->links[i].worker, sizeof(struct worker_record));
		channel_close(&probe->links[i].wake);
	}
	free(probe->links);
	free(probe->members);
	*probe = (struct probe) { 0 };
}

static int open_link(struct link *link, struct session *session, const struct measurement *m,
		     unsigned int i)
{
	memset(link, 0, sizeof(*link));
	link->session = session;
	link->cpus = m->pairs[i];
	link->idle_ns = m->cell.idle_ns;
	link->random = random_seeded(random_u64(&session->random));
	atomic_store(&link->done, 1);
	return channel_open(&link->wake, m->cell.primitive);
}

static int probe_make(struct session *session, const struct measurement *m, struct probe *probe,
		      struct team *team)
{
	unsigned int n = m->pair_count, spinners = load_members(&m->cell, n);

	probe->members = calloc(2 * n + spinners, sizeof(*probe->members));
	probe->links = aligned_alloc(LINE_SIZE, n * sizeof(*probe->links));
	if (!probe->links || !probe->members)
		return -ENOMEM;
	for (; probe->count < n; probe->count++) {
		struct link *link = &probe->links[probe->count];
		struct member *pair = &probe->members[2 * probe->count];
		int r = open_link(link, session, m, probe->count);

		if (r < 0)
			return r;
		pair[0] = (struct member) { .body = waker_body,
					    .arg = link,
					    .name = "waker",
					    .cpu = link->cpus.waker,
					    .ends_itself = true };
		pair[1] = (struct member) { .body = worker_body,
					    .arg = link,
					    .name = "worker",
					    .cpu = link->cpus.worker,
					    .ends_itself = true };
	}
	load_fill(&probe->members[2 * n], &m->cell, m->pairs, n);
	*team = (struct team) {
		.member = probe->members,
		.count = 2 * n + spinners,
		.fifo = session->config->fifo,
		.wake_all = ring_alarms,
		.finish_ns = BACKLOG_NS + PATIENCE_NS,
		.arg = probe,
	};
	return 0;
}

static int collect_waker(const struct waker_record *record, struct measurement *m,
			 struct block *block)
{
	int r = distribution_add_histogram(&m->issue, &record->issue);

	block->planned += record->planned;
	block->unissued += record->unissued;
	m->gap_sum += record->gap_sum;
	m->gap_squares += record->gap_squares;
	m->gaps += record->gaps;
	return r < 0 ? r : distribution_add_histogram(&m->late, &record->late);
}

static int collect_worker(const struct worker_record *record, struct measurement *m,
			  struct block *block, struct class_table *classes)
{
	int r = distribution_add_histogram(&block->wake, &record->wake);

	block->warmup += record->warmup;
	for (unsigned int i = 0; i < DISTANCE_COUNT; i++)
		m->chosen[i] += record->chosen[i];
	class_table_merge(classes, &record->classes);
	return r < 0 ? r : distribution_add_histogram(&block->response, &record->response);
}

/* Without a per-wake account of the hypervisor, a block that was stolen from explains its slow
 * wakes: those of twice the median and more. */
static void judge_classes(const struct session *session, struct class_table *classes,
			  struct block *block)
{
	uint64_t median;

	if (session->attribution && !session->attribution->has_vpa &&
	    environment_is_stolen(&block->environment) &&
	    distribution_quantile(&block->wake, 0.5, &median))
		class_table_blame_steal(classes, 2 * median);
	for (unsigned int c = 0; c < CLASS_COUNT; c++)
		block->classes[c] = class_table_total(classes, (enum wake_class)c);
	block->has_classes = class_table_shares(classes, 0.01, block->slow);
}

static int probe_collect(const struct session *session, const struct probe *probe,
			 struct measurement *m, struct block *block)
{
	_cleanup_free_ struct class_table *classes = calloc(1, sizeof(*classes));

	if (!classes)
		return -ENOMEM;
	for (unsigned int i = 0; i < probe->count; i++) {
		int r = collect_waker(probe->links[i].waker, m, block);

		if (r == 0)
			r = collect_worker(probe->links[i].worker, m, block, classes);
		if (r < 0)
			return r;
	}
	block->done = block->response.count;
	judge_classes(session, classes, block);
	if (m->classes)
		class_table_merge(m->classes, classes);
	return 0;
}

static int wake_run(struct session *session, struct measurement *m, struct block *block)
{
	struct probe probe = { 0 };
	struct team team;
	int r = probe_make(session, m, &probe, &team);

	if (r == 0)
		r = session_play(session, &team, block);
	if (r == -ETIME)
		return r; /* a stuck thread may still use its memory */
	if (r == 0)
		r = probe_collect(session, &probe, m, block);
	probe_done(&probe);
	return r;
}

/* 20 us stay in the polling idle state of pseries (snooze), 200 us do not. */
static int wake_cells(const struct session *session, struct cell_list *list)
{
	static const uint64_t idle_ns[] = { 20 * NS_PER_US, 200 * NS_PER_US };

	for (unsigned int d = 0; d < DISTANCE_COUNT; d++) {
		struct cpu_pair pair;
		int r = layout_pairs(session->layout, (enum distance)d, 1, &pair);

		for (size_t i = 0; i < ARRAY_SIZE(idle_ns) && r > 0; i++) {
			struct cell cell = {
				.benchmark = &benchmark_wake,
				.distance = (enum distance)d,
				.idle_ns = idle_ns[i],
			};

			if (cell_list_add(list, &cell) < 0)
				return -ENOMEM;
		}
		if (r < 0)
			return r;
	}
	return 0;
}

const struct benchmark benchmark_wake = {
	.name = "wake",
	.id = "bench-wake",
	.summary = "wakeup latency at named distances and idle lengths",
	.about =
		"A waker sleeps to absolute times (Poisson arrivals) and wakes a worker that waits; "
		"pairs are pinned at a named distance, or left to the scheduler (free). \"wake\" is "
		"the time from the wake call to the worker running, \"response\" the time from when "
		"the wake was due. Pinned cells measure the path: IPI, hypervisor dispatch, idle "
		"exit, run queue. Only \"free\" measures where the scheduler puts a woken task.",
	.operation = "wake",
	.cells = wake_cells,
	.run = wake_run,
};
