/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file waits for the next interval, and for what may come in between: signals. */
#include <signal.h>
#include <sys/select.h>
#include <time.h>

#include "cmd/sample/sample.h"
#include "output/sample_live.h"

static volatile sig_atomic_t stop_signal, pause_asked, redraw_asked;
static struct sample_live *screen; /* NULL: none */
static sigset_t wait_mask;

static void on_stop(int number)
{
	stop_signal = number;
}

static void on_pause(int number)
{
	(void)number;
	pause_asked = 1;
}

static void on_redraw(int number)
{
	(void)number;
	redraw_asked = 1;
}

/* Ctrl-Z, another size, and going on after a stop that nobody announced. */
static void catch_screen_signals(sigset_t *blocked)
{
	static const int redraw_numbers[] = { SIGWINCH, SIGCONT };
	struct sigaction action = { .sa_handler = on_pause };

	sigaction(SIGTSTP, &action, NULL);
	sigaddset(blocked, SIGTSTP);
	action.sa_handler = on_redraw;
	for (size_t i = 0; i < ARRAY_SIZE(redraw_numbers); i++) {
		sigaction(redraw_numbers[i], &action, NULL);
		sigaddset(blocked, redraw_numbers[i]);
	}
}

/* Signals are blocked but while waiting, so that none is lost between a look and a wait. */
void sample_wait_begin(struct sample_live *live)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	struct sigaction action = { .sa_handler = on_stop }, old;
	sigset_t blocked;

	screen = live;
	sigemptyset(&blocked);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		sigaction(numbers[i], NULL, &old);
		if (old.sa_handler == SIG_IGN) /* nohup */
			continue;
		sigaction(numbers[i], &action, NULL);
		sigaddset(&blocked, numbers[i]);
	}
	if (live)
		catch_screen_signals(&blocked);
	sigprocmask(SIG_BLOCK, &blocked, &wait_mask);
}

bool sample_is_stopped(void)
{
	return stop_signal != 0;
}

uint64_t sample_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

/* The terminal is given back before the shell takes it. */
static void stop_for_a_while(void)
{
	pause_asked = 0;
	sample_live_pause(screen);
	raise(SIGSTOP);
	redraw_asked = 1;
}

bool sample_wait_until(uint64_t deadline_ns)
{
	do {
		uint64_t now = sample_now_ns(), left_ns = deadline_ns > now ? deadline_ns - now : 0;
		struct timespec left = { .tv_sec = (time_t)(left_ns / 1000000000),
					 .tv_nsec = (long)(left_ns % 1000000000) };

		pselect(0, NULL, NULL, NULL, &left, &wait_mask);
		if (pause_asked)
			stop_for_a_while();
		if (redraw_asked && screen) {
			redraw_asked = 0;
			(void)sample_live_redraw(screen); /* the next row tells of errors */
		}
	} while (!stop_signal && sample_now_ns() < deadline_ns);
	return !stop_signal;
}
