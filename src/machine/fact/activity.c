/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * This file makes facts of what happened since boot: steal by cause, how the kernel accounts it,
 * dispatches, interrupts between CPUs.
 *
 * Steal of a virtual processor is enqueue_dispatch_tb + ready_enqueue_tb of its lppaca (the kernel's
 * pseries_paravirt_steal_clock), in timebase ticks. /proc/stat's steal stands beside it and is
 * judged by it.
 */
#include <errno.h>
#include <math.h>

#include "machine/fact/machine.h"
#include "machine/source/cputime.h"
#include "machine/source/dispatch.h"
#include "machine/source/interrupts.h"

#define STAT "proc/stat"
#define VPA "sys/kernel/debug/powerpc/vpa"

/* Less hypervisor wait than this in sum says nothing of the kernel's accounting. */
#define JUDGE_MIN_S 5.0

struct since_boot {
	double total_s;		     /* all time of the online CPUs; 0 unknown */
	double busy_s, stat_steal_s; /* as the kernel accounts */
	bool has_stat, has_stat_steal;
	double dispatch_wait_s, entitlement_wait_s; /* as the hypervisor counts */
	bool has_vpa;
};

static double seconds(uint64_t ticks)
{
	return (double)ticks / CPUTIME_HZ;
}

/*
 * The time of the CPUs that are online. The file's own total also has what CPUs did that are offline
 * now: after an SMT change it is time that the VPAs read here, and uptime x online CPUs, do not have.
 */
static struct cputime sum_online(const struct machine *m, const struct cputimes *times)
{
	struct cputime sum = { .kinds = CPUTIME_KINDS };
	unsigned int found = 0;

	for (size_t i = 0; i < times->count; i++) {
		const struct cputime_cpu *one = &times->cpus[i];

		if (!one->time.kinds || !idset_has(&m->topology.online, one->cpu))
			continue;
		found++;
		sum.kinds = one->time.kinds < sum.kinds ? one->time.kinds : sum.kinds;
		for (unsigned int kind = 0; kind < one->time.kinds; kind++)
			if (__builtin_add_overflow(sum.ticks[kind], one->time.ticks[kind],
						   &sum.ticks[kind]))
				return times->total;
	}
	return found && found == idset_count(&m->topology.online) ? sum : times->total;
}

static void take_stat(struct machine *m, struct since_boot *b)
{
	_cleanup_cputimes_ struct cputimes times = { 0 };
	struct cputime online;
	const struct cputime *total = &times.total;
	int64_t uptime_s = 0;
	int r = cputimes_read(m->root, &times);

	if (r < 0) {
		facts_absent(&m->facts, FACT_CPU_BUSY, reason_of_errno(-r), STAT);
		facts_absent(&m->facts, FACT_STEAL_STAT, reason_of_errno(-r), STAT);
		return;
	}
	if (total->kinds < CPUTIME_IOWAIT || cputime_total(total) == UINT64_MAX ||
	    (facts_integer(&m->facts, FACT_UPTIME, &uptime_s) &&
	     !cputime_is_plausible(total, (double)uptime_s,
				   idset_count(&m->topology.possible)
					   ? idset_count(&m->topology.possible)
					   : times.count))) {
		facts_absent(&m->facts, FACT_CPU_BUSY, REASON_INVALID, STAT);
		facts_absent(&m->facts, FACT_STEAL_STAT, REASON_INVALID, STAT);
		return;
	}
	online = sum_online(m, &times);
	total = &online;
	b->has_stat = true;
	b->total_s = seconds(cputime_total(total));
	for (int kind = CPUTIME_USER; kind < (int)CPUTIME_STEAL; kind++)
		if (kind != CPUTIME_IDLE && kind != CPUTIME_IOWAIT &&
		    cputime_has(total, (enum cputime_kind)kind))
			b->busy_s += seconds(total->ticks[kind]);
	b->has_stat_steal = cputime_has(total, CPUTIME_STEAL);
	if (b->has_stat_steal)
		b->stat_steal_s = seconds(total->ticks[CPUTIME_STEAL]);
}

