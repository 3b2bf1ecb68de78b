/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * This file is the hypervisor of a lab guest: it makes its partition dedicated at boot and carries
 * out the script of what happens to its virtual processors. Rule: stdout gets one JSON line for
 * all that was really done, with the guest's timebase of the moment it was done.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

#include "base/parse.h"
#include "guest.h"
#include "hold.h"
#include "qemu.h"
#include "steps.h"

#define TURN_MS 5 /* how often a dedicated guest's CPUs are looked after while nothing is due */

struct hypervisor {
	struct guest guest;
	struct steps steps;
	struct timebase timebase;
	struct hold hold;
	struct guest_waiting *totals; /* for each CPU, in this part */
	pid_t qemu;
	int control, qmp;
	bool dedicated;
};

struct options {
	const char *pid, *cpus, *symbols, *steps, *control, *qmp, *stub;
};

static int complain(int r, const char *what)
{
	if (r < 0)
		fprintf(stderr, "hypervisor: %s: %s\n", what, strerror(-r));
	return r;
}

static uint64_t guest_now(const struct hypervisor *h)
{
	return timebase_at(&h->timebase, monotonic_now_ns());
}

static void report(const char *event, unsigned int part, uint64_t tb)
{
	printf("{\"event\":\"%s\",\"part\":%u,\"tb\":%" PRIu64 "}\n", event, part, tb);
}

static void report_waiting(const char *event, unsigned int part, uint64_t tb, int cpu,
			   const struct guest_waiting *w)
{
	printf("{\"event\":\"%s\",\"part\":%u,\"tb\":%" PRIu64 ",\"cpu\":%d,"
	       "\"dispatch_ticks\":%" PRIu64 ",\"entitlement_ticks\":%" PRIu64
	       ",\"dispersions\":%" PRIu32 "}\n",
	       event, part, tb, cpu, w->dispatch_ticks, w->entitlement_ticks, w->dispersions);
}

static void add_to_total(struct guest_waiting *total, const struct guest_waiting *w)
{
	total->dispatch_ticks += w->dispatch_ticks;
	total->entitlement_ticks += w->entitlement_ticks;
	total->dispersions += w->dispersions;
}

static int do_write(struct hypervisor *h, const struct step *step)
{
	idset_for_each (cpu, &step->cpus) {
		uint8_t *lppaca = guest_lppaca(&h->guest, (unsigned int)cpu);

		if (!lppaca)
			return complain(-ENXIO, "no lppaca for a CPU of a step");
		guest_add_waiting(lppaca, &step->waiting);
		report_waiting("write", step->part, guest_now(h), cpu, &step->waiting);
		add_to_total(&h->totals[cpu], &step->waiting);
	}
	return 0;
}

/* Stores what each held virtual processor waited, before the host CPU is given back. */
static uint64_t account_burst(struct hypervisor *h, const struct hold_wait *waits)
{
	uint64_t end_ns = monotonic_now_ns();

	for (unsigned int cpu = 0; cpu < h->guest.cpus; cpu++) {
		struct guest_waiting w = { 0 };
		uint8_t *lppaca = waits[cpu].since_ns ? guest_lppaca(&h->guest, cpu) : NULL;

		if (!lppaca)
			continue;
		w.dispatch_ticks = timebase_ticks(end_ns - waits[cpu].since_ns);
		guest_add_waiting(lppaca, &w);
		add_to_total(&h->totals[cpu], &w);
	}
	return end_ns;
}

static void report_burst(const struct hypervisor *h, const struct step *step,
			 const struct hold_wait *waits, uint64_t start_ns, uint64_t end_ns)
{
	idset_for_each (cpu, &step->cpus) {
		uint64_t since = waits[cpu].since_ns;

		printf("{\"event\":\"burst\",\"part\":%u,\"cpu\":%d,\"start_tb\":%" PRIu64
		       ",\"ready_tb\":",
		       step->part, cpu, timebase_at(&h->timebase, start_ns));
		if (since)
			printf("%" PRIu64, timebase_at(&h->timebase, since));
		else
			printf("null");
		printf(",\"end_tb\":%" PRIu64 ",\"dispatch_ticks\":%" PRIu64 "}\n",
		       timebase_at(&h->timebase, end_ns),
		       since ? timebase_ticks(end_ns - since) : 0);
	}
}

static int do_hold(struct hypervisor *h, const struct step *step)
{
	_cleanup_free_ struct hold_wait *waits = calloc(h->guest.cpus, sizeof(*waits));
	uint64_t start_ns = 0, end_ns;
	int r;

	if (!waits)
		return -ENOMEM;
	r = hold_burst(&h->hold, step->length_ns, waits, &start_ns);
	if (r < 0)
		return complain(r, "cannot take a host CPU (SCHED_FIFO needs CAP_SYS_NICE)");
	end_ns = account_burst(h, waits);
	r = hold_release(&h->hold);
	if (r < 0)
		return complain(r, "cannot give the host CPU back");
	report_burst(h, step, waits, start_ns, end_ns);
	return 0;
}

