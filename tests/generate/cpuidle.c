// SPDX-License-Identifier: GPL-2.0-or-later
/* This file writes the idle states: driver, governor, and each CPU's states with their counts. */
#include <inttypes.h>

#include "writers.h"

struct state {
	const char *name, *desc;
	unsigned int latency_us, residency_us;
};

static const struct state shared_states[] = { { "snooze", "snooze", 0, 0 },
					      { "Shared Cede", "Shared Cede", 10, 100 } };
static const struct state dedicated_states[] = { { "snooze", "snooze", 0, 0 },
						 { "CEDE", "CEDE", 10, 100 } };
static const struct state powernv_states[] = { { "snooze", "snooze", 0, 0 },
					       { "stop0_lite", "stop0_lite", 2, 20 },
					       { "stop2", "stop2", 20, 200 } };
static const struct state haltpoll_states[] = { { "POLL", "CPUIDLE CORE POLL IDLE", 0, 0 },
						{ "haltpoll idle", "default architecture idle", 1,
						  1 } };
static const struct state intel_states[] = { { "POLL", "CPUIDLE CORE POLL IDLE", 0, 0 },
					     { "C1", "MWAIT 0x00", 1, 1 },
					     { "C6", "MWAIT 0x20", 170, 600 } };

static const struct state *states_of(const struct machine *m, size_t *count)
{
	*count = 2;
	switch (m->options.kind) {
	case POWERNV:
		*count = 3;
		return powernv_states;
	case X86:
		*count = 3;
		return intel_states;
	case X86_KVM:
		return haltpoll_states;
	case PRSM:
		*count = 0;
		return NULL;
	default:
		return machine_has_shared_bit(m) ? shared_states : dedicated_states;
	}
}

/* Polling ends most short idle times; the deepest state takes nearly all of the time. */
static void put_counts(struct tree *tree, const struct machine *m, const struct cpu *cpu,
		       bool is_deepest, unsigned int number)
{
	uint64_t idle_us = ppm((uint64_t)m->options.uptime * 1000000, cpu->idle);
	uint64_t usage = is_deepest ? cpu->cedes : cpu->cedes * 17 / 10 / (number + 1);

	tree_put(tree, "usage", "%" PRIu64 "\n", usage);
	tree_put(tree, "time", "%" PRIu64 "\n", ppm(idle_us, is_deepest ? 960000 : 12000));
	if (!m->options.is_full)
		return;
	tree_put(tree, "above", "%" PRIu64 "\n", is_deepest ? usage / 9 : 0);
	tree_put(tree, "below", "%" PRIu64 "\n", is_deepest ? 0 : usage / 7);
	tree_put(tree, "rejected", "0\n");
}

static void put_state(struct tree *tree, const struct machine *m, const struct cpu *cpu,
		      const struct state *state, unsigned int number, bool is_deepest)
{
	tree_enter(tree, "sys/devices/system/cpu/cpu%u/cpuidle/state%u", cpu->id, number);
	tree_put(tree, "name", "%s\n", state->name);
	tree_put(tree, "desc", "%s\n", state->desc);
	tree_put(tree, "latency", "%u\n", state->latency_us);
	tree_put(tree, "residency", "%u\n", state->residency_us);
	tree_put(tree, "disable", "0\n");
	put_counts(tree, m, cpu, is_deepest, number);
	if (!m->options.is_full)
		return;
	tree_put(tree, "power", "0\n");
	tree_put(tree, "default_status", "enabled\n");
}

void write_cpuidle(struct tree *tree, const struct machine *m, const struct cpu *cpu)
{
	size_t count;
	const struct state *states = states_of(m, &count);

	for (unsigned int i = 0; i < count; i++)
		put_state(tree, m, cpu, &states[i], i, i == count - 1);
	if (m->options.kind == PRSM) {
		tree_enter(tree, "sys/devices/system/cpu/cpu%u", cpu->id);
		tree_put(tree, "idle_count", "%" PRIu64 "\n", cpu->cedes);
		tree_put(tree, "idle_time_us", "%" PRIu64 "\n",
			 ppm((uint64_t)m->options.uptime * 1000000, cpu->idle));
	}
}

void write_cpuidle_driver(struct tree *tree, const struct machine *m)
{
	static const char *const drivers[] = {
		[POWERVM] = "pseries_idle",
		[KVM_PSERIES] = "pseries_idle",
		[QEMU_TCG] = "pseries_idle",
		[POWERNV] = "powernv_idle",
		[PRSM] = "none",
		[X86_KVM] = "haltpoll",
		[X86] = "intel_idle",
	};
	const char *governor = m->options.kind == X86_KVM ? "haltpoll" : "menu";

	tree_enter(tree, "sys/devices/system/cpu/cpuidle");
	tree_put(tree, "current_driver", "%s\n", drivers[m->options.kind]);
	tree_put(tree, "current_governor", "%s\n", governor);
	tree_put(tree, "current_governor_ro", "%s\n", governor);
	tree_put(tree, "available_governors", "%s\n",
		 m->options.kind == X86_KVM ? "menu haltpoll" : "menu");
}
