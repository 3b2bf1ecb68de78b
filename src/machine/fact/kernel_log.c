/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * This file looks through the kernel log for what bears on an LPAR: who runs us, the CEDE latency,
 * lockups and stalls. The log is a ring: absence of a line proves nothing, and zero counts only
 * what is still in it.
 */
#include <errno.h>

#include "machine/fact/machine.h"

/* Lines that `capture` keeps and this reader wants; everything else in the log stays at home. */
static const char *const wanted[] = {
	"hv:phyp",	     "hv:linux,kvm",	    "INFO: rcu_",	"soft lockup",
	"CEDE exit latency", "dedicated_cede_loop", "shared_cede_loop",
};

struct tally {
	size_t records;
	int64_t rcu_stalls, soft_lockups, cede_us;
	bool phyp, kvm, dedicated, shared;
};

bool kernel_log_wants(struct span line)
{
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++)
		if (span_has(line, wanted[i]))
			return true;
	return false;
}

/* "6,339,5140900,-;text" (dev/kmsg), "<6>[    1.0] text" or "[Tue Dec  1 …] text" (dmesg) */
static bool is_record(struct span line)
{
	static const char starts[] = "0123456789[<";

	return line.len && memchr(starts, line.text[0], sizeof(starts) - 1) &&
	       (memchr(line.text, ';', line.len) || memchr(line.text, ']', line.len));
}

/* "… Fixed up CEDE exit latency to 10 us" */
static void take_latency(struct span line, struct tally *tally)
{
	const char *at = memmem(line.text, line.len, "latency to ", 11);
	struct span rest, word;
	uint64_t us;

	if (!at)
		return;
	rest = (struct span) { at + 11, line.len - (size_t)(at + 11 - line.text) };
	if (span_word(&rest, &word) && parse_u64(word, &us) == 0 && us < 1000000)
		tally->cede_us = (int64_t)us;
}

static int take_line(struct span line, void *arg)
{
	struct tally *tally = arg;

	tally->records += is_record(line);
	tally->phyp |= span_has(line, "hv:phyp");
	tally->kvm |= span_has(line, "hv:linux,kvm");
	tally->dedicated |= span_has(line, "dedicated_cede_loop");
	tally->shared |= span_has(line, "shared_cede_loop");
	/* "rcu: INFO: rcu_sched …" since 4.20, without the prefix before. */
	tally->rcu_stalls += span_has(line, "INFO: rcu_") && span_has(line, "stall");
	tally->soft_lockups += span_has(line, "BUG: soft lockup");
	if (span_has(line, "CEDE exit latency"))
		take_latency(line, tally);
	return 0;
}

static void set_facts(struct facts *f, const struct tally *tally, const char *path)
{
	facts_set_integer(f, FACT_LOG_RCU_STALLS, tally->rcu_stalls, "%s", path);
	facts_set_integer(f, FACT_LOG_SOFT_LOCKUPS, tally->soft_lockups, "%s", path);
	if (tally->cede_us >= 0)
		facts_set_integer(f, FACT_LOG_CEDE_LATENCY, tally->cede_us, "%s", path);
	if (tally->phyp || tally->kvm)
		facts_set_string(f, FACT_LOG_HYPERVISOR, tally->phyp ? "phyp" : "kvm", "%s", path);
	/* Second evidence of the mode: code that runs in one mode only was seen on a stack. */
	if (facts_is(f, FACT_HYPERVISOR, "powervm") && (tally->dedicated || tally->shared))
		facts_set_bool(f, FACT_LPAR_SHARED, tally->shared, "%s (%s_cede_loop)", path,
			       tally->shared ? "shared" : "dedicated");
}

/* The log's hypervisor is a cross-check: if it disagrees, the fact carries a conflict. */
static void cross_check(struct facts *f, const char *path)
{
	const char *is = "", *log = "";

	if (!facts_string(f, FACT_HYPERVISOR, &is) || !facts_string(f, FACT_LOG_HYPERVISOR, &log))
		return;
	if (streq(log, "phyp") && !streq(is, "powervm"))
		facts_set_string(f, FACT_HYPERVISOR, "powervm", "%s (hv:phyp)", path);
	if (streq(log, "kvm") && !streq(is, "kvm") && !streq(is, "kvm-or-tcg"))
		facts_set_string(f, FACT_HYPERVISOR, "kvm", "%s (hv:linux,kvm)", path);
}

int kernel_log_read(struct machine *m)
{
	/* A sosreport keeps it as a command's output, other collections as a file. */
	static const char *const paths[] = { "dev/kmsg", "sos_commands/kernel/dmesg",
					     "sos_commands/kernel/dmesg_-T", "var/log/dmesg" };
	static const enum fact facts[] = { FACT_LOG_RCU_STALLS, FACT_LOG_SOFT_LOCKUPS,
					   FACT_LOG_CEDE_LATENCY, FACT_LOG_HYPERVISOR };
	struct tally tally = { .cede_us = -1 };
	size_t i = 0;
	int r = -ENOENT, first = -ENOENT;

	for (; i < ARRAY_SIZE(paths); i++) {
		r = root_each_line(m->root, take_line, &tally, "%s", paths[i]);
		if (r >= 0)
			break;
		first = first == -ENOENT ? r : first; /* what is there and unreadable says more */
	}
	if (r < 0)
		r = first;
	if (r >= 0 && !tally.records)
		r = -EINVAL; /* no kernel's log is empty: zero stalls would be a guess */
	if (r >= 0) {
		set_facts(&m->facts, &tally, paths[i]);
		cross_check(&m->facts, paths[i]);
	}
	for (size_t k = 0; k < ARRAY_SIZE(facts); k++)
		facts_absent(&m->facts, facts[k], r < 0 ? reason_of_errno(-r) : REASON_NO_DATA,
			     "kernel log");
	return r == -ENOMEM ? r : 0;
}
