/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of the errors that reading a machine can meet, for files that travel between machines. */
#ifndef LPARTUNE_BASE_ERRNAME_H
#define LPARTUNE_BASE_ERRNAME_H

/* "EACCES" for EACCES; NULL for an error that has no row. (strerrorname_np needs glibc 2.32.) */
const char *errname(int error);

/* The error of a name, or 0 if the name is unknown. */
int errname_parse(const char *name);

#endif
