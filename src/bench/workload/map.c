/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file plans and reads maps; each of its cells is an ordinary cell of the wake probe. */
#include "bench/workload/map.h"

#include "bench/workload/benchmarks.h"

#define MAP_IDLE_NS (200 * NS_PER_US)

/* CPUs evenly spread over the allowed ones. */
static unsigned int choose_cpus(const struct layout *layout, int *cpu)
{
	unsigned int all = idset_count(&layout->allowed), n = 0, i = 0;
	unsigned int wanted = all < MAP_CPUS_MAX ? all : MAP_CPUS_MAX;

	idset_for_each (id, &layout->allowed) {
		if (i * wanted / all == n && n < wanted)
			cpu[n++] = id;
		i++;
	}
	return n;
}

static int add_pair(struct bench *bench, int waker, int worker)
{
	struct measurement *m = &bench->measurement[bench->count];

	m->cell = (struct cell) {
		.benchmark = &benchmark_wake,
		.distance = layout_distance(bench->session.layout, waker, worker),
		.idle_ns = MAP_IDLE_NS,
	};
	bench->count++;
	m->blocks = calloc(bench_blocks_most(bench), sizeof(*m->blocks));
	m->classes = calloc(1, sizeof(*m->classes));
	m->pairs = malloc(sizeof(*m->pairs));
	if (!m->blocks || !m->classes || !m->pairs)
		return -ENOMEM;
	m->pairs[0] = (struct cpu_pair) { waker, worker };
	m->pair_count = 1;
	return 0;
}

static int add_pairs(struct bench *bench)
{
	unsigned int n = bench->map_cpu_count;

	free(bench->measurement);
	bench->measurement = calloc(n * (n + 1) / 2 + 1, sizeof(*bench->measurement));
	if (!bench->measurement)
		return -ENOMEM;
	for (unsigned int i = 0; i < n; i++)
		for (unsigned int k = i; k < n; k++) {
			int r = add_pair(bench, bench->map_cpu[i], bench->map_cpu[k]);

			if (r < 0)
				return r;
		}
	return 0;
}

int map_plan(const struct bench_config *config, const struct session *session, struct bench *ret)
{
	const struct cell_list none = { 0 };
	struct bench_config own = *config;
	int r;

	own.rounds = config->rounds ? config->rounds : 1;
	own.pairs = 1;
	r = bench_plan(&own, session, &none, ret);
	if (r < 0)
		return r;
	ret->map_cpu_count = choose_cpus(session->layout, ret->map_cpu);
	r = add_pairs(ret);
	if (r < 0)
		bench_done(ret);
	return r;
}

static json_t *place_to_json(const struct layout *layout, int cpu)
{
	int core = layout->place[cpu].core, node = layout->place[cpu].node;

	return json_pack("{s:i, s:o, s:o}", "cpu", cpu, "core",
			 core < 0 ? json_null() : json_integer(core), "node",
			 node < 0 ? json_null() : json_integer(node));
}

static json_t *median_between(const struct bench *bench, int waker, int worker)
{
	_cleanup_distribution_ struct distribution all = { 0 };
	uint64_t ns;

	for (unsigned int i = 0; i < bench->count; i++) {
		const struct measurement *m = &bench->measurement[i];

		if (m->pairs[0].waker != waker || m->pairs[0].worker != worker)
			continue;
		for (unsigned int b = 0; b < m->block_count; b++)
			(void)distribution_merge(&all, &m->blocks[b].wake);
	}
	return distribution_quantile(&all, 0.5, &ns) ? json_integer((json_int_t)ns) : json_null();
}

json_t *map_to_json(const struct bench *bench)
{
	json_t *cpus = json_array(), *rows = json_array();

	for (unsigned int i = 0; i < bench->map_cpu_count; i++) {
		json_t *row = json_array();

		json_array_append_new(cpus,
				      place_to_json(bench->session.layout, bench->map_cpu[i]));
		for (unsigned int k = 0; k < bench->map_cpu_count; k++)
			json_array_append_new(
				row, median_between(bench, bench->map_cpu[i], bench->map_cpu[k]));
		json_array_append_new(rows, row);
	}
	return json_pack("{s:o, s:o}", "cpus", cpus, "p50_ns", rows);
}
