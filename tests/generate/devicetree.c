// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * This file writes the device tree: cells are big-endian, strings end with NUL. The live tree is
 * /sys/firmware/devicetree/base; /proc/device-tree is a link to it.
 */
#include <endian.h>

#include "writers.h"

#define BASE "sys/firmware/devicetree/base"
#define CELLS_MAX 64

struct cells {
	uint32_t cell[CELLS_MAX];
	unsigned int count;
};

static void add(struct cells *cells, uint32_t value)
{
	cells->cell[cells->count++] = htobe32(value);
}

static void put_cells(struct tree *tree, const char *name, const struct cells *cells)
{
	tree_data(tree, name, cells->cell, cells->count * sizeof(cells->cell[0]));
}

static void put_cell(struct tree *tree, const char *name, uint32_t value)
{
	struct cells cells = { { htobe32(value) }, 1 };

	put_cells(tree, name, &cells);
}

static void put_string(struct tree *tree, const char *name, const char *value)
{
	tree_data(tree, name, value, strlen(value) + 1);
}

/* Several strings in one property; `values` has a NUL between them, and its own at the end. */
#define put_strings(tree, name, values) tree_data(tree, name, values, sizeof(values))

static void write_powervm(struct tree *tree, const struct machine *m)
{
	char machine[64];

	snprintf(machine, sizeof(machine), "IBM,%s", m->options.model);
	put_string(tree, "compatible", machine);
	put_string(tree, "model", machine);
	put_string(tree, "system-id", "IBM,020000000");
	put_string(tree, "ibm,partition-name", m->options.name);
	put_cell(tree, "ibm,partition-no", 7);
	put_cell(tree, "ibm,partition-performance-parameters-level", 1);
	put_cell(tree, "ibm,powervm-partition", 1);
	tree_data(tree, "hmc-managed?", "", 0);
	tree_data(tree, "ibm,lpar-capable", "", 0);
}

static void write_qemu(struct tree *tree, const struct machine *m)
{
	put_string(tree, "compatible", "qemu,pseries");
	put_string(tree, "model", "IBM pSeries (emulated by qemu)");
	put_string(tree, "vm,uuid", "00000000-0000-4000-8000-000000000001");
	put_string(tree, "system-id", "00000000-0000-4000-8000-000000000001");
	put_string(tree, "ibm,partition-name", m->options.name);
	if (m->options.kind == KVM_PSERIES) {
		tree_enter(tree, BASE "/hypervisor");
		put_string(tree, "compatible", "linux,kvm");
		put_string(tree, "name", "hypervisor");
	}
	tree_enter(tree, BASE "/chosen");
	put_cell(tree, "qemu,graphic-width", 1024);
}

static void write_identity(struct tree *tree, const struct machine *m)
{
	tree_enter(tree, BASE);
	put_string(tree, "device_type", "chrp");
	if (m->options.kind == POWERVM)
		write_powervm(tree, m);
	else if (m->options.kind != POWERNV)
		write_qemu(tree, m);
	else {
		put_string(tree, "model", m->options.model);
		put_strings(tree, "compatible", "ibm,powernv\0ibm,p9-openbmc");
	}
}

static void write_rtas(struct tree *tree, const struct machine *m)
{
	static const char functions[] = "hcall-pft\0hcall-term\0hcall-dabr\0hcall-interrupt\0"
					"hcall-splpar\0hcall-vphn\0hcall-set-mode";
	struct cells lrdr = { { 0 }, 0 };

	/* largest address (2 cells), memory block size (2), most processors */
	add(&lrdr, 0x10);
	add(&lrdr, 0);
	add(&lrdr, 0);
	add(&lrdr, 0x10000000);
	add(&lrdr, (uint32_t)m->options.max_cores);
	tree_enter(tree, BASE "/rtas");
	put_strings(tree, "ibm,hypertas-functions", functions);
	put_cells(tree, "ibm,lrdr-capacity", &lrdr);
}

static void put_associativity(struct tree *tree, uint32_t node, uint32_t core)
{
	struct cells cells = { { 0 }, 0 };

	add(&cells, 5); /* levels that follow */
	add(&cells, 0);
	add(&cells, 0);
	add(&cells, node);
	add(&cells, node);
	add(&cells, core);
	put_cells(tree, "ibm,associativity", &cells);
}

/* One array a property: what is shared, groups, threads in each, then their numbers. */
static void add_thread_groups(struct cells *cells, const struct machine *m, uint32_t first,
			      uint32_t property)
{
	uint32_t threads = (uint32_t)m->options.threads;

	add(cells, property);
	add(cells, 2);
	add(cells, threads / 2);
	for (uint32_t i = 0; i < threads; i++)
		add(cells, first + (i < threads / 2 ? i * 2 : (i - threads / 2) * 2 + 1));
}

static void put_threads(struct tree *tree, const struct machine *m, uint32_t first)
{
	struct cells servers = { { 0 }, 0 }, groups = { { 0 }, 0 };

	for (uint32_t i = 0; i < (uint32_t)m->options.threads; i++)
		add(&servers, first + i);
	put_cells(tree, "ibm,ppc-interrupt-server#s", &servers);
	if (!m->options.big_cores || m->options.threads < 2)
		return;
	add_thread_groups(&groups, m, first, 1); /* first-level caches */
	if (m->options.processor >= 10)
		add_thread_groups(&groups, m, first, 2); /* second level too */
	put_cells(tree, "ibm,thread-groups", &groups);
}

static void write_core(struct tree *tree, const struct machine *m, const struct cpu *first)
{
	tree_enter(tree, BASE "/cpus/PowerPC,POWER%d@%x", m->options.processor, first->id);
	put_string(tree, "device_type", "cpu");
	put_string(tree, "status", "okay");
	put_cell(tree, "reg", first->id);
	put_cell(tree, "timebase-frequency", m->timebase);
	if (m->options.kind == POWERVM || m->options.nodes > 1)
		put_associativity(tree, first->node, first->core);
	put_threads(tree, m, first->id);
}

static void write_chosen(struct tree *tree, const struct machine *m)
{
	struct cells points = { { 0 }, 0 };

	tree_enter(tree, BASE "/chosen");
	put_string(tree, "bootargs", m->options.cmdline);
	if (!machine_is_pseries(m))
		return;
	add(&points, 4);
	add(&points, 2);
	tree_enter(tree, BASE "/rtas");
	put_cells(tree, "ibm,associativity-reference-points", &points);
}

void write_device_tree(struct tree *tree, const struct machine *m)
{
	if (!machine_is_power(m))
		return;
	write_identity(tree, m);
	write_chosen(tree, m);
	if (machine_is_pseries(m))
		write_rtas(tree, m);
	for (unsigned int i = 0; i < m->count; i += (unsigned int)m->options.threads)
		write_core(tree, m, &m->cpu[i]);
	tree_enter(tree, "proc");
	tree_link(tree, "device-tree", "../sys/firmware/devicetree/base");
}