/* Emulation counts nothing; a KVM host may; PowerVM does. All zero is "not provided", except on a
 * dedicated partition, from which nothing is taken. */
static bool vpa_counts(const struct machine *m)
{
	if (facts_is(&m->facts, FACT_HYPERVISOR, "qemu-tcg"))
		return false;
	return vpa_has_waits(&m->vpa) ||
	       (m->facts.value[FACT_LPAR_SHARED].present && !machine_is_shared(m));
}

static void no_waits(struct machine *m, enum reason reason, const char *source)
{
	facts_absent(&m->facts, FACT_STEAL_DISPATCH_WAIT, reason, "%s", source);
	facts_absent(&m->facts, FACT_STEAL_ENTITLEMENT_WAIT, reason, "%s", source);
}

/* No CPU can have waited for longer than the partition is up (a tenth and a minute for clocks). */
static bool waits_fit(const struct machine *m, double timebase_hz)
{
	int64_t uptime_s;

	return m->vpa.most_wait_tb < UINT64_MAX &&
	       (!facts_integer(&m->facts, FACT_UPTIME, &uptime_s) ||
		(double)m->vpa.most_wait_tb <= ((double)uptime_s * 1.1 + 60) * timebase_hz);
}

static void take_vpa(struct machine *m, struct since_boot *b)
{
	int64_t timebase_hz = 0;

	if (!facts_is(&m->facts, FACT_PLATFORM, "pseries"))
		return;
	if (!vpa_is_whole(&m->vpa)) {
		no_waits(m, reason_of_errno(m->vpa.error ? m->vpa.error : ENOENT), VPA);
		return;
	}
	if (!vpa_counts(m)) {
		no_waits(m, REASON_NOT_PROVIDED, VPA);
		return;
	}
	if (!facts_integer(&m->facts, FACT_CPU_TIMEBASE, &timebase_hz) || timebase_hz <= 0) {
		no_waits(m, REASON_MISSING, "the timebase is not known");
		return;
	}
	if (!waits_fit(m, (double)timebase_hz)) {
		no_waits(m, REASON_INVALID, VPA " (more waiting than time)");
		return;
	}
	b->has_vpa = true;
	b->dispatch_wait_s = (double)m->vpa.dispatch_wait_tb / (double)timebase_hz;
	b->entitlement_wait_s = (double)m->vpa.entitlement_wait_tb / (double)timebase_hz;
}

/* All CPU time since boot: uptime on every online CPU, else what /proc/stat adds up to. */
static void take_total(struct machine *m, struct since_boot *b)
{
	int64_t uptime_s;

	if (facts_integer(&m->facts, FACT_UPTIME, &uptime_s) && uptime_s > 0 &&
	    !m->topology.online_error)
		b->total_s = (double)uptime_s * idset_count(&m->topology.online);
}

static bool set_share(struct machine *m, enum fact fact, double part_s, double whole_s,
		      const char *source)
{
	double percent = whole_s > 0 ? 100 * part_s / whole_s : NAN;

	if (whole_s <= 0) {
		facts_absent(&m->facts, fact, REASON_MISSING, "neither uptime nor " STAT);
		return false;
	}
	if (!(percent >= 0 && percent <= 100)) {
		facts_absent(&m->facts, fact, REASON_INVALID, "%s", source);
		return false;
	}
	facts_set_real(&m->facts, fact, percent, "%s", source);
	return true;
}

