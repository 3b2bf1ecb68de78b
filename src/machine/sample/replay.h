/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The instants of a capture: DIR/manifest.json with `instants: [{"time_ns": N}, …]`, DIR/root/ with
 * everything, DIR/instants/NNN/ with the same relative paths for what counts. The instants are taken
 * in the order of their names. At the first instant a counter that it does not hold is the one in
 * root/; at later ones such a counter has no data. A capture with one instant starts from root/; one
 * without root/ has everything in its instants.
 */
#ifndef LPARTUNE_MACHINE_REPLAY_H
#define LPARTUNE_MACHINE_REPLAY_H

#include "machine/sample/watch.h"

struct replay;

/* Opens a capture. -ENOENT: it has no instants; -EINVAL: its manifest is damaged; -errno. */
int replay_open(const char *dir, struct replay **ret);
void replay_close(struct replay *replay);
static inline void replay_closep(struct replay **replay)
{
	replay_close(*replay);
}
#define _cleanup_replay_ _cleanup_(replay_closep)

/* The tree of everything that does not count; lives as long as the replay. */
struct root *replay_root(struct replay *replay);

/* How many instants there are (at least 2). */
size_t replay_count(const struct replay *replay);

/*
 * Reads the next instant. 0 at the end, 1 if there was one, -errno. Its clock is `time_ns` of the
 * manifest and, where its lparcfg holds one, the timebase register.
 */
int replay_next(struct replay *replay, struct watch *watch, struct reading *ret);

#endif
