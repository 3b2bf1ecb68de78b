/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A set of small numbers (CPU, core or node ids) of any size. Ids are sparse and can exceed every
 * compile-time limit (PowerVM: 1920 threads and more, in gaps), so nothing here is sized in advance.
 */
#ifndef LPARTUNE_BASE_IDSET_H
#define LPARTUNE_BASE_IDSET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/util.h"

/* Ids at or above this are refused as absurd: the kernel's own NR_CPUS limit on any architecture
 * is 8192, and one absurd number in a damaged file must not allocate gigabytes. */
#define IDSET_MAX 65536

struct idset {
	unsigned long *bits;
	unsigned int size; /* ids that fit, a multiple of the word size */
};

/* Frees the words; the set is empty afterwards and can be used again. */
void idset_done(struct idset *set);
static inline void idset_cleanup(struct idset *set)
{
	idset_done(set);
}
#define _cleanup_idset_ _cleanup_(idset_cleanup)

/* Adds an id. Returns -ERANGE for an id of IDSET_MAX or more, -ENOMEM. */
int idset_add(struct idset *set, unsigned int id);
void idset_del(struct idset *set, unsigned int id);
bool idset_has(const struct idset *set, unsigned int id);
unsigned int idset_count(const struct idset *set);
bool idset_equal(const struct idset *a, const struct idset *b);

/* How many ids are in both sets. */
unsigned int idset_count_common(const struct idset *a, const struct idset *b);

/* The smallest id that is at least `from`, or -1. */
int idset_next(const struct idset *set, unsigned int from);
#define idset_for_each(id, set) \
	for (int id = idset_next(set, 0); id >= 0; id = idset_next(set, (unsigned int)id + 1))

/*
 * Parses the kernel's list format ("0-3,8,16-23", an empty text is the empty set; trailing white
 * space is ignored). Returns -EINVAL for anything else, -ERANGE, -ENOMEM; `ret` is then untouched.
 */
int idset_parse_list(const char *text, struct idset *ret);

/* Parses the kernel's mask format ("00000000,0000ff0f", highest word first). Errors as above. */
int idset_parse_mask(const char *text, struct idset *ret);

/* The list format of a set, allocated; NULL when memory is out. */
char *idset_format(const struct idset *set);

#endif
