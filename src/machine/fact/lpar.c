/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * This file makes facts of the partition: mode, entitlement, virtual processors, pool. Only PowerVM's
 * lparcfg means what it says; QEMU's has the same keys with other meanings (its
 * partition_max_entitled_capacity is a count of CPUs), so the hypervisor is decided first.
 */
#include <errno.h>

#include "machine/fact/machine.h"
#include "machine/fact/sysinfo.h"

#define CORES_MAX 65536 /* no machine comes near it: beyond it a number is damage */
#define CAPACITY_MAX (100 * CORES_MAX)
#define WHEEL_MAX 1000000000000 /* timebase ticks: half an hour */

/* How a key of lparcfg becomes a fact. */
static const struct {
	const char *key;
	enum fact fact;
	double scale;	      /* of real facts */
	bool shared_only;     /* means nothing on dedicated partitions */
	uint64_t least, most; /* beyond these it is no such number */
} rows[] = {
	{ "partition_id", FACT_LPAR_ID, 1, false, 0, 65535 },
	{ "partition_entitled_capacity", FACT_LPAR_ENTITLEMENT, 0.01, false, 1, CAPACITY_MAX },
	{ "R4", FACT_LPAR_ENTITLEMENT, 0.01, false, 1,
	  CAPACITY_MAX }, /* lparcfg 1.6: H_GET_PPP's first register */
	{ "DesEntCap", FACT_LPAR_ENTITLEMENT_DESIRED, 0.01, false, 1, CAPACITY_MAX },
	{ "MinEntCap", FACT_LPAR_ENTITLEMENT_MIN, 0.01, false, 1, CAPACITY_MAX },
	{ "partition_max_entitled_capacity", FACT_LPAR_ENTITLEMENT_MAX, 0.01, false, 1,
	  CAPACITY_MAX },
	{ "MinEntCapPerVP", FACT_LPAR_ENTITLEMENT_PER_VP_MIN, 0.01, false, 1, CAPACITY_MAX },
	{ "partition_active_processors", FACT_LPAR_VIRTUAL_PROCESSORS, 1, false, 1, CORES_MAX },
	{ "partition_potential_processors", FACT_LPAR_VIRTUAL_PROCESSORS_MAX, 1, false, 1,
	  CORES_MAX },
	{ "group", FACT_LPAR_GROUP_ID, 1, false, 0, UINT32_MAX },
	{ "system_active_processors", FACT_LPAR_FRAME_CORES, 1, false, 1, CORES_MAX },
	{ "partition_affinity_score", FACT_LPAR_AFFINITY_SCORE, 1, false, 0, 100 },
	{ "entitled_memory_pool_number", FACT_LPAR_MEMORY_POOL, 1, false, 0, 65535 },
	{ "security_flavor", FACT_LPAR_SECURITY_FLAVOR, 1, false, 0, 255 },
	{ "capacity_weight", FACT_LPAR_WEIGHT, 1, true, 0, 255 },
	{ "pool", FACT_LPAR_POOL_ID, 1, true, 0, 65535 },
	{ "pool_num_procs", FACT_LPAR_POOL_CORES, 1, true, 1, CORES_MAX },
};

static void absent_key(struct machine *m, enum fact fact, int error, const char *key)
{
	enum reason reason = error == EINVAL || error == ERANGE ? REASON_INVALID
								: reason_of_errno(error);

	facts_absent(&m->facts, fact, reason, "%s (%s)",
		     m->lparcfg.path ? m->lparcfg.path : "proc/powerpc/lparcfg", key);
}

static void set_number(struct machine *m, enum fact fact, uint64_t value, double scale,
		       const char *key)
{
	if (fact_info[fact].type == FACT_TYPE_REAL)
		facts_set_real(&m->facts, fact, (double)value * scale, "%s (%s)", m->lparcfg.path,
			       key);
	else if (value <= INT64_MAX)
		facts_set_integer(&m->facts, fact, (int64_t)value, "%s (%s)", m->lparcfg.path, key);
	else
		absent_key(m, fact, ERANGE, key);
}

/* A number out of lparcfg, or the errno why there is none. */
static int lparcfg_number(struct machine *m, const char *key, uint64_t *ret)
{
	return m->lparcfg_error ? -m->lparcfg_error : lparcfg_u64(&m->lparcfg, key, ret);
}

