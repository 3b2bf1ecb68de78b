/* SPDX-License-Identifier: GPL-2.0-or-later */
/* /proc/cpuinfo: "key : value" lines with tabs, blanks or neither around the colon. */
#ifndef LPARTUNE_MACHINE_CPUINFO_H
#define LPARTUNE_MACHINE_CPUINFO_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/root.h"

/* Strings are UTF-8 and NULL where the file does not tell. */
struct cpuinfo {
	char *platform;	      /* ppc: pSeries, PowerNV, PowerMac, CHRP … */
	char *model;	      /* ppc: machine model ("IBM,8247-21L") */
	char *machine;	      /* ppc: "CHRP IBM,8247-21L" */
	char *cpu;	      /* processor name: ppc "cpu", x86 "model name", s390 machine type */
	char *vendor;	      /* x86, s390: vendor_id */
	uint64_t timebase_hz; /* 0: not told */
	bool has_flags;	      /* there is a line of x86 flags … */
	bool is_64bit;	      /* … with lm */
	bool is_guest;	      /* … with hypervisor */
	bool is_arm64;
};

/* Parses a text; never fails but for memory (-ENOMEM). */
int cpuinfo_parse(struct span text, struct cpuinfo *ret);
int cpuinfo_read(struct root *root, struct cpuinfo *ret);
void cpuinfo_done(struct cpuinfo *cpuinfo);

#endif
