/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Capabilities: a command keeps those it needs and gives up all others before it touches anything. */
#ifndef LPARTUNE_BASE_PRIVILEGE_H
#define LPARTUNE_BASE_PRIVILEGE_H

enum privilege {
	PRIVILEGE_READ,	   /* CAP_DAC_READ_SEARCH, CAP_SYSLOG (the kernel log) */
	PRIVILEGE_MEASURE, /* also CAP_PERFMON, CAP_SYS_NICE, CAP_IPC_LOCK */
	PRIVILEGE_WRITE, /* also what giving files back exactly and the kernel's own checks take */
};

/*
 * Gives up every capability that `privilege` does not need; none is gained. Programs that are
 * started later gain none either, unless they may for PRIVILEGE_WRITE (boot loader tools). -errno.
 */
int privilege_drop(enum privilege privilege);

/* The capability whose lack explains a refused write of this kind; for messages. */
const char *privilege_for_path(const char *path);

#endif
