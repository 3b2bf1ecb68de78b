/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names on the command line that nothing has: what the user may have meant. */
#ifndef LPARTUNE_CMD_SUGGEST_H
#define LPARTUNE_CMD_SUGGEST_H

#include <argp.h>

/* The end of a message about an unknown id (of a rule or tunable) or tunable: "; did you mean …?" or
 * "". Allocated; NULL: out of memory. */
char *suggest_id(const char *id);
char *suggest_tunable(const char *id);

/* A usage error about an id that neither a rule nor a tunable has. */
void id_refuse(struct argp_state *state, const char *id);

/* The workload that an argument names; a usage error if there is none. */
const char *workload_argument(struct argp_state *state, const char *arg);

#endif
