/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * This file has what openat2 (Linux 5.6) needs, also where the kernel's headers are older: a program
 * that was built there may run on a newer kernel. Callers expect ENOSYS.
 */
#ifndef LPARTUNE_BASE_OPENAT2_H
#define LPARTUNE_BASE_OPENAT2_H

#include <sys/syscall.h>

#if __has_include(<linux/openat2.h>)
#include <linux/openat2.h>
#else
#include <stdint.h>

struct open_how {
	uint64_t flags;
	uint64_t mode;
	uint64_t resolve;
};

#define RESOLVE_NO_MAGICLINKS 0x02
#define RESOLVE_IN_ROOT 0x10
#endif

#ifndef __NR_openat2
#define __NR_openat2 437 /* on all architectures */
#endif

#endif
