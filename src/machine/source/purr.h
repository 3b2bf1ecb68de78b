/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PURR and SPURR of each CPU, and the part of both spent idle (Linux 5.8): hexadecimal files that
 * only root reads. Each read interrupts that CPU and wakes it from its cede, so they are read
 * rarely. Units: timebase ticks; SPURR is scaled by the effective frequency.
 */
#ifndef LPARTUNE_MACHINE_PURR_H
#define LPARTUNE_MACHINE_PURR_H

#include <stdint.h>

#include "machine/root.h"

enum purr_kind { PURR, SPURR, IDLE_PURR, IDLE_SPURR, PURR_KINDS };

struct purr_cpu {
	unsigned int cpu;
	uint64_t ticks[PURR_KINDS];
	int error[PURR_KINDS]; /* 0, or the errno for which there is no number */
};

/* Reads one kind of a CPU. -errno; -EINVAL if it is no hexadecimal number. */
int purr_read(struct root *root, unsigned int cpu, enum purr_kind kind, uint64_t *ret);

#endif