static void set_steal(struct machine *m, const struct since_boot *b)
{
	struct facts *f = &m->facts;
	double stolen_s = b->has_vpa ? b->dispatch_wait_s + b->entitlement_wait_s : b->stat_steal_s;
	const char *source = b->has_vpa ? VPA " / (uptime x online CPUs)" : STAT;
	static const enum fact steal[] = { FACT_STEAL_SINCE_BOOT, FACT_STEAL_SINCE_BOOT_OF_DEMAND,
					   FACT_STEAL_SOURCE };

	if (!b->has_vpa && !b->has_stat_steal) {
		const struct fact_value *stat = &f->value[FACT_STEAL_STAT];

		for (size_t i = 0; i < ARRAY_SIZE(steal); i++)
			facts_absent(f, steal[i], stat->present ? REASON_MISSING : stat->reason,
				     STAT);
		return;
	}
	if (!set_share(m, FACT_STEAL_SINCE_BOOT, stolen_s, b->total_s, source))
		return;
	facts_set_string(f, FACT_STEAL_SOURCE, b->has_vpa ? "vpa" : "proc-stat", "%s", source);
	if (b->has_vpa) {
		set_share(m, FACT_STEAL_DISPATCH_WAIT, b->dispatch_wait_s, b->total_s,
			  VPA " (enqueue_dispatch_tb)");
		set_share(m, FACT_STEAL_ENTITLEMENT_WAIT, b->entitlement_wait_s, b->total_s,
			  VPA " (ready_enqueue_tb)");
	}
	/* The kernel's columns add up to wall time: what it does not account as steal it accounts as
	 * busy, so busy + its steal is the time wanted, however well it accounts. */
	if (b->has_stat && b->busy_s + b->stat_steal_s > 0)
		set_share(m, FACT_STEAL_SINCE_BOOT_OF_DEMAND, stolen_s, b->busy_s + b->stat_steal_s,
			  "steal / (busy + steal of " STAT ")");
}

/* Steal in ticks taken for nanoseconds shows timebase / 1 GHz of the truth (0.512). */
static const char *judge_ratio(double ratio, double timebase_hz)
{
	double bug = timebase_hz / 1e9;

	if (ratio >= 0.9 && ratio <= 1.1)
		return "sound";
	if (ratio >= bug * 0.9 && ratio <= bug * 1.1)
		return "unit-bug";
	return ratio < 0.02 ? "none" : "unknown";
}

static void judge_accounting(struct machine *m, const struct since_boot *b)
{
	struct facts *f = &m->facts;
	double vpa_s = b->dispatch_wait_s + b->entitlement_wait_s;
	int64_t timebase_hz = 0;

	if (!facts_is(f, FACT_PLATFORM, "pseries"))
		return;
	if (f->value[FACT_LPAR_SHARED].present && !machine_is_shared(m))
		facts_set_string(f, FACT_STEAL_KERNEL_ACCOUNTING, "unknown",
				 "kernels account steal only where processors are shared");
	else if (!b->has_vpa)
		facts_set_string(f, FACT_STEAL_KERNEL_ACCOUNTING, "unknown", "no waiting times: %s",
				 f->value[FACT_STEAL_DISPATCH_WAIT].source
					 ? f->value[FACT_STEAL_DISPATCH_WAIT].source
					 : VPA);
	else if (!b->has_stat_steal)
		facts_set_string(f, FACT_STEAL_KERNEL_ACCOUNTING, "unknown",
				 STAT " has no steal to compare");
	else if (vpa_s < JUDGE_MIN_S)
		facts_set_string(f, FACT_STEAL_KERNEL_ACCOUNTING, "unknown",
				 "too little steal to judge by");
	else if (facts_integer(f, FACT_CPU_TIMEBASE, &timebase_hz))
		facts_set_string(f, FACT_STEAL_KERNEL_ACCOUNTING,
				 judge_ratio(b->stat_steal_s / vpa_s, (double)timebase_hz),
				 STAT " shows %.3f of the VPA's steal", b->stat_steal_s / vpa_s);
}

