/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Capabilities: a command keeps those it needs and gives up all others before it touches anything. */
#ifndef LPARTUNE_BASE_PRIVILEGE_H
#define LPARTUNE_BASE_PRIVILEGE_H

enum privilege {
	PRIVILEGE_READ, /* CAP_DAC_READ_SEARCH, CAP_SYSLOG (the kernel log) */
	PRIVILEGE_MEASURE, /* also CAP_PERFMON, CAP_SYS_NICE, CAP_IPC_LOCK; see privilege_counting_begin */
	PRIVILEGE_WRITE, /* also what giving files back exactly and the kernel's own checks take */
};

/*
 * Gives up every capability that `privilege` does not need; none is gained. Programs that are
 * started later gain none either, unless they may for PRIVILEGE_WRITE (boot loader tools). -errno.
 */
int privilege_drop(enum privilege privilege);

/*
 * Perf events are opened between these two. Kernels before 5.8, and Debian's with
 * kernel.perf_event_paranoid 3, ask for CAP_SYS_ADMIN where others are content with CAP_PERFMON
 * (mainline: perfmon_capable(); Debian: "security,perf: Allow further restriction of
 * perf_event_open"). PRIVILEGE_MEASURE therefore holds it back, without effect, until the first end:
 * from then on it is gone. What PRIVILEGE_WRITE has is left alone.
 */
void privilege_counting_begin(void);
void privilege_counting_end(void);

/* The capability whose lack explains a refused write of this kind; for messages. */
const char *privilege_for_path(const char *path);

#endif
