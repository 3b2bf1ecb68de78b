/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two sides that cannot be measured in turns, because a reboot lies between them: several sessions
 * on each, apart from each other, that must agree among themselves before the sides are compared.
 * Nothing protects from drift, and every document says so.
 */
#ifndef LPARTUNE_BENCH_SEQUENTIAL_H
#define LPARTUNE_BENCH_SEQUENTIAL_H

#include <jansson.h>

#define SEQUENTIAL_SESSIONS 3  /* on each side */
#define SEQUENTIAL_BLOCKS 10   /* of each cell in each session */
#define SEQUENTIAL_APART_S 600 /* sessions of one boot that begin sooner after each other are one */
#define SEQUENTIAL_WARNING "sequential: not protected from drift"

/*
 * Adds "sessions" ({"before", "after", "needed"}), "agreement" ({"before", "after"}: do sessions of a
 * side agree? null: there are fewer than two), "warning", "comparison" (as compare prints it; null
 * while a side is empty), "verdict" and "reason". -EINVAL: a session is no bench document; -EPROTO:
 * their definitions differ; -ENODATA: they have no cell in common; -ENOMEM.
 */
int sequential_to_json(const json_t *before, const json_t *after, double within_pct, json_t *doc);

#endif