static bool guest_runs(const struct hypervisor *h)
{
	return kill(h->qemu, 0) == 0;
}

/* One idle turn of at most `limit_ns`: CPUs that came online got the shared bit from QEMU again. */
static void turn(const struct hypervisor *h, uint64_t limit_ns)
{
	struct timespec nap = { 0, TURN_MS * 1000000L };

	if (limit_ns < TURN_MS * 1000000ULL)
		nap.tv_nsec = (long)limit_ns;
	(void)nanosleep(&nap, NULL);
	if (h->dedicated)
		(void)guest_clear_shared(&h->guest);
}

static int wait_until(const struct hypervisor *h, uint64_t due_ns)
{
	for (uint64_t now; (now = monotonic_now_ns()) < due_ns;) {
		if (!guest_runs(h))
			return complain(-ESRCH, "the guest ended before its script");
		turn(h, due_ns - now);
	}
	return 0;
}

/* The step of a part that is due next, given how often each was done; NULL when all are done. */
static const struct step *next_step(const struct steps *steps, unsigned int part,
				    const uint64_t *done, uint64_t *ret_due_ns)
{
	const struct step *next = NULL;
	uint64_t earliest = UINT64_MAX;

	for (size_t i = 0; i < steps->count; i++) {
		const struct step *step = &steps->list[i];
		uint64_t due = step->at_ns + done[i] * step->every_ns;

		if (step->part != part || done[i] == step->times || due >= earliest)
			continue;
		earliest = due;
		next = step;
	}
	*ret_due_ns = earliest;
	return next;
}

static int run_part(struct hypervisor *h, unsigned int part)
{
	_cleanup_free_ uint64_t *done = calloc(h->steps.count, sizeof(*done));
	uint64_t start_ns = monotonic_now_ns(), due_ns;
	const struct step *step;

	if (!done)
		return -ENOMEM;
	memset(h->totals, 0, h->guest.cpus * sizeof(*h->totals));
	report("start", part, guest_now(h));
	while ((step = next_step(&h->steps, part, done, &due_ns))) {
		int r = wait_until(h, start_ns + due_ns);

		if (r >= 0)
			r = step->verb == STEP_WRITE ? do_write(h, step) : do_hold(h, step);
		if (r < 0)
			return r;
		done[step - h->steps.list]++;
	}
	for (unsigned int cpu = 0; cpu < h->guest.cpus; cpu++)
		report_waiting("total", part, guest_now(h), (int)cpu, &h->totals[cpu]);
	report("end", part, guest_now(h));
	return 0;
}

/* Waits for the guest's "go" line; 0 if it came, -ESRCH if the guest ended. */
static int wait_for_start(const struct hypervisor *h)
{
	struct pollfd wait = { .fd = h->control, .events = POLLIN };
	char c = 0;

	while (guest_runs(h)) {
		if (poll(&wait, 1, 0) > 0) {
			if (read(h->control, &c, 1) != 1)
				return -ESRCH;
			if (c == '\n')
				return 0;
			continue;
		}
		turn(h, UINT64_MAX);
	}
	return -ESRCH;
}

static int answer(const struct hypervisor *h, const char *line)
{
	return write(h->control, line, strlen(line)) == (ssize_t)strlen(line) ? 0 : -EPIPE;
}

/* Learned at the first start, when the guest surely runs, and right until it ends. */
static int learn(struct hypervisor *h)
{
	_cleanup_idset_ struct idset held = { 0 };
	_cleanup_free_ pid_t *threads = calloc(h->guest.cpus, sizeof(*threads));
	int r = threads ? qemu_greet(h->qmp) : -ENOMEM;

	if (r >= 0)
		r = qemu_timebase(h->qmp, &h->timebase);
	if (r >= 0)
		r = qemu_cpu_threads(h->qmp, h->guest.cpus, threads);
	if (r < 0)
		return complain(r, "QEMU's monitor");
	printf("{\"event\":\"timebase\",\"hz\":%llu,\"error_ticks\":%" PRIu64 "}\n",
	       GUEST_TIMEBASE_HZ, h->timebase.error_ticks);
	for (size_t i = 0; i < h->steps.count; i++)
		if (h->steps.list[i].verb == STEP_HOLD)
			idset_for_each (cpu, &h->steps.list[i].cpus)
				if ((r = idset_add(&held, (unsigned int)cpu)) < 0)
					return r;
	if (idset_count(&held) > 0)
		r = hold_prepare(&h->hold, h->qemu, h->guest.cpus, threads, &held);
	return complain(r, "cannot pin the guest's threads (holding needs two host CPUs)");
}

