/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file starts, gates and joins the threads of a block; what they do is the benchmark's. */
#include "bench/workload/team.h"

#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "bench/host/placement.h"
#include "bench/workload/futex.h"

#define STACK_SIZE (256 * 1024)	  /* above PTHREAD_STACK_MIN of every architecture */
#define GRACE_NS (10 * NS_PER_S)  /* to come back, when told to */
#define GATHER_NS (10 * NS_PER_S) /* a machine that is loaded twentyfold takes its time */

/* What a gate can be. It opens for all members or for none: of two that wait for each other, neither
 * may find it opened and the other find it cancelled, however late it comes there. */
enum gate { GATE_SHUT, GATE_OPEN, GATE_CANCELLED };

static int take_place(struct member *self)
{
	struct sched_param fifo = { .sched_priority = self->team->fifo };
	int r = self->cpu < 0 ? 0 : affinity_pin(self->cpu);

	if (r < 0)
		return r;
	/* The default of 50 us would be added to every timed sleep of an ordinary thread. */
	if (prctl(PR_SET_TIMERSLACK, 1UL, 0, 0, 0) < 0)
		return -errno;
	(void)prctl(PR_SET_NAME, self->name, 0, 0, 0);
	if (fifo.sched_priority && sched_setscheduler(0, SCHED_FIFO, &fifo) < 0)
		return -errno;
	return 0;
}

/* The words of a team may be waited for in another process: these futexes are not private. */
static void wait_word(_Atomic uint32_t *word, uint32_t value, uint64_t timeout_ns)
{
	struct timespec timeout = clock_timespec(timeout_ns);

	syscall(SYS_futex, word, FUTEX_WAIT, value, timeout_ns ? &timeout : NULL, NULL, 0);
}

static void wake_word(_Atomic uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static void arrive(struct team *team)
{
	atomic_fetch_add(&team->arrived, 1);
	wake_word(&team->arrived);
}

static void *run_member(void *arg)
{
	struct member *self = arg;
	int r = take_place(self);

	if (r < 0)
		team_fail(self, r);
	else
		self->body(self);
	return NULL;
}

void team_fail(struct member *self, int error)
{
	self->error = error;
	arrive(self->team);
}

bool team_gate(struct member *self)
{
	struct team *team = self->team;

	arrive(team);
	while (atomic_load(&team->gate) == GATE_SHUT)
		wait_word(&team->gate, GATE_SHUT, 0);
	return atomic_load(&team->gate) == GATE_OPEN;
}

/* A child ends with its parent, whatever ends that. */
static void run_child(struct member *member, pid_t parent)
{
	if (prctl(PR_SET_PDEATHSIG, (unsigned long)SIGKILL, 0, 0, 0) == 0 && getppid() == parent)
		run_member(member);
	_exit(0);
}

static int start_child(struct member *member)
{
	pid_t parent = getpid();

	member->pid = fork();
	if (member->pid < 0)
		return -errno;
	if (member->pid == 0)
		run_child(member, parent);
	member->is_running = true;
	return 0;
}

static int start_thread(struct member *member, const pthread_attr_t *attr)
{
	int r = pthread_create(&member->thread, attr, run_member, member);

	member->is_running = r == 0;
	return -r;
}

static int start_members(struct team *team)
{
	pthread_attr_t attr;
	int r = pthread_attr_init(&attr);

	if (r)
		return -r;
	r = pthread_attr_setstacksize(&attr, STACK_SIZE);
	for (unsigned int i = 0; i < team->count && r == 0; i++) {
		team->member[i].team = team;
		r = team->processes ? start_child(&team->member[i])
				    : start_thread(&team->member[i], &attr);
	}
	pthread_attr_destroy(&attr);
	return r;
}

/* Waits until everybody has arrived: in time (else -ETIMEDOUT), and able. */
static int await_members(struct team *team)
{
	uint64_t until = clock_ns() + GATHER_NS;
	uint32_t arrived;

	while ((arrived = atomic_load(&team->arrived)) < team->count) {
		wait_word(&team->arrived, arrived, GATHER_NS);
		if (clock_ns() >= until)
			return -ETIMEDOUT;
	}
	for (unsigned int i = 0; i < team->count; i++)
		if (team->member[i].error)
			return team->member[i].error;
	return 0;
}

int team_gather(struct team *team)
{
	int r;

	atomic_store(&team->arrived, 0);
	atomic_store(&team->gate, GATE_SHUT);
	atomic_store(&team->stopped, 0);
	r = start_members(team);
	if (r == 0)
		r = await_members(team);
	if (r < 0 && team_disband(team) < 0)
		return -ETIME;
	return r;
}

/* The first word holds: a gate that was opened cannot be cancelled. */
static void set_gate(struct team *team, enum gate gate)
{
	uint32_t shut = GATE_SHUT;

	if (atomic_compare_exchange_strong(&team->gate, &shut, (uint32_t)gate))
		wake_word(&team->gate);
}

void team_go(struct team *team, uint64_t lead_ns, uint64_t duration_ns)
{
	team->start_ns = clock_ns();
	team->measure_ns = team->start_ns + lead_ns;
	team->end_ns = team->measure_ns + duration_ns;
	set_gate(team, GATE_OPEN);
}

static struct timespec realtime_in(uint64_t ns)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return clock_timespec((uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec + ns);
}

static bool join_child(struct member *member, uint64_t until_ns)
{
	const struct timespec pause = { .tv_nsec = NS_PER_MS };

	while (waitpid(member->pid, NULL, WNOHANG) == 0) {
		if (clock_ns() >= until_ns)
			return false;
		nanosleep(&pause, NULL);
	}
	return true;
}

/* The library waits by a clock that somebody may set; ours decides. */
static bool join_thread(struct member *member, uint64_t until_ns)
{
	for (;;) {
		uint64_t now = clock_ns(), left = now < until_ns ? until_ns - now : 0;
		struct timespec until = realtime_in(left < NS_PER_S ? left : NS_PER_S);

		if (pthread_timedjoin_np(member->thread, NULL, &until) == 0)
			return true;
		if (!left)
			return false;
	}
}

static bool join(struct member *member, uint64_t until_ns)
{
	if (!member->is_running)
		return true;
	if (member->team->processes ? join_child(member, until_ns) : join_thread(member, until_ns))
		member->is_running = false;
	return !member->is_running;
}

/* A child that does not come back can be ended, a thread cannot. */
static bool end_member(struct member *member)
{
	if (!member->team->processes)
		return false;
	(void)kill(member->pid, SIGKILL);
	member->is_running = waitpid(member->pid, NULL, 0) < 0;
	return !member->is_running;
}

void team_finish(struct team *team)
{
	uint64_t until_ns = clock_ns() + team->finish_ns;

	for (unsigned int i = 0; i < team->count; i++)
		if (team->member[i].ends_itself && !join(&team->member[i], until_ns))
			return;
}

int team_disband(struct team *team)
{
	uint64_t until_ns = clock_ns() + GRACE_NS;
	int result = 0;

	atomic_store(&team->stopped, 1);
	set_gate(team, GATE_CANCELLED);
	if (team->wake_all)
		team->wake_all(team);
	for (unsigned int i = 0; i < team->count; i++)
		if (!join(&team->member[i], until_ns) && !end_member(&team->member[i]))
			result = -ETIME;
	return result;
}