static void set_rows(struct machine *m)
{
	bool shared = machine_is_shared(m);

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint64_t value;
		int r = lparcfg_number(m, rows[i].key, &value);

		if (rows[i].shared_only && !shared)
			continue;
		if (r == 0 && (value < rows[i].least || value > rows[i].most))
			r = -ERANGE;
		if (r == 0)
			set_number(m, rows[i].fact, value, rows[i].scale, rows[i].key);
		else
			absent_key(m, rows[i].fact, -r, rows[i].key);
	}
}

/* Each source that knows whether processors are shared; they vote, the first one counts. */
static void find_sharing(struct machine *m)
{
	struct facts *f = &m->facts;
	_cleanup_free_ char *state = NULL;
	uint64_t bit;
	int r = lparcfg_number(m, "shared_processor_mode", &bit);

	if (r == 0 && bit <= 1)
		facts_set_bool(f, FACT_LPPACA_SHARED, bit == 1, "%s (shared_processor_mode)",
			       m->lparcfg.path);
	else
		absent_key(m, FACT_LPPACA_SHARED, r ? -r : EINVAL, "shared_processor_mode");
	if (m->vpa.cpus) {
		/* Some with the bit and some without is a contradiction: it is kept as one. */
		if (m->vpa.shared)
			facts_set_bool(f, FACT_LPPACA_SHARED, true,
				       "sys/kernel/debug/powerpc/vpa (%u of %u)", m->vpa.shared,
				       m->vpa.cpus);
		if (m->vpa.shared < m->vpa.cpus)
			facts_set_bool(f, FACT_LPPACA_SHARED, false,
				       "sys/kernel/debug/powerpc/vpa (%u of %u)",
				       m->vpa.cpus - m->vpa.shared, m->vpa.cpus);
	} else
		facts_absent(f, FACT_LPPACA_SHARED,
			     reason_of_errno(m->vpa.error ? m->vpa.error : ENOENT),
			     "sys/kernel/debug/powerpc/vpa");
	if (!machine_is_powervm(m))
		return;
	if (f->value[FACT_LPPACA_SHARED].present) {
		facts_set_bool(f, FACT_LPAR_SHARED, f->value[FACT_LPPACA_SHARED].boolean, "%s",
			       f->value[FACT_LPPACA_SHARED].source);
		facts_pass_conflict(f, FACT_LPPACA_SHARED, FACT_LPAR_SHARED);
	}
	if (root_read_string(m->root, &state, "sys/devices/system/cpu/cpu0/cpuidle/state1/name") >=
		    0 &&
	    (streq(state, "Shared Cede") || streq(state, "CEDE")))
		facts_set_bool(f, FACT_LPAR_SHARED, streq(state, "Shared Cede"),
			       "cpu0/cpuidle/state1/name (%s)", state);
	if (root_exists(m->root, "proc/powerpc/vcpudispatch_stats") >= 0)
		facts_set_bool(f, FACT_LPAR_SHARED, true, "proc/powerpc/vcpudispatch_stats exists");
}

static const char *mode_word(struct machine *m, bool shared)
{
	uint64_t flag;

	if (shared)
		return lparcfg_number(m, "capped", &flag) || flag > 1 ? "shared"
		       : flag					      ? "shared-capped"
								      : "shared-uncapped";
	/* A donating partition prints capped=1 as every dedicated one does. */
	return lparcfg_number(m, "DedDonMode", &flag) == 0 && flag == 1 ? "dedicated-donating"
									: "dedicated";
}

static void set_flag(struct machine *m, enum fact fact, const char *key)
{
	uint64_t flag;
	int r = lparcfg_number(m, key, &flag);

	if (r == 0 && flag <= 1)
		facts_set_bool(&m->facts, fact, flag == 1, "%s (%s)", m->lparcfg.path, key);
	else
		absent_key(m, fact, r < 0 ? -r : ERANGE, key);
}

