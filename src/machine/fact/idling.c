/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file makes facts of how CPUs idle: driver, governor, states, what is disabled. */
#include <errno.h>

#include "machine/fact/machine.h"
#include "machine/source/idle.h"

#define IDLE_DIR "sys/devices/system/cpu/cpu%d/cpuidle"

static void set_names(struct machine *m)
{
	_cleanup_free_ char *driver = NULL;
	_cleanup_free_ char *governor = NULL;
	int r = idle_driver_read(m->root, &driver);

	if (r >= 0)
		facts_set_string(&m->facts, FACT_IDLE_DRIVER, driver,
				 "sys/devices/system/cpu/cpuidle/current_driver");
	else
		facts_absent(&m->facts, FACT_IDLE_DRIVER, reason_of_errno(-r),
			     "sys/devices/system/cpu/cpuidle");
	r = idle_governor_read(m->root, &governor);
	if (r >= 0)
		facts_set_string(&m->facts, FACT_IDLE_GOVERNOR, governor,
				 "sys/devices/system/cpu/cpuidle/current_governor");
	else
		facts_absent(&m->facts, FACT_IDLE_GOVERNOR, reason_of_errno(-r),
			     "sys/devices/system/cpu/cpuidle");
}

/* "CEDE on 8 of 64 CPUs; …", or "none". */
static void set_disabled(struct machine *m, const struct idle_states *states, int cpu)
{
	_cleanup_free_ char *text = NULL;
	unsigned int online = idset_count(&m->topology.online), found = 0;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	int r = -ENOENT;

	if (!f)
		return;
	for (unsigned int i = 0; i < states->count; i++) {
		_cleanup_idset_ struct idset disabled = { 0 };
		unsigned int count;

		r = idle_disabled_read(m->root, i, &m->topology.online, &disabled);
		if (r < 0)
			break;
		count = idset_count(&disabled);
		if (count)
			fprintf(f, "%s%s on %u of %u CPUs", found++ ? "; " : "",
				states->state[i].name, count, online);
	}
	if (fclose(f))
		return;
	if (r >= 0)
		facts_set_string(&m->facts, FACT_IDLE_DISABLED, found ? text : "none",
				 "sys/devices/system/cpu/cpu*/cpuidle/state*/disable");
	else
		facts_absent(&m->facts, FACT_IDLE_DISABLED, reason_of_errno(-r), IDLE_DIR, cpu);
}

static void set_states(struct machine *m, const struct idle_states *states, int cpu)
{
	_cleanup_free_ char *names = NULL;
	size_t size;
	FILE *f = open_memstream(&names, &size);

	if (!f)
		return;
	for (unsigned int i = 0; i < states->count; i++) {
		const struct idle_state *state = &states->state[i];

		fprintf(f, "%s%s", i ? ", " : "", state->name);
		if ((streq(state->name, "CEDE") || streq(state->name, "Shared Cede")) &&
		    state->has_latency && state->latency_us <= INT64_MAX)
			facts_set_integer(&m->facts, FACT_IDLE_CEDE_LATENCY,
					  (int64_t)state->latency_us, IDLE_DIR "/state%u/latency",
					  cpu, i);
	}
	if (fclose(f) == 0 && states->count)
		facts_set_string(&m->facts, FACT_IDLE_STATES, names, IDLE_DIR, cpu);
}

int idling_read(struct machine *m)
{
	_cleanup_idle_states_ struct idle_states states = { 0 };
	int cpu = idset_next(&m->topology.online, 0);
	int r = cpu < 0 ? -ENOENT : idle_states_read(m->root, (unsigned int)cpu, &states);

	set_names(m);
	if (r < 0) {
		enum reason reason = reason_of_errno(-r);

		facts_absent(&m->facts, FACT_IDLE_STATES, reason, IDLE_DIR, cpu < 0 ? 0 : cpu);
		facts_absent(&m->facts, FACT_IDLE_DISABLED, reason, IDLE_DIR, cpu < 0 ? 0 : cpu);
		facts_absent(&m->facts, FACT_IDLE_CEDE_LATENCY, reason, IDLE_DIR,
			     cpu < 0 ? 0 : cpu);
		return r == -ENOMEM ? r : 0;
	}
	set_states(m, &states, cpu);
	set_disabled(m, &states, cpu);
	return 0;
}
