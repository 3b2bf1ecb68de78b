/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file reads /proc/sysinfo: "Key:   value" lines, LPAR keys and one block for each VM level. */
#include "machine/fact/sysinfo.h"

#include <errno.h>

#define PATH "proc/sysinfo"

/* The value of a key, for the caller to free; NULL if there is none. */
static char *find(const struct content *c, const char *wanted)
{
	struct span rest = content_span(c), line, key, value;

	while (span_line(&rest, &line))
		if (span_split(line, ':', &key, &value) && span_is(key, wanted))
			return span_dup_utf8(value);
	return NULL;
}

void sysinfo_hypervisor(struct root *root, struct facts *facts)
{
	_cleanup_content_ struct content c = { 0 };
	_cleanup_free_ char *program = NULL;
	_cleanup_free_ char *lpar = NULL;
	int r = root_read(root, &c, PATH);

	if (r < 0) {
		facts_absent(facts, FACT_HYPERVISOR, reason_of_errno(-r), PATH);
		return;
	}
	program = find(&c, "VM00 Control Program");
	lpar = find(&c, "LPAR Number");
	if (program)
		facts_set_string(facts, FACT_HYPERVISOR, strstr(program, "KVM") ? "kvm" : "zvm",
				 PATH " (VM00 Control Program)");
	else if (lpar)
		facts_set_string(facts, FACT_HYPERVISOR, "prsm", PATH " (LPAR Number)");
}

static void set_mode(const struct content *c, struct facts *facts)
{
	_cleanup_free_ char *traits = find(c, "LPAR Characteristics");
	_cleanup_free_ char *dedicated = find(c, "LPAR CPUs Dedicated");
	_cleanup_free_ char *shared = find(c, "LPAR CPUs Shared");
	uint64_t own = 0, common = 0;

	if (!traits) { /* the counts know it, too */
		if (dedicated && shared && parse_u64(span_of(dedicated), &own) == 0 &&
		    parse_u64(span_of(shared), &common) == 0 && (own > 0) != (common > 0))
			facts_set_string(facts, FACT_LPAR_MODE, own ? "dedicated" : "shared",
					 PATH " (LPAR CPUs)");
		return;
	}
	if (strstr(traits, "Dedicated"))
		facts_set_string(facts, FACT_LPAR_MODE, "dedicated", PATH);
	else if (strstr(traits, "Shared"))
		/* "Limited" is an initial cap; without it other caps may still exist. */
		facts_set_string(facts, FACT_LPAR_MODE,
				 strstr(traits, "Limited") ? "shared-capped" : "shared", PATH);
}

static void set_integer(const struct content *c, struct facts *facts, enum fact fact,
			const char *key)
{
	_cleanup_free_ char *text = find(c, key);
	int64_t value;

	if (!text)
		return;
	if (parse_i64(span_of(text), &value) == 0 && value >= 0 && value <= 65535)
		facts_set_integer(facts, fact, value, PATH " (%s)", key);
	else
		facts_absent(facts, fact, REASON_INVALID, PATH " (%s)", key);
}

void sysinfo_partition(struct root *root, struct facts *facts)
{
	_cleanup_content_ struct content c = { 0 };
	_cleanup_free_ char *name = NULL;
	int r = root_read(root, &c, PATH);

	if (r < 0) {
		facts_absent(facts, FACT_LPAR_MODE, reason_of_errno(-r), PATH);
		return;
	}
	name = find(&c, "LPAR Name");
	if (name)
		facts_set_string(facts, FACT_LPAR_NAME, name, PATH);
	set_mode(&c, facts);
	set_integer(&c, facts, FACT_LPAR_ID, "LPAR Number");
	set_integer(&c, facts, FACT_LPAR_VIRTUAL_PROCESSORS, "LPAR CPUs Configured");
	set_integer(&c, facts, FACT_LPAR_VIRTUAL_PROCESSORS_MAX, "LPAR CPUs Total");
}
