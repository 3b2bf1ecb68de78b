// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * This file writes /proc/schedstat by version: 15, 16 (balance counts busy first) and 17 (domains
 * named, imbalance split, 45 numbers). Unless collection is on, only the run times count.
 */
#include <inttypes.h>

#include "writers.h"

struct level {
	const char *name;
	enum sharing sharing;
	bool is_all; /* the whole machine */
};

static unsigned int version_of(const struct machine *m)
{
	return m->release->version >= 614 ? 17 : m->release->version >= 612 ? 16 : 15;
}

/* The domains of a CPU; each is larger than the one before. */
static unsigned int levels_of(const struct machine *m, struct level level[4])
{
	unsigned int count = 0;

	if (m->options.threads > 1)
		level[count++] = (struct level) { "SMT", SHARE_SMALL_CORE, false };
	if (m->options.big_cores && m->options.processor == 9)
		level[count++] = (struct level) { "CACHE", SHARE_CORE, false };
	level[count++] = (struct level) { "PKG", SHARE_NODE, false };
	if (m->options.nodes > 1)
		level[count++] = (struct level) { "NUMA", SHARE_NODE, true };
	return count;
}

static void put_cpu(FILE *file, const struct machine *m, const struct cpu *cpu)
{
	uint64_t ns = (uint64_t)m->options.uptime * 1000000000;
	uint64_t busy = ppm(ns, 1000000 - cpu->idle - cpu->iowait);
	bool counts = m->options.schedstats;

	fprintf(file,
		"cpu%u 0 0 %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
		" %" PRIu64 "\n",
		cpu->id, counts ? cpu->cedes * 3 : 0, counts ? cpu->cedes : 0,
		counts ? cpu->cedes * 2 : 0, counts ? cpu->cedes : 0, busy,
		ppm(busy, 60000 + scatter(cpu->id, 30, 20000)), cpu->cedes * 2);
}

/* Balance counts of each idleness, then the rest; the last three are the wakeups. */
static void put_counts(FILE *file, const struct machine *m, const struct cpu *cpu,
		       unsigned int number)
{
	unsigned int count = version_of(m) >= 17 ? 45 : 36;

	for (unsigned int i = 0; i < count; i++) {
		uint64_t value = cpu->cedes / (10 * (number + 1)) / (i % 12 + 1);

		fprintf(file, " %" PRIu64, m->options.schedstats ? value : 0);
	}
	fputc('\n', file);
}

static void put_domains(FILE *file, const struct machine *m, const struct cpu *cpu)
{
	struct level level[4];
	unsigned int count = levels_of(m, level);

	for (unsigned int i = 0; i < count; i++) {
		_cleanup_idset_ struct idset set = { 0 };
		_cleanup_free_ char *mask = NULL;

		machine_siblings(m, cpu, level[i].sharing, &set);
		mask = machine_mask(m, level[i].is_all ? &m->online : &set);
		fprintf(file, "domain%u %s%s%s", i, version_of(m) >= 17 ? level[i].name : "",
			version_of(m) >= 17 ? " " : "", mask);
		put_counts(file, m, cpu, i);
	}
}

void write_schedstat(struct tree *tree, const struct machine *m)
{
	FILE *file;

	tree_enter(tree, "proc");
	file = tree_file(tree, "schedstat");
	fprintf(file, "version %u\ntimestamp %u\n", version_of(m),
		4294937296U + (unsigned int)(m->options.uptime % 300) * 100);
	for (unsigned int i = 0; i < m->count; i++) {
		if (!m->cpu[i].online)
			continue;
		put_cpu(file, m, &m->cpu[i]);
		put_domains(file, m, &m->cpu[i]);
	}
	(void)fclose(file);
}
