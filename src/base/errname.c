/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file knows errors by name: numbers differ between architectures, names do not. */
#include "base/errname.h"

#include <errno.h>

#include "base/util.h"

#define ROW(e)        \
	{             \
		e, #e \
	}
static const struct {
	int error;
	const char *name;
} rows[] = {
	ROW(EPERM),   ROW(ENOENT),  ROW(EIO),	     ROW(ENXIO),  ROW(E2BIG),
	ROW(EAGAIN),  ROW(ENOMEM),  ROW(EACCES),     ROW(EBUSY),  ROW(ENODEV),
	ROW(ENOTDIR), ROW(EISDIR),  ROW(EINVAL),     ROW(ENFILE), ROW(EMFILE),
	ROW(EFBIG),   ROW(ENOSPC),  ROW(EROFS),	     ROW(ERANGE), ROW(ENOSYS),
	ROW(ELOOP),   ROW(ENODATA), ROW(EOPNOTSUPP), ROW(ESTALE), ROW(ENAMETOOLONG),
};

const char *errname(int error)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].error == error)
			return rows[i].name;
	return NULL;
}

int errname_parse(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (streq(rows[i].name, name))
			return rows[i].error;
	return 0;
}
