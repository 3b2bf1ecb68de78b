/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file writes numbers; what is too large, too small or negative is left to printf. */
#include "output/number.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define DECIMALS_MAX 6
#define COMMON_MAX 1e11 /* a millionth of it is still exact in a double */

static const uint32_t powers[] = { 1, 10, 100, 1000, 10000, 100000, 1000000 };

/* The digits of a number, right to left from `end`; returns their begin. */
static char *digits(char *end, uint64_t value, unsigned int least)
{
	char *begin = end;

	while (value || least) {
		*--begin = (char)('0' + value % 10);
		value /= 10;
		least -= least > 0;
	}
	return begin;
}

/* Value x 10^decimals, rounded; false if it is not common. What lies half way is not: the product is
 * rounded too, and only printf knows which side it is. */
static bool scale(double value, unsigned int decimals, uint64_t *ret)
{
	double scaled;

	if (!(value >= 0 && value < COMMON_MAX) || signbit(value))
		return false;
	scaled = value * powers[decimals];
	*ret = (uint64_t)(scaled + 0.5);
	return fabs(scaled + 0.5 - (double)*ret) > 1e-4;
}

size_t number_fixed(char *buf, double value, unsigned int width, unsigned int decimals)
{
	char text[NUMBER_SIZE], *end = text + sizeof(text), *begin = end;
	uint64_t scaled;
	size_t len, pad;

	if (!(fabs(value) < 1e30)) /* its digits would not fit */
		return (size_t)snprintf(buf, NUMBER_SIZE, "%*.6g", (int)width, value);
	if (!scale(value, decimals, &scaled))
		return (size_t)snprintf(buf, NUMBER_SIZE, "%*.*f", (int)width, (int)decimals,
					value);
	if (decimals) {
		begin = digits(begin, scaled % powers[decimals], decimals);
		*--begin = '.';
	}
	begin = digits(begin, scaled / powers[decimals], 1);
	len = (size_t)(end - begin);
	pad = len < width ? width - len : 0;
	memset(buf, ' ', pad);
	memcpy(buf + pad, begin, len);
	buf[pad + len] = '\0';
	return pad + len;
}

size_t number_short(char *buf, double value)
{
	uint64_t scaled;
	size_t len;

	if (!scale(value, DECIMALS_MAX, &scaled) || (!scaled && value > 0))
		return (size_t)snprintf(buf, NUMBER_SIZE, "%.15g", value);
	if (scaled % powers[DECIMALS_MAX] == 0)
		return number_fixed(buf, value, 0, 0);
	len = number_fixed(buf, value, 0, DECIMALS_MAX);
	while (buf[len - 1] == '0')
		len--;
	buf[len] = '\0';
	return len;
}
