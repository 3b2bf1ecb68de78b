// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * This file writes the lppacas as debugfs shows them (640 bytes, big-endian on every kernel), one for
 * each CPU that could ever be, and the dispatch statistics.
 */
#include <endian.h>
#include <inttypes.h>

#include "writers.h"

#define LPPACA_SIZE 640

/* Offsets of struct lppaca, arch/powerpc/include/asm/lppaca.h. */
enum {
	DESC = 0x000,
	SIZE = 0x004,
	OLD_STATUS = 0x009,
	HW_NODE = 0x018,
	HW_PROC = 0x01c,
	DONATE = 0x0b9,
	FPREGS = 0x0ba,
	WAIT_STATE = 0x0d8,
	SLB_COUNT = 0x0fc,
	IDLE = 0x0fe,
	YIELD_COUNT = 0x100,
	DISPERSION_COUNT = 0x104,
	ENQUEUE_DISPATCH_TB = 0x158,
	READY_ENQUEUE_TB = 0x160,
	WAIT_READY_TB = 0x168,
};

static void put16(uint8_t *vpa, unsigned int at, uint16_t value)
{
	value = htobe16(value);
	memcpy(vpa + at, &value, sizeof(value));
}

static void put32(uint8_t *vpa, unsigned int at, uint32_t value)
{
	value = htobe32(value);
	memcpy(vpa + at, &value, sizeof(value));
}

static void put64(uint8_t *vpa, unsigned int at, uint64_t value)
{
	value = htobe64(value);
	memcpy(vpa + at, &value, sizeof(value));
}

/* Odd while the CPU is not dispatched; wraps as the hypervisor's 32 bits do. */
uint32_t lppaca_yields(const struct cpu *cpu)
{
	return (uint32_t)((cpu->cedes + cpu->preemptions) * 2 + !cpu->is_running);
}

/* Which waiting times the hypervisor fills in (KVM hosts since 6.1 only the first; QEMU none). */
static void put_waits(uint8_t *vpa, const struct machine *m, const struct cpu *cpu)
{
	if (m->options.kind == QEMU_TCG || (m->options.kind == POWERVM && !machine_is_shared(m)))
		return;
	put64(vpa, ENQUEUE_DISPATCH_TB, ppm(m->ticks, cpu->dispatch_wait));
	if (m->options.kind != POWERVM)
		return;
	put64(vpa, READY_ENQUEUE_TB, ppm(m->ticks, cpu->entitlement_wait));
	put64(vpa, WAIT_READY_TB, ppm(m->ticks, cpu->idle));
}

static void fill(uint8_t *vpa, const struct machine *m, const struct cpu *cpu)
{
	bool is_idle = !cpu->is_running && !cpu->is_preempted;

	vpa[OLD_STATUS] = machine_has_shared_bit(m) ? 2 : 0;
	vpa[DONATE] = is_idle && m->options.kind == POWERVM && !machine_is_shared(m);
	vpa[IDLE] = is_idle;
	if (m->options.kind == POWERVM) {
		put32(vpa, HW_NODE, cpu->node);
		put32(vpa, HW_PROC, cpu->id);
		put32(vpa, DISPERSION_COUNT, (uint32_t)cpu->dispersions);
	}
	put64(vpa, WAIT_STATE, cpu->idle_purr);
	put32(vpa, YIELD_COUNT, lppaca_yields(cpu));
	put_waits(vpa, m, cpu);
}

void write_lppacas(struct tree *tree, const struct machine *m)
{
	unsigned int next = 0;

	if (!machine_is_pseries(m) || !m->options.debugfs)
		return;
	tree_enter(tree, "sys/kernel/debug/powerpc/vpa");
	for (unsigned int id = 0; id < m->possible_count; id++) {
		uint8_t vpa[LPPACA_SIZE] = { 0 };
		char name[32];

		put32(vpa, DESC, 0xd397d781);
		put16(vpa, SIZE, 0x400);
		vpa[FPREGS] = 1;
		put16(vpa, SLB_COUNT, 64);
		if (next < m->count && m->cpu[next].id == id)
			fill(vpa, m, &m->cpu[next++]);
		snprintf(name, sizeof(name), "cpu-%u", id);
		tree_data(tree, name, vpa, sizeof(vpa));
	}
}

/* Where the last hour's dispatches went: most to the same core, few to another chip. */
static void put_dispatches(FILE *file, const struct machine *m, const struct cpu *cpu)
{
	uint64_t all = (cpu->cedes + cpu->preemptions) * 3600 / (uint64_t)m->options.uptime;
	uint64_t chip = ppm(all, 250000 + scatter(cpu->id, 20, 60000));
	uint64_t other = ppm(all, 30000 + scatter(cpu->id, 21, 10000));
	uint64_t away = ppm(all, 40000 + scatter(cpu->id, 22, 20000));

	fprintf(file,
		"cpu%u %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " 0 %" PRIu64 " %" PRIu64
		" 0\n",
		cpu->id, all, all - chip - other, chip, other, all - away, away);
}

void write_dispatch_stats(struct tree *tree, const struct machine *m)
{
	FILE *file;

	if (!machine_has_shared_bit(m))
		return;
	tree_enter(tree, "proc/powerpc");
	tree_put(tree, "vcpudispatch_stats_freq", "50\n");
	file = tree_file(tree, "vcpudispatch_stats");
	if (!file)
		return;
	if (!m->options.dispatch_stats)
		fputs("off\n", file);
	for (unsigned int i = 0; m->options.dispatch_stats && i < m->count; i++) {
		if (m->cpu[i].online)
			put_dispatches(file, m, &m->cpu[i]);
	}
	(void)fclose(file);
}
