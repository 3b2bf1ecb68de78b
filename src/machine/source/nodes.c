/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file reads NUMA nodes: sparse ids, nodes without CPU, nodes without memory. */
#include "machine/source/nodes.h"

#include <errno.h>

#include "machine/source/topology.h"

#define NODE_DIR "sys/devices/system/node"

static int read_ids(struct root *root, struct idset *ret)
{
	_cleanup_names_ struct names names = { 0 };
	_cleanup_free_ char *text = NULL;
	int r = root_read_string(root, &text, NODE_DIR "/online");

	if (r >= 0 && idset_parse_list(text, ret) == 0 && idset_count(ret))
		return 0;
	r = root_list(root, &names, NODE_DIR);
	for (size_t i = 0; r >= 0 && i < names.count; i++) {
		uint64_t id;

		if (starts_with(names.name[i], "node") &&
		    parse_u64(span_of(names.name[i] + 4), &id) == 0 && id < IDSET_MAX)
			r = idset_add(ret, (unsigned int)id);
	}
	if (r < 0)
		return r;
	return idset_count(ret) ? 0 : -ENOENT;
}

/* The links to a node's CPUs, which pruned trees keep where they lack the list. */
static int list_cpus(struct root *root, int id, struct idset *ret)
{
	_cleanup_names_ struct names names = { 0 };
	int r = root_list(root, &names, NODE_DIR "/node%d", id);

	for (size_t i = 0; r >= 0 && i < names.count; i++) {
		uint64_t cpu;

		if (starts_with(names.name[i], "cpu") &&
		    parse_u64(span_of(names.name[i] + 3), &cpu) == 0 && cpu < IDSET_MAX)
			r = idset_add(ret, (unsigned int)cpu);
	}
	if (r < 0)
		return r;
	return idset_count(ret) ? 0 : -ENOENT; /* no CPU, or no links kept: nobody tells */
}

/* A node's list can name CPUs that are offline or not even present: only online ones count. */
static int read_cpus(struct root *root, const struct topology *t, int id, struct idset *ret)
{
	_cleanup_idset_ struct idset cpus = { 0 };
	_cleanup_free_ char *text = NULL;
	int r = root_read_string(root, &text, NODE_DIR "/node%d/cpulist", id);

	if (r >= 0) {
		r = idset_parse_list(text, &cpus);
	} else if (r == -ENOENT) {
		r = root_read_string(root, &text, NODE_DIR "/node%d/cpumap", id);
		r = r < 0 ? r : idset_parse_mask(text, &cpus);
		if (r == -ENOENT)
			r = list_cpus(root, id, &cpus);
	}
	idset_for_each (cpu, &cpus)
		if (r >= 0 && idset_has(&t->online, (unsigned int)cpu))
			r = idset_add(ret, (unsigned int)cpu);
	return r;
}

static int find_total(struct span line, void *arg)
{
	struct span word;

	while (span_word(&line, &word))
		if (span_is(word, "MemTotal:"))
			return span_word(&line, &word) && parse_u64(word, arg) == 0 ? 1 : 0;
	return 0;
}

/* What the files of a pruned tree do not tell is not known: it is neither memory nor none. */
static int read_memory(struct root *root, int id, bool *ret)
{
	uint64_t kib;
	int r = root_each_line(root, find_total, &kib, NODE_DIR "/node%d/meminfo", id);

	if (r == 1)
		*ret = kib > 0;
	return r == 1 ? 0 : r < 0 ? r : -EINVAL;
}

static int add_node(struct root *root, struct topology *t, int id)
{
	_cleanup_idset_ struct idset cpus = { 0 };
	struct node *node = &t->nodes[t->node_count];
	int r = read_cpus(root, t, id, &cpus);

	if (r < 0)
		return r;
	*node = (struct node) { .id = id, .cpus = cpus };
	node->memory_error = -read_memory(root, id, &node->has_memory);
	t->node_count++;
	cpus = (struct idset) { 0 };
	return 0;
}

int nodes_read(struct root *root, struct topology *t)
{
	_cleanup_idset_ struct idset ids = { 0 };
	int r = read_ids(root, &ids);

	if (r >= 0) {
		t->nodes = calloc(idset_count(&ids), sizeof(*t->nodes));
		if (!t->nodes)
			return -ENOMEM;
	}
	idset_for_each (id, &ids)
		if (r >= 0)
			r = add_node(root, t, id);
	if (r >= 0)
		return 0;
	nodes_done(t);
	t->node_error = -r;
	return r == -ENOMEM ? r : 0;
}

void nodes_done(struct topology *t)
{
	for (unsigned int i = 0; i < t->node_count; i++)
		idset_done(&t->nodes[i].cpus);
	free(t->nodes);
	t->nodes = NULL;
	t->node_count = 0;
}
