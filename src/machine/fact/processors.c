/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file makes facts of the topology: CPUs, cores, SMT, nodes. */
#include <errno.h>

#include "machine/fact/machine.h"

#define CPU_DIR "sys/devices/system/cpu"
#define NODE_DIR "sys/devices/system/node"

static void set_count(struct machine *m, enum fact fact, const struct idset *set, int error,
		      const char *source)
{
	if (error)
		facts_absent(&m->facts, fact, reason_of_errno(error), "%s", source);
	else
		facts_set_integer(&m->facts, fact, idset_count(set), "%s", source);
}

static bool count_core(struct fact_counts *counts, unsigned int threads)
{
	unsigned int i = 0;

	while (i < counts->used && counts->item[i].key != threads)
		i++;
	if (i == FACT_COUNTS_MAX)
		return false;
	if (i == counts->used)
		counts->item[counts->used++].key = threads;
	counts->item[i].count++;
	return true;
}

static int by_threads(const void *a, const void *b)
{
	const unsigned int *x = a, *y = b; /* .key is first */

	return (*y > *x) - (*y < *x);
}

static void set_smt(struct machine *m, const char *source)
{
	const struct topology *t = &m->topology;
	struct fact_counts counts = { 0 };
	char smt[16] = "mixed";

	for (unsigned int i = 0; i < t->core_count; i++)
		if (!count_core(&counts, idset_count(&t->cores[i].threads)))
			return;
	qsort(counts.item, counts.used, sizeof(counts.item[0]), by_threads);
	if (counts.used == 1)
		snprintf(smt, sizeof(smt), "%u", counts.item[0].key);
	facts_set_string(&m->facts, FACT_CPU_SMT, smt, "%s", source);
	facts_set_counts(&m->facts, FACT_CPU_SMT_CORES, &counts, "%s", source);
}

static void set_cores(struct machine *m)
{
	const struct topology *t = &m->topology;
	const char *source = t->cores_are_derived ? "CPU numbers and threads per core"
						  : CPU_DIR "/cpu*/topology/thread_siblings_list";

	if (t->core_error || !t->core_count) {
		int error = t->core_error     ? t->core_error
			    : t->online_error ? t->online_error
					      : ENOENT;
		enum reason reason = t->is_changing ? REASON_INVALID : reason_of_errno(error);

		source = t->is_changing ? "CPUs came and went while they were read" : source;
		facts_absent(&m->facts, FACT_CPU_CORES, reason, "%s", source);
		facts_absent(&m->facts, FACT_CPU_SMT, reason, "%s", source);
		facts_absent(&m->facts, FACT_CPU_SMT_CORES, reason, "%s", source);
		return;
	}
	facts_set_integer(&m->facts, FACT_CPU_CORES, t->core_count, "%s", source);
	set_smt(m, source);
}

/* Which nodes are without memory: not told unless all of them tell. */
static void set_memoryless(struct machine *m, unsigned int memoryless, unsigned int empty)
{
	const struct topology *t = &m->topology;

	for (unsigned int i = 0; i < t->node_count; i++) {
		int error = t->nodes[i].memory_error;
		enum reason reason = error == EINVAL ? REASON_INVALID : reason_of_errno(error);

		if (!error)
			continue;
		facts_absent(&m->facts, FACT_NUMA_EMPTY_NODES, reason, NODE_DIR "/node%d/meminfo",
			     t->nodes[i].id);
		facts_absent(&m->facts, FACT_NUMA_MEMORYLESS_NODES, reason,
			     NODE_DIR "/node%d/meminfo", t->nodes[i].id);
		return;
	}
	facts_set_integer(&m->facts, FACT_NUMA_EMPTY_NODES, empty,
			  NODE_DIR "/node*/{cpulist,meminfo}");
	facts_set_integer(&m->facts, FACT_NUMA_MEMORYLESS_NODES, memoryless,
			  NODE_DIR "/node*/meminfo");
}

