/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of `lpartune sample` share. */
#ifndef LPARTUNE_CMD_SAMPLE_H
#define LPARTUNE_CMD_SAMPLE_H

#include <jansson.h>

#include "cmd/command.h"
#include "machine/fact/machine.h"
#include "machine/sample/sample.h"

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

/* Rows as members of a document: system, absent, cpus, cores, nodes. Fails only by -ENOMEM. */
int sample_document_fill(json_t *doc, const struct sample *sample,
			 const struct sample_options *options);

/* What is missing and how to get it, as sentences. NULL when memory is out. */
json_t *sample_notes(const struct sample *sample);

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
