/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The NUMA nodes of a topology. Used by machine/source/topology only. */
#ifndef LPARTUNE_MACHINE_NODES_H
#define LPARTUNE_MACHINE_NODES_H

struct root;
struct topology;

/* Fills the nodes of `topology`, whose online set is known. node_error tells why there are none;
 * only -ENOMEM is returned. */
int nodes_read(struct root *root, struct topology *topology);
void nodes_done(struct topology *topology);

#endif
