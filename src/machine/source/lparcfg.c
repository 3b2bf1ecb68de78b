/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file reads lparcfg, whatever firmware and kernel put into it. */
#include "machine/source/lparcfg.h"

#include <errno.h>

#define CORES "1/100 core"
#define TICKS "timebase ticks"

/* Every key that a kernel from 2.6 to 7.2 prints, in the order of the newest. */
static const struct lparcfg_key keys[] = {
	{ .name = "serial_number", .is_text = true },
	{ .name = "system_type", .is_text = true },
	{ .name = "partition_id" },
	{ .name = "partition_name", .is_text = true },
	{ .name = "R4", .is_hex = true }, /* lparcfg 1.6: the registers of H_GET_PPP, raw */
	{ .name = "R5", .is_hex = true },
	{ .name = "R6", .is_hex = true },
	{ .name = "R7", .is_hex = true },
	{ .name = "BoundThrds" },
	{ .name = "CapInc", .unit = CORES },
	{ .name = "DisWheRotPer", .unit = TICKS },
	{ .name = "MinEntCap", .unit = CORES },
	{ .name = "MinEntCapPerVP", .unit = CORES },
	{ .name = "MinMem", .unit = "MB" },
	{ .name = "MinProcs", .unit = "virtual processors" },
	{ .name = "partition_max_entitled_capacity", .unit = CORES },
	{ .name = "system_potential_processors", .unit = "cores" },
	{ .name = "DesEntCap", .unit = CORES },
	{ .name = "DesMem", .unit = "MB" },
	{ .name = "DesProcs", .unit = "virtual processors" },
	{ .name = "DesVarCapWt" },
	{ .name = "DedDonMode" },
	{ .name = "NumLpars" },
	{ .name = "HostThrs", .unit = "threads per core" },
	{ .name = "partition_entitled_capacity", .unit = CORES },
	{ .name = "group" },
	{ .name = "system_active_processors", .unit = "cores" },
	{ .name = "pool" },
	{ .name = "pool_capacity", .unit = CORES },
	{ .name = "pool_idle_time", .unit = TICKS, .is_counter = true },
	{ .name = "pool_num_procs", .unit = "cores" },
	{ .name = "boot_pool_idle_time", .unit = TICKS },
	{ .name = "unallocated_capacity_weight" },
	{ .name = "capacity_weight" },
	{ .name = "capped" },
	{ .name = "unallocated_capacity", .unit = CORES },
	{ .name = "resource_group_number" },
	{ .name = "resource_group_active_processors", .unit = "cores" },
	{ .name = "physical_procs_allocated_to_virtualization", .unit = "cores" },
	{ .name = "max_proc_capacity_available", .unit = CORES },
	{ .name = "entitled_proc_capacity_available", .unit = CORES },
	{ .name = "entitled_memory", .unit = "bytes" },
	{ .name = "mapped_entitled_memory", .unit = "bytes" },
	{ .name = "entitled_memory_group_number" },
	{ .name = "entitled_memory_pool_number" },
	{ .name = "entitled_memory_weight" },
	{ .name = "unallocated_entitled_memory_weight" },
	{ .name = "unallocated_io_mapping_entitlement", .unit = "bytes" },
	{ .name = "entitled_memory_pool_size", .unit = "bytes" },
	{ .name = "entitled_memory_loan_request", .unit = "bytes" },
	{ .name = "backing_memory", .unit = "bytes" },
	{ .name = "coalesced_bytes", .unit = "bytes" },
	{ .name = "pool_coalesced_bytes", .unit = "bytes" },
	{ .name = "coalesce_pool_purr", .unit = TICKS, .is_counter = true },
	{ .name = "coalesce_pool_spurr", .unit = TICKS, .is_counter = true },
	{ .name = "cmo_enabled" },
	{ .name = "cmo_faults", .is_counter = true },
	{ .name = "cmo_fault_time_usec", .unit = "us", .is_counter = true },
	{ .name = "cmo_primary_psp" },
	{ .name = "cmo_secondary_psp" },
	{ .name = "cmo_page_size", .unit = "bytes" },
	{ .name = "dispatches", .unit = "dispatches and yields", .is_counter = true },
	{ .name = "dispatch_dispersions", .is_counter = true },
	{ .name = "purr", .unit = TICKS, .is_counter = true },
	{ .name = "tbr", .unit = TICKS, .is_counter = true },
	{ .name = "partition_affinity_score" },
	{ .name = "partition_active_processors", .unit = "virtual processors" },
	{ .name = "partition_potential_processors", .unit = "virtual processors" },
	{ .name = "shared_processor_mode" },
	{ .name = "slb_size", .unit = "entries" },
	{ .name = "power_mode_data", .is_hex = true, .is_text = true },
	{ .name = "MaxMem", .unit = "bytes" },
	{ .name = "security_flavor" },
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
	struct span rest = content_span(&lparcfg->content), key, value, found = { 0 };
	bool is_found = false;

	while (lparcfg_next(&rest, &key, &value)) {
		if (!span_is(key, wanted))
			continue;
		if (is_found &&
		    (value.len != found.len || memcmp(value.text, found.text, value.len)))
			return -EINVAL;
		found = value;
		is_found = true;
	}
	if (is_found)
		*ret = found;
	return is_found ? 0 : -ENOENT;
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
