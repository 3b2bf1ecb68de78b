// SPDX-License-Identifier: GPL-2.0-or-later
/* This file writes /proc/cpuinfo in each architecture's form. */
#include "writers.h"

struct processor {
	int generation;
	const char *revision;
	unsigned int clock_mhz;
};

static const struct processor processors[] = {
	{ 8, "2.1 (pvr 004b 0201)", 3425 },
	{ 9, "2.2 (pvr 004e 0202)", 2750 },
	{ 10, "2.0 (pvr 0080 0200)", 3550 },
	{ 11, "2.0 (pvr 0082 0200)", 3800 },
};

static const struct processor *processor_of(const struct machine *m)
{
	for (size_t i = 0; i < ARRAY_SIZE(processors); i++) {
		if (processors[i].generation == m->options.processor)
			return &processors[i];
	}
	return &processors[0];
}

static void put_power_machine(FILE *file, const struct machine *m)
{
	const char *mmu = m->options.processor >= 10 || m->options.kind != POWERVM ? "Radix"
										   : "Hash";

	fprintf(file, "timebase\t: %u\n", m->timebase);
	switch (m->options.kind) {
	case POWERVM:
		fprintf(file, "platform\t: pSeries\nmodel\t\t: IBM,%s\nmachine\t\t: CHRP IBM,%s\n",
			m->options.model, m->options.model);
		break;
	case POWERNV:
		fprintf(file,
			"platform\t: PowerNV\nmodel\t\t: %s\nmachine\t\t: PowerNV %s\n"
			"firmware\t: OPAL\n",
			m->options.model, m->options.model);
		break;
	default:
		fputs("platform\t: pSeries\nmodel\t\t: IBM pSeries (emulated by qemu)\n"
		      "machine\t\t: CHRP IBM pSeries (emulated by qemu)\n",
		      file);
		break;
	}
	fprintf(file, "MMU\t\t: %s\n", mmu);
}

static void put_power(FILE *file, const struct machine *m)
{
	const struct processor *p = processor_of(m);

	for (unsigned int i = 0; i < m->count; i++) {
		if (m->cpu[i].online)
			fprintf(file,
				"processor\t: %u\ncpu\t\t: POWER%d%s, altivec supported\n"
				"clock\t\t: %u.000000MHz\nrevision\t: %s\n\n",
				m->cpu[i].id, p->generation,
				m->options.kind == POWERNV ? "" : " (architected)", p->clock_mhz,
				p->revision);
	}
	put_power_machine(file, m);
}

static void put_x86(FILE *file, const struct machine *m)
{
	const char *flags = m->options.kind == X86 ? "" : " hypervisor";

	for (unsigned int i = 0; i < m->count; i++) {
		const struct cpu *cpu = &m->cpu[i];

		if (cpu->online)
			fprintf(file,
				"processor\t: %u\nvendor_id\t: GenuineIntel\ncpu family\t: 6\n"
				"model\t\t: 143\nmodel name\t: Intel Xeon Processor (synthetic)\n"
				"stepping\t: 8\ncpu MHz\t\t: 2100.000\nphysical id\t: %u\n"
				"siblings\t: %d\ncore id\t\t: %u\ncpu cores\t: %d\n"
				"flags\t\t: fpu tsc msr sse2 ht lm constant_tsc%s\nbogomips\t: 4200.00\n\n",
				cpu->id, cpu->node,
				m->options.cores * m->options.threads / m->options.nodes, cpu->core,
				m->options.cores / m->options.nodes, flags);
	}
}

static void put_s390(FILE *file, const struct machine *m)
{
	fprintf(file,
		"vendor_id       : IBM/S390\n# processors    : %u\nbogomips per cpu: 3241.00\n"
		"max thread id   : 0\nfeatures\t: esan3 zarch stfle msa ldisp eimm dfp edat\n"
		"facilities      : 0 1 2 3 4 6 7\n",
		idset_count(&m->online));
	for (unsigned int i = 0; i < m->count; i++) {
		if (m->cpu[i].online)
			fprintf(file,
				"processor %u: version = FF,  identification = 010000,  machine = 3931\n",
				m->cpu[i].id);
	}
}

void write_cpuinfo(struct tree *tree, const struct machine *m)
{
	FILE *file;

	tree_enter(tree, "proc");
	file = tree_file(tree, "cpuinfo");
	if (machine_is_power(m))
		put_power(file, m);
	else if (m->options.kind == PRSM)
		put_s390(file, m);
	else
		put_x86(file, m);
	(void)fclose(file);
}
