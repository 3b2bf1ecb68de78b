/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * This file decides what machine this is and who runs it: architecture, platform, hypervisor.
 * Rules: the first that holds wins; what it rests on is the fact's source; a later source that
 * disagrees is kept as a conflict. Nothing is concluded from a file that is not there.
 */
#include <errno.h>
#include <limits.h>
#include <sys/utsname.h>

#include "machine/fact/machine.h"
#include "machine/fact/sysinfo.h"
#include "machine/source/cpuid.h"
#include "machine/source/kconfig.h"

/* What a source says: its words, where it stands, and what that means. */
struct clue {
	const char *path, *word, *meaning;
};

static bool is_power(const struct machine *m)
{
	return m->cpuinfo.platform || m->cpuinfo.timebase_hz;
}

/* Does the kernel's configuration say that it is little-endian? */
static bool is_configured_little(struct machine *m)
{
	struct kconfig_option option = { "CPU_LITTLE_ENDIAN", 0 };
	_cleanup_free_ char *release = NULL;
	char path[PATH_MAX];

	return root_read_string(m->root, &release, "proc/sys/kernel/osrelease") >= 0 &&
	       kconfig_find(m->root, release, &option, 1, path) >= 0 && option.value == 'y';
}

/* A 64-bit kernel's byte order stands in few files; without one the family's name is what is known. */
static const char *power_arch(struct machine *m, const char **source)
{
	/* the second is in a sosreport */
	static const char *const unames[] = { "proc/version", "uname" };
	_cleanup_free_ char *arch = NULL;

	*source = "proc/sys/kernel/arch";
	if (root_read_string(m->root, &arch, "%s", *source) >= 0) /* 6.1 and later */
		return streq(arch, "ppc64le") ? "ppc64le" : streq(arch, "ppc64") ? "ppc64" : "ppc";
	for (size_t i = 0; i < ARRAY_SIZE(unames); i++) {
		_cleanup_free_ char *uname = NULL;

		*source = unames[i];
		if (root_read_string(m->root, &uname, "%s", *source) >= 0 &&
		    strstr(uname, "ppc64le"))
			return "ppc64le";
	}
	*source = "the kernel's configuration (CPU_LITTLE_ENDIAN)";
	if (is_configured_little(m))
		return "ppc64le";
	*source = "proc/cpuinfo (byte order not told)";
	return m->cpuinfo.platform && streq(m->cpuinfo.platform, "PowerMac") ? "ppc" : "ppc64";
}

static void find_arch(struct machine *m)
{
	struct facts *f = &m->facts;
	const char *source = "proc/cpuinfo", *arch = NULL;
	struct utsname uts;

	if (root_is_live(m->root) && uname(&uts) == 0)
		facts_set_string(f, FACT_ARCH, uts.machine, "uname(2)");
	else if (root_recorded(m->root, "uname"))
		facts_set_string(f, FACT_ARCH, root_recorded(m->root, "uname"), "uname(2)");
	if (f->value[FACT_ARCH].present)
		return;
	if (m->cpuinfo.vendor && streq(m->cpuinfo.vendor, "IBM/S390"))
		arch = "s390x";
	else if (m->cpuinfo.has_flags)
		arch = m->cpuinfo.is_64bit ? "x86_64" : "i686";
	else if (is_power(m))
		arch = power_arch(m, &source);
	else if (m->cpuinfo.is_arm64)
		arch = "aarch64";
	if (arch)
		facts_set_string(f, FACT_ARCH, arch, "%s", source);
}

