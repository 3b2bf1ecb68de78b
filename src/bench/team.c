/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file starts, gates and joins the threads of a block; what they do is the benchmark's. */
#include "bench/team.h"

#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "bench/futex.h"
#include "bench/placement.h"

#define STACK_SIZE (256 * 1024) /* above PTHREAD_STACK_MIN of every architecture */
#define GATHER_NS (2 * NS_PER_S)

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
	while (!atomic_load(&team->open))
		wait_word(&team->open, 0, 0);
	return !team_is_stopped(team);
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

/* Waits until everybody has arrived: in time, and able. */
static int await_members(struct team *team)
{
	uint64_t until = clock_ns() + GATHER_NS;
	uint32_t arrived;

	while ((arrived = atomic_load(&team->arrived)) < team->count) {
		wait_word(&team->arrived, arrived, GATHER_NS);
		if (clock_ns() >= until)
			return -ETIME;
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
	atomic_store(&team->open, 0);
	atomic_store(&team->stopped, 0);
	r = start_members(team);
	if (r == 0)
		r = await_members(team);
	if (r < 0 && team_disband(team, NS_PER_S) < 0)
		return -ETIME;
	return r;
}

static void open_gate(struct team *team)
{
	atomic_store(&team->open, 1);
	wake_word(&team->open);
}

void team_go(struct team *team, uint64_t lead_ns, uint64_t duration_ns)
{
	team->start_ns = clock_ns();
	team->measure_ns = team->start_ns + lead_ns;
	team->end_ns = team->measure_ns + duration_ns;
	open_gate(team);
}

static struct timespec realtime_in(uint64_t ns)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return clock_timespec((uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec + ns);
}

static bool join_child(struct member *member, const struct timespec *until)
{
	const struct timespec pause = { .tv_nsec = NS_PER_MS };
	struct timespec now;

	while (waitpid(member->pid, NULL, WNOHANG) == 0) {
		clock_gettime(CLOCK_REALTIME, &now);
		if (now.tv_sec > until->tv_sec ||
		    (now.tv_sec == until->tv_sec && now.tv_nsec > until->tv_nsec))
			return false;
		nanosleep(&pause, NULL);
	}
	return true;
}

static bool join(struct member *member, const struct timespec *until)
{
	if (!member->is_running)
		return true;
	if (member->team->processes ? join_child(member, until)
				    : pthread_timedjoin_np(member->thread, NULL, until) == 0)
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
	struct timespec until = realtime_in(team->finish_ns);

	for (unsigned int i = 0; i < team->count; i++)
		if (team->member[i].ends_itself && !join(&team->member[i], &until))
			return;
}

int team_disband(struct team *team, uint64_t grace_ns)
{
	struct timespec until = realtime_in(grace_ns);
	int result = 0;

	atomic_store(&team->stopped, 1);
	open_gate(team);
	if (team->wake_all)
		team->wake_all(team);
	for (unsigned int i = 0; i < team->count; i++)
		if (!join(&team->member[i], &until) && !end_member(&team->member[i]))
			result = -ETIME;
	return result;
}
