// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * This file works out a machine's numbers. The rules that hold between them:
 *   waiting + busy + idle = time of each CPU; a core's threads share its dispatched time in PURR;
 *   dispatched time of a capped partition never exceeds its entitlement;
 *   yield_count moves twice for each cede or preemption.
 */
#include "machine.h"

#include <err.h>

#define PREEMPTION_US 3000 /* a preempted virtual processor waits about so long */

uint32_t scatter(uint32_t id, uint32_t what, uint32_t range)
{
	uint64_t x = ((uint64_t)what << 32 | id) + 0x9e3779b97f4a7c15U;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
	return (uint32_t)((x ^ (x >> 31)) % range);
}

unsigned int machine_node_id(const struct machine *m, unsigned int index)
{
	return index * (unsigned int)m->options.node_step;
}

/* Per mill of the machine's mean → parts per million of this thread: first threads are busier. */
static uint32_t share_of(const struct machine *m, const struct cpu *cpu, int permille,
			 uint32_t what)
{
	uint32_t threads = (uint32_t)m->options.threads;
	uint32_t weight = 2000 * (threads - cpu->thread) / (threads + 1);

	return (uint32_t)permille * weight / 1000 * (900 + scatter(cpu->id, what, 201));
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static void divide_time(const struct machine *m, struct cpu *cpu)
{
	const struct options *o = &m->options;
	uint32_t busy;

	cpu->dispatch_wait = least(share_of(m, cpu, o->steal_dispatch, 1), 450000);
	cpu->entitlement_wait = least(share_of(m, cpu, o->steal_entitlement, 2), 450000);
	busy = least(share_of(m, cpu, o->busy, 3),
		     980000 - cpu->dispatch_wait - cpu->entitlement_wait);
	cpu->nice = busy / 200;
	cpu->irq = busy / 400;
	cpu->softirq = busy / 90;
	cpu->system = busy / 4;
	cpu->user = busy - cpu->nice - cpu->irq - cpu->softirq - cpu->system;
	cpu->iowait = 2000 + scatter(cpu->id, 4, 1000);
	cpu->idle = 1000000 - busy - cpu->iowait - cpu->dispatch_wait - cpu->entitlement_wait;
}

static void count_dispatches(const struct machine *m, struct cpu *cpu)
{
	uint64_t uptime = (uint64_t)m->options.uptime;
	uint64_t waited = cpu->dispatch_wait + cpu->entitlement_wait;
	uint64_t dispatches;

	cpu->cedes = ppm(uptime * (60 + scatter(cpu->id, 5, 40)), cpu->idle);
	cpu->preemptions = ppm(uptime * (1000000 / PREEMPTION_US), waited);
	dispatches = cpu->cedes + cpu->preemptions;
	if (machine_is_shared(m))
		cpu->dispersions = ppm(dispatches, 280000 + scatter(cpu->id, 6, 60000));
	cpu->is_running = cpu->id == 0 || scatter(cpu->id, 7, 100) < 15;
	cpu->is_preempted = !cpu->is_running && waited && scatter(cpu->id, 8, 100) < 10;
}

static uint32_t busy_ppm(const struct cpu *cpu)
{
	return 1000000 - cpu->idle - cpu->iowait - cpu->dispatch_wait - cpu->entitlement_wait;
}

/* How much of the time a core was dispatched, in parts per million. */
static uint64_t dispatched_time(const struct machine *m, const struct cpu *thread,
				unsigned int count)
{
	const struct options *o = &m->options;
	uint64_t busy = 0, waited = 0, most = 1000000, dispatched;

	if (!machine_is_shared(m))
		return 1000000;
	for (unsigned int i = 0; i < count; i++) {
		busy += busy_ppm(&thread[i]);
		waited += thread[i].dispatch_wait + thread[i].entitlement_wait;
	}
	most -= waited / count;
	if (o->mode == SHARED_CAPPED &&
	    most > (uint64_t)o->entitlement * 10000 / (uint64_t)o->cores)
		most = (uint64_t)o->entitlement * 10000 / (uint64_t)o->cores;
	dispatched = busy / count * 16 / 10 + 20000;
	return dispatched < most ? dispatched : most;
}

/* Shares a core's dispatched time among its threads; a little goes to idle ones. */
static void divide_purr(const struct machine *m, struct cpu *thread, unsigned int count)
{
	uint64_t dispatched = dispatched_time(m, thread, count), weights = 0, busy = 0, idle;

	for (unsigned int i = 0; i < count; i++) {
		weights += thread[i].online ? busy_ppm(&thread[i]) + 20000 : 0;
		busy += busy_ppm(&thread[i]);
	}
	busy = busy / count * 16 / 10;
	idle = busy < dispatched ? (dispatched - busy) * 1000000 / dispatched : 0;
	for (unsigned int i = 0; i < count && weights; i++) {
		uint64_t weight = busy_ppm(&thread[i]) + 20000;

		if (!thread[i].online)
			continue;
		thread[i].purr = ppm(ppm(m->ticks, dispatched), weight * 1000000 / weights);
		thread[i].idle_purr = ppm(thread[i].purr, idle);
	}
}

static unsigned int core_base(const struct options *o, unsigned int core)
{
	unsigned int skipped = core >= (unsigned int)o->cores / 2 ? (unsigned int)o->holes : 0;

	return (core + skipped) * (unsigned int)o->threads;
}

static void place(struct machine *m, struct cpu *cpu, const struct idset *offline)
{
	const struct options *o = &m->options;
	unsigned int threads = (unsigned int)o->threads, i = (unsigned int)(cpu - m->cpu);

	cpu->core = i / threads;
	cpu->thread = i % threads;
	cpu->id = core_base(o, cpu->core) + cpu->thread;
	cpu->node = machine_node_id(m, (unsigned int)o->cpuless + cpu->core *
									  (unsigned int)o->nodes /
									  (unsigned int)o->cores);
	cpu->online = !idset_has(offline, cpu->id);
	if (idset_add(&m->present, cpu->id) < 0 ||
	    (cpu->online && idset_add(&m->online, cpu->id) < 0))
		errx(1, "out of memory");
}

void machine_init(struct machine *m, const struct options *options)
{
	_cleanup_idset_ struct idset offline = { 0 };
	unsigned int threads = (unsigned int)options->threads;

	*m = (struct machine) { .options = *options };
	m->release = release_find(options);
	if (!m->release)
		errx(2, "no kernel %s of %s", options->kernel, options->distro);
	if (idset_parse_list(options->offline, &offline) < 0)
		errx(2, "not a list of CPUs: '%s'", options->offline);
	m->timebase = 512000000;
	m->ticks = (uint64_t)options->uptime * m->timebase;
	m->count = (unsigned int)options->cores * threads;
	m->possible_count = (unsigned int)options->max_cores * threads;
	m->cpu = calloc(m->count, sizeof(*m->cpu));
	if (!m->cpu)
		errx(1, "out of memory");
	for (unsigned int i = 0; i < m->count; i++) {
		place(m, &m->cpu[i], &offline);
		divide_time(m, &m->cpu[i]);
		count_dispatches(m, &m->cpu[i]);
	}
	for (unsigned int i = 0; i < m->count; i += threads)
		divide_purr(m, &m->cpu[i], threads);
}

void machine_done(struct machine *m)
{
	idset_done(&m->present);
	idset_done(&m->online);
	free(m->cpu);
}

const struct cpu *machine_cpu(const struct machine *m, unsigned int id)
{
	for (unsigned int i = 0; i < m->count; i++) {
		if (m->cpu[i].id == id)
			return &m->cpu[i];
	}
	return NULL;
}

void machine_siblings(const struct machine *m, const struct cpu *cpu, enum sharing sharing,
		      struct idset *ret)
{
	unsigned int threads = (unsigned int)m->options.threads, first = 0, last = m->count;
	/* Threads of the two small cores of a big core alternate. */
	unsigned int step = sharing == SHARE_SMALL_CORE && m->options.big_cores ? 2 : 1;

	idset_done(ret);
	if (sharing != SHARE_NODE) {
		first = cpu->core * threads + (step == 2 ? cpu->thread % 2 : 0);
		last = (cpu->core + 1) * threads;
	}
	for (unsigned int i = first; i < last; i += step) {
		if (m->cpu[i].online && m->cpu[i].node == cpu->node &&
		    idset_add(ret, m->cpu[i].id) < 0)
			errx(1, "out of memory");
	}
}

char *machine_mask(const struct machine *m, const struct idset *set)
{
	unsigned int words = (m->possible_count + 31) / 32, digits = m->possible_count % 32;
	char *mask = malloc(words * 9 + 1), *end = mask;

	if (!mask)
		errx(1, "out of memory");
	for (unsigned int word = words; word-- > 0;) {
		uint32_t bits = 0;
		int width = word == words - 1 && digits ? (int)(digits + 3) / 4 : 8;

		for (unsigned int bit = 0; bit < 32; bit++)
			bits |= (uint32_t)idset_has(set, word * 32 + bit) << bit;
		end += snprintf(end, 10, "%0*x%s", width, bits, word ? "," : "");
	}
	return mask;
}

static enum accounting accounting_of(const struct machine *m)
{
	if (m->options.accounting != ACCOUNTING_BY_KERNEL)
		return (enum accounting)m->options.accounting;
	if (!machine_is_power(m))
		return ACCOUNTING_SOUND;
	if (!machine_has_shared_bit(m) || m->release->version < 601)
		return ACCOUNTING_NONE;
	return m->release->version < 608 ? ACCOUNTING_UNIT_BUG : ACCOUNTING_SOUND;
}

void machine_stat(const struct machine *m, const struct cpu *cpu, uint64_t ret[STAT_COUNT])
{
	/* of what the hypervisor counts, how much the kernel believes (kernel-side factor) */
	static const uint32_t believed[] = {
		[ACCOUNTING_SOUND] = 1000000, [ACCOUNTING_UNIT_BUG] = 512000, [ACCOUNTING_NONE] = 0
	};
	uint64_t all = (uint64_t)m->options.uptime * 100;
	uint64_t waited = cpu->dispatch_wait + cpu->entitlement_wait;
	uint64_t stolen = ppm(waited, believed[accounting_of(m)]);

	ret[STAT_USER] = ppm(all, cpu->user + waited - stolen);
	ret[STAT_NICE] = ppm(all, cpu->nice);
	ret[STAT_SYSTEM] = ppm(all, cpu->system);
	ret[STAT_IOWAIT] = ppm(all, cpu->iowait);
	ret[STAT_IRQ] = ppm(all, cpu->irq);
	ret[STAT_SOFTIRQ] = ppm(all, cpu->softirq);
	ret[STAT_STEAL] = ppm(all, stolen);
	ret[STAT_IDLE] = all;
	for (int i = 0; i < STAT_COUNT; i++) {
		if (i != STAT_IDLE)
			ret[STAT_IDLE] -= ret[i];
	}
}
