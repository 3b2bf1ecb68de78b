/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stopping a measurement early: SIGINT, SIGTERM and SIGHUP are held in every thread and taken only
 * where the main thread waits, so that no system call of a measurement is ever interrupted. SIGPIPE is
 * held until the end.
 */
#ifndef LPARTUNE_BENCH_STOP_H
#define LPARTUNE_BENCH_STOP_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct stop {
	sigset_t watched, before;
	bool requested; /* stays true */
};

/* Call before any thread is started. */
void stop_begin(struct stop *stop);
/* The signals have their former effect again. */
void stop_end(struct stop *stop);

/* Waits until an instant of CLOCK_MONOTONIC; true if a stop was requested, now or before. */
bool stop_wait_until(struct stop *stop, uint64_t until_ns);

#endif
