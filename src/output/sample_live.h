/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `sample --live`: a screen that is redrawn in place: the system's line, the last minutes of steal and
 * load, a cell for each core shaded by its steal. Uses the terminal's alternate screen, asks for its
 * size at each drawing and leaves it as it was.
 */
#ifndef LPARTUNE_OUTPUT_SAMPLE_LIVE_H
#define LPARTUNE_OUTPUT_SAMPLE_LIVE_H

#include <jansson.h>

struct sample_live;

/* Makes one; the terminal is taken when something is drawn, and given back also if the program dies of
 * a signal that it does not catch. -ENOTTY if stdout is none; -ENOMEM. */
int sample_live_new(struct sample_live **ret);

/* Gives the terminal back. NULL is accepted. */
void sample_live_free(struct sample_live *live);

/* Gives the terminal back, for the time in which the program is stopped or has something to say; the
 * next drawing takes it again. NULL is accepted. */
void sample_live_pause(struct sample_live *live);

/* Draws the last document again, for a screen of another size. 0 or -errno. */
int sample_live_redraw(struct sample_live *live);

/* Draws a document with its cores, and keeps it. The one with the verdict ends it: the verdict is printed on the
 * screen as it was before. 0 or -errno. */
int sample_live_print(struct sample_live *live, json_t *doc);

#endif
