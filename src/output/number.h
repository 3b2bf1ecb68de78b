/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decimal numbers, many of them: what printf does, ten times as fast for common sizes. */
#ifndef LPARTUNE_OUTPUT_NUMBER_H
#define LPARTUNE_OUTPUT_NUMBER_H

#include <stdio.h>

#define NUMBER_SIZE 40 /* bytes that hold any number of these */

/* Writes a value with so many decimals (at most 6), at least `width` wide, and a NUL. Returns the
 * length. `buf` has NUMBER_SIZE bytes; width at most 20. */
size_t number_fixed(char *buf, double value, unsigned int width, unsigned int decimals);

/* Writes the shortest decimal that is within half a millionth of the value, as JSON and CSV take it:
 * "12.5", "0", "1e-07". */
size_t number_short(char *buf, double value);

#endif
