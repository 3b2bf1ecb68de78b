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

int tunable_smt_of_cores(struct root *root, char **ret)
{
	_cleanup_(topology_cleanup) struct topology topology = { 0 };
	unsigned int threads = 0;
	char *number = NULL;

	if (!tunable_smt_threads(root, &topology))
		return -ENODATA;
	for (unsigned int i = 0; i < topology.core_count; i++) {
		unsigned int n = idset_count(&topology.cores[i].threads);

		if (threads && n != threads) {
			*ret = strdup(TUNABLE_MIXED);
			return *ret ? 0 : -ENOMEM;
		}
		threads = n;
	}
	if (!threads)
		return -ENODATA;
	if (asprintf(&number, "%u", threads) < 0)
		return -ENOMEM;
	*ret = number;
	return 0;
}
