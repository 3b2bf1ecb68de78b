/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file counts what no file tells, by perf events of whole CPUs. */
#include <errno.h>

#include "bench/host/counters.h"
#include "cmd/sample/sample.h"

/* A perf event and the column that it fills. */
static const struct {
	const char *event;
	enum column column;
} rows[] = {
	{ "cpu-migrations", COLUMN_MIGRATIONS },
	{ "context-switches", COLUMN_CONTEXT_SWITCHES },
};

struct sample_counters {
	struct counters counters;
	struct counter_reading readings[2];
	struct idset cpus; /* that are counted */
	unsigned int taken;
	bool fresh; /* opened anew since the reading before */
};

static int open_counters(struct sample_counters *c, const struct idset *cpus)
{
	_cleanup_free_ char *names = NULL;

	if (asprintf(&names, "%s,%s", rows[0].event, rows[1].event) < 0) {
		names = NULL;
		return -ENOMEM;
	}
	c->fresh = true;
	return counters_open(names, cpus, &c->counters);
}

int sample_counters_new(struct sample_counters **ret)
{
	*ret = calloc(1, sizeof(**ret));
	return *ret ? 0 : -ENOMEM;
}

void sample_counters_free(struct sample_counters *c)
{
	if (!c)
		return;
	counters_close(&c->counters);
	idset_done(&c->cpus);
	free(c);
}

/* CPUs that came are not counted yet: then all are opened anew. */
static int follow_cpus(struct sample_counters *c, const struct reading *now)
{
	_cleanup_idset_ struct idset online = { 0 };
	int r = 0;

	for (size_t i = 0; r == 0 && i < now->count; i++)
		r = idset_add(&online, now->cpus[i].cpu);
	if (r < 0 || (c->taken && idset_equal(&online, &c->cpus)))
		return r;
	counters_close(&c->counters);
	c->counters = (struct counters) { 0 };
	r = open_counters(c, &online);
	if (r < 0)
		return r;
	idset_done(&c->cpus);
	c->cpus = online;
	online = (struct idset) { 0 };
	return 0;
}

int sample_counters_read(struct sample_counters *c, const struct reading *now)
{
	int r;

	c->fresh = false;
	r = follow_cpus(c, now);
	if (r < 0)
		return r;
	counters_read(&c->counters, &c->readings[c->taken++ % 2]);
	return 0;
}

void sample_counters_set(const struct sample_counters *c, struct sample *sample)
{
	const struct counter_reading *now = &c->readings[(c->taken - 1) % 2];
	const struct counter_reading *before = &c->readings[c->taken % 2];
	double seconds = (double)sample->interval_ns / 1e9, events;

	for (unsigned int i = 0; i < ARRAY_SIZE(rows) && i < c->counters.count; i++) {
		struct number *n = &sample->system.number[rows[i].column];

		if (!c->counters.counter[i].fd) {
			if (!n->present) /* /proc/stat may know it */
				n->reason = c->counters.counter[i].reason;
		} else if (c->fresh) {
			*n = (struct number) { .reason = REASON_RESET };
		} else if (seconds > 0 && counters_between(before, now, i, &events, NULL)) {
			*n = (struct number) { .present = true, .value = events / seconds };
		}
	}
}
