/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of `lpartune sample` share. */
#ifndef LPARTUNE_CMD_SAMPLE_H
#define LPARTUNE_CMD_SAMPLE_H

#include <jansson.h>

#include "cmd/command.h"
#include "machine/fact/machine.h"
#include "machine/sample/sample.h"
#include "output/sample_group.h"

enum sample_format {
	FORMAT_TEXT,
	FORMAT_JSON,
	FORMAT_CSV,
	FORMAT_OPENMETRICS,
	FORMAT_LIVE,
};

struct sample_options {
	struct common_options common;
	double interval_s;
	uint64_t count; /* 0: until stopped */
	double slow_interval_s;
	unsigned int top; /* 0: all CPUs, if any */
	bool per_cpu, per_core, per_node;
	bool since_boot, timestamp, dispatch, counters;
	bool has_interval;
	const char *replay, *textfile;
	enum sample_format format;
};

extern const struct argp sample_argp;

/* A number as JSON: ticks are whole numbers, all others real ones; null if it is absent. */
json_t *sample_number_json(const struct number *number, enum column column);

/* What concerns the whole system, as members of a document. Fails only by -ENOMEM. */
int sample_document_fill(json_t *doc, const struct sample *sample);

/*
 * The rows of CPUs, cores and nodes that were asked for, made one at a time. _set points the groups to
 * the rows of a sample, until the next _set; _collect makes arrays of them all in the document, for
 * who needs them more than once. -ENOMEM.
 */
struct sample_parts;
int sample_parts_new(struct sample_parts **ret);
void sample_parts_free(struct sample_parts *parts);
int sample_parts_set(struct sample_parts *parts, const struct sample *sample,
		     const struct sample_options *options, struct sample_groups *ret);
int sample_parts_collect(const struct sample_groups *groups, json_t *doc);

/* What is missing and how to get it, as sentences. NULL when memory is out. */
json_t *sample_notes(const struct sample *sample);

/*
 * Waiting between intervals. _begin catches the signals that end a run, and for a live screen (NULL:
 * none) those that stop it for a while or change its size; _until waits for a point of time
 * (sample_now_ns, of the monotonic clock; one that has passed only looks for signals) and is false if a signal ended the run.
 */
struct sample_live;
void sample_wait_begin(struct sample_live *live);
bool sample_wait_until(uint64_t deadline_ns);
bool sample_is_stopped(void);
uint64_t sample_now_ns(void);

/*
 * The sum of a run: how much was stolen, by what, where. Collects in constant memory.
 */
struct sample_sum;
int sample_sum_new(struct sample_sum **ret);
void sample_sum_free(struct sample_sum *sum);
static inline void sample_sum_freep(struct sample_sum **sum)
{
	sample_sum_free(*sum);
}

/* Takes a sample in. -ENOMEM. */
int sample_sum_add(struct sample_sum *sum, const struct sample *sample);

/* The verdict over all samples that were taken in. NULL when memory is out. */
json_t *sample_sum_verdict(const struct sample_sum *sum, const struct machine *machine);

/*
 * Statistics that cost something and are off: on while sampling, journaled, put back by _end on every
 * way out. Those that cannot be switched on are told on stderr and left. -ENOMEM.
 */
struct sample_statistics;
int sample_statistics_begin(struct root *root, struct sample_statistics **ret);
void sample_statistics_end(struct sample_statistics *statistics);

/*
 * Events that no file counts for the whole system: cpu-migrations, and context switches as perf sees
 * them. Read with each reading; the columns are then set in the sample. -ENOMEM.
 */
struct sample_counters;
int sample_counters_new(struct sample_counters **ret);
void sample_counters_free(struct sample_counters *counters);
int sample_counters_read(struct sample_counters *counters, const struct reading *now);
void sample_counters_set(const struct sample_counters *counters, struct sample *sample);

#endif
