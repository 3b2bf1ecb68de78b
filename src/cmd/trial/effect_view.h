/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Effects with intervals and verdicts as cells of tables: compare, trial and confirm look alike. */
#ifndef LPARTUNE_CMD_EFFECT_VIEW_H
#define LPARTUNE_CMD_EFFECT_VIEW_H

#include <jansson.h>

#include "output/text.h"

/* "p99", "resp.p99", "rate". */
void effect_name_cell(struct text_table *table, const json_t *effect);

/* One side's value: microseconds, or a rate. */
void effect_value_cell(struct text_table *table, const json_t *effect, const char *key);

/* "-3.1,+0.4": the interval in percent; "-" where it is not known. */
void effect_interval_cell(struct text_table *table, const json_t *effect);

/* Two cells: the verdict, and how many rounds one would take or why there is none. */
void effect_verdict_cells(struct text_table *table, const json_t *effect);

#endif
