/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file reads a machine: it runs the readers in order and says what cannot exist there. */
#include "machine/fact/machine.h"

#include <errno.h>

/* A later reader may use what an earlier one found. */
static int (*const readers[])(struct machine *) = {
	firmware_read, /* who runs us decides what every later number means */
	kernel_read,   symbols_read,   processors_read, policy_read,	 lpar_read,
	system_read,   scheduler_read, idling_read,	kernel_log_read, activity_read,
};

bool machine_is_powervm(const struct machine *m)
{
	return facts_is(&m->facts, FACT_HYPERVISOR, "powervm");
}

bool machine_is_shared(const struct machine *m)
{
	bool shared;

	return machine_is_powervm(m) && facts_bool(&m->facts, FACT_LPAR_SHARED, &shared) && shared;
}

/* Can a fact of this kind exist on this machine? An unknown hypervisor rules nothing out. */
static bool applies(const struct machine *m, enum fact_on on)
{
	const struct facts *f = &m->facts;
	bool power = facts_is(f, FACT_PLATFORM, "pseries") ||
		     facts_is(f, FACT_PLATFORM, "powernv") ||
		     facts_is(f, FACT_PLATFORM, "powermac") || facts_is(f, FACT_PLATFORM, "chrp");
	/* Nothing is ruled out on a machine of which nothing is known. */
	bool unknown = facts_is(f, FACT_HYPERVISOR, "unknown") &&
		       ((!f->value[FACT_PLATFORM].present && !f->value[FACT_ARCH].present) ||
			facts_is(f, FACT_PLATFORM, "pseries"));
	bool shared;

	switch (on) {
	case ON_ANY:
		return true;
	case ON_POWER:
		return power || !f->value[FACT_PLATFORM].present;
	case ON_PSERIES:
		return facts_is(f, FACT_PLATFORM, "pseries") || unknown;
	case ON_LPAR:
		return machine_is_powervm(m) || facts_is(f, FACT_HYPERVISOR, "prsm") || unknown;
	case ON_POWERVM:
		return machine_is_powervm(m) || unknown;
	case ON_SHARED:
		if (facts_bool(f, FACT_LPAR_SHARED, &shared) && !shared)
			return false;
		return machine_is_powervm(m) || unknown;
	case ON_GUEST:
		return !facts_is(f, FACT_HYPERVISOR, "none");
	}
	return true;
}

static void rule_out(struct machine *m)
{
	if (!applies(m, fact_info[FACT_LPAR_MODE].on))
		facts_set_string(&m->facts, FACT_LPAR_MODE, "not-applicable", "hypervisor");
	else if (!m->facts.value[FACT_LPAR_MODE].present)
		facts_set_string(&m->facts, FACT_LPAR_MODE, "unknown", "no source tells");
	for (int i = 0; i < FACT_COUNT; i++)
		if (i != FACT_LPAR_MODE && !applies(m, fact_info[i].on))
			facts_withdraw(&m->facts, (enum fact)i, REASON_NOT_APPLICABLE,
				       "this kind of machine");
}

int machine_read(struct root *root, struct machine *ret)
{
	_cleanup_machine_ struct machine m = { .root = root };
	int r = 0;

	for (size_t i = 0; r >= 0 && i < ARRAY_SIZE(readers); i++)
		r = readers[i](&m);
	if (r < 0)
		return r;
	rule_out(&m);
	if (m.facts.out_of_memory)
		return -ENOMEM;
	*ret = m;
	m = (struct machine) { 0 };
	return 0;
}

void machine_done(struct machine *m)
{
	facts_done(&m->facts);
	cpuinfo_done(&m->cpuinfo);
	lparcfg_done(&m->lparcfg);
	topology_done(&m->topology);
	free(m->boot_id);
	*m = (struct machine) { 0 };
}
