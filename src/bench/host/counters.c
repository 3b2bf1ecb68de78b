/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file counts perf events on CPUs; the names are libpfm4's. */
#include "bench/host/counters.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <perfmon/pfmlib_perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include "base/parse.h"
#include "base/privilege.h"

static int encode(const char *name, struct perf_event_attr *attr)
{
	pfm_perf_encode_arg_t arg = { .attr = attr, .size = sizeof(arg) };

	*attr = (struct perf_event_attr) { .size = sizeof(*attr) };
	if (pfm_initialize() != PFM_SUCCESS)
		return -ENOENT;
	if (pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT, &arg) !=
	    PFM_SUCCESS)
		return -ENOENT;
	attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	attr->disabled = 0;
	return 0;
}

/* What an error of perf_event_open(2) means. */
static enum reason reason_of_open(int error)
{
	switch (error) {
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
	case EINVAL:
		return REASON_NOT_PROVIDED;
	default:
		return reason_of_errno(error);
	}
}

static void close_fds(int *fd, unsigned int n)
{
	for (unsigned int i = 0; fd && i < n; i++)
		if (fd[i] >= 0)
			(void)close(fd[i]);
	free(fd);
}

/* One event on all CPUs, or on none. */
static int open_event(struct counter *counter, const struct idset *cpus, unsigned int count)
{
	struct perf_event_attr attr;
	int *fd = reallocarray(NULL, count + 1, sizeof(*fd));
	unsigned int n = 0;

	if (!fd)
		return -ENOMEM;
	counter->reason = REASON_MISSING;
	if (encode(counter->name, &attr) < 0) {
		free(fd);
		return 0;
	}
	idset_for_each (cpu, cpus) {
		fd[n] = (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
		if (fd[n] < 0) {
			counter->reason = reason_of_open(errno);
			close_fds(fd, n);
			return 0;
		}
		n++;
	}
	counter->fd = fd;
	return 0;
}

/* Takes the next name; false at the end. */
static bool next_name(struct span *rest, struct span *name)
{
	const char *comma;

	if (!rest->text)
		return false;
	comma = memchr(rest->text, ',', rest->len);
	*name = (struct span) { rest->text, comma ? (size_t)(comma - rest->text) : rest->len };
	*rest = comma ? (struct span) { comma + 1, rest->len - name->len - 1 }
		      : (struct span) { 0 };
	return true;
}

static int add_counter(struct counters *c, struct span name, const struct idset *cpus)
{
	struct counter *counter = &c->counter[c->count];

	if (!name.len)
		return -EINVAL;
	if (c->count == COUNTERS_MAX)
		return -E2BIG;
	counter->name = span_dup_utf8(name);
	if (!counter->name)
		return -ENOMEM;
	c->count++;
	return open_event(counter, cpus, c->cpus);
}

int counters_open(const char *names, const struct idset *cpus, struct counters *ret)
{
	struct counters c = { .cpus = idset_count(cpus) };
	struct span rest = span_of(names), name;
	int r = 0;

	privilege_counting_begin();
	while (r == 0 && next_name(&rest, &name))
		r = add_counter(&c, name, cpus);
	privilege_counting_end();
	if (r < 0) {
		counters_close(&c);
		return r;
	}
	*ret = c;
	return 0;
}

void counters_close(struct counters *c)
{
	for (unsigned int i = 0; i < c->count; i++) {
		close_fds(c->counter[i].fd, c->cpus);
		free(c->counter[i].name);
	}
	*c = (struct counters) { 0 };
}

static void read_counter(const struct counters *c, unsigned int i, struct counter_reading *ret)
{
	for (unsigned int n = 0; n < c->cpus; n++) {
		uint64_t got[3];

		if (read(c->counter[i].fd[n], got, sizeof(got)) != (ssize_t)sizeof(got)) {
			ret->known[i] = false;
			return;
		}
		ret->value[i] += got[0];
		ret->enabled_ns[i] += got[1];
		ret->running_ns[i] += got[2];
	}
	ret->known[i] = true;
}

void counters_read(const struct counters *c, struct counter_reading *ret)
{
	*ret = (struct counter_reading) { 0 };
	for (unsigned int i = 0; i < c->count; i++)
		if (c->counter[i].fd)
			read_counter(c, i, ret);
}

bool counters_between(const struct counter_reading *before, const struct counter_reading *after,
		      unsigned int i, double *ret, double *ret_running)
{
	double enabled, running;

	if (!before->known[i] || !after->known[i])
		return false;
	enabled = (double)(after->enabled_ns[i] - before->enabled_ns[i]);
	running = (double)(after->running_ns[i] - before->running_ns[i]);
	if (!(running > 0))
		return false; /* it never had a turn */
	*ret = (double)(after->value[i] - before->value[i]) * enabled / running;
	if (ret_running)
		*ret_running = running / enabled;
	return true;
}
