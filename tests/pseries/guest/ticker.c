/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In a guest: ticker CPU COUNT. Sleeps to absolute times, 10 ms apart, pinned to one CPU, and prints
 * for each wake when it was meant to be, when it was, when the lppaca was read and what that says was
 * waited since the last time, all in timebase ticks. Rule: nothing is printed before the last wake.
 */
#include <endian.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PERIOD_NS 10000000
#define PERIOD_TICKS 5120000
#define ENQUEUE_DISPATCH_TB 0x158

struct wake {
	uint64_t meant_tb, woke_tb, read_tb, waited;
};

/* The clock and the timebase are one counter, so reading them close together aligns them. */
static void align(struct timespec *clock, uint64_t *timebase)
{
	uint64_t best = UINT64_MAX;

	for (int i = 0; i < 100; i++) {
		struct timespec now;
		uint64_t before = __builtin_ppc_get_timebase(), took;

		(void)clock_gettime(CLOCK_MONOTONIC, &now);
		took = __builtin_ppc_get_timebase() - before;
		if (took >= best)
			continue;
		best = took;
		*clock = now;
		*timebase = before + took / 2;
	}
}

static uint64_t read_waiting(int vpa)
{
	uint64_t waiting = 0;

	if (pread(vpa, &waiting, sizeof(waiting), ENQUEUE_DISPATCH_TB) != sizeof(waiting))
		exit(1);
	return be64toh(waiting);
}

static void tick(int vpa, struct wake *wakes, int count)
{
	struct timespec next = { 0 };
	uint64_t timebase = 0, waiting = read_waiting(vpa);

	align(&next, &timebase);
	for (int i = 0; i < count; i++) {
		uint64_t now;

		next.tv_nsec += PERIOD_NS;
		if (next.tv_nsec >= 1000000000) {
			next.tv_nsec -= 1000000000;
			next.tv_sec++;
		}
		(void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
		wakes[i].woke_tb = __builtin_ppc_get_timebase();
		now = read_waiting(vpa);
		wakes[i].read_tb = __builtin_ppc_get_timebase();
		wakes[i].meant_tb = timebase += PERIOD_TICKS;
		wakes[i].waited = now - waiting;
		waiting = now;
	}
}

int main(int argc, char **argv)
{
	int cpu = argc == 3 ? atoi(argv[1]) : -1, count = argc == 3 ? atoi(argv[2]) : 0;
	struct wake *wakes = calloc((size_t)count, sizeof(*wakes));
	char path[64];
	cpu_set_t set;
	int vpa;

	(void)snprintf(path, sizeof(path), "/sys/kernel/debug/powerpc/vpa/cpu-%d", cpu);
	vpa = open(path, O_RDONLY);
	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	if (!wakes || vpa < 0 || sched_setaffinity(0, sizeof(set), &set) < 0)
		return 1;
	tick(vpa, wakes, count);
	for (int i = 0; i < count; i++)
		printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", wakes[i].meant_tb,
		       wakes[i].woke_tb, wakes[i].read_tb, wakes[i].waited);
	free(wakes);
	return 0;
}
