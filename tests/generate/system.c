// SPDX-License-Identifier: GPL-2.0-or-later
/* This file writes what identifies kernel and distribution, and settings outside the scheduler. */
#include "writers.h"

static const struct tree_text common[] = {
	{ "proc/sys/kernel/ostype", "Linux" },
	{ "proc/sys/kernel/random/boot_id", "5f3759df-0000-4000-8000-000000000001" },
	{ "proc/sys/kernel/perf_event_paranoid", "2" },
	{ "proc/sys/kernel/kptr_restrict", "1" },
	{ "proc/sys/kernel/dmesg_restrict", "1" },
	{ "proc/sys/kernel/sched_autogroup_enabled", "0" },
	{ "proc/sys/kernel/timer_migration", "1" },
	{ "proc/sys/kernel/nmi_watchdog", "1" },
	{ "proc/sys/kernel/watchdog", "1" },
	{ "proc/sys/kernel/watchdog_thresh", "10" },
	{ "proc/sys/kernel/softlockup_panic", "0" },
	{ "proc/sys/vm/swappiness", "60" },
	{ "proc/sys/vm/stat_interval", "1" },
	{ "proc/sys/vm/zone_reclaim_mode", "0" },
	{ "proc/sys/vm/dirty_ratio", "20" },
	{ "proc/sys/vm/dirty_bytes", "0" },
	{ "proc/sys/vm/dirty_background_ratio", "10" },
	{ "proc/sys/vm/dirty_background_bytes", "0" },
	{ "proc/sys/net/core/rmem_max", "212992" },
	{ "proc/sys/net/core/wmem_max", "212992" },
	{ "proc/sys/net/ipv4/tcp_rmem", "4096\t131072\t6291456" },
	{ "proc/sys/net/ipv4/tcp_wmem", "4096\t16384\t4194304" },
	{ "proc/sys/net/ipv4/tcp_mem", "377955\t503943\t755910" },
	{ "sys/kernel/mm/transparent_hugepage/defrag",
	  "always defer defer+madvise [madvise] never" },
	{ "sys/kernel/mm/ksm/run", "0" },
	{ "sys/kernel/mm/ksm/pages_sharing", "0" },
	{ "sys/kernel/security/lockdown", "[none] integrity confidentiality" },
};

/* Names in /proc/kallsyms that tell what the kernel can do; their addresses are hidden. */
static const struct {
	int since;
	char type;
	const char *name;
	bool is_power;
} symbols[] = {
	{ 418, 'T', "available_idle_cpu", false },
	{ 505, 'D', "shared_processor", true },
	{ 511, 'T', "check_kvm_guest", true },
	{ 511, 'D', "kvm_guest", true },
	{ 601, 'T', "pseries_paravirt_steal_clock", true },
	{ 601, 'D', "paravirt_steal_enabled", false },
	{ 601, 'D', "paravirt_steal_rq_enabled", false },
	{ 608, 't', "powerpc_shared_proc_flags", true },
};

static const char *arch_of(const struct machine *m)
{
	return machine_is_power(m) ? "ppc64le" : m->options.kind == PRSM ? "s390x" : "x86_64";
}

static void write_release(struct tree *tree, const struct machine *m)
{
	const struct release *r = m->release;

	tree_enter(tree, "proc/sys/kernel");
	tree_put(tree, "osrelease", "%s\n", r->uname);
	tree_put(tree, "version", "%s\n", r->build);
	tree_put(tree, "hostname", "%s\n", m->options.name);
	if (r->version >= 601)
		tree_put(tree, "arch", "%s\n", arch_of(m));
	tree_enter(tree, "proc");
	tree_put(tree, "version", "Linux version %s (builder@buildhost) (gcc) %s\n", r->uname,
		 r->build);
	tree_enter(tree, "etc");
	tree_put(tree, "os-release",
		 "NAME=\"%s\"\nID=\"%s\"\nVERSION_ID=\"%s\"\nPRETTY_NAME=\"%s\"\n",
		 streq(r->id, "sles")	? "SLES"
		 : streq(r->id, "rhel") ? "Red Hat Enterprise Linux"
					: "Debian GNU/Linux",
		 r->id, r->version_id, r->pretty);
}

static void write_cmdline(struct tree *tree, const struct machine *m)
{
	tree_enter(tree, "proc");
	tree_put(tree, "cmdline",
		 "BOOT_IMAGE=/boot/vmlinuz-%s root=/dev/mapper/system-root ro%s%s\n",
		 m->release->uname, *m->options.cmdline ? " " : "", m->options.cmdline);
}

