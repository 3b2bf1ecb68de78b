/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file holds bench/team to its gate: all members pass or none, however late one of them comes. */
#include "bench/workload/team.h"

#include <errno.h>
#include <signal.h>

#include "bench/workload/futex.h"
#include "unit.h"

#define LATE_NS (200 * NS_PER_MS)

enum { PENDING, PASSED, TURNED_AWAY };

struct guest {
	_Atomic int outcome;
	int fail;
};

static void sleep_ns(uint64_t ns)
{
	struct timespec t = clock_timespec(ns);

	nanosleep(&t, NULL);
}

/* Runs in a member that stands at the gate: it will look late. */
static void on_hold(int signal)
{
	(void)signal;
	sleep_ns(LATE_NS);
}

static void guest_body(struct member *self)
{
	struct guest *guest = self->arg;

	if (guest->fail) {
		team_fail(self, guest->fail);
		return;
	}
	guest->outcome = team_gate(self) ? PASSED : TURNED_AWAY;
}

static void make_team(struct team *team, struct member *members, struct guest *guests)
{
	for (unsigned int i = 0; i < 2; i++) {
		guests[i].outcome = PENDING;
		members[i] = (struct member) { .body = guest_body,
					       .arg = &guests[i],
					       .name = "guest",
					       .cpu = -1,
					       .ends_itself = true };
	}
	*team = (struct team) { .member = members, .count = 2, .finish_ns = NS_PER_MS };
}

static void check_late(void)
{
	struct guest guests[2] = { 0 };
	struct member members[2];
	struct team team;

	make_team(&team, members, guests);
	if (!CHECK(team_gather(&team) == 0))
		return;
	CHECK(pthread_kill(members[1].thread, SIGUSR1) == 0);
	sleep_ns(20 * NS_PER_MS);
	team_go(&team, 0, NS_PER_MS);
	team_finish(&team);
	CHECK(guests[1].outcome == PENDING); /* it is late indeed */
	CHECK(team_disband(&team) == 0);
	CHECK(guests[0].outcome == PASSED && guests[1].outcome == PASSED);
}

static void check_cancelled(void)
{
	struct guest guests[2] = { 0 };
	struct member members[2];
	struct team team;

	make_team(&team, members, guests);
	CHECK(team_gather(&team) == 0);
	CHECK(team_disband(&team) == 0);
	CHECK(guests[0].outcome == TURNED_AWAY && guests[1].outcome == TURNED_AWAY);
	CHECK(team_is_stopped(&team));
}

/* One that cannot: its error, and the others are gone. */
static void check_failure(void)
{
	struct guest guests[2] = { 0 };
	struct member members[2];
	struct team team;

	make_team(&team, members, guests);
	guests[0].fail = -EPERM;
	CHECK(team_gather(&team) == -EPERM);
	CHECK(guests[1].outcome == TURNED_AWAY);
	CHECK(!members[0].is_running && !members[1].is_running);
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_hold, .sa_flags = SA_RESTART };

	sigaction(SIGUSR1, &action, NULL);
	check_late();
	check_cancelled();
	check_failure();
	return unit_done();
}
