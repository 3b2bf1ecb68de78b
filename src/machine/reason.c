/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file maps errors to reasons and reasons to words. */
#include "machine/reason.h"

#include <errno.h>

#include "base/util.h"

static const char *const words[REASON_COUNT] = {
	[REASON_MISSING] = "missing",
	[REASON_NOT_SAMPLED] = "not-sampled",
	[REASON_NO_DATA] = "no-data",
	[REASON_OFFLINE] = "offline",
	[REASON_RESET] = "reset",
	[REASON_NOT_PROVIDED] = "not-provided",
	[REASON_INVALID] = "invalid",
	[REASON_DENIED] = "denied",
	[REASON_LOCKED_DOWN] = "locked-down",
	[REASON_NOT_APPLICABLE] = "not-applicable",
};

const char *reason_word(enum reason reason)
{
	return words[reason];
}

enum reason reason_of_errno(int error)
{
	static const struct {
		int error;
		enum reason reason;
	} rows[] = {
		{ ENOENT, REASON_MISSING },	     { ENOTDIR, REASON_MISSING },
		{ EACCES, REASON_DENIED },	     { EPERM, REASON_DENIED },
		{ ENODEV, REASON_NOT_PROVIDED },     { ENXIO, REASON_NOT_PROVIDED },
		{ EOPNOTSUPP, REASON_NOT_PROVIDED }, { ENOSYS, REASON_NOT_PROVIDED },
		{ EIO, REASON_NOT_PROVIDED },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].error == error)
			return rows[i].reason;
	return REASON_INVALID;
}
