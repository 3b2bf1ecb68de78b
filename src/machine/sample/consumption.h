/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the whole partition consumes: lparcfg and PURR. Used by machine/sample/sample only. */
#ifndef LPARTUNE_MACHINE_CONSUMPTION_H
#define LPARTUNE_MACHINE_CONSUMPTION_H

#include "machine/sample/sample.h"

/*
 * Sets physc, entc, app and the PURR columns of the sample's system row, and the intervals of their
 * sources. Where the lppacas are not read, dispatches and dispersions come from lparcfg's sums.
 */
void consumption_set(const struct sample_context *context, const struct reading *before,
		     const struct reading *now, struct sample *sample);

#endif
