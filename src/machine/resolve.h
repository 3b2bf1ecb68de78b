/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opening a path so that it cannot leave a directory. Used by machine/root only. */
#ifndef LPARTUNE_MACHINE_RESOLVE_H
#define LPARTUNE_MACHINE_RESOLVE_H

/*
 * Opens `path` beneath `dirfd`, which acts as "/" for absolute links and for "..". `flags` are
 * open(2)'s for reading or O_PATH; O_CLOEXEC is added. Returns a descriptor, or -errno.
 */
int resolve_open(int dirfd, const char *path, int flags);

#endif