static void find_platform(struct machine *m)
{
	static const struct {
		const char *cpuinfo, *platform;
	} rows[] = {
		{ "pSeries", "pseries" },
		{ "PowerNV", "powernv" },
		{ "PowerMac", "powermac" },
		{ "CHRP", "chrp" },
	};
	struct facts *f = &m->facts;
	const char *arch = "";

	for (size_t i = 0; m->cpuinfo.platform && i < ARRAY_SIZE(rows); i++)
		if (streq(m->cpuinfo.platform, rows[i].cpuinfo))
			facts_set_string(f, FACT_PLATFORM, rows[i].platform, "proc/cpuinfo");
	if (devicetree_lists(&m->devicetree, "compatible", "ibm,powernv") > 0)
		facts_set_string(f, FACT_PLATFORM, "powernv", "%s/compatible", m->devicetree.base);
	/* POWER5 and POWER6 kernels print no platform line's word that we know, but "CHRP IBM,…". */
	if (m->cpuinfo.machine && starts_with(m->cpuinfo.machine, "CHRP IBM,"))
		facts_set_string(f, FACT_PLATFORM, "pseries", "proc/cpuinfo");
	(void)facts_string(f, FACT_ARCH, &arch);
	if (streq(arch, "s390x"))
		facts_set_string(f, FACT_PLATFORM, "s390", "architecture");
	else if (streq(arch, "x86_64") || streq(arch, "i686"))
		facts_set_string(f, FACT_PLATFORM, "pc", "architecture");
}

/* PowerVM's marks in the device tree; lscpu's triple is the one that old firmware has. */
static const char *powervm_mark(const struct devicetree *dt)
{
	if (devicetree_has(dt, "ibm,powervm-partition") >= 0)
		return "ibm,powervm-partition";
	if (devicetree_has(dt, "ibm,fw-net-version") >= 0)
		return "ibm,fw-net-version";
	if (devicetree_has(dt, "ibm,partition-name") >= 0 &&
	    devicetree_has(dt, "hmc-managed?") >= 0 &&
	    devicetree_has(dt, "chosen/qemu,graphic-width") == -ENOENT)
		return "ibm,partition-name and hmc-managed?";
	return NULL;
}

static void hypervisor_by_devicetree(struct machine *m)
{
	const struct devicetree *dt = &m->devicetree;
	_cleanup_free_ char *model = NULL;
	struct facts *f = &m->facts;
	const char *mark;

	if (devicetree_lists(dt, "compatible", "ibm,powernv") > 0)
		facts_set_string(f, FACT_HYPERVISOR, "none", "%s/compatible", dt->base);
	else if (devicetree_lists(dt, "hypervisor/compatible", "linux,kvm") > 0)
		facts_set_string(f, FACT_HYPERVISOR, "kvm", "%s/hypervisor/compatible", dt->base);
	else if ((mark = powervm_mark(dt)))
		facts_set_string(f, FACT_HYPERVISOR, "powervm", "%s/%s", dt->base, mark);
	else if (devicetree_lists(dt, "compatible", "qemu,pseries") > 0 &&
		 devicetree_has(dt, "hypervisor") == -ENOENT)
		facts_set_string(f, FACT_HYPERVISOR, "qemu-tcg",
				 "%s: qemu,pseries, no hypervisor node", dt->base);
	else if (devicetree_string(dt, "model", &model) >= 0 && strstr(model, "emulated by qemu"))
		facts_set_string(f, FACT_HYPERVISOR, "kvm-or-tcg", "%s/model", dt->base);
}

/* Without marks in a device tree: the machine's model in cpuinfo or lparcfg. */
static void hypervisor_by_model(struct machine *m, const char *model, const char *source)
{
	struct facts *f = &m->facts;

	if (strstr(model, "emulated by qemu"))
		facts_set_string(f, FACT_HYPERVISOR, "kvm-or-tcg", "%s", source);
	else if (starts_with(model, "IBM,") || starts_with(model, "CHRP IBM,"))
		facts_set_string(f, FACT_HYPERVISOR, "powervm", "%s", source);
}

static void hypervisor_on_power(struct machine *m)
{
	struct facts *f = &m->facts;
	_cleanup_free_ char *model = NULL;
	struct span value;

	hypervisor_by_devicetree(m);
	if (f->value[FACT_HYPERVISOR].present)
		return;
	if (facts_is(f, FACT_PLATFORM, "powernv")) {
		facts_set_string(f, FACT_HYPERVISOR, "none", "proc/cpuinfo (PowerNV)");
		return;
	}
	if (!facts_is(f, FACT_PLATFORM, "pseries"))
		return;
	if (m->cpuinfo.model || m->cpuinfo.machine)
		hypervisor_by_model(m, m->cpuinfo.model ? m->cpuinfo.model : m->cpuinfo.machine,
				    "proc/cpuinfo (model)");
	if (lparcfg_string(&m->lparcfg, "system_type", &value) == 0 &&
	    (model = span_dup_utf8(value)))
		hypervisor_by_model(m, model, m->lparcfg.path);
}

