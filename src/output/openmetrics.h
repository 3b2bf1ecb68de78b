/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A `sample` document as an OpenMetrics exposition (text format 1.0): TYPE, UNIT, HELP, samples,
 * "# EOF". A number that is absent has no sample; lpartune_absent says why. The system's numbers,
 * those of CPUs, cores and nodes are families of their own, so that none sums up another.
 */
#ifndef LPARTUNE_OUTPUT_OPENMETRICS_H
#define LPARTUNE_OUTPUT_OPENMETRICS_H

#include <jansson.h>
#include <stddef.h>

/* Renders the exposition; the caller frees it. NULL when memory is out. */
char *openmetrics_render(const json_t *doc, size_t *ret_len);

/* Prints it on stdout. 0 or -errno. */
int openmetrics_print(const json_t *doc);

#endif
