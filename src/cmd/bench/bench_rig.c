/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file prepares a measurement; it runs none. */
#include "cmd/bench/bench_rig.h"

#include <errno.h>

#include "output/output.h"

void rig_done(struct rig *rig)
{
	counters_close(&rig->counters);
	attribution_close(&rig->attribution);
	layout_done(&rig->layout);
	machine_done(&rig->machine);
	root_close(rig->root);
	cell_list_done(&rig->cells);
}

static uint64_t timebase(const struct machine *machine)
{
	int64_t hz = 0;

	(void)facts_integer(&machine->facts, FACT_CPU_TIMEBASE, &hz);
	return hz > 0 ? (uint64_t)hz : 0;
}

int rig_read(struct rig *rig, const struct bench_options *o, bool measures)
{
	int r = machine_read(rig->root, &rig->machine);

	if (r < 0)
		return r;
	r = layout_make(rig->root, &rig->machine.topology, o->has_cpus ? &o->cpus : NULL,
			&rig->layout);
	if (r < 0)
		return r;
	r = attribution_open(rig->root, &rig->layout, timebase(&rig->machine), &rig->attribution);
	if (r < 0 || !measures || streq(o->events, "none"))
		return r;
	return counters_open(o->events, &rig->layout.allowed, &rig->counters);
}

void rig_tell_no_cpu(void)
{
	log_error("none of the CPUs of --cpus can be used here: 'lpartune bench --dry-run' shows "
		  "which can");
}

/* As inspect has it: without proof that somebody counts, 0 is no measurement. PowerVM always counts
 * in the lppacas; nothing is taken from a machine without a hypervisor. */
static bool zero_steal_is_unknown(const struct rig *rig)
{
	const struct facts *f = &rig->machine.facts;

	if (facts_is(f, FACT_HYPERVISOR, "none") ||
	    (facts_is(f, FACT_HYPERVISOR, "powervm") && rig->attribution.has_vpa))
		return false;
	return !f->value[FACT_STEAL_SOURCE].present;
}

struct session rig_session(struct rig *rig, const struct bench_config *config)
{
	return (struct session) {
		.config = config,
		.layout = &rig->layout,
		.attribution = config->attribution ? &rig->attribution : NULL,
		.zero_steal_is_unknown = zero_steal_is_unknown(rig),
		.counters = rig->counters.count ? &rig->counters : NULL,
		.root = rig->root,
		.stop = &rig->stop,
	};
}

/* Gives a cell what the options say for all cells. */
static void complete_cell(const struct bench_options *o, struct cell *cell)
{
	if (o->has_primitive)
		cell->primitive = o->primitive;
	if (o->load_pct && !cell->load_pct)
		cell->load_pct = o->load_pct;
	if (o->size)
		cell->size = o->size;
}

/* A cell of --cells, in each kind and size that the benchmark has. */
static int add_wanted_cell(struct rig *rig, const struct bench_options *o,
			   const struct benchmark *benchmark, const struct cell *wanted,
			   const struct cell_list *defaults)
{
	for (size_t i = 0; i < defaults->count; i++) {
		struct cell cell = *wanted;

		cell.benchmark = benchmark;
		if (!cell.idle_ns)
			cell.idle_ns = defaults->cell[defaults->count - 1].idle_ns;
		cell.size = defaults->cell[i].size;
		cell.kind = defaults->cell[i].kind;
		complete_cell(o, &cell);
		if (cell_list_add(&rig->cells, &cell) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int add_wanted_cells(struct rig *rig, const struct bench_options *o,
			    const struct benchmark *benchmark, const struct cell_list *defaults)
{
	int r = 0;

	for (size_t i = 0; i < o->cells.count && r == 0; i++)
		r = add_wanted_cell(rig, o, benchmark, &o->cells.cell[i], defaults);
	return r;
}

static int add_default_cells(struct rig *rig, const struct bench_options *o,
			     struct cell_list *defaults)
{
	for (size_t i = 0; i < defaults->count; i++) {
		complete_cell(o, &defaults->cell[i]);
		if (cell_list_add(&rig->cells, &defaults->cell[i]) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int add_cells(struct rig *rig, const struct bench_options *o, const struct session *session,
		     const struct benchmark *benchmark)
{
	struct cell_list defaults = { 0 };
	int r = benchmark->cells(session, &defaults);

	if (r == 0)
		r = o->cells.count ? add_wanted_cells(rig, o, benchmark, &defaults)
				   : add_default_cells(rig, o, &defaults);
	cell_list_done(&defaults);
	return r;
}

int rig_add_cells(struct rig *rig, const struct bench_options *o)
{
	struct session session = rig_session(rig, &o->config);
	int r = 0;

	for (unsigned int i = 0; i < o->benchmark_count && r == 0; i++)
		r = add_cells(rig, o, &session, o->benchmark[i]);
	return r;
}
