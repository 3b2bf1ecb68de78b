/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What every command that measures needs before it can: the machine, its CPUs, counters, cells. */
#ifndef LPARTUNE_CMD_BENCH_RIG_H
#define LPARTUNE_CMD_BENCH_RIG_H

#include "cmd/bench/bench_options.h"
#include "machine/fact/machine.h"

struct rig {
	struct root *root;
	struct machine machine;
	struct layout layout;
	struct attribution attribution;
	struct counters counters;
	struct stop stop;
	struct cell_list cells;
};
/* Not while a stuck thread may still use any of it. */
void rig_done(struct rig *rig);

/* Reads the machine at rig->root and what of it can be measured; opens the counters if it will
 * be. -ENODEV: none of the wanted CPUs can be used; -errno. */
int rig_read(struct rig *rig, const struct bench_options *options, bool measures);

/* Says that -ENODEV, and what to do. */
void rig_tell_no_cpu(void);

/* What a run of this rig hands to its benchmarks. */
struct session rig_session(struct rig *rig, const struct bench_config *config);

/* Adds the cells that the options name, or the default ones, of each named benchmark. -ENOMEM. */
int rig_add_cells(struct rig *rig, const struct bench_options *options);

#endif
