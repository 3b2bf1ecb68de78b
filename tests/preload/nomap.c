/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * To be preloaded: no thread but the first gets a mapping of 256 KiB or of a page, as if memory were
 * used up: what the operations of lpartune bench map.
 */
#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
	if ((size == 256 * 1024 || size == (size_t)sysconf(_SC_PAGESIZE)) &&
	    syscall(SYS_gettid) != getpid()) {
		errno = ENOMEM;
		return MAP_FAILED;
	}
	return (void *)syscall(SYS_mmap, at, size, protection, flags, fd, offset);
}
