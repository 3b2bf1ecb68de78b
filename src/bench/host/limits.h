/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel holds this process to beside its CPUs: autogroup and the cgroup's quota. */
#ifndef LPARTUNE_BENCH_LIMITS_H
#define LPARTUNE_BENCH_LIMITS_H

#include <jansson.h>

#include "machine/root.h"

/* {"autogroup": true or false, "cgroup", "cpu_max" ("max 100000"), "cpuset", "perf_event_paranoid"}; null
 * where it is not told. */
json_t *limits_to_json(struct root *root);

#endif