static void set_expected(struct machine *m)
{
	double per_vp;

	if (facts_is(&m->facts, FACT_LPAR_MODE, "shared") ||
	    facts_is(&m->facts, FACT_LPAR_MODE, "unknown"))
		facts_absent(&m->facts, FACT_STEAL_EXPECTED_AT_FULL_LOAD, REASON_MISSING,
			     "whether there is a cap is not known");
	else if (!facts_is(&m->facts, FACT_LPAR_MODE, "shared-capped"))
		facts_absent(&m->facts, FACT_STEAL_EXPECTED_AT_FULL_LOAD, REASON_NOT_APPLICABLE,
			     "only a cap makes steal certain");
	else if (facts_real(&m->facts, FACT_LPAR_ENTITLEMENT_PER_VP, &per_vp))
		facts_set_real(&m->facts, FACT_STEAL_EXPECTED_AT_FULL_LOAD,
			       100 * fmax(0, 1 - per_vp), "1 - entitlement / virtual processors");
}

static void no_dispatches(struct machine *m, enum reason reason, const char *source)
{
	facts_absent(&m->facts, FACT_DISPATCH_COUNT, reason, "%s", source);
	facts_absent(&m->facts, FACT_DISPATCH_DISPERSION, reason, "%s", source);
}

/* One edge at each dispatch, one at each yield: half of the yield counts are dispatches. */
static void set_dispatches(struct machine *m)
{
	uint64_t yields = m->vpa.yields, dispersions = m->vpa.dispersions;
	const char *source = VPA " (yield_count / 2)";

	if (!machine_is_powervm(m))
		return;
	if (!vpa_is_whole(&m->vpa)) {
		source = "proc/powerpc/lparcfg (dispatches / 2)";
		if (m->lparcfg_error || lparcfg_u64(&m->lparcfg, "dispatches", &yields) < 0 ||
		    lparcfg_u64(&m->lparcfg, "dispatch_dispersions", &dispersions) < 0) {
			no_dispatches(m,
				      reason_of_errno(m->lparcfg_error ? m->lparcfg_error : ENOENT),
				      source);
			return;
		}
	}
	if (m->vpa.has_wrapped) {
		no_dispatches(m, REASON_INVALID, "32-bit yield counts that went round");
		return;
	}
	if (yields / 2 <= INT64_MAX)
		facts_set_integer(&m->facts, FACT_DISPATCH_COUNT, (int64_t)(yields / 2), "%s",
				  source);
	/* More dispersions than dispatches: a 32-bit counter has wrapped since boot. */
	if (machine_is_shared(m) && yields / 2 > 0 && dispersions <= yields / 2)
		facts_set_real(&m->facts, FACT_DISPATCH_DISPERSION,
			       100 * (double)dispersions / ((double)yields / 2), "%s",
			       vpa_is_whole(&m->vpa) ? VPA : source);
	else
		facts_absent(&m->facts, FACT_DISPATCH_DISPERSION,
			     yields / 2 ? REASON_INVALID : REASON_NO_DATA, "%s", source);
}

static void set_dispatch_stats(struct machine *m)
{
	_cleanup_dispatches_ struct dispatches d = { 0 };
	uint64_t total = 0, home = 0;
	int r;

	if (!machine_is_shared(m))
		return;
	r = dispatches_read(m->root, &d);
	if (r < 0) {
		facts_absent(&m->facts, FACT_DISPATCH_STATS, reason_of_errno(-r), DISPATCH_PATH);
		facts_absent(&m->facts, FACT_DISPATCH_HOME, reason_of_errno(-r), DISPATCH_PATH);
		return;
	}
	facts_set_string(&m->facts, FACT_DISPATCH_STATS, d.off ? "off" : "on", DISPATCH_PATH);
	for (size_t i = 0; i < d.used; i++) {
		total += d.cpus[i].valid ? d.cpus[i].count[DISPATCH_TOTAL] : 0;
		home += d.cpus[i].valid ? d.cpus[i].count[DISPATCH_HOME] : 0;
	}
	if (total && home <= total)
		facts_set_real(&m->facts, FACT_DISPATCH_HOME, 100 * (double)home / (double)total,
			       DISPATCH_PATH);
	else
		facts_absent(&m->facts, FACT_DISPATCH_HOME,
			     d.off ? REASON_NOT_SAMPLED : REASON_NO_DATA, DISPATCH_PATH);
}

