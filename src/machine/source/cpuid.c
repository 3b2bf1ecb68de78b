/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file asks the processor; it opens nothing. */
#include "machine/source/cpuid.h"

#include <stddef.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#include <stdint.h>

#include "base/util.h"

#define FIRST_LEAF 0x40000000u
#define LAST_LEAF 0x40010000u
#define LEAF_STEP 0x100u

/* In the order of trust: KVM and Xen show a Hyper-V signature first to guests that want it. */
static const struct {
	const char *signature, *hypervisor;
} rows[] = {
	{ "KVMKVMKVM", "kvm" },		  { "XenVMMXenVMM", "xen" },
	{ "Linux KVM Hv", "kvm" },	  { "VMwareVMware", "vmware" },
	{ "VBoxVBoxVBox", "virtualbox" }, { "TCGTCGTCGTCG", "qemu-tcg" },
	{ "Microsoft Hv", "hyperv" },
};

/* The rank of the signature at a leaf; ARRAY_SIZE(rows) for an unknown one. */
static size_t rank_at(unsigned int leaf)
{
	uint32_t eax, words[3];
	char signature[13] = { 0 };
	size_t rank = 0;

	__cpuid(leaf, eax, words[0], words[1], words[2]);
	(void)eax;
	memcpy(signature, words, sizeof(words));
	while (rank < ARRAY_SIZE(rows) && !streq(signature, rows[rank].signature))
		rank++;
	return rank;
}

const char *cpuid_hypervisor(const char **ret_source)
{
	unsigned int eax, ebx, ecx = 0, edx;
	size_t best = ARRAY_SIZE(rows);

	*ret_source = "CPUID";
	if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx))
		return NULL;
	if (!(ecx >> 31 & 1))
		return "none";
	for (unsigned int leaf = FIRST_LEAF; leaf <= LAST_LEAF; leaf += LEAF_STEP) {
		size_t rank = rank_at(leaf);

		best = rank < best ? rank : best;
	}
	return best < ARRAY_SIZE(rows) ? rows[best].hypervisor : NULL;
}
#else
const char *cpuid_hypervisor(const char **ret_source)
{
	*ret_source = "no CPUID";
	return NULL;
}
#endif
