/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file chooses CPUs and pins threads; distances come from the topology alone. */
#include "bench/host/placement.h"

#include <errno.h>
#include <sched.h>

#define MASK_MAX (1 << 20) /* bits; the kernel's own limit is far below */

static const char *const words[] = {
	[DISTANCE_SAME] = "same", [DISTANCE_SMT] = "smt",   [DISTANCE_HALF] = "half",
	[DISTANCE_CORE] = "core", [DISTANCE_NODE] = "node", [DISTANCE_FREE] = "free",
};

const char *distance_word(enum distance distance)
{
	return words[distance];
}

int distance_parse(const char *word, enum distance *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (streq(words[i], word)) {
			*ret = (enum distance)i;
			return 0;
		}
	return -EINVAL;
}

static void cpu_freep(cpu_set_t **set)
{
	CPU_FREE(*set);
}

/* The CPUs that the calling thread may use, of any number. -errno. */
static int affinity_read(struct idset *ret)
{
	for (size_t bits = 1024; bits <= MASK_MAX; bits *= 2) {
		_cleanup_(cpu_freep) cpu_set_t *set = CPU_ALLOC(bits);
		_cleanup_idset_ struct idset ids = { 0 };
		size_t size = CPU_ALLOC_SIZE(bits);
		int r = 0;

		if (!set)
			return -ENOMEM;
		CPU_ZERO_S(size, set);
		if (sched_getaffinity(0, size, set) < 0) {
			if (errno == EINVAL)
				continue; /* the kernel's mask is larger */
			return -errno;
		}
		for (unsigned int cpu = 0; cpu < bits && r >= 0; cpu++)
			if (CPU_ISSET_S(cpu, size, set))
				r = idset_add(&ids, cpu);
		if (r < 0)
			return r;
		idset_done(ret);
		*ret = ids;
		ids = (struct idset) { 0 };
		return 0;
	}
	return -E2BIG;
}

int affinity_pin(int cpu)
{
	size_t id = (size_t)cpu;
	_cleanup_(cpu_freep) cpu_set_t *set = CPU_ALLOC(id + 1);
	_cleanup_idset_ struct idset now = { 0 };
	size_t size = CPU_ALLOC_SIZE(id + 1);
	int r;

	if (!set)
		return -ENOMEM;
	CPU_ZERO_S(size, set);
	CPU_SET_S(id, size, set);
	if (sched_setaffinity(0, size, set) < 0)
		return -errno;
	r = affinity_read(&now);
	if (r < 0)
		return r;
	return idset_count(&now) == 1 && idset_has(&now, (unsigned int)cpu) ? 0 : -EXDEV;
}

void layout_done(struct layout *layout)
{
	idset_done(&layout->allowed);
	free(layout->place);
	*layout = (struct layout) { 0 };
}

/* online ∩ affinity of this process (on the running machine) ∩ only. */
static int find_allowed(struct root *root, const struct topology *topology,
			const struct idset *only, struct idset *ret)
{
	_cleanup_idset_ struct idset mine = { 0 };
	int r = root_is_live(root) ? affinity_read(&mine) : 0;

	if (r < 0)
		return r;
	/* Without an online list the mask still tells what can be used. */
	idset_for_each (cpu, topology->online_error ? &mine : &topology->online) {
		unsigned int id = (unsigned int)cpu;

		if (root_is_live(root) && !idset_has(&mine, id))
			continue;
		if (only && !idset_has(only, id))
			continue;
		r = idset_add(ret, id);
		if (r < 0)
			return r;
	}
	return idset_count(ret) ? 0 : -ENODEV;
}

/* Halves of a big core show as separate first-level caches; -1 where sysfs has no caches. */
static int half_of(struct root *root, int cpu)
{
	_cleanup_idset_ struct idset siblings = { 0 };

	if (topology_cache_siblings(root, cpu, 1, &siblings) < 0)
		return -1;
	return idset_next(&siblings, 0);
}

