/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A step is one change to one file: a value of the kernel, or the bytes of a configuration file. It
 * knows what stood there before, what shall stand there, and how to bring back the first exactly.
 * Steps are planned without writing anything, written to the journal, and only then done.
 */
#ifndef LPARTUNE_CHANGE_STEP_H
#define LPARTUNE_CHANGE_STEP_H

#include <jansson.h>

#include "change/write.h"
#include "machine/tunable/tunables.h"

struct step {
	char *path;
	/* a value */
	const struct tunable *tunable; /* NULL: a configuration file */
	char *instance;		       /* "cpu3", or NULL */
	int thread;		       /* as in struct tunable_place */
	char *from, *to;	       /* canonical values */
	char *text, *undo_text;	       /* what to write for them */
	/* a configuration file */
	struct image before, after;
	bool by_tool; /* a boot loader's own tool writes it: `after` is what we expect, or nothing */
	bool is_shared;	 /* others write to it too: only parts of it are ours */
	int directories; /* levels that had to be made for it */
	bool skipped;	 /* its CPU was offline when it was to be done */
};

struct steps {
	struct step *step;
	size_t count;
};
void step_done(struct step *step);
void steps_done(struct steps *steps);
#define _cleanup_steps_ _cleanup_(steps_done)

/*
 * Plans to give a tunable a value: one step for each place that shows another value, none where it
 * is the same already. A twin that the kernel will clear gets a step of its own, so that its value
 * is kept. Returns how many were added; -EINVAL, -ERANGE (see tunable_check); -ENOENT, -EACCES,
 * -EPERM, -ENODATA: the tunable cannot be read; -EBUSY: it is stuck at a value that only a reboot
 * changes.
 */
int step_plan_value(struct root *root, const struct tunable *tunable, const char *value,
		    struct steps *steps);

/* Plans to bring back what a done step found, from the value that is there now. */
int step_plan_back(const struct step *done, const char *now, struct steps *steps);

/* Plans to make a file have this content (NULL: no such file). Takes no ownership. Returns the
 * number of steps added (0: it is so already); -errno. */
int step_plan_file(struct root *root, const char *path, const char *content, struct steps *steps);

/* Plans to bring a file back to an image; if that is no file, `directories` levels above it go too. */
int step_plan_image(struct root *root, const char *path, const struct image *image, int directories,
		    struct steps *steps);

/* Remembers a file that a tool will write, and what it must be then, if that is known (else NULL). */
int step_plan_watched(struct root *root, const char *path, const char *content,
		      struct steps *steps);

/*
 * Does a step and reads back. A value that is there already is not written again, and a CPU that
 * went offline since the step was planned is passed over. -errno of the kernel; -EREMOTEIO: the
 * write was accepted and the file shows another value.
 */
int step_do(struct root *root, struct step *step);

/* Does a value's file show what the step found before, or what it gives? Else somebody else was here. */
bool step_is_ours(struct root *root, const struct step *step);

/*
 * Brings back what was there before. What somebody else has changed since is left alone
 * (-ESTALE) unless `force`. What is lost is no error. -errno; of a value -ENOENT and its like mean
 * that it is out of reach for now.
 */
int step_undo(struct root *root, struct step *step, bool force);

/*
 * Is the value gone for good, with its CPU or its module, so that there is nothing to bring back? A
 * CPU that is only offline, or a file system that is not mounted, keeps its values.
 */
bool step_is_lost(struct root *root, const struct step *step);

/* Steps as a JSON array, and back. NULL, -EINVAL: damaged. -ENOMEM. */
json_t *steps_to_json(const struct steps *steps);
int steps_from_json(const json_t *array, struct steps *ret);

#endif