/* The paravirtual clock that KVM alone offers; with an emulated processor there is none. */
static const struct clue clock_clues[] = {
	{ "sys/devices/system/clocksource/clocksource0/available_clocksource", "kvm-clock", "kvm" },
};

/* Words in DMI that name a hypervisor. */
static const struct clue dmi_clues[] = {
	{ "sys/class/dmi/id/sys_vendor", "VMware", "vmware" },
	{ "sys/class/dmi/id/product_name", "VMware", "vmware" },
	{ "sys/class/dmi/id/product_name", "VirtualBox", "virtualbox" },
	{ "sys/class/dmi/id/sys_vendor", "innotek", "virtualbox" },
	{ "sys/class/dmi/id/sys_vendor", "Xen", "xen" },
	{ "sys/class/dmi/id/product_name", "HVM domU", "xen" },
	{ "sys/class/dmi/id/product_name", "KVM", "kvm" },
	{ "sys/class/dmi/id/product_name", "Google Compute Engine", "kvm" },
	{ "sys/class/dmi/id/sys_vendor", "OpenStack", "kvm-or-tcg" },
	{ "sys/class/dmi/id/sys_vendor", "QEMU", "kvm-or-tcg" },
	{ "sys/class/dmi/id/product_name", "Parallels", "unknown" },
};

/* Words of makers that also sell machines without one: only together with the hypervisor flag. */
static const struct clue guest_clues[] = {
	{ "sys/class/dmi/id/sys_vendor", "Amazon EC2", "kvm" },
	{ "sys/class/dmi/id/sys_vendor", "Microsoft Corporation", "hyperv" },
	{ "sys/class/dmi/id/sys_vendor", "Alibaba Cloud", "kvm" },
};

/* Devices that only a hypervisor has: vendor and device number as /proc/bus/pci/devices prints. */
static const struct clue pci_clues[] = {
	{ "proc/bus/pci/devices", "58530001", "xen" },
	{ "proc/bus/pci/devices", "80eebeef", "virtualbox" },
	{ "proc/bus/pci/devices", "15ad0405", "vmware" },
	{ "proc/bus/pci/devices", "15ad0710", "vmware" },
	{ "proc/bus/pci/devices", "14145353", "hyperv" },
};

static void follow_clues(struct machine *m, const struct clue *clues, size_t count)
{
	for (size_t i = 0; i < count && !m->facts.value[FACT_HYPERVISOR].present; i++) {
		_cleanup_free_ char *text = NULL;

		if (root_read_string(m->root, &text, "%s", clues[i].path) >= 0 &&
		    strstr(text, clues[i].word))
			facts_set_string(&m->facts, FACT_HYPERVISOR, clues[i].meaning, "%s (%s)",
					 clues[i].path, clues[i].word);
	}
}

/* Xen knows itself; a control domain sees the machine as it is. */
static void hypervisor_by_xen(struct machine *m)
{
	_cleanup_free_ char *type = NULL;
	_cleanup_free_ char *capabilities = NULL;

	if (root_read_string(m->root, &capabilities, "proc/xen/capabilities") >= 0)
		facts_set_string(&m->facts, FACT_HYPERVISOR, "xen", "proc/xen/capabilities");
	else if (root_read_string(m->root, &type, "sys/hypervisor/type") >= 0 && streq(type, "xen"))
		facts_set_string(&m->facts, FACT_HYPERVISOR, "xen", "sys/hypervisor/type");
}

