/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copying a machine's files for `--root` elsewhere. What is copied is what the readers ask for,
 * learned by watching them; there is no list to keep.
 */
#ifndef LPARTUNE_CMD_CAPTURE_H
#define LPARTUNE_CMD_CAPTURE_H

#include <jansson.h>

#include "machine/root.h"

struct capture {
	struct root *root; /* the machine */
	int dirfd;	   /* the capture; root/ and instants/ below it */
	bool keep_names;
	json_t *paths;	  /* asked for: path → {"kind", "error"} */
	json_t *counters; /* of them: those that an instant needs */
	json_t *errors;	  /* path → name of the error */
	json_t *instants; /* [{"time_ns"}] */
	size_t files, bytes;
	bool out_of_memory;
};

/* Watches every reader once. Returns 0 or -ENOMEM. */
int capture_watch(struct capture *capture);

/* Copies all that was asked for into root/. -errno of writing. */
int capture_copy(struct capture *capture);

/* Copies the counters into the next of instants/. -errno of writing. */
int capture_instant(struct capture *capture);

/* Writes the manifest: without it the directory is no capture. -errno. */
int capture_finish(struct capture *capture);

void capture_done(struct capture *capture);

/* Of files of which the readers look at a few lines: only those lines. -ENOMEM. */
int capture_filter(const char *path, struct content *content);

/* The content without what names the machine: other names, and zeros in place of serial numbers.
 * Replaces `content`. -ENOMEM. */
int capture_redact(const char *path, struct content *content);

#endif