static int fill_places(struct root *root, const struct topology *topology, struct layout *layout)
{
	_cleanup_idset_ struct idset cores = { 0 };
	int r = 0;

	idset_for_each (cpu, &layout->allowed) {
		const struct core *core = topology_core_of(topology, cpu);
		int first = core ? core->first : cpu;

		layout->place[cpu].core = first;
		layout->place[cpu].half = half_of(root, cpu);
		layout->place[cpu].node = topology_node_of(topology, cpu);
		r = idset_add(&cores, (unsigned int)first);
		if (r < 0)
			return r;
	}
	layout->cores = idset_count(&cores);
	return 0;
}

static unsigned int highest(const struct idset *set)
{
	unsigned int top = 0;

	idset_for_each (id, set)
		top = (unsigned int)id;
	return top;
}

int layout_make(struct root *root, const struct topology *topology, const struct idset *only,
		struct layout *ret)
{
	_cleanup_layout_ struct layout layout = { 0 };
	int r = find_allowed(root, topology, only, &layout.allowed);

	if (r < 0)
		return r;
	layout.size = highest(&layout.allowed) + 1;
	layout.place = reallocarray(NULL, layout.size, sizeof(*layout.place));
	if (!layout.place)
		return -ENOMEM;
	for (unsigned int i = 0; i < layout.size; i++)
		layout.place[i].core = layout.place[i].half = layout.place[i].node = -1;
	r = fill_places(root, topology, &layout);
	if (r < 0)
		return r;
	*ret = layout;
	layout = (struct layout) { 0 };
	return 0;
}

enum distance layout_distance(const struct layout *layout, int a, int b)
{
	if (a < 0 || b < 0 || (unsigned int)a >= layout->size || (unsigned int)b >= layout->size ||
	    layout->place[a].core < 0 || layout->place[b].core < 0)
		return DISTANCE_COUNT;
	if (a == b)
		return DISTANCE_SAME;
	if (layout->place[a].core == layout->place[b].core)
		return layout->place[a].half == layout->place[b].half ? DISTANCE_SMT
								      : DISTANCE_HALF;
	return layout->place[a].node == layout->place[b].node ? DISTANCE_CORE : DISTANCE_NODE;
}

/* The first allowed CPU at a distance of `waker` whose core is not used yet, or -1. */
static int find_partner(const struct layout *layout, int waker, enum distance distance,
			const struct idset *used)
{
	idset_for_each (cpu, &layout->allowed) {
		bool own_core = layout->place[cpu].core == layout->place[waker].core;

		if (!own_core && idset_has(used, (unsigned int)layout->place[cpu].core))
			continue;
		if (layout_distance(layout, waker, cpu) == distance)
			return cpu;
	}
	return -1;
}

static int use_cores(const struct layout *layout, const struct cpu_pair *pair, struct idset *used)
{
	int r = idset_add(used, (unsigned int)layout->place[pair->waker].core);

	return r < 0 ? r : idset_add(used, (unsigned int)layout->place[pair->worker].core);
}

int layout_pairs(const struct layout *layout, enum distance distance, unsigned int max,
		 struct cpu_pair *ret)
{
	_cleanup_idset_ struct idset used = { 0 };
	unsigned int n = 0;

	if (distance == DISTANCE_FREE) {
		for (; n < max; n++)
			ret[n] = (struct cpu_pair) { -1, -1 };
		return (int)n;
	}
	idset_for_each (cpu, &layout->allowed) {
		struct cpu_pair pair = { .waker = cpu };
		int r;

		if (n == max)
			break;
		if (idset_has(&used, (unsigned int)layout->place[cpu].core))
			continue;
		pair.worker = find_partner(layout, cpu, distance, &used);
		if (pair.worker < 0)
			continue;
		r = use_cores(layout, &pair, &used);
		if (r < 0)
			return r;
		ret[n++] = pair;
	}
	return (int)n;
}