/* The options that decide what lpartune says; distributions differ in them. */
static void write_config(struct tree *tree, const struct machine *m)
{
	const struct release *r = m->release;
	bool is_sles = streq(r->id, "sles"), is_power = machine_is_power(m);
	char name[128];
	FILE *file;

	snprintf(name, sizeof(name), "config-%s", r->uname);
	tree_enter(tree, "boot");
	file = tree_file(tree, name);
	fprintf(file, "# Linux/%s %s Kernel Configuration\n", is_power ? "powerpc" : "other",
		r->uname);
	fputs("CONFIG_NO_HZ_FULL=y\nCONFIG_VIRT_CPU_ACCOUNTING_GEN=y\n"
	      "# CONFIG_IRQ_TIME_ACCOUNTING is not set\nCONFIG_SCHEDSTATS=y\n"
	      "CONFIG_NUMA_BALANCING=y\nCONFIG_TRANSPARENT_HUGEPAGE=y\n",
	      file);
	fprintf(file, "%s\n",
		is_sles ? "# CONFIG_NUMA_BALANCING_DEFAULT_ENABLED is not set\nCONFIG_PREEMPT_NONE=y"
			: "CONFIG_NUMA_BALANCING_DEFAULT_ENABLED=y\nCONFIG_PREEMPT_VOLUNTARY=y");
	if (is_power)
		fprintf(file,
			"CONFIG_PPC_PSERIES=y\nCONFIG_CPU_LITTLE_ENDIAN=y\nCONFIG_PPC_SPLPAR=y\n%s\n%s\nCONFIG_HZ=%d\n",
			r->has_lparcfg ? "CONFIG_LPARCFG=y\nCONFIG_DTL=y"
				       : "# CONFIG_LPARCFG is not set\n# CONFIG_DTL is not set",
			r->version >= 601 ? "CONFIG_PARAVIRT_TIME_ACCOUNTING=y"
					  : "# no paravirt time accounting",
			streq(r->id, "debian") ? 250 : 100);
	(void)fclose(file);
}

static void write_symbols(struct tree *tree, const struct machine *m)
{
	FILE *file;

	tree_enter(tree, "proc");
	file = tree_file(tree, "kallsyms");
	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++) {
		if (m->release->version >= symbols[i].since &&
		    (!symbols[i].is_power || machine_is_pseries(m)))
			fprintf(file, "0000000000000000 %c %s\n", symbols[i].type, symbols[i].name);
	}
	(void)fclose(file);
}

static void write_settings(struct tree *tree, const struct machine *m)
{
	bool is_sles = streq(m->release->id, "sles");

	tree_table(tree, common, ARRAY_SIZE(common));
	tree_enter(tree, "proc/sys/kernel");
	tree_put(tree, "numa_balancing", "%d\n", is_sles || m->options.nodes < 2 ? 0 : 1);
	tree_enter(tree, "sys/kernel/mm/transparent_hugepage");
	tree_put(tree, "enabled", "%s\n",
		 is_sles ? "[always] madvise never" : "always [madvise] never");
	if (m->options.debugfs && machine_is_pseries(m) && m->release->version >= 602) {
		tree_enter(tree, "sys/kernel/debug/powerpc");
		tree_put(tree, "qspl_steal_spins", "32\n");
		if (machine_has_shared_bit(m))
			tree_put(tree, "qspl_pv_yield_owner", "1\n");
	}
}

static void write_dmi(struct tree *tree, const struct machine *m)
{
	bool is_kvm = m->options.kind == X86_KVM;

	tree_enter(tree, "sys/class/dmi/id");
	tree_put(tree, "sys_vendor", "%s\n", is_kvm ? "QEMU" : "Synthetic");
	tree_put(tree, "product_name", "%s\n",
		 is_kvm ? "Standard PC (Q35 + ICH9, 2009)" : "Model One");
	tree_put(tree, "bios_vendor", "%s\n", is_kvm ? "SeaBIOS" : "Synthetic");
	if (is_kvm) {
		tree_enter(tree, "sys/module/haltpoll/parameters");
		tree_put(tree, "guest_halt_poll_ns", "200000\n");
	}
}

/* Logical partition of a mainframe: how many of its CPUs are shared. */
static void write_sysinfo(struct tree *tree, const struct machine *m)
{
	unsigned int online = idset_count(&m->online);
	bool is_shared = m->options.mode <= SHARED_CAPPED;

	tree_enter(tree, "proc");
	tree_put(
		tree, "sysinfo",
		"Manufacturer:         IBM\nType:                 3931\n"
		"Model:                704              A01\n"
		"Sequence Code:        0000000000000000\n\n"
		"CPUs Total:           24\nCPUs Configured:      16\nCPUs Standby:         0\n"
		"CPUs Reserved:        8\n\n"
		"LPAR Number:          7\nLPAR Characteristics: %s\nLPAR Name:            SYNTH01\n"
		"LPAR Adjustment:      500\nLPAR CPUs Total:      %u\nLPAR CPUs Configured: %u\n"
		"LPAR CPUs Standby:    0\nLPAR CPUs Reserved:   %u\nLPAR CPUs Dedicated:  %u\n"
		"LPAR CPUs Shared:     %u\n",
		is_shared ? "Shared" : "Dedicated", m->count, online, m->count - online,
		is_shared ? 0 : online, is_shared ? online : 0);
}

void write_system(struct tree *tree, const struct machine *m)
{
	write_release(tree, m);
	write_cmdline(tree, m);
	write_config(tree, m);
	write_settings(tree, m);
	write_symbols(tree, m);
	if (m->options.kind == PRSM)
		write_sysinfo(tree, m);
	else if (!machine_is_power(m))
		write_dmi(tree, m);
}
