/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of a sample's document that are made one at a time: with thousands of CPUs an array of them
 * all would cost more than reading the counters. A group stands for a member of the document.
 */
#ifndef LPARTUNE_OUTPUT_SAMPLE_GROUP_H
#define LPARTUNE_OUTPUT_SAMPLE_GROUP_H

#include <jansson.h>

struct sample_group {
	const char *name;   /* "cpus" */
	const char *member; /* that tells them apart: "cpu" */
	size_t count;
	/* The row of an index, borrowed until the next call; NULL when memory is out. */
	const json_t *(*row)(void *arg, size_t index);
	void *arg;
};

struct sample_groups {
	struct sample_group group[3];
	size_t count;
};

#endif
