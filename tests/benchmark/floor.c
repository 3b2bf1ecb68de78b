// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * This file is the floor under lpartune bench: the barest wake and the barest ping-pong of two
 * threads on one CPU, with exact samples and no histogram, no reasons, no blocks.
 *
 *   floor wake CPU SECONDS        median of wakes in ns (Poisson arrivals, 200 us apart)
 *   floor pingpong CPU SECONDS    mean of a futex round trip in ns, without a stamp in it
 */
#include <err.h>
#include <linux/futex.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SAMPLES_MAX 1000000
#define MEAN_GAP_NS 200000.0
#define WARMUP_S 0.5

static _Alignas(128) _Atomic uint32_t to, back;
static _Atomic uint64_t issued_ns;
static _Atomic int over;
static uint64_t sample[SAMPLES_MAX];
static size_t samples;

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void send_to(_Atomic uint32_t *word)
{
	atomic_store(word, 1);
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void receive(_Atomic uint32_t *word)
{
	while (!atomic_load(word))
		syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
	atomic_store(word, 0);
}

static void pin(unsigned int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) < 0)
		err(1, "cannot run on CPU %u", cpu);
	prctl(PR_SET_TIMERSLACK, 1UL, 0, 0, 0);
}

static void *worker(void *arg)
{
	(void)arg;
	for (;;) {
		receive(&to);
		if (samples < SAMPLES_MAX && !atomic_load(&over))
			sample[samples++] = now_ns() - atomic_load(&issued_ns);
		atomic_store(&back, 1);
		if (atomic_load(&over))
			return NULL;
	}
}

static void *ponger(void *arg)
{
	(void)arg;
	for (;;) {
		receive(&to);
		if (atomic_load(&over))
			return NULL;
		send_to(&back);
	}
}

static void sleep_until(uint64_t ns)
{
	struct timespec t = { (time_t)(ns / 1000000000), (long)(ns % 1000000000) };

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

static void wake_for(double seconds)
{
	uint64_t next = now_ns(), end = next + (uint64_t)(seconds * 1e9);

	srand48((long)next);
	for (; next < end; next += (uint64_t)(-log(1 - drand48()) * MEAN_GAP_NS)) {
		sleep_until(next);
		atomic_store(&back, 0);
		atomic_store(&issued_ns, now_ns());
		send_to(&to);
		while (!atomic_load(&back))
			sched_yield();
	}
}

static double pingpong_for(double seconds)
{
	uint64_t began = now_ns(), end = began + (uint64_t)(seconds * 1e9), now = began;
	double rounds = 0;

	/* One look at the clock in 64 round trips. */
	for (; now < end; now = now_ns())
		for (int i = 0; i < 64; i++, rounds++) {
			send_to(&to);
			receive(&back);
		}
	return (double)(now - began) / rounds;
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	pthread_t thread;
	double mean = 0;
	int is_wake;

	if (argc != 4)
		errx(2, "usage: floor wake|pingpong CPU SECONDS");
	is_wake = strcmp(argv[1], "wake") == 0;
	pin((unsigned int)strtoul(argv[2], NULL, 10));
	if (pthread_create(&thread, NULL, is_wake ? worker : ponger, NULL))
		errx(1, "cannot start a thread");
	/* Both sides of a comparison are warm. */
	if (is_wake) {
		wake_for(WARMUP_S);
		samples = 0;
		wake_for(strtod(argv[3], NULL));
	} else {
		(void)pingpong_for(WARMUP_S);
		mean = pingpong_for(strtod(argv[3], NULL));
	}
	atomic_store(&over, 1);
	send_to(&to);
	pthread_join(thread, NULL);
	qsort(sample, samples, sizeof(*sample), by_value);
	printf("%.0f\n", is_wake && samples ? (double)sample[samples / 2] : mean);
	return 0;
}
