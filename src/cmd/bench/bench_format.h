/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Figures of benchmarks as people read them; what bench and compare show alike. */
#ifndef LPARTUNE_CMD_BENCH_FORMAT_H
#define LPARTUNE_CMD_BENCH_FORMAT_H

#include <jansson.h>

#include "base/util.h"

/* A member as a number; NAN if it is not there or null. */
double member_number(const json_t *object, const char *key);
double member_number_in(const json_t *object, const char *inner, const char *key);

/* A member as text; "" if it is none. */
const char *member_word(const json_t *object, const char *key);

/* Microseconds with three digits, from nanoseconds; "-" for unknown. */
void format_us(char *buf, size_t size, double ns);

/* What tells cells of a benchmark apart, from {"distance", "idle_ns", …}: "core 200us 50%". */
void format_cell(char *buf, size_t size, const json_t *cell);

#endif
