// SPDX-License-Identifier: GPL-2.0-or-later
/* This file writes /sys/devices/system/cpu: lists, SMT control, topology, PURR. */
#include <inttypes.h>

#include "writers.h"

#define CPU_DIR "sys/devices/system/cpu"

static void put_list(struct tree *tree, const char *name, const struct idset *set)
{
	_cleanup_free_ char *list = idset_format(set);

	tree_put(tree, name, "%s\n", list);
}

static void put_mask(struct tree *tree, const struct machine *m, const char *name,
		     const struct idset *set)
{
	_cleanup_free_ char *mask = machine_mask(m, set);

	tree_put(tree, name, "%s\n", mask);
}

/* Threads online in every core; 0 if cores differ. */
static unsigned int common_threads(const struct machine *m)
{
	unsigned int threads = (unsigned int)m->options.threads, common = 0;

	for (unsigned int i = 0; i < m->count; i += threads) {
		unsigned int online = 0;

		for (unsigned int t = 0; t < threads; t++)
			online += m->cpu[i + t].online;
		if (i && online != common)
			return 0;
		common = online;
	}
	return common;
}

/* Power kernels have the control since 6.6; that of SLES 15 SP6 has it backported. */
static void write_smt(struct tree *tree, const struct machine *m)
{
	unsigned int common = common_threads(m), threads = (unsigned int)m->options.threads;
	bool has_control = m->release->version >= 604;

	tree_enter(tree, CPU_DIR "/smt");
	tree_put(tree, "active", "%d\n", common != 1);
	if (m->options.kind == PRSM)
		tree_put(tree, "control", "notsupported\n");
	else if (!has_control && machine_is_power(m))
		tree_put(tree, "control", "notimplemented\n");
	else if (common == 0 || common == threads)
		tree_put(tree, "control", "on\n");
	else if (common == 1)
		tree_put(tree, "control", "off\n");
	else
		tree_put(tree, "control", "%u\n", common);
}

static void write_lists(struct tree *tree, const struct machine *m)
{
	_cleanup_idset_ struct idset possible = { 0 }, offline = { 0 };

	for (unsigned int i = 0; i < m->possible_count; i++) {
		(void)idset_add(&possible, i);
		if (!idset_has(&m->online, i))
			(void)idset_add(&offline, i);
	}
	tree_enter(tree, CPU_DIR);
	tree_put(tree, "kernel_max", "2047\n");
	put_list(tree, "possible", &possible);
	put_list(tree, "present", &m->present);
	put_list(tree, "online", &m->online);
	put_list(tree, "offline", &offline);
	tree_put(tree, "isolated", "\n");
}

/* The other spellings of the same sets. */
static void write_shared_sets(struct tree *tree, const struct machine *m, const struct idset *core,
			      const struct idset *package)
{
	put_mask(tree, m, "core_cpus", core);
	put_list(tree, "core_cpus_list", core);
	put_list(tree, "core_siblings_list", package);
	put_mask(tree, m, "package_cpus", package);
	put_list(tree, "package_cpus_list", package);
}

static void write_topology(struct tree *tree, const struct machine *m, const struct cpu *cpu)
{
	_cleanup_idset_ struct idset core = { 0 }, package = { 0 };

	machine_siblings(m, cpu, SHARE_CORE, &core);
	machine_siblings(m, cpu, SHARE_NODE, &package);
	tree_enter(tree, CPU_DIR "/cpu%u/topology", cpu->id);
	put_list(tree, "thread_siblings_list", &core);
	put_mask(tree, m, "thread_siblings", &core);
	put_mask(tree, m, "core_siblings", &package);
	/* Power: the number of the core's first thread in firmware */
	tree_put(tree, "core_id", "%u\n", machine_is_power(m) ? cpu->id - cpu->thread : cpu->core);
	/* package = node since 5.7; before, -1 where firmware names no chip */
	tree_put(tree, "physical_package_id", "%d\n",
		 machine_is_pseries(m) && m->release->version < 507 ? -1 : (int)cpu->node);
	if (m->options.is_full)
		write_shared_sets(tree, m, &core, &package);
	if (m->options.kind == PRSM) {
		tree_put(tree, "book_id", "0\n");
		tree_put(tree, "drawer_id", "0\n");
		put_list(tree, "book_siblings_list", &package);
	}
}

static void write_purr(struct tree *tree, const struct machine *m, const struct cpu *cpu)
{
	uint64_t faster = 1040000; /* above nominal frequency */

	tree_enter(tree, CPU_DIR "/cpu%u", cpu->id);
	tree_put(tree, "purr", "%" PRIx64 "\n", cpu->purr);
	tree_put(tree, "spurr", "%" PRIx64 "\n", ppm(cpu->purr, faster));
	if (!machine_is_pseries(m) || m->release->version < 508)
		return;
	tree_put(tree, "idle_purr", "%" PRIx64 "\n", cpu->idle_purr);
	tree_put(tree, "idle_spurr", "%" PRIx64 "\n", ppm(cpu->idle_purr, faster));
}

/* An offline CPU keeps only its switch. */
static void write_cpu(struct tree *tree, const struct machine *m, const struct cpu *cpu)
{
	tree_enter(tree, CPU_DIR "/cpu%u", cpu->id);
	if (cpu->id != 0 || machine_is_power(m))
		tree_put(tree, "online", "%d\n", cpu->online);
	if (m->options.kind == PRSM) {
		tree_put(tree, "address", "%u\n", cpu->id);
		tree_put(tree, "configure", "1\n");
		tree_put(tree, "polarization", "horizontal\n");
	}
	if (!cpu->online)
		return;
	write_topology(tree, m, cpu);
	if (machine_is_power(m))
		write_purr(tree, m, cpu);
	write_caches(tree, m, cpu);
	write_cpuidle(tree, m, cpu);
}

void write_cpus(struct tree *tree, const struct machine *m)
{
	write_lists(tree, m);
	write_smt(tree, m);
	write_cpuidle_driver(tree, m);
	if (m->options.kind == PRSM) {
		tree_enter(tree, CPU_DIR);
		tree_put(tree, "dispatching", "0\n");
	}
	for (unsigned int i = 0; i < m->count; i++)
		write_cpu(tree, m, &m->cpu[i]);
}
