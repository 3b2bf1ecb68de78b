/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hypervisor's script: what is done to which virtual processors, and when. A step is one line:
 *
 *	write at=1s cpus=0-3 dispatch=25ms entitlement=5ms dispersions=1 every=50ms times=40
 *	hold at=500ms cpus=1 length=5ms every=100ms times=20
 *	next
 *
 * `at` counts from the guest's "steps start"; `next` begins the part that the next start runs.
 */
#ifndef LAB_STEPS_H
#define LAB_STEPS_H

#include <stddef.h>

#include "base/idset.h"
#include "guest.h"

enum step_verb { STEP_WRITE, STEP_HOLD };

struct step {
	enum step_verb verb;
	unsigned int part;
	struct idset cpus;
	struct guest_waiting waiting; /* for a write */
	uint64_t length_ns;	      /* for a hold */
	uint64_t at_ns, every_ns, times;
};

struct steps {
	struct step *list;
	size_t count;
	unsigned int parts;
};

/* Reads a script. On an error returns negative errno and the line's number in `ret_line`. */
int steps_read(const char *path, struct steps *ret, unsigned int *ret_line);
void steps_done(struct steps *steps);

#endif