static void set_interrupts(struct machine *m)
{
	_cleanup_interrupts_ struct interrupts interrupts = { 0 };
	int r = interrupts_read(m->root, &interrupts);
	enum reason reason = r < 0 ? reason_of_errno(-r) : REASON_NOT_PROVIDED;

	/* The columns are 32-bit counters: since boot this is a lower bound. */
	if (r >= 0 && interrupts.ipi_rows + interrupts.doorbell_rows &&
	    interrupts.ipis <= INT64_MAX)
		facts_set_integer(&m->facts, FACT_INTERRUPTS_IPI, (int64_t)interrupts.ipis,
				  INTERRUPTS_PATH);
	else
		facts_absent(&m->facts, FACT_INTERRUPTS_IPI, reason, INTERRUPTS_PATH);
	if (r >= 0 && interrupts.doorbell_rows && interrupts.doorbells <= INT64_MAX)
		facts_set_integer(&m->facts, FACT_INTERRUPTS_DOORBELL,
				  (int64_t)interrupts.doorbells, INTERRUPTS_PATH);
	else
		facts_absent(&m->facts, FACT_INTERRUPTS_DOORBELL, reason, INTERRUPTS_PATH);
}

/* Hypervisors that count for every guest; of the others the kernel cannot tell 0 from nothing. */
static bool host_counts(const struct facts *f)
{
	static const char *const hosts[] = { "xen", "prsm", "zvm", "kvm" };

	for (size_t i = 0; i < ARRAY_SIZE(hosts); i++)
		if (facts_is(f, FACT_HYPERVISOR, hosts[i]))
			/* On Power a KVM host counts from 6.1 on, and so does the guest's kernel. */
			return !facts_is(f, FACT_PLATFORM, "pseries");
	return false;
}

/* Without proof that somebody counts, 0 is no measurement. On a dedicated partition it is true. */
static bool is_only_zero(const struct machine *m, const struct since_boot *b)
{
	return !b->has_vpa && b->stat_steal_s <= 0 && !host_counts(&m->facts) &&
	       !(m->facts.value[FACT_LPAR_SHARED].present && !machine_is_shared(m));
}

int activity_read(struct machine *m)
{
	struct since_boot b = { 0 };

	take_stat(m, &b);
	take_total(m, &b);
	take_vpa(m, &b);
	if (b.has_stat && b.total_s > 0)
		set_share(m, FACT_CPU_BUSY, b.busy_s, b.total_s, STAT " / (uptime x online CPUs)");
	if (facts_is(&m->facts, FACT_HYPERVISOR, "qemu-tcg") ||
	    facts_is(&m->facts, FACT_HYPERVISOR, "hyperv"))
		b.has_stat_steal = false; /* they tell their guests nothing */
	if (b.has_stat_steal && is_only_zero(m, &b)) {
		b.has_stat_steal = false;
		facts_absent(&m->facts, FACT_STEAL_STAT, REASON_NO_DATA, STAT);
	} else if (b.has_stat_steal) {
		set_share(m, FACT_STEAL_STAT, b.stat_steal_s, b.total_s,
			  STAT " / (uptime x online CPUs)");
	} else if (b.has_stat) {
		facts_absent(&m->facts, FACT_STEAL_STAT, REASON_NOT_PROVIDED, STAT);
	}
	set_steal(m, &b);
	judge_accounting(m, &b);
	set_expected(m);
	set_dispatches(m);
	set_dispatch_stats(m);
	set_interrupts(m);
	return 0;
}
