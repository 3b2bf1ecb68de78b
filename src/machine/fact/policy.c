/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file makes facts of single settings that advice asks for: watchdogs, polling, caches, TuneD. */
#include <errno.h>

#include "machine/fact/machine.h"

static const struct {
	enum fact fact;
	const char *path;
} rows[] = {
	{ FACT_KERNEL_SOFTLOCKUP_PANIC, "proc/sys/kernel/softlockup_panic" },
	{ FACT_KERNEL_NMI_WATCHDOG, "proc/sys/kernel/nmi_watchdog" },
	{ FACT_KERNEL_NMI_WD_LPM_FACTOR, "proc/sys/kernel/nmi_wd_lpm_factor" },
	{ FACT_IDLE_GUEST_HALT_POLL, "sys/module/haltpoll/parameters/guest_halt_poll_ns" },
	{ FACT_CPU_PREFERRED, "sys/devices/system/cpu/preferred" },
	{ FACT_TUNED_PROFILE, "etc/tuned/active_profile" },
};

static bool set(struct facts *facts, enum fact fact, const char *text, const char *path)
{
	int64_t number;
	bool on;

	switch (fact_info[fact].type) {
	case FACT_TYPE_STRING:
		if (*text)
			facts_set_string(facts, fact, text, "%s", path);
		return *text;
	case FACT_TYPE_BOOL:
		if (parse_bool(span_of(text), &on) < 0)
			return false;
		facts_set_bool(facts, fact, on, "%s", path);
		return true;
	default:
		if (parse_i64(span_of(text), &number) < 0)
			return false;
		facts_set_integer(facts, fact, number, "%s", path);
		return true;
	}
}

static void set_rows(struct machine *m)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_free_ char *text = NULL;
		int r = root_read_string(m->root, &text, "%s", rows[i].path);

		if (r < 0 || !set(&m->facts, rows[i].fact, text, rows[i].path))
			facts_absent(&m->facts, rows[i].fact,
				     r < 0 ? reason_of_errno(-r) : REASON_INVALID, "%s",
				     rows[i].path);
	}
}

/* The highest cache index of a CPU is its last level. */
static void set_caches(struct machine *m)
{
	int cpu = idset_next(&m->topology.online, 0);
	_cleanup_names_ struct names indices = { 0 };
	_cleanup_idset_ struct idset sharers = { 0 };
	_cleanup_free_ char *list = NULL;
	const char *last = NULL;

	if (cpu >= 0)
		(void)root_list(m->root, &indices, "sys/devices/system/cpu/cpu%d/cache", cpu);
	for (size_t i = 0; i < indices.count; i++)
		if (starts_with(indices.name[i], "index"))
			last = indices.name[i];
	if (last)
		(void)root_read_string(m->root, &list,
				       "sys/devices/system/cpu/cpu%d/cache/%s/shared_cpu_list", cpu,
				       last);
	if (list && idset_parse_list(list, &sharers) == 0 && idset_count(&sharers))
		facts_set_integer(&m->facts, FACT_CPU_LLC_CPUS, idset_count(&sharers),
				  "sys/devices/system/cpu/cpu%d/cache/%s/shared_cpu_list", cpu,
				  last);
	else
		facts_absent(&m->facts, FACT_CPU_LLC_CPUS, REASON_NOT_PROVIDED,
			     "sys/devices/system/cpu/cpu%d/cache", cpu < 0 ? 0 : cpu);
}

int policy_read(struct machine *m)
{
	set_rows(m);
	set_caches(m);
	return 0;
}
