/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file reads lparcfg, whatever firmware and kernel put into it. */
#include "machine/lparcfg.h"

#include <errno.h>

#define CORES "1/100 core"
#define TICKS "timebase ticks"

/* Every key that a kernel from 2.6 to 7.2 prints, in the order of the newest. */
static const struct lparcfg_key keys[] = {
	{ "serial_number", .is_text = true },
	{ "system_type", .is_text = true },
	{ "partition_id" },
	{ "partition_name", .is_text = true },
	{ "R4", .is_hex = true }, /* lparcfg 1.6: the registers of H_GET_PPP, raw */
	{ "R5", .is_hex = true },
	{ "R6", .is_hex = true },
	{ "R7", .is_hex = true },
	{ "BoundThrds" },
	{ "CapInc", CORES },
	{ "DisWheRotPer", TICKS },
	{ "MinEntCap", CORES },
	{ "MinEntCapPerVP", CORES },
	{ "MinMem", "MB" },
	{ "MinProcs", "virtual processors" },
	{ "partition_max_entitled_capacity", CORES },
	{ "system_potential_processors", "cores" },
	{ "DesEntCap", CORES },
	{ "DesMem", "MB" },
	{ "DesProcs", "virtual processors" },
	{ "DesVarCapWt" },
	{ "DedDonMode" },
	{ "NumLpars" },
	{ "HostThrs", "threads per core" },
	{ "partition_entitled_capacity", CORES },
	{ "group" },
	{ "system_active_processors", "cores" },
	{ "pool" },
	{ "pool_capacity", CORES },
	{ "pool_idle_time", TICKS, .is_counter = true },
	{ "pool_num_procs", "cores" },
	{ "boot_pool_idle_time", TICKS },
	{ "unallocated_capacity_weight" },
	{ "capacity_weight" },
	{ "capped" },
	{ "unallocated_capacity", CORES },
	{ "resource_group_number" },
	{ "resource_group_active_processors", "cores" },
	{ "physical_procs_allocated_to_virtualization", "cores" },
	{ "max_proc_capacity_available", CORES },
	{ "entitled_proc_capacity_available", CORES },
	{ "entitled_memory", "bytes" },
	{ "mapped_entitled_memory", "bytes" },
	{ "entitled_memory_group_number" },
	{ "entitled_memory_pool_number" },
	{ "entitled_memory_weight" },
	{ "unallocated_entitled_memory_weight" },
	{ "unallocated_io_mapping_entitlement", "bytes" },
	{ "entitled_memory_pool_size", "bytes" },
	{ "entitled_memory_loan_request", "bytes" },
	{ "backing_memory", "bytes" },
	{ "coalesced_bytes", "bytes" },
	{ "pool_coalesced_bytes", "bytes" },
	{ "coalesce_pool_purr", TICKS, .is_counter = true },
	{ "coalesce_pool_spurr", TICKS, .is_counter = true },
	{ "cmo_enabled" },
	{ "cmo_faults", .is_counter = true },
	{ "cmo_fault_time_usec", "us", .is_counter = true },
	{ "cmo_primary_psp" },
	{ "cmo_secondary_psp" },
	{ "cmo_page_size", "bytes" },
	{ "dispatches", "dispatches and yields", .is_counter = true },
	{ "dispatch_dispersions", .is_counter = true },
	{ "purr", TICKS, .is_counter = true },
	{ "tbr", TICKS, .is_counter = true },
	{ "partition_affinity_score" },
	{ "partition_active_processors", "virtual processors" },
	{ "partition_potential_processors", "virtual processors" },
	{ "shared_processor_mode" },
	{ "slb_size", "entries" },
	{ "power_mode_data", .is_hex = true, .is_text = true },
	{ "MaxMem", "bytes" },
	{ "security_flavor" },
};

int lparcfg_read(struct root *root, struct lparcfg *ret)
{
	/* A supportconfig keeps a raw copy below ppc64/. */
	static const char *const paths[] = { "proc/powerpc/lparcfg", "proc/ppc64/lparcfg",
					     "ppc64/lparcfg" };
	int first = 0;

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		int r = root_read(root, &ret->content, "%s", paths[i]);

		if (r >= 0) {
			ret->path = paths[i];
			return 0;
		}
		if (r != -ENOENT && r != -ENOTDIR)
			return r;
		first = first ? first : r;
	}
	return first;
}

void lparcfg_done(struct lparcfg *lparcfg)
{
	content_done(&lparcfg->content);
	*lparcfg = (struct lparcfg) { 0 };
}

bool lparcfg_next(struct span *rest, struct span *key, struct span *value)
{
	struct span line;

	while (span_line(rest, &line))
		if (span_split(line, '=', key, value))
			return true;
	return false;
}

int lparcfg_string(const struct lparcfg *lparcfg, const char *wanted, struct span *ret)
{
	struct span rest = content_span(&lparcfg->content), key, value;

	while (lparcfg_next(&rest, &key, &value))
		if (span_is(key, wanted)) {
			*ret = value;
			return 0;
		}
	return -ENOENT;
}

int lparcfg_u64(const struct lparcfg *lparcfg, const char *key, uint64_t *ret)
{
	const struct lparcfg_key *row = lparcfg_key(span_of(key));
	struct span value, number, unit, more;
	int r = lparcfg_string(lparcfg, key, &value);

	if (r < 0)
		return r;
	if (!span_word(&value, &number))
		return -EINVAL;
	if (span_word(&value, &unit) && (!span_is(unit, "bytes") || span_word(&value, &more)))
		return -EINVAL;
	return row && row->is_hex ? parse_hex64(number, ret) : parse_u64(number, ret);
}

const struct lparcfg_key *lparcfg_key(struct span name)
{
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (span_is(name, keys[i].name))
			return &keys[i];
	return NULL;
}
