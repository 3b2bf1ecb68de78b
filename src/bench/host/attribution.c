/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file reads the sources of a wake's reason and names its class; nothing here is timed. */
#include "bench/host/attribution.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <sys/resource.h>

#include "base/parse.h"
#include "machine/source/lppaca.h"

static const char *const words[CLASS_COUNT] = {
	[CLASS_NOT_SLEPT] = "not_slept", [CLASS_MIGRATED] = "migrated",
	[CLASS_PREEMPTED] = "preempted", [CLASS_HYPERVISOR] = "hypervisor",
	[CLASS_RUN_QUEUE] = "run_queue", [CLASS_IDLE_EXIT] = "idle_exit",
	[CLASS_OTHER] = "other",
};

const char *wake_class_word(enum wake_class class)
{
	return words[class];
}

struct vcpu_account attribution_read_vcpu(const struct attribution *a, int cpu)
{
	uint8_t raw[LPPACA_SIZE];
	struct lppaca lppaca;

	if (!a || !a->has_vpa || cpu < 0 || (unsigned int)cpu >= a->layout->size || a->vpa[cpu] < 0)
		return (struct vcpu_account) { 0 };
	if (pread(a->vpa[cpu], raw, sizeof(raw), 0) != (ssize_t)sizeof(raw) ||
	    lppaca_parse(raw, sizeof(raw), &lppaca) < 0)
		return (struct vcpu_account) { 0 };
	return (struct vcpu_account) {
		.wait_ticks = lppaca_stolen_tb(&lppaca),
		.yield_count = lppaca.yield_count,
		.is_valid = true,
	};
}

/* The lppacas of all allowed CPUs need a descriptor each. */
static void raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &limit);
	}
}

static int *unopened(unsigned int n)
{
	int *fd = reallocarray(NULL, n + 1, sizeof(*fd));

	for (unsigned int i = 0; fd && i < n; i++)
		fd[i] = -1;
	return fd;
}

static void open_vpa(struct attribution *a, uint64_t timebase_hz)
{
	int error = 0;

	idset_for_each (cpu, &a->layout->allowed) {
		a->vpa[cpu] = root_open_fd(a->root, LPPACA_PATH, (unsigned int)cpu);
		if (a->vpa[cpu] < 0)
			error = -a->vpa[cpu];
	}
	a->vpa_reason = error ? reason_of_errno(error) : REASON_INVALID;
	if (error == ENOENT && root_exists(a->root, "proc/ppc64") == -ENOENT)
		a->vpa_reason = REASON_NOT_APPLICABLE; /* another architecture */
	if (error || !timebase_hz)
		return;
	a->tick_ns = 1e9 / (double)timebase_hz;
	a->has_vpa = true;
	a->has_vpa = attribution_read_vcpu(a, idset_next(&a->layout->allowed, 0)).is_valid;
}

int attribution_open(struct root *root, const struct layout *layout, uint64_t timebase_hz,
		     struct attribution *ret)
{
	struct attribution a = {
		.root = root,
		.layout = layout,
		.vpa = unopened(layout->size),
	};
	int fd;

	if (!a.vpa)
		return -ENOMEM;
	raise_file_limit();
	open_vpa(&a, timebase_hz);
	fd = root_open_fd(root, "proc/thread-self/schedstat");
	a.has_schedstat = fd >= 0;
	a.schedstat_reason = fd < 0 ? reason_of_errno(-fd) : REASON_MISSING;
	if (fd >= 0)
		(void)close(fd);
	*ret = a;
	return 0;
}

static void close_all(int *fd, unsigned int n)
{
	for (unsigned int i = 0; fd && i < n; i++)
		if (fd[i] >= 0)
			(void)close(fd[i]);
	free(fd);
}

void attribution_close(struct attribution *a)
{
	if (!a->layout)
		return;
	close_all(a->vpa, a->layout->size);
	*a = (struct attribution) { 0 };
}

/* "run time, run delay, runs": the scheduler's account of this thread, in ns. */
static bool read_schedstat(const struct observer *o, uint64_t *delay_ns, uint64_t *runs)
{
	char text[96];
	ssize_t n;
	struct span rest, word[3];

	if (o->schedstat_fd < 0)
		return false;
	n = pread(o->schedstat_fd, text, sizeof(text), 0);
	if (n <= 0)
		return false;
	rest = (struct span) { text, (size_t)n };
	return span_word(&rest, &word[0]) && span_word(&rest, &word[1]) &&
	       span_word(&rest, &word[2]) && parse_u64(word[1], delay_ns) == 0 &&
	       parse_u64(word[2], runs) == 0;
}

void observer_begin(struct observer *o, const struct attribution *a)
{
	*o = (struct observer) { .attribution = a, .schedstat_fd = -1, .cpu = sched_getcpu() };
	if (!a)
		return;
	if (a->has_schedstat)
		o->schedstat_fd = root_open_fd(a->root, "proc/thread-self/schedstat");
	(void)read_schedstat(o, &o->run_delay_ns, &o->runs);
}

