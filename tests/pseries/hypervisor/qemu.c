/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file speaks to QEMU's monitor. Rule: it only asks; nothing here stops or changes a guest. */
#include "qemu.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>

#include "base/util.h"

#define REPLY_TIMEOUT_MS 10000
#define PROBES 40

int qemu_connect(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	_cleanup_close_ int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int taken;

	if (fd < 0)
		return -errno;
	if (strlen(path) >= sizeof(address.sun_path))
		return -ENAMETOOLONG;
	memcpy(address.sun_path, path, strlen(path));
	for (int tries = 100; connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0;) {
		if (--tries == 0)
			return -errno;
		(void)poll(NULL, 0, 100);
	}
	taken = fd;
	fd = -1;
	return taken;
}

/*
 * Reads until the line that begins with `start` is whole, past the events that may come before it.
 * Returns where that line begins, or NULL after a timeout, an error answer or too long a one.
 */
static const char *await(int qmp, const char *start, char *text, size_t size)
{
	struct pollfd wait = { .fd = qmp, .events = POLLIN };
	size_t used = 0;

	while (used + 1 < size && poll(&wait, 1, REPLY_TIMEOUT_MS) > 0) {
		ssize_t n = read(qmp, text + used, size - used - 1);
		const char *line;

		if (n <= 0)
			return NULL;
		used += (size_t)n;
		text[used] = '\0';
		line = strstr(text, start);
		if (line && text[used - 1] == '\n')
			return line;
	}
	return NULL;
}

/* What a command of the human monitor prints, still with JSON's escapes; NULL if it fails. */
static const char *monitor(int qmp, const char *command, char *text, size_t size)
{
	int length = snprintf(text, size,
			      "{\"execute\":\"human-monitor-command\","
			      "\"arguments\":{\"command-line\":\"%s\"}}\n",
			      command);

	if (write(qmp, text, (size_t)length) != length)
		return NULL;
	return await(qmp, "{\"return\"", text, size);
}

int qemu_greet(int qmp)
{
	static const char capabilities[] = "{\"execute\":\"qmp_capabilities\"}\n";
	char text[1024];

	if (!await(qmp, "{\"QMP\"", text, sizeof(text)))
		return -EPROTO;
	if (write(qmp, capabilities, strlen(capabilities)) < 0)
		return -errno;
	return await(qmp, "{\"return\"", text, sizeof(text)) ? 0 : -EPROTO;
}

int qemu_cpu_threads(int qmp, unsigned int cpus, pid_t *ret)
{
	char text[8192];
	const char *at = monitor(qmp, "info cpus", text, sizeof(text));

	if (!at)
		return -EPROTO;
	for (unsigned int i = 0; i < cpus; i++) {
		unsigned int cpu;
		int thread;

		at = strstr(at, "CPU #");
		if (!at || sscanf(at, "CPU #%u: thread_id=%d", &cpu, &thread) != 2 || cpu != i)
			return -ENODATA;
		ret[i] = thread;
		at++;
	}
	return 0;
}

uint64_t monotonic_now_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000ULL + (uint64_t)now.tv_nsec;
}

/* 512 ticks are exactly 1000 ns. */
uint64_t timebase_ticks(uint64_t duration_ns)
{
	return duration_ns / 1000 * 512 + duration_ns % 1000 * 512 / 1000;
}

uint64_t timebase_at(const struct timebase *timebase, uint64_t monotonic_ns)
{
	return timebase_ticks(monotonic_ns) + (uint64_t)timebase->offset_ticks;
}

static int read_timebase(int qmp, int64_t *ret)
{
	char text[8192];
	const char *at = monitor(qmp, "info registers", text, sizeof(text));
	uint32_t upper, lower;

	if (at)
		at = strstr(at, "nTB ");
	if (!at || sscanf(at, "nTB %" SCNu32 " %" SCNu32, &upper, &lower) != 2)
		return -EPROTO;
	*ret = (int64_t)((uint64_t)upper << 32 | lower);
	return 0;
}

int qemu_timebase(int qmp, struct timebase *ret)
{
	int64_t low = INT64_MIN, high = INT64_MAX;

	for (int i = 0; i < PROBES; i++) {
		int64_t before = (int64_t)timebase_ticks(monotonic_now_ns()), ticks = 0;
		int r = read_timebase(qmp, &ticks);
		int64_t after = (int64_t)timebase_ticks(monotonic_now_ns()) + 1;

		if (r < 0)
			return r;
		if (ticks - after > low)
			low = ticks - after;
		if (ticks - before < high)
			high = ticks - before;
	}
	if (low > high)
		return -ENODATA;
	ret->offset_ticks = low + (high - low) / 2;
	ret->error_ticks = (uint64_t)(high - low + 1) / 2;
	return 0;
}
