/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /proc/powerpc/lparcfg: "lparcfg 1.9", then key=value lines. Real files hold an empty line in the
 * middle, values that end in " bytes", empty values, values with blanks or '=', lines of any length;
 * keys come and go with firmware and kernel. A missing key is absent, never 0.
 *
 * Units (kernel: arch/powerpc/platforms/pseries/lparcfg.c; PAPR: H_GET_PPP, H_PIC): capacities in
 * 1/100 core, purr, tbr and pool_idle_time in timebase ticks, memory as the table says.
 */
#ifndef LPARTUNE_MACHINE_LPARCFG_H
#define LPARTUNE_MACHINE_LPARCFG_H

#include <stdint.h>

#include "machine/root.h"

struct lparcfg {
	struct content content;
	const char *path; /* where it was found */
};

/* Reads the file by any of its names. -errno of the first name if there is none. */
int lparcfg_read(struct root *root, struct lparcfg *ret);
void lparcfg_done(struct lparcfg *lparcfg);
static inline void lparcfg_cleanup(struct lparcfg *lparcfg)
{
	lparcfg_done(lparcfg);
}

/* Walks the key=value lines: each call gives the next one; false at the end. Start with
 * `rest = content_span(&lparcfg->content)`. */
bool lparcfg_next(struct span *rest, struct span *key, struct span *value);

/* The value of a key. -ENOENT if there is no such key; -EINVAL, -ERANGE if it is not a number.
 * A key that stands there twice with different values is -EINVAL: neither can be believed. */
int lparcfg_string(const struct lparcfg *lparcfg, const char *key, struct span *ret);
int lparcfg_u64(const struct lparcfg *lparcfg, const char *key, uint64_t *ret);

/* What is known of a key: the unit of its value ("1/100 core", "bytes", …; NULL: none), and whether
 * it is a counter. NULL for a key that has no row. */
struct lparcfg_key {
	const char *name, *unit;
	bool is_counter, is_hex, is_text;
};
const struct lparcfg_key *lparcfg_key(struct span name);

#endif
