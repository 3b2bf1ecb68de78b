/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line of `lpartune bench`. */
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
void bench_options_done(struct bench_options *options);

#endif
