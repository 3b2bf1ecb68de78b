/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes readings of a machine: keeps the small files of each CPU open and reads them again and
 * again. Works with any limit of open files: what does not fit is opened each time.
 */
#ifndef LPARTUNE_MACHINE_WATCH_H
#define LPARTUNE_MACHINE_WATCH_H

#include "machine/sample/reading.h"

/* Files that stay open, and where they are. */
struct watch {
	struct root *root; /* where the counters stand */
	struct root *
		base; /* replay: the rest of the tree, for what an instant does not hold; or NULL */
	bool is_first;			 /* the first instant: then `base` holds counters too */
	const struct topology *topology; /* for schedstat; may be NULL */
	bool wants_lppaca, wants_idle;
	/* private */
	bool lppaca_seen, has_idle_states;
	int lppaca_error;
	struct idle_states idle;
	struct watch_files *files;
	unsigned int files_room;
	int stat_fd;
	long fds_left;
	char *buf;
	size_t buf_size;
};

/* `root` must outlive the watch. */
void watch_init(struct watch *watch, struct root *root);
void watch_done(struct watch *watch);
#define _cleanup_watch_ _cleanup_(watch_done)

/*
 * Reads the counters, and the clocks of the machine that runs us (a replay then sets its own, see
 * replay.h). Returns only -ENOMEM: what cannot be read carries its error.
 */
int watch_read(struct watch *watch, bool slow, struct reading *ret);

#endif
