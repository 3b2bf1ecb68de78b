// SPDX-License-Identifier: GPL-2.0-or-later
/* This file writes /proc/stat, /proc/uptime and /proc/loadavg. */
#include <inttypes.h>

#include "writers.h"

static void put_line(FILE *file, const char *name, const uint64_t ticks[STAT_COUNT])
{
	fputs(name, file);
	for (int i = 0; i < STAT_COUNT; i++)
		fprintf(file, " %" PRIu64, ticks[i]);
	fputs(" 0 0\n", file);
}

static void put_cpus(FILE *file, const struct machine *m)
{
	for (unsigned int i = 0; i < m->count; i++) {
		uint64_t ticks[STAT_COUNT];
		char name[32];

		if (!m->cpu[i].online)
			continue;
		machine_stat(m, &m->cpu[i], ticks);
		snprintf(name, sizeof(name), "cpu%u", m->cpu[i].id);
		put_line(file, name, ticks);
	}
}

static void put_all(FILE *file, const struct machine *m, uint64_t sum[STAT_COUNT])
{
	for (unsigned int i = 0; i < m->count; i++) {
		uint64_t ticks[STAT_COUNT];

		if (!m->cpu[i].online)
			continue;
		machine_stat(m, &m->cpu[i], ticks);
		for (int k = 0; k < STAT_COUNT; k++)
			sum[k] += ticks[k];
	}
	put_line(file, "cpu ", sum);
}

void write_stat(struct tree *tree, const struct machine *m)
{
	uint64_t sum[STAT_COUNT] = { 0 }, switches = 0;
	FILE *file;

	for (unsigned int i = 0; i < m->count; i++)
		switches += m->cpu[i].online ? m->cpu[i].cedes * 3 : 0;
	tree_enter(tree, "proc");
	file = tree_file(tree, "stat");
	put_all(file, m, sum);
	put_cpus(file, m);
	fprintf(file,
		"intr %" PRIu64 "\nctxt %" PRIu64 "\nbtime 1764504000\nprocesses %d\n"
		"procs_running %u\nprocs_blocked 0\nsoftirq %" PRIu64 "\n",
		switches * 2, switches, 5000 + m->options.uptime / 9, 1 + m->count / 4,
		switches / 2);
	(void)fclose(file);
	tree_put(tree, "uptime", "%d.42 %" PRIu64 ".%02" PRIu64 "\n", m->options.uptime,
		 sum[STAT_IDLE] / 100, sum[STAT_IDLE] % 100);
	tree_put(tree, "loadavg", "%u.25 %u.10 %u.07 %u/812 41237\n", m->count / 4, m->count / 4,
		 m->count / 5, 1 + m->count / 4);
}