static void hypervisor_on_pc(struct machine *m)
{
	struct facts *f = &m->facts;
	const char *source = "CPUID", *found = root_recorded(m->root, "cpuid");

	if (root_is_live(m->root))
		found = cpuid_hypervisor(&source);

	if (found)
		facts_set_string(f, FACT_HYPERVISOR, found, "%s", source);
	if (f->value[FACT_HYPERVISOR].present)
		return;
	hypervisor_by_xen(m);
	follow_clues(m, clock_clues, ARRAY_SIZE(clock_clues));
	follow_clues(m, dmi_clues, ARRAY_SIZE(dmi_clues));
	follow_clues(m, pci_clues, ARRAY_SIZE(pci_clues));
	if (m->cpuinfo.cpu && starts_with(m->cpuinfo.cpu, "QEMU Virtual CPU"))
		facts_set_string(f, FACT_HYPERVISOR, "kvm-or-tcg", "proc/cpuinfo (model name)");
	if (m->cpuinfo.is_guest)
		follow_clues(m, guest_clues, ARRAY_SIZE(guest_clues));
	if (f->value[FACT_HYPERVISOR].present)
		return;
	/* Not to be a guest is proved only by firmware that names a real machine: some hypervisors
	 * hide the CPUID bit from their guests. */
	if (!m->cpuinfo.is_guest && root_exists(m->root, "sys/class/dmi/id/sys_vendor") >= 0)
		facts_set_string(f, FACT_HYPERVISOR, "none",
				 "no hypervisor flag in proc/cpuinfo; DMI");
}

static void find_hypervisor(struct machine *m)
{
	struct facts *f = &m->facts;

	if (facts_is(f, FACT_PLATFORM, "pc"))
		hypervisor_on_pc(m);
	else if (facts_is(f, FACT_PLATFORM, "s390"))
		sysinfo_hypervisor(m->root, f);
	else
		hypervisor_on_power(m);
	if (!f->value[FACT_HYPERVISOR].present)
		facts_set_string(f, FACT_HYPERVISOR, "unknown", "no source tells");
	/* PowerVM runs one platform; a supportconfig has no cpuinfo that would say so. */
	if (facts_is(f, FACT_HYPERVISOR, "powervm") && !f->value[FACT_PLATFORM].present)
		facts_set_string(f, FACT_PLATFORM, "pseries", "hypervisor");
}

static void find_model(struct machine *m)
{
	_cleanup_free_ char *model = NULL;

	if (devicetree_string(&m->devicetree, "model", &model) >= 0 && *model)
		facts_set_string(&m->facts, FACT_LPAR_MODEL, model, "%s/model", m->devicetree.base);
	else if (is_power(m) && m->cpuinfo.model)
		facts_set_string(&m->facts, FACT_LPAR_MODEL, m->cpuinfo.model, "proc/cpuinfo");
	else if (is_power(m) && m->cpuinfo.machine)
		facts_set_string(&m->facts, FACT_LPAR_MODEL, m->cpuinfo.machine, "proc/cpuinfo");
	if (m->cpuinfo.cpu)
		facts_set_string(&m->facts, FACT_CPU_MODEL, m->cpuinfo.cpu, "proc/cpuinfo");
	if (m->cpuinfo.timebase_hz && m->cpuinfo.timebase_hz <= INT64_MAX)
		facts_set_integer(&m->facts, FACT_CPU_TIMEBASE, (int64_t)m->cpuinfo.timebase_hz,
				  "proc/cpuinfo");
}

int firmware_read(struct machine *m)
{
	int r = cpuinfo_read(m->root, &m->cpuinfo);

	if (r == -ENOMEM)
		return r;
	if (r < 0) {
		facts_absent(&m->facts, FACT_ARCH, reason_of_errno(-r), "proc/cpuinfo");
		facts_absent(&m->facts, FACT_CPU_TIMEBASE, reason_of_errno(-r), "proc/cpuinfo");
	}
	devicetree_find(m->root, &m->devicetree);
	r = lparcfg_read(m->root, &m->lparcfg);
	if (r == -ENOMEM)
		return r;
	m->lparcfg_error = r < 0 ? -r : 0;
	find_arch(m);
	find_platform(m);
	find_hypervisor(m);
	find_model(m);
	return 0;
}
