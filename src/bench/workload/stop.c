/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file turns signals into an answer to "shall we go on?"; it installs no handler. */
#include "bench/workload/stop.h"

#include "bench/workload/futex.h"

/* nohup(1) has asked that it be. */
static bool is_ignored(int signal)
{
	struct sigaction action;

	return sigaction(signal, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

void stop_begin(struct stop *stop)
{
	sigset_t held;

	*stop = (struct stop) { 0 };
	sigemptyset(&stop->watched);
	sigaddset(&stop->watched, SIGINT);
	sigaddset(&stop->watched, SIGTERM);
	if (!is_ignored(SIGHUP))
		sigaddset(&stop->watched, SIGHUP);
	/* A message that nobody reads any more must not end halfway what a trial has begun. */
	held = stop->watched;
	sigaddset(&held, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &held, &stop->before);
}

void stop_end(struct stop *stop)
{
	const struct timespec none = { 0 };

	/* A second Ctrl-C while the block ended must not kill the output of the first. */
	if (stop->requested)
		while (sigtimedwait(&stop->watched, NULL, &none) > 0)
			;
	pthread_sigmask(SIG_SETMASK, &stop->before, NULL);
}

bool stop_wait_until(struct stop *stop, uint64_t until_ns)
{
	while (!stop->requested) {
		uint64_t now = clock_ns();
		struct timespec left = clock_timespec(until_ns > now ? until_ns - now : 0);

		if (sigtimedwait(&stop->watched, NULL, &left) > 0)
			stop->requested = true;
		else if (errno == EAGAIN)
			break;
	}
	return stop->requested;
}
