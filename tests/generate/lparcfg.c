// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * This file writes /proc/powerpc/lparcfg in the order of the kernel's own
 * arch/powerpc/platforms/pseries/lparcfg.c, with the keys that the kernel and hypervisor have.
 */
#include <inttypes.h>

#include "writers.h"

#define FRAME_UP_S 7000000 /* before the partition's boot */

static void put_identity(FILE *file, const struct machine *m)
{
	bool is_powervm = m->options.kind == POWERVM;

	fputs("lparcfg 1.9\n", file);
	fprintf(file, "serial_number=%s\n",
		is_powervm ? "IBM,020000000" : "00000000-0000-4000-8000-000000000001");
	fprintf(file, "system_type=%s%s\n", is_powervm ? "IBM," : "",
		is_powervm ? m->options.model : "IBM pSeries (emulated by qemu)");
	fprintf(file, "partition_id=%d\n", is_powervm ? 7 : 0);
	if (m->release->version >= 518)
		fprintf(file, "partition_name=%s\n", m->options.name);
}

/* What firmware gives as its characteristics, and QEMU as its few. */
static void put_characteristics(FILE *file, const struct machine *m)
{
	const struct options *o = &m->options;
	bool is_shared = machine_is_shared(m);

	if (o->kind != POWERVM) {
		fprintf(file,
			"partition_max_entitled_capacity=%d\nDesMem=%d\nDesProcs=%d\n"
			"system_potential_processors=%d\n",
			o->max_cores * o->threads, o->gib * o->nodes * 1024, o->cores * o->threads,
			o->max_cores * o->threads);
		return;
	}
	fprintf(file,
		"BoundThrds=1\nCapInc=%d\nDisWheRotPer=5120000\nMinEntCap=%d\nMinEntCapPerVP=%d\n"
		"MinMem=1024\nMinProcs=1\n",
		is_shared ? 1 : 100, is_shared ? 10 : 100, is_shared ? 5 : 100);
	fprintf(file,
		"partition_max_entitled_capacity=%d\nsystem_potential_processors=%d\n"
		"DesEntCap=%d\nDesMem=%d\nDesProcs=%d\nDesVarCapWt=%d\nDedDonMode=%d\n\n",
		is_shared ? o->pool_cores * 100 : o->max_cores * 100, o->frame_cores,
		is_shared ? o->entitlement : o->cores * 100, o->gib * o->nodes * 1024, o->cores,
		o->mode == SHARED_UNCAPPED ? o->weight : 0, o->mode == DONATING);
}

static void put_pool(FILE *file, const struct machine *m)
{
	const struct options *o = &m->options;
	/* a third of the pool is idle; it has counted since the frame's boot, long before ours */
	uint64_t third = (uint64_t)(m->timebase / 3) * (uint64_t)o->pool_cores;
	uint64_t before = third * FRAME_UP_S;

	fprintf(file, "pool=%d\npool_capacity=%d\npool_idle_time=%" PRIu64 "\npool_num_procs=%d\n",
		o->pool, o->pool_cores * 100, before + third * (uint64_t)o->uptime, o->pool_cores);
	if (m->release->version >= 610)
		fprintf(file, "boot_pool_idle_time=%" PRIu64 "\n", before);
}

/* H_GET_PPP: PowerVM only. */
static void put_performance(FILE *file, const struct machine *m)
{
	const struct options *o = &m->options;
	bool is_shared = machine_is_shared(m);

	fprintf(file, "partition_entitled_capacity=%d\ngroup=32775\nsystem_active_processors=%d\n",
		is_shared ? o->entitlement : o->cores * 100, o->frame_cores);
	if (is_shared)
		put_pool(file, m);
	fprintf(file,
		"unallocated_capacity_weight=0\ncapacity_weight=%d\ncapped=%d\n"
		"unallocated_capacity=0\n",
		o->mode == SHARED_UNCAPPED ? o->weight : 0, o->mode != SHARED_UNCAPPED);
	fprintf(file,
		"physical_procs_allocated_to_virtualization=%d\nmax_proc_capacity_available=%d\n"
		"entitled_proc_capacity_available=%d\n",
		o->pool_cores, o->pool_cores * 100, o->pool_cores * 40);
}

/* H_GET_MPP: gone with POWER10. */
static void put_memory(FILE *file, const struct machine *m)
{
	unsigned long bytes = (unsigned long)(m->options.gib * m->options.nodes) << 30;

	if (m->options.kind != POWERVM || m->options.processor >= 10)
		return;
	fprintf(file,
		"entitled_memory=%lu\nentitled_memory_group_number=32775\n"
		"entitled_memory_pool_number=65535\nentitled_memory_weight=0\n"
		"unallocated_entitled_memory_weight=0\nunallocated_io_mapping_entitlement=0\n"
		"entitled_memory_loan_request=0\nbacking_memory=%lu bytes\ncmo_enabled=0\n",
		bytes, bytes);
}

/* Sums over CPUs: yields of all lppacas, PURR of online CPUs. */
static void put_sums(FILE *file, const struct machine *m)
{
	uint64_t dispatches = 0, dispersions = 0, purr = 0;

	for (unsigned int i = 0; i < m->count; i++) {
		dispatches += lppaca_yields(&m->cpu[i]);
		dispersions += (uint32_t)m->cpu[i].dispersions;
		purr += m->cpu[i].purr;
	}
	fprintf(file,
		"dispatches=%" PRIu64 "\ndispatch_dispersions=%" PRIu64 "\npurr=%" PRIu64
		"\ntbr=%" PRIu64 "\n",
		dispatches, dispersions, purr, m->ticks + 4096);
}

static void put_tail(FILE *file, const struct machine *m)
{
	const struct options *o = &m->options;

	if (o->kind == POWERVM && m->release->version >= 509 && o->affinity_score >= 0)
		fprintf(file, "partition_affinity_score=%d\n", o->affinity_score);
	fprintf(file,
		"partition_active_processors=%d\npartition_potential_processors=%d\n"
		"shared_processor_mode=%d\n",
		o->cores, o->max_cores, machine_has_shared_bit(m));
	if (o->kind == POWERVM && o->processor < 10)
		fputs("slb_size=32\npower_mode_data=0002000000020002\n", file);
	if (m->release->version >= 509)
		fprintf(file, "MaxMem=%lu\n", (unsigned long)(o->gib * o->nodes * 2) << 30);
	if (o->kind == POWERVM && m->release->version >= 514)
		fputs("security_flavor=1\n", file);
}

void write_lparcfg(struct tree *tree, const struct machine *m)
{
	FILE *file;

	if (!machine_is_pseries(m) || !m->options.lparcfg || !m->release->has_lparcfg)
		return;
	tree_enter(tree, "proc/powerpc");
	file = tree_file(tree, "lparcfg");
	put_identity(file, m);
	put_characteristics(file, m);
	if (m->options.kind == POWERVM)
		put_performance(file, m);
	put_memory(file, m);
	put_sums(file, m);
	put_tail(file, m);
	(void)fclose(file);
	tree_enter(tree, "proc");
	tree_link(tree, "ppc64", "powerpc");
}