void observer_end(struct observer *o)
{
	cleanup_close(&o->schedstat_fd);
}

/* What the sources said of one wake. */
struct reading {
	bool migrated, idle_exit;
	uint64_t hypervisor_ns, run_delay_ns;
	uint64_t runs; /* times that it was put on a CPU; 0: not known */
	bool runs_known;
};

static void observe_scheduler(struct observer *o, struct reading *r)
{
	uint64_t delay = 0, runs = 0;

	r->runs_known = read_schedstat(o, &delay, &runs);
	if (!r->runs_known)
		return;
	r->run_delay_ns = delay - o->run_delay_ns;
	r->runs = runs - o->runs;
	o->run_delay_ns = delay;
	o->runs = runs;
}

static void observe_vcpu(struct observer *o, const struct wake_event *e, int cpu, struct reading *r)
{
	struct vcpu_account now;

	if (e->before.is_valid && !r->migrated) {
		now = attribution_read_vcpu(o->attribution, cpu);
		if (!now.is_valid || now.wait_ticks < e->before.wait_ticks)
			return;
		r->hypervisor_ns = (uint64_t)((double)(now.wait_ticks - e->before.wait_ticks) *
					      o->attribution->tick_ns);
		r->idle_exit = now.yield_count != e->before.yield_count;
	} else {
		/* A wake from another CPU queues the task on the target: at once if that is busy, by the
		 * target itself once it has left idle (ttwu_queue_wakelist). Time that passed before the
		 * run queue was the CPU's way out of idle. */
		r->idle_exit = r->runs_known && !r->migrated && !e->from_same_cpu;
	}
}

enum wake_class observer_classify(struct observer *o, const struct wake_event *e)
{
	struct reading r = { 0 };
	int cpu = sched_getcpu();
	bool slept = e->slept;

	r.migrated = cpu != o->cpu;
	o->cpu = cpu;
	if (!o->attribution)
		return slept || !e->sleep_is_known ? CLASS_OTHER : CLASS_NOT_SLEPT;
	observe_scheduler(o, &r);
	observe_vcpu(o, e, cpu, &r);
	if (!e->sleep_is_known)
		slept = !r.runs_known || r.runs > 0;
	if (!slept)
		return CLASS_NOT_SLEPT;
	if (r.migrated)
		return CLASS_MIGRATED;
	if (r.runs > 1 && 2 * r.run_delay_ns >= e->latency_ns)
		return CLASS_PREEMPTED;
	if (2 * r.hypervisor_ns >= e->latency_ns)
		return CLASS_HYPERVISOR;
	if (2 * r.run_delay_ns >= e->latency_ns)
		return CLASS_RUN_QUEUE;
	return r.idle_exit ? CLASS_IDLE_EXIT : CLASS_OTHER;
}

void class_table_merge(struct class_table *t, const struct class_table *other)
{
	for (unsigned int c = 0; c < CLASS_COUNT; c++)
		for (unsigned int i = 0; i < CLASS_STEPS; i++)
			t->count[c][i] += other->count[c][i];
}

void class_table_blame_steal(struct class_table *t, uint64_t floor_ns)
{
	for (unsigned int i = histogram_bucket(floor_ns) >> 4; i < CLASS_STEPS; i++) {
		t->count[CLASS_HYPERVISOR][i] += t->count[CLASS_OTHER][i];
		t->count[CLASS_OTHER][i] = 0;
	}
}

uint64_t class_table_total(const struct class_table *t, enum wake_class class)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < CLASS_STEPS; i++)
		sum += t->count[class][i];
	return sum;
}

bool class_table_shares(const struct class_table *t, double part, double ret[CLASS_COUNT])
{
	double all = 0, left, sum[CLASS_COUNT] = { 0 };

	for (unsigned int c = CLASS_NOT_SLEPT + 1; c < CLASS_COUNT; c++)
		all += (double)class_table_total(t, (enum wake_class)c);
	if (all == 0)
		return false;
	left = all * part;
	for (unsigned int i = CLASS_STEPS; i-- > 0 && left > 0;) {
		double step = 0, take;

		for (unsigned int c = CLASS_NOT_SLEPT + 1; c < CLASS_COUNT; c++)
			step += t->count[c][i];
		/* The step at the edge is taken in part, each class by its share of it. */
		take = step > left ? left / step : 1;
		for (unsigned int c = CLASS_NOT_SLEPT + 1; c < CLASS_COUNT; c++)
			sum[c] += t->count[c][i] * take;
		left -= step * take;
	}
	for (unsigned int c = 0; c < CLASS_COUNT; c++)
		ret[c] = sum[c] / (all * part);
	return true;
}
