/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file counts threads per core for the tunable "smt". */
#include "machine/tunable/tunable_smt.h"

#include <errno.h>

#include "machine/source/devicetree.h"

unsigned int tunable_smt_threads(struct root *root, struct topology *topology)
{
	unsigned int threads = 0;
	struct devicetree dt;

	devicetree_find(root, &dt);
	if (devicetree_threads_per_core(&dt, &threads) < 0)
		threads = 0;
	return topology_read(root, threads, topology) < 0 ? 0 : topology->threads_per_core;
}

/* Where threads are offline only firmware knows how many there are. */
static unsigned int limit_of(struct root *root, const struct tunable *t)
{
	_cleanup_(topology_cleanup) struct topology topology = { 0 };
	unsigned int threads = t->where == WHERE_SMT ? tunable_smt_threads(root, &topology) : 0;
	struct devicetree dt;

	if (!threads)
		return 0;
	devicetree_find(root, &dt);
	return devicetree_threads_per_core(&dt, &threads) == 0 ||
			       (!topology.present_error && !topology.online_error &&
				idset_equal(&topology.present, &topology.online))
		       ? threads
		       : 0;
}

bool tunable_exceeds(struct root *root, const struct tunable *t, const char *value,
		     unsigned int *ret_limit)
{
	unsigned int limit = limit_of(root, t);
	uint64_t number;

	if (!limit || parse_u64(span_of(value), &number) < 0 || number <= limit)
		return false;
	*ret_limit = limit;
	return true;
}

int tunable_smt_number(struct root *root, struct tunable_place *place)
{
	_cleanup_(topology_cleanup) struct topology topology = { 0 };
	unsigned int threads = 1;
	char *number;

	if (streq(place->value, "on"))
		threads = tunable_smt_threads(root, &topology);
	else if (!streq(place->value, "off"))
		return 0;
	if (!threads)
		return 0;
	if (asprintf(&number, "%u", threads) < 0)
		return -ENOMEM;
	free(place->value);
	place->value = number;
	return 0;
}

/* Is a CPU online by its own file? One without a file, or without a place, always is. */
static bool is_online(const struct tunable_places *places, size_t *next, unsigned int cpu)
{
	const struct tunable_place *place = &places->place[*next];
	char name[16];

	snprintf(name, sizeof(name), "cpu%u", cpu);
	if (*next >= places->count || !streq(place->instance, name))
		return true;
	(*next)++;
	return place->value && streq(place->value, "1");
}

/* Cores whose threads are all offline do not count. The lists of a tree, and those of cores whose
 * threads are going, do not follow the CPUs' own files. */
int tunable_smt_of_cores(struct root *root, const struct tunable_places *places, char **ret)
{
	_cleanup_(topology_cleanup) struct topology topology = { 0 };
	unsigned int width = tunable_smt_threads(root, &topology), threads = 0, n = 0;
	size_t next = 0;
	char *number;

	if (!width || topology.present_error)
		return -ENODATA;
	for (unsigned int cpu = 0; cpu < IDSET_MAX; cpu++) {
		n += idset_has(&topology.present, cpu) && is_online(places, &next, cpu);
		if ((cpu + 1) % width || !n)
			continue;
		if (threads && n != threads) {
			*ret = strdup(TUNABLE_MIXED);
			return *ret ? 0 : -ENOMEM;
		}
		threads = n;
		n = 0;
	}
	if (!threads)
		return -ENODATA;
	if (asprintf(&number, "%u", threads) < 0)
		return -ENOMEM;
	*ret = number;
	return 0;
}
