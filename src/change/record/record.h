/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Our own records (journal, state) as files: JSON objects with a format version and a checksum, so
 * that a damaged one is refused and never half believed.
 */
#ifndef LPARTUNE_CHANGE_RECORD_H
#define LPARTUNE_CHANGE_RECORD_H

#include <jansson.h>

#include "machine/root.h"

/* Raised when an older lpartune could no longer understand a record. */
#define RECORD_FORMAT 1

/* A new record with what all have: lpartune (version), format, kind, time, boot_id and kernel (null
 * if unknown). NULL when memory is out. */
json_t *record_new(struct root *root, const char *kind);

/* Writes a record so that a crash leaves the old or the new one. Sets its checksum. -errno. */
int record_save(int dirfd, const char *name, json_t *record, mode_t mode);

/* Reads a record. -ENOENT: there is none; -EBADMSG: damaged; -EPROTONOSUPPORT: a newer format. */
int record_load(int dirfd, const char *name, json_t **ret);

/* Was the record made during the boot that runs now? True also where no boot can be told. */
bool record_is_of_this_boot(struct root *root, const json_t *record);

#endif
