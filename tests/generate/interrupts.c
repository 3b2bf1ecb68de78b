// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * This file writes /proc/interrupts as the kernel's show_interrupts() and each architecture's
 * arch_show_interrupts() print it: a column for each online CPU.
 */
#include <inttypes.h>

#include "writers.h"

struct arch_row {
	const char *label, *text;
	uint32_t rate_ppm; /* of the CPU's cedes */
};

/* LOC appears twice. DBL is used between threads of a core under PowerVM and TCG. */
static const struct arch_row power_rows[] = {
	{ "LOC", "Local timer interrupts for timer event device", 700000 },
	{ "BCT", "Broadcast timer interrupts for timer event device", 0 },
	{ "LOC", "Local timer interrupts for others", 30000 },
	{ "SPU", "Spurious interrupts", 0 },
	{ "PMI", "Performance monitoring interrupts", 0 },
	{ "MCE", "Machine check exceptions", 0 },
	{ "NMI", "System Reset interrupts", 0 },
	{ "WDG", "Watchdog soft-NMI interrupts", 0 },
	{ "DBL", "Doorbell interrupts", 90000 },
};
static const struct arch_row x86_rows[] = {
	{ "NMI", "Non-maskable interrupts", 0 },     { "LOC", "Local timer interrupts", 700000 },
	{ "RES", "Rescheduling interrupts", 20000 }, { "CAL", "Function call interrupts", 90000 },
	{ "TLB", "TLB shootdowns", 5000 },
};
static const struct arch_row s390_rows[] = {
	{ "EXT", "", 800000 },
	{ "I/O", "", 40000 },
	{ "CLK", "[EXT] Clock Comparator", 700000 },
	{ "EXC", "[EXT] External Call", 90000 },
	{ "EMS", "[EXT] Emergency Signal", 4000 },
	{ "TMR", "[EXT] CPU Timer", 0 },
};

static const struct arch_row *rows_of(const struct machine *m, size_t *count)
{
	if (m->options.kind == PRSM) {
		*count = ARRAY_SIZE(s390_rows);
		return s390_rows;
	}
	if (!machine_is_power(m)) {
		*count = ARRAY_SIZE(x86_rows);
		return x86_rows;
	}
	*count = ARRAY_SIZE(power_rows);
	return power_rows;
}

static void put_header(FILE *file, const struct machine *m)
{
	fputs("           ", file);
	for (unsigned int i = 0; i < m->count; i++) {
		if (m->cpu[i].online)
			fprintf(file, "CPU%-8u", m->cpu[i].id);
	}
	fputc('\n', file);
}

/* Counts are 32 bits wide in the kernel. */
static void put_count(FILE *file, uint64_t count)
{
	fprintf(file, "%10" PRIu32 " ", (uint32_t)count);
}

/* One row of IPIs for each node since 5.13, one for all before. */
static unsigned int put_ipis(FILE *file, const struct machine *m)
{
	bool is_per_node = m->release->version >= 513;
	unsigned int rows = is_per_node ? (unsigned int)m->options.nodes : 1;

	for (unsigned int row = 0; row < rows; row++) {
		unsigned int node = machine_node_id(m, row + (unsigned int)m->options.cpuless);

		fprintf(file, "%3u: ", 16 + row);
		for (unsigned int i = 0; i < m->count; i++) {
			const struct cpu *cpu = &m->cpu[i];

			if (cpu->online)
				put_count(file,
					  is_per_node && cpu->node != node ? 0 : cpu->cedes / 3);
		}
		if (is_per_node)
			fprintf(file, " XIVE-IPI %3u Edge      IPI-%u\n", node, node);
		else
			fputs(" XIVE-IPI   0 Edge      IPI\n", file);
	}
	return rows;
}

/* A device's queue interrupts one CPU. */
static void put_devices(FILE *file, const struct machine *m, unsigned int first)
{
	const char *chip = m->options.kind == PRSM ? "AIRQ"
			   : machine_is_power(m)   ? "XIVE-IRQ"
						   : "PCI-MSI";

	for (unsigned int row = 0; row < (unsigned int)m->options.interrupts; row++) {
		unsigned int target = scatter(row, 40, m->count);

		fprintf(file, "%3u: ", first + row);
		for (unsigned int i = 0; i < m->count; i++) {
			if (m->cpu[i].online)
				put_count(file, i == target ? m->cpu[i].cedes / 50 : 0);
		}
		fprintf(file, " %s %u Edge      ibmvnic-30000%03x-rx%u\n", chip, 4096 + row,
			row / 8, row % 8);
	}
}

static void put_arch_rows(FILE *file, const struct machine *m)
{
	size_t count;
	const struct arch_row *rows = rows_of(m, &count);

	for (size_t r = 0; r < count; r++) {
		fprintf(file, "%3s: ", rows[r].label);
		for (unsigned int i = 0; i < m->count; i++) {
			if (m->cpu[i].online)
				put_count(file, ppm(m->cpu[i].cedes, rows[r].rate_ppm));
		}
		fprintf(file, "  %s\n", rows[r].text);
	}
}

void write_interrupts(struct tree *tree, const struct machine *m)
{
	unsigned int first = 16;
	FILE *file;

	tree_enter(tree, "proc");
	file = tree_file(tree, "interrupts");
	put_header(file, m);
	if (machine_is_power(m))
		first += put_ipis(file, m);
	put_devices(file, m, first);
	put_arch_rows(file, m);
	if (!machine_is_power(m) && m->options.kind != PRSM)
		fputs("ERR:          0\nMIS:          0\n", file);
	(void)fclose(file);
}