static int run_script(struct hypervisor *h)
{
	for (unsigned int part = 0; part < h->steps.parts; part++) {
		int r = wait_for_start(h);

		if (r < 0)
			return complain(r, "the guest never started a part of the script");
		if (part == 0)
			r = learn(h);
		if (r >= 0)
			r = answer(h, "started\n");
		if (r >= 0)
			r = run_part(h, part);
		if (r >= 0)
			r = answer(h, "done\n");
		(void)fflush(stdout);
		if (r < 0)
			return r;
	}
	return 0;
}

static int read_steps(struct hypervisor *h, const char *path)
{
	unsigned int line = 0;
	int r = steps_read(path, &h->steps, &line);

	if (r < 0)
		fprintf(stderr, "hypervisor: '%s', line %u: %s\n", path, line, strerror(-r));
	for (size_t i = 0; r >= 0 && i < h->steps.count; i++)
		if (idset_next(&h->steps.list[i].cpus, h->guest.cpus) >= 0)
			r = complain(-ERANGE, "a step names a CPU that the guest lacks");
	return r;
}

/* Opens all that the options name. */
static int set_up(struct hypervisor *h, const struct options *options)
{
	int r = guest_read_symbols(&h->guest, options->symbols);

	if (r < 0)
		return complain(r, options->symbols);
	h->totals = calloc(h->guest.cpus, sizeof(*h->totals));
	if (!h->totals)
		return -ENOMEM;
	if (!options->steps)
		return 0;
	r = read_steps(h, options->steps);
	if (r < 0)
		return r;
	h->control = qemu_connect(options->control);
	h->qmp = qemu_connect(options->qmp);
	if (h->control < 0 || h->qmp < 0)
		return complain(h->control < 0 ? h->control : h->qmp, "cannot reach QEMU");
	return 0;
}

static int run(struct hypervisor *h, const struct options *options)
{
	int r = set_up(h, options);

	if (r >= 0 && options->stub) {
		h->dedicated = true;
		r = complain(qemu_boot_dedicated(options->stub, &h->guest),
			     "cannot clear the shared-processor bit at boot");
	}
	if (r >= 0 && options->steps)
		r = run_script(h);
	while (r >= 0 && h->dedicated && guest_runs(h))
		turn(h, UINT64_MAX);
	return r;
}

static const char **option_value(struct options *options, const char *name)
{
	const struct {
		const char *name, **value;
	} known[] = {
		{ "--pid", &options->pid },	    { "--cpus", &options->cpus },
		{ "--symbols", &options->symbols }, { "--steps", &options->steps },
		{ "--control", &options->control }, { "--qmp", &options->qmp },
		{ "--dedicated", &options->stub },
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (streq(known[i].name, name))
			return known[i].value;
	return NULL;
}

/* All options have a value; `vm` gives them, so no more is said of wrong ones than that. */
static int parse_options(char **argv, struct hypervisor *h, struct options *ret)
{
	uint64_t pid = 0, cpus = 0;

	for (char **word = argv + 1; word[0] && word[1]; word += 2) {
		const char **value = option_value(ret, word[0]);
		int r = 0;

		if (value)
			*value = word[1];
		else
			r = streq(word[0], "--ram") ? guest_map(&h->guest, word[1]) : -EINVAL;
		if (r < 0)
			return complain(r, word[1]);
	}
	if (!ret->pid || parse_u64(span_of(ret->pid), &pid) < 0 || pid > INT32_MAX || !ret->cpus ||
	    parse_u64(span_of(ret->cpus), &cpus) < 0 || cpus == 0 || cpus > IDSET_MAX ||
	    h->guest.node_count == 0 || !ret->symbols ||
	    (ret->steps && (!ret->control || !ret->qmp)))
		return complain(-EINVAL, "incomplete options");
	h->qemu = (pid_t)pid;
	h->guest.cpus = (unsigned int)cpus;
	return 0;
}

int main(int argc _unused_, char **argv)
{
	struct hypervisor h = { .control = -1, .qmp = -1 };
	struct options options = { 0 };
	int r = parse_options(argv, &h, &options);

	if (r >= 0)
		r = run(&h, &options);
	hold_done(&h.hold);
	steps_done(&h.steps);
	guest_unmap(&h.guest);
	free(h.totals);
	if (h.control >= 0)
		(void)close(h.control);
	if (h.qmp >= 0)
		(void)close(h.qmp);
	return r < 0 || fflush(stdout) != 0 ? 1 : 0;
}