static void find_mode(struct machine *m)
{
	struct facts *f = &m->facts;
	const struct fact_value *sharing = &f->value[FACT_LPAR_SHARED];

	if (!sharing->present)
		return;
	facts_set_string(f, FACT_LPAR_MODE, mode_word(m, sharing->boolean), "%s", sharing->source);
	facts_pass_conflict(f, FACT_LPAR_SHARED, FACT_LPAR_MODE);
	if (!sharing->boolean) {
		set_flag(m, FACT_LPAR_DONATING, "DedDonMode");
		return;
	}
	set_flag(m, FACT_LPAR_CAPPED, "capped");
	facts_absent(f, FACT_LPAR_DONATING, REASON_NOT_APPLICABLE, "processors are shared");
}

static int find_name(struct machine *m)
{
	_cleanup_free_ char *name = NULL;
	struct span value;

	if (!m->lparcfg_error && lparcfg_string(&m->lparcfg, "partition_name", &value) == 0 &&
	    value.len) {
		name = span_dup_utf8(value);
		if (!name)
			return -ENOMEM;
		facts_set_string(&m->facts, FACT_LPAR_NAME, name, "%s (partition_name)",
				 m->lparcfg.path);
	} else if (devicetree_string(&m->devicetree, "ibm,partition-name", &name) >= 0) {
		facts_set_string(&m->facts, FACT_LPAR_NAME, name, "%s/ibm,partition-name",
				 m->devicetree.base);
	}
	return 0;
}

static void find_id(struct machine *m)
{
	uint32_t id;

	if (devicetree_cell(&m->devicetree, "ibm,partition-no", &id) >= 0)
		facts_set_integer(&m->facts, FACT_LPAR_ID, id, "%s/ibm,partition-no",
				  m->devicetree.base);
}

/* The wheel turns in timebase ticks; dedicated partitions print a value that means nothing. */
static void find_wheel(struct machine *m)
{
	int64_t timebase_hz;
	uint64_t ticks;
	int r = lparcfg_number(m, "DisWheRotPer", &ticks);

	if (r < 0 || ticks > WHEEL_MAX)
		absent_key(m, FACT_LPAR_DISPATCH_WHEEL, r < 0 ? -r : ERANGE, "DisWheRotPer");
	else if ((m->facts.value[FACT_LPAR_SHARED].present && !machine_is_shared(m)) || !ticks)
		facts_absent(&m->facts, FACT_LPAR_DISPATCH_WHEEL, REASON_NOT_APPLICABLE,
			     "processors are not shared");
	else if (facts_integer(&m->facts, FACT_CPU_TIMEBASE, &timebase_hz) && timebase_hz > 1000)
		facts_set_integer(&m->facts, FACT_LPAR_DISPATCH_WHEEL,
				  (int64_t)((double)ticks * 1e9 / (double)timebase_hz + 0.5),
				  "%s (DisWheRotPer / timebase)", m->lparcfg.path);
}

static void find_ratio(struct machine *m)
{
	double entitled_cores, virtual_processors;

	if (facts_real(&m->facts, FACT_LPAR_ENTITLEMENT, &entitled_cores) &&
	    facts_real(&m->facts, FACT_LPAR_VIRTUAL_PROCESSORS, &virtual_processors) &&
	    virtual_processors > 0)
		facts_set_real(&m->facts, FACT_LPAR_ENTITLEMENT_PER_VP,
			       entitled_cores / virtual_processors,
			       "lpar.entitlement / lpar.virtual_processors");
	else
		absent_key(m, FACT_LPAR_ENTITLEMENT_PER_VP,
			   m->lparcfg_error ? m->lparcfg_error : ENOENT,
			   "entitlement / virtual processors");
}

int lpar_read(struct machine *m)
{
	int r;

	if (facts_is(&m->facts, FACT_HYPERVISOR, "prsm")) {
		sysinfo_partition(m->root, &m->facts);
		return 0;
	}
	if (facts_is(&m->facts, FACT_PLATFORM, "pseries")) {
		vpa_read(m->root, &m->topology.online, &m->vpa);
		find_sharing(m);
	}
	if (!machine_is_powervm(m))
		return 0;
	r = find_name(m);
	if (r < 0)
		return r;
	find_mode(m);
	set_rows(m);
	find_id(m);
	find_wheel(m);
	find_ratio(m);
	return 0;
}
