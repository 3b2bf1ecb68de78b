/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file takes and gives back a host CPU. Rule: between hold_burst and hold_release the caller
 * does only what must happen before the held threads run again. */
#include "hold.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/util.h"
#include "qemu.h"

#define HOLDER_PRIORITY 50
#define GUEST_NICE (-15)

/* The last CPU that this process may use is for holding; the others are for all else. */
static int choose_host_cpus(struct hold *hold)
{
	cpu_set_t allowed;
	size_t last = 0;

	if (sched_getaffinity(0, sizeof(allowed), &allowed) < 0)
		return -errno;
	if (CPU_COUNT(&allowed) < 2)
		return -EBUSY;
	for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &allowed))
			last = cpu;
	CPU_ZERO(&hold->host_cpu);
	CPU_SET(last, &hold->host_cpu);
	CPU_CLR(last, &allowed);
	hold->other_host_cpus = allowed;
	return 0;
}

/* The guest's threads also go before other work of the host, which no burst would explain. */
static int pin_all_threads(const struct hold *hold, pid_t qemu)
{
	char path[64];
	const struct dirent *entry;
	DIR *dir;

	(void)snprintf(path, sizeof(path), "/proc/%d/task", qemu);
	dir = opendir(path);
	if (!dir)
		return -errno;
	/* A thread that ends meanwhile is no loss. */
	while ((entry = readdir(dir))) {
		pid_t thread = (pid_t)strtol(entry->d_name, NULL, 10);

		if (entry->d_name[0] == '.')
			continue;
		(void)sched_setaffinity(thread, sizeof(hold->other_host_cpus),
					&hold->other_host_cpus);
		(void)setpriority(PRIO_PROCESS, (id_t)thread, GUEST_NICE);
	}
	(void)closedir(dir);
	return 0;
}

static int hold_thread(const struct hold *hold, pid_t qemu, pid_t thread)
{
	char path[64];
	int fd;

	if (sched_setaffinity(thread, sizeof(hold->host_cpu), &hold->host_cpu) < 0)
		return -errno;
	(void)snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", qemu, thread);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int hold_prepare(struct hold *hold, pid_t qemu, unsigned int cpus, const pid_t *threads,
		 const struct idset *held)
{
	int r = choose_host_cpus(hold);

	if (r >= 0)
		r = pin_all_threads(hold, qemu);
	if (r < 0)
		return r;
	hold->states = calloc(cpus, sizeof(*hold->states));
	if (!hold->states)
		return -ENOMEM;
	hold->cpus = cpus;
	memset(hold->states, 0xff, cpus * sizeof(*hold->states));
	idset_for_each (cpu, held) {
		r = hold_thread(hold, qemu, threads[cpu]);
		if (r < 0)
			return r;
		hold->states[cpu] = r;
	}
	return sched_setaffinity(0, sizeof(hold->other_host_cpus), &hold->other_host_cpus) < 0
		       ? -errno
		       : 0;
}

void hold_done(struct hold *hold)
{
	for (unsigned int cpu = 0; cpu < hold->cpus; cpu++)
		if (hold->states[cpu] >= 0)
			(void)close(hold->states[cpu]);
	free(hold->states);
	*hold = (struct hold) { 0 };
}

/* The state letter follows the name, which is in parentheses and may hold any byte. */
static bool wants_to_run(int stat_fd)
{
	char text[256];
	ssize_t n = pread(stat_fd, text, sizeof(text) - 1, 0);
	const char *end;

	if (n <= 0)
		return false;
	text[n] = '\0';
	end = strrchr(text, ')');
	return end && starts_with(end, ") R");
}

static void note_waits(const struct hold *hold, uint64_t now_ns, struct hold_wait *waits)
{
	for (unsigned int cpu = 0; cpu < hold->cpus; cpu++)
		if (hold->states[cpu] >= 0 && !waits[cpu].since_ns &&
		    wants_to_run(hold->states[cpu]))
			waits[cpu].since_ns = now_ns;
}

static int take_host_cpu(const struct hold *hold)
{
	struct sched_param priority = { .sched_priority = HOLDER_PRIORITY };

	if (sched_setscheduler(0, SCHED_FIFO, &priority) < 0)
		return -errno;
	return sched_setaffinity(0, sizeof(hold->host_cpu), &hold->host_cpu) < 0 ? -errno : 0;
}

int hold_burst(const struct hold *hold, uint64_t length_ns, struct hold_wait *ret_waits,
	       uint64_t *ret_start_ns)
{
	int r = take_host_cpu(hold);
	uint64_t start = monotonic_now_ns();

	if (r < 0)
		return r;
	for (uint64_t now = start; now - start < length_ns; now = monotonic_now_ns())
		note_waits(hold, now, ret_waits);
	*ret_start_ns = start;
	return 0;
}

int hold_release(const struct hold *hold)
{
	struct sched_param none = { 0 };

	if (sched_setscheduler(0, SCHED_OTHER, &none) < 0)
		return -errno;
	return sched_setaffinity(0, sizeof(hold->other_host_cpus), &hold->other_host_cpus) < 0
		       ? -errno
		       : 0;
}
