/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sample's document as a line of JSON (JSON Lines), its groups as arrays at the end. */
#ifndef LPARTUNE_OUTPUT_SAMPLE_JSON_H
#define LPARTUNE_OUTPUT_SAMPLE_JSON_H

#include "output/sample_group.h"

/* Prints and flushes. 0 or -errno. */
int sample_json_print(const json_t *doc, const struct sample_groups *groups);

#endif
