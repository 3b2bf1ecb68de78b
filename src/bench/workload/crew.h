/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A crew: threads that do the same operation over and over, each timing its own. */
#ifndef LPARTUNE_BENCH_CREW_H
#define LPARTUNE_BENCH_CREW_H

#include "bench/bench.h"
#include "bench/workload/team.h"

/* What a crew does. `shared` is the caller's, for all threads; `own` is each thread's. */
struct crew_work {
	int (*prepare)(void *shared, void **own); /* may be NULL; -errno */
	/* -errno: it did nothing, which is no operation; the block has failed then. */
	int (*operate)(void *shared, void *own);
	void (*finish)(void *shared, void *own); /* may be NULL */
};

/*
 * Runs m->cell.size threads for a block: `wake` gets the time of each operation. Distance "free"
 * pins none, "same" all to one CPU, any other each to the next CPU in turn. Errors as session_play.
 */
int crew_run(struct session *session, struct measurement *m, struct block *block,
	     const struct crew_work *work, void *shared);

/* Adds cells of growing size, from 1 thread to two for each CPU, in doublings. -ENOMEM. */
int crew_cells(const struct session *session, struct cell cell, struct cell_list *list);

#endif
