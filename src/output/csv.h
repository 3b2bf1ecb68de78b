/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `sample` documents as comma-separated values (RFC 4180, LF): one line for the system and each CPU,
 * core and node, the same fields always. A number that is absent is an empty field; the last field
 * says why ("physc=denied app=missing").
 */
#ifndef LPARTUNE_OUTPUT_CSV_H
#define LPARTUNE_OUTPUT_CSV_H

#include <stdbool.h>

#include "output/sample_group.h"

/* Prints the lines of a document and its groups, after the heading if `headed`. Flushes. 0 or -errno. */
int csv_print(const json_t *doc, const struct sample_groups *groups, bool headed);

#endif
