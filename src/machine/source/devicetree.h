/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The flattened device tree as files: strings end in NUL, numbers are big-endian cells. It stands at
 * /sys/firmware/devicetree/base, /proc/device-tree, or ppc64/device-tree of a supportconfig.
 */
#ifndef LPARTUNE_MACHINE_DEVICETREE_H
#define LPARTUNE_MACHINE_DEVICETREE_H

#include <stdint.h>

#include "machine/root.h"

struct devicetree {
	struct root *root;
	const char *base; /* NULL: there is none */
	int error;	  /* why, as errno */
};

/* Finds the tree. Always succeeds; look at `base`. */
void devicetree_find(struct root *root, struct devicetree *ret);

/* Is there such a property or node? 0, -ENOENT, -errno. */
int devicetree_has(const struct devicetree *dt, const char *path);

/* The first string of a property as UTF-8, for the caller to free. -errno. */
int devicetree_string(const struct devicetree *dt, const char *path, char **ret);

/* Is `wanted` one of the strings of a property ("compatible")? 1, 0, -errno. */
int devicetree_lists(const struct devicetree *dt, const char *path, const char *wanted);

/* The first cell of a property. -EINVAL if it is shorter than a cell. */
int devicetree_cell(const struct devicetree *dt, const char *path, uint32_t *ret);

/* Hardware threads of a core (cells of ibm,ppc-interrupt-server#s of the first CPU node). -errno. */
int devicetree_threads_per_core(const struct devicetree *dt, unsigned int *ret);

/* Do the CPU nodes have ibm,thread-groups (big cores)? 1, 0, -errno. */
int devicetree_has_thread_groups(const struct devicetree *dt);

#endif
