/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A unit test is a program of tables and checks that prints TAP. CHECK counts one check; a failed
 * one says where. End main with `return unit_done();`.
 */
#ifndef LPARTUNE_TESTS_UNIT_H
#define LPARTUNE_TESTS_UNIT_H

#include <stdbool.h>
#include <stdio.h>

static int unit_count, unit_failed;

static inline bool unit_check(bool ok, const char *what, const char *file, int line)
{
	unit_count++;
	if (!ok) {
		unit_failed++;
		printf("# %s:%d: %s\n", file, line, what);
	}
	printf("%sok %d %s\n", ok ? "" : "not ", unit_count, ok ? "" : what);
	return ok;
}

#define CHECK(condition) unit_check((condition), #condition, __FILE__, __LINE__)

static inline int unit_done(void)
{
	printf("1..%d\n", unit_count);
	return unit_failed ? 1 : 0;
}

#endif
