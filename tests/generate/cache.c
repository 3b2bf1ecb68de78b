// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * This file writes the caches of a CPU. A shared partition and a guest see only the first level; a
 * big core's two halves have first-level caches of their own.
 */
#include "writers.h"

struct cache {
	unsigned int level;
	const char *type;
	unsigned int kib, line, ways;
	enum sharing sharing;
};

static const struct cache power9[] = {
	{ 1, "Data", 32, 128, 8, SHARE_SMALL_CORE },
	{ 1, "Instruction", 32, 128, 8, SHARE_SMALL_CORE },
	{ 2, "Unified", 512, 128, 8, SHARE_CORE },
	{ 3, "Unified", 10240, 128, 20, SHARE_CORE },
};
static const struct cache power10[] = {
	{ 1, "Data", 32, 128, 8, SHARE_SMALL_CORE },
	{ 1, "Instruction", 48, 128, 6, SHARE_SMALL_CORE },
	{ 2, "Unified", 1024, 128, 8, SHARE_SMALL_CORE },
	{ 3, "Unified", 4096, 128, 16, SHARE_SMALL_CORE },
};
static const struct cache x86[] = {
	{ 1, "Data", 48, 64, 12, SHARE_CORE },
	{ 1, "Instruction", 32, 64, 8, SHARE_CORE },
	{ 2, "Unified", 2048, 64, 16, SHARE_CORE },
	{ 3, "Unified", 32768, 64, 16, SHARE_NODE },
};

static void put_details(struct tree *tree, const struct cache *cache, const struct idset *set)
{
	tree_put(tree, "ways_of_associativity", "%u\n", cache->ways);
	tree_put(tree, "coherency_line_size", "%u\n", cache->line);
	tree_put(tree, "number_of_sets", "%u\n", cache->kib * 1024 / cache->line / cache->ways);
	tree_put(tree, "id", "%d\n", idset_next(set, 0));
}

static void put_cache(struct tree *tree, const struct machine *m, const struct cpu *cpu,
		      const struct cache *cache, unsigned int index)
{
	_cleanup_idset_ struct idset set = { 0 };
	_cleanup_free_ char *list = NULL, *mask = NULL;

	machine_siblings(m, cpu, cache->sharing, &set);
	list = idset_format(&set);
	mask = machine_mask(m, &set);
	tree_enter(tree, "sys/devices/system/cpu/cpu%u/cache/index%u", cpu->id, index);
	tree_put(tree, "level", "%u\n", cache->level);
	tree_put(tree, "type", "%s\n", cache->type);
	tree_put(tree, "size", "%uK\n", cache->kib);
	tree_put(tree, "shared_cpu_list", "%s\n", list);
	tree_put(tree, "shared_cpu_map", "%s\n", mask);
	if (m->options.is_full)
		put_details(tree, cache, &set);
}

void write_caches(struct tree *tree, const struct machine *m, const struct cpu *cpu)
{
	const struct cache *caches = !machine_is_power(m)	  ? x86
				     : m->options.processor >= 10 ? power10
								  : power9;
	bool is_hidden = machine_has_shared_bit(m);
	int count = m->options.caches < 0 ? (is_hidden ? 2 : 4) : m->options.caches;

	for (int i = 0; i < count && i < 4; i++)
		put_cache(tree, m, cpu, &caches[i], (unsigned int)i);
}
