/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file tests numbers against printf, which is right and slow. */
#include "output/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "unit.h"

static void test_fixed(void)
{
	static const double values[] = { 0,	 0.004,	    0.006,    0.5,  1,	  9.996, 12.34,
					 99.999, 100,	    123456.7, 4e9,  1e11, 1e300, -1.5,
					 -0.0,	 0.1 + 0.2, 21.45,    4.05, 2.675 };
	char got[NUMBER_SIZE], want[400];

	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		for (unsigned int decimals = 0; decimals < 4; decimals++) {
			size_t len;

			len = number_fixed(got, values[i], 8, decimals);
			CHECK(len == strlen(got) && len < NUMBER_SIZE);
			if (fabs(values[i]) > 1e30)
				continue; /* its digits would not fit */
			snprintf(want, sizeof(want), "%8.*f", (int)decimals, values[i]);
			if (!CHECK(strcmp(got, want) == 0))
				printf("# '%s', not '%s'\n", got, want);
		}
}

static void test_short(void)
{
	static const struct {
		double value;
		const char *text;
	} rows[] = {
		{ 0, "0" },
		{ 1, "1" },
		{ 12.5, "12.5" },
		{ 100, "100" },
		{ 1e-7, "1e-07" },
		{ 0.000001, "0.000001" },
		{ 1.0 / 3, "0.333333" },
		{ 2.9999999, "3" },
		{ 99999999999, "99999999999" },
		{ 1e15, "1e+15" },
		{ -2.5, "-2.5" },
		{ 0.1 + 0.2, "0.3" },
	};
	char got[NUMBER_SIZE];

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (!CHECK(number_short(got, rows[i].value) == strlen(rows[i].text) &&
			   strcmp(got, rows[i].text) == 0))
			printf("# '%s', not '%s'\n", got, rows[i].text);
}

/* Whatever the value, what is written is within half a millionth of it. */
static void test_many(void)
{
	char got[NUMBER_SIZE];
	unsigned int seed = 7, wrong = 0;

	for (unsigned int i = 0; i < 100000; i++) {
		double value = ldexp(rand_r(&seed), (int)(i % 40) - 35);

		number_short(got, value);
		wrong += fabs(strtod(got, NULL) - value) > 0.51e-6 + value * 1e-14;
	}
	CHECK(wrong == 0);
}

int main(void)
{
	test_fixed();
	test_short();
	test_many();
	return unit_done();
}
