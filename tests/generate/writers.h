/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each function writes the files of one source. */
#ifndef LPARTUNE_TESTS_WRITERS_H
#define LPARTUNE_TESTS_WRITERS_H

#include "machine.h"
#include "tree.h"

void write_cpus(struct tree *tree, const struct machine *m);
void write_caches(struct tree *tree, const struct machine *m, const struct cpu *cpu);
void write_cpuidle(struct tree *tree, const struct machine *m, const struct cpu *cpu);
void write_cpuidle_driver(struct tree *tree, const struct machine *m);
void write_nodes(struct tree *tree, const struct machine *m);
void write_device_tree(struct tree *tree, const struct machine *m);
void write_cpuinfo(struct tree *tree, const struct machine *m);
void write_lparcfg(struct tree *tree, const struct machine *m);
void write_lppacas(struct tree *tree, const struct machine *m);
void write_dispatch_stats(struct tree *tree, const struct machine *m);
void write_stat(struct tree *tree, const struct machine *m);
void write_schedstat(struct tree *tree, const struct machine *m);
void write_interrupts(struct tree *tree, const struct machine *m);
void write_system(struct tree *tree, const struct machine *m);
void write_scheduler(struct tree *tree, const struct machine *m);
void write_log(struct tree *tree, const struct machine *m);

/* Sums over CPUs that lparcfg and the lppacas must agree on. */
uint32_t lppaca_yields(const struct cpu *cpu);

#endif
