// SPDX-License-Identifier: GPL-2.0-or-later
/* This file writes NUMA nodes and the memory of the whole machine. */
#include "writers.h"

#define NODE_DIR "sys/devices/system/node"

static unsigned int node_count(const struct machine *m)
{
	return (unsigned int)(m->options.nodes + m->options.cpuless);
}

static unsigned long total_kib(const struct machine *m)
{
	return ((unsigned long)m->options.gib << 20) - 221184; /* the kernel takes some */
}

static void put_list(struct tree *tree, const char *name, const struct idset *set)
{
	_cleanup_free_ char *list = idset_format(set);

	tree_put(tree, name, "%s\n", list);
}

static void write_lists(struct tree *tree, const struct machine *m)
{
	_cleanup_idset_ struct idset all = { 0 }, with_cpu = { 0 };

	for (unsigned int i = 0; i < node_count(m); i++) {
		(void)idset_add(&all, machine_node_id(m, i));
		if (i >= (unsigned int)m->options.cpuless)
			(void)idset_add(&with_cpu, machine_node_id(m, i));
	}
	tree_enter(tree, NODE_DIR);
	put_list(tree, "online", &all);
	put_list(tree, "possible", &all);
	put_list(tree, "has_cpu", &with_cpu);
	put_list(tree, "has_memory", &with_cpu);
	put_list(tree, "has_normal_memory", &with_cpu);
}

static void put_cpus(struct tree *tree, const struct machine *m, unsigned int id)
{
	_cleanup_idset_ struct idset cpus = { 0 };
	_cleanup_free_ char *mask = NULL;

	for (unsigned int i = 0; i < m->count; i++) {
		if (m->cpu[i].online && m->cpu[i].node == id)
			(void)idset_add(&cpus, m->cpu[i].id);
	}
	mask = machine_mask(m, &cpus);
	put_list(tree, "cpulist", &cpus);
	tree_put(tree, "cpumap", "%s\n", mask);
}

static void put_memory(struct tree *tree, unsigned int id, unsigned long total)
{
	tree_put(tree, "meminfo",
		 "Node %u MemTotal:       %8lu kB\n"
		 "Node %u MemFree:        %8lu kB\n"
		 "Node %u MemUsed:        %8lu kB\n",
		 id, total, id, total / 3, id, total - total / 3);
}

static void put_distance(struct tree *tree, const struct machine *m, unsigned int index)
{
	FILE *file = tree_file(tree, "distance");

	for (unsigned int i = 0; file && i < node_count(m); i++)
		fprintf(file, "%s%d", i ? " " : "", i == index ? 10 : 20);
	if (file) {
		fputc('\n', file);
		(void)fclose(file);
	}
}

void write_nodes(struct tree *tree, const struct machine *m)
{
	unsigned long all = total_kib(m) * (unsigned long)m->options.nodes;

	write_lists(tree, m);
	for (unsigned int i = 0; i < node_count(m); i++) {
		unsigned int id = machine_node_id(m, i);

		tree_enter(tree, NODE_DIR "/node%u", id);
		put_cpus(tree, m, id);
		put_memory(tree, id, i < (unsigned int)m->options.cpuless ? 0 : total_kib(m));
		put_distance(tree, m, i);
	}
	tree_enter(tree, "proc");
	tree_put(
		tree, "meminfo",
		"MemTotal:       %8lu kB\nMemFree:        %8lu kB\nMemAvailable:   %8lu kB\n"
		"SwapTotal:       4194240 kB\nSwapFree:        4194240 kB\n"
		"AnonHugePages:         0 kB\nHugePages_Total:       0\nHugepagesize:       2048 kB\n",
		all, all / 3, all / 2);
}
