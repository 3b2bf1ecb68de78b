// SPDX-License-Identifier: GPL-2.0-or-later
/* This file writes the kernel log as /dev/kmsg gives it: "priority,number,microseconds,-;text". */
#include <stdarg.h>

#include "writers.h"

struct log {
	FILE *file;
	unsigned int number, usec;
};

static void add(struct log *log, int priority, const char *format, ...) _printf_(3, 4);
static void add(struct log *log, int priority, const char *format, ...)
{
	va_list args;

	log->usec += 1300 + scatter(log->number, 50, 900);
	fprintf(log->file, "%d,%u,%u,-;", priority, log->number++, log->usec);
	va_start(args, format);
	vfprintf(log->file, format, args);
	va_end(args);
	fputc('\n', log->file);
}

static void add_hardware(struct log *log, const struct machine *m)
{
	static const char *const suffix[] = {
		[POWERVM] = " hv:phyp", [KVM_PSERIES] = " hv:linux,kvm", [QEMU_TCG] = ""
	};
	int processor = m->options.processor;

	if (m->options.kind == X86_KVM)
		add(log, 6, "Hypervisor detected: KVM");
	if (machine_is_pseries(m))
		add(log, 6,
		    "Hardware name: %s%s POWER%d (architected) 0x%s 0xf00000%d of:%s%s pSeries",
		    m->options.kind == POWERVM ? "IBM," : "",
		    m->options.kind == POWERVM ? m->options.model
					       : "IBM pSeries (emulated by qemu)",
		    processor, processor >= 10 ? "800200" : "4e2102", processor >= 10 ? 6 : 5,
		    m->options.kind == POWERVM ? "IBM,FW1060.00" : "SLOF,git-synthetic",
		    suffix[m->options.kind]);
}

/* Firmware's idle latencies: read on dedicated partitions since 5.9, trusted on POWER10 only
 * since 5.15. */
static void add_cede(struct log *log, const struct machine *m)
{
	int version = m->release->version, processor = m->options.processor;
	bool is_wrong = version < 515 && processor < 10;

	if (m->options.kind != POWERVM || machine_is_shared(m) || version < 509 ||
	    (version >= 515 && processor < 10))
		return;
	add(log, 6, "xcede: xcede_record_size = 10");
	add(log, 6, "xcede: Record 0 : hint = 1, latency = 0x%x tb ticks, Wake-on-irq = 1",
	    is_wrong ? 0x400 : 0x1400);
	add(log, 6, "cpuidle: Skipping the 1 Extended CEDE idle states");
	add(log, 6, "cpuidle: Fixed up CEDE exit latency to %d us", is_wrong ? 2 : 10);
}

/* Troubles that the options ask for, as the kernel words them. */
static void add_troubles(struct log *log, const struct machine *m)
{
	log->usec += 400000000;
	if (strstr(m->options.log, "rcu-stall"))
		add(log, 3, "rcu: INFO: rcu_sched self-detected stall on CPU");
	if (strstr(m->options.log, "soft-lockup"))
		add(log, 0, "watchdog: BUG: soft lockup - CPU#3 stuck for 23s! [kworker/3:1:412]");
}

void write_log(struct tree *tree, const struct machine *m)
{
	struct log log = { .number = 0 };

	tree_enter(tree, "dev");
	log.file = tree_file(tree, "kmsg");
	if (!log.file)
		return;
	add(&log, 5, "Linux version %s (builder@buildhost) (gcc) %s", m->release->uname,
	    m->release->build);
	add_hardware(&log, m);
	add(&log, 5, "Kernel command line: %s", m->options.cmdline);
	add(&log, 6, "smp: Brought up %d node%s, %u CPUs", m->options.nodes,
	    m->options.nodes > 1 ? "s" : "", idset_count(&m->online));
	if (machine_is_power(m) && m->options.big_cores)
		add(&log, 6, "Big cores detected but using small core scheduling");
	add_cede(&log, m);
	add_troubles(&log, m);
	(void)fclose(log.file);
}