static void set_nodes(struct machine *m)
{
	const struct topology *t = &m->topology;
	unsigned int cpuless = 0, memoryless = 0, empty = 0;

	for (unsigned int i = 0; i < t->node_count; i++) {
		bool has_cpus = idset_count(&t->nodes[i].cpus) > 0;

		cpuless += !has_cpus;
		memoryless += has_cpus && !t->nodes[i].has_memory;
		empty += !has_cpus && !t->nodes[i].has_memory;
	}
	if (t->node_error || !t->node_count) {
		enum reason reason = reason_of_errno(t->node_error ? t->node_error : ENOENT);

		facts_absent(&m->facts, FACT_NUMA_NODES, reason, NODE_DIR);
		facts_absent(&m->facts, FACT_NUMA_CPULESS_NODES, reason, NODE_DIR);
		facts_absent(&m->facts, FACT_NUMA_EMPTY_NODES, reason, NODE_DIR);
		facts_absent(&m->facts, FACT_NUMA_MEMORYLESS_NODES, reason, NODE_DIR);
		return;
	}
	facts_set_integer(&m->facts, FACT_NUMA_NODES, t->node_count, NODE_DIR "/online");
	if (t->online_error) /* every node would look empty */
		return;
	facts_set_integer(&m->facts, FACT_NUMA_CPULESS_NODES, cpuless, NODE_DIR "/node*/cpulist");
	set_memoryless(m, memoryless, empty);
}

/* A core whose first-level cache spans fewer threads than the core is two small cores. */
static void set_big_cores(struct machine *m)
{
	_cleanup_idset_ struct idset sharing = { 0 };
	const struct core *core = m->topology.core_count ? &m->topology.cores[0] : NULL;
	int r = devicetree_has_thread_groups(&m->devicetree);

	if (core && topology_cache_siblings(m->root, core->first, 1, &sharing) >= 0 &&
	    idset_count(&core->threads) > 1)
		facts_set_bool(&m->facts, FACT_CPU_BIG_CORES,
			       idset_count_common(&sharing, &core->threads) <
				       idset_count(&core->threads),
			       CPU_DIR "/cpu%d/cache (level 1)", core->first);
	else if (r >= 0)
		facts_set_bool(&m->facts, FACT_CPU_BIG_CORES, r > 0, "%s/cpus/*/ibm,thread-groups",
			       m->devicetree.base);
	else
		facts_absent(&m->facts, FACT_CPU_BIG_CORES, reason_of_errno(-r),
			     CPU_DIR "/cpu*/cache, device tree");
}

static void set_smt_control(struct machine *m)
{
	_cleanup_free_ char *control = NULL;
	int r = root_read_string(m->root, &control, CPU_DIR "/smt/control");

	if (r >= 0 && *control)
		facts_set_string(&m->facts, FACT_CPU_SMT_CONTROL, control, CPU_DIR "/smt/control");
	else
		facts_absent(&m->facts, FACT_CPU_SMT_CONTROL,
			     r < 0 ? reason_of_errno(-r) : REASON_INVALID, CPU_DIR "/smt/control");
}

/* Where CPUs are offline, only firmware knows how many threads a core has. */
static bool threads_are_online(const struct topology *t)
{
	return t->threads_per_core && !t->present_error &&
	       idset_count_common(&t->present, &t->online) == idset_count(&t->present);
}

int processors_read(struct machine *m)
{
	const struct topology *t = &m->topology;
	unsigned int threads_per_core = 0;
	int r;

	(void)devicetree_threads_per_core(&m->devicetree, &threads_per_core);
	r = topology_read(m->root, threads_per_core, &m->topology);
	if (r < 0)
		return r;
	set_count(m, FACT_CPU_PRESENT, &t->present, t->present_error, CPU_DIR "/present");
	set_count(m, FACT_CPU_ONLINE, &t->online, t->online_error, t->online_source);
	set_cores(m);
	if (threads_per_core)
		facts_set_integer(&m->facts, FACT_CPU_THREADS_PER_CORE, threads_per_core,
				  "%s/cpus/*/ibm,ppc-interrupt-server#s", m->devicetree.base);
	else if (threads_are_online(t))
		facts_set_integer(&m->facts, FACT_CPU_THREADS_PER_CORE, t->threads_per_core,
				  "most threads online in a core");
	else
		facts_absent(&m->facts, FACT_CPU_THREADS_PER_CORE, REASON_MISSING,
			     "device tree; CPUs are offline");
	set_nodes(m);
	set_big_cores(m);
	set_smt_control(m);
	return 0;
}
