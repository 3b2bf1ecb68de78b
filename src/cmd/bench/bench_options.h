/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line of `lpartune bench`, and what every command that measures takes of it. */
#ifndef LPARTUNE_CMD_BENCH_OPTIONS_H
#define LPARTUNE_CMD_BENCH_OPTIONS_H

#include "bench/bench.h"
#include "cmd/command.h"

struct bench_options {
	struct common_options common;
	struct bench_config config;
	const struct benchmark *benchmark[16]; /* named ones; none: wake */
	unsigned int benchmark_count;
	struct cell_list cells; /* of --cells: distance, idle length and load only */
	enum primitive primitive;
	bool has_primitive;
	unsigned int load_pct;
	unsigned int size;
	struct idset cpus;
	bool has_cpus;
	bool list, dry_run, schbench, map;
	const char *save, *label;
	const char *events; /* names of perf events; "none" */
};

extern const struct argp bench_argp;

/* What and how to measure: a child for the parsers of other commands; its input is a bench_options. */
extern const struct argp measure_argp;

/* What options without a value on the command line have. */
void bench_options_init(struct bench_options *options);

/* Adds a benchmark by its name; an unknown one is a usage error. */
void bench_options_name(struct argp_state *state, struct bench_options *options, const char *name);

/* The value of the option `name` ("--rounds"), or a usage error that names both. */
uint64_t option_duration(struct argp_state *state, const char *name,
			 const char *arg); /* ns, above 0 */
double option_percent(struct argp_state *state, const char *name, const char *arg); /* 0 to 1000 */
unsigned int option_count(struct argp_state *state, const char *name, const char *arg,
			  unsigned int low, unsigned int high);

void bench_options_done(struct bench_options *options);

#endif
