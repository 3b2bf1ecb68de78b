/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who the x86 processor under us says runs it. */
#ifndef LPARTUNE_MACHINE_CPUID_H
#define LPARTUNE_MACHINE_CPUID_H

/*
 * The hypervisor by CPUID (bit 31 of leaf 1, signatures at 0x40000000 and every 0x100 above): a word
 * of the fact `hypervisor`, "none" without the bit; NULL if the signature is not known or this is no
 * x86. `ret_source` says what it rests on.
 */
const char *cpuid_hypervisor(const char **ret_source);

#endif
