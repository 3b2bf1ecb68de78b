/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file makes facts of the kernel: release, command line, lockdown, configuration. */
#include <errno.h>
#include <limits.h>

#include "machine/fact/machine.h"
#include "machine/source/kconfig.h"

static void set_string(struct machine *m, enum fact fact, const char *path)
{
	_cleanup_free_ char *text = NULL;
	int r = root_read_string(m->root, &text, "%s", path);

	/* A release becomes a part of paths. */
	if (r >= 0 && fact == FACT_KERNEL_RELEASE && (!*text || strchr(text, '/')))
		facts_absent(&m->facts, fact, REASON_INVALID, "%s", path);
	else if (r >= 0)
		facts_set_string(&m->facts, fact, text, "%s", path);
	else
		facts_absent(&m->facts, fact, reason_of_errno(-r), "%s", path);
}

/* "Linux version 6.12.95+deb13-powerpc64le (debian-kernel@…" */
static void release_by_version(struct machine *m)
{
	_cleanup_free_ char *version = NULL;
	_cleanup_free_ char *release = NULL;
	struct span rest, word = { 0 };

	if (root_read_string(m->root, &version, "proc/version") < 0)
		return;
	rest = span_of(version);
	for (int i = 0; i < 3; i++)
		if (!span_word(&rest, &word))
			return;
	release = span_dup_utf8(word);
	if (release && starts_with(version, "Linux version "))
		facts_set_string(&m->facts, FACT_KERNEL_RELEASE, release, "proc/version");
}

/* The mark of the choice: "none [integrity] confidentiality". */
static void set_lockdown(struct machine *m)
{
	static const char path[] = "sys/kernel/security/lockdown";
	_cleanup_free_ char *text = NULL;
	_cleanup_free_ char *chosen = NULL;
	const char *open, *close;
	int r = root_read_string(m->root, &text, "%s", path);

	if (r < 0) {
		facts_absent(&m->facts, FACT_KERNEL_LOCKDOWN, reason_of_errno(-r), "%s", path);
		return;
	}
	open = strchr(text, '[');
	close = open ? strchr(open, ']') : NULL;
	if (!close) {
		facts_absent(&m->facts, FACT_KERNEL_LOCKDOWN, REASON_INVALID, "%s", path);
		return;
	}
	chosen = span_dup((struct span) { open + 1, (size_t)(close - open) - 1 });
	if (chosen)
		facts_set_string(&m->facts, FACT_KERNEL_LOCKDOWN, chosen, "%s", path);
}

static void set_config(struct machine *m)
{
	/* Options that change what our numbers mean (kernel-side accounting, idle, scheduler). */
	struct kconfig_option options[] = {
		{ .name = "PPC_SPLPAR" },
		{ .name = "LPARCFG" },
		{ .name = "VIRT_CPU_ACCOUNTING_GEN" },
		{ .name = "VIRT_CPU_ACCOUNTING_NATIVE" },
		{ .name = "PARAVIRT_TIME_ACCOUNTING" },
		{ .name = "IRQ_TIME_ACCOUNTING" },
		{ .name = "SCHEDSTATS" },
		/* What advice/kernels tells behaviours by. */
		{ .name = "PARAVIRT_SPINLOCKS" },
		{ .name = "PPC_QUEUED_SPINLOCKS" },
		{ .name = "HOTPLUG_SMT" },
		{ .name = "HALTPOLL_CPUIDLE" },
		{ .name = "PREFERRED_CPU" },
	};
	_cleanup_free_ char *text = NULL;
	const char *release;
	char path[PATH_MAX];
	size_t size, found = 0;
	FILE *f;
	int r;

	if (!facts_string(&m->facts, FACT_KERNEL_RELEASE, &release))
		return;
	r = kconfig_find(m->root, release, options, ARRAY_SIZE(options), path);
	if (r < 0) {
		facts_absent(&m->facts, FACT_KERNEL_CONFIG, reason_of_errno(-r), "boot/config-%s",
			     release);
		return;
	}
	f = open_memstream(&text, &size);
	if (!f)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		if (options[i].value)
			fprintf(f, "%s%s=%c", found++ ? " " : "", options[i].name,
				options[i].value);
	if (fclose(f) == 0 && found)
		facts_set_string(&m->facts, FACT_KERNEL_CONFIG, text, "%s", path);
}

int kernel_read(struct machine *m)
{
	set_string(m, FACT_KERNEL_RELEASE, "proc/sys/kernel/osrelease");
	if (!m->facts.value[FACT_KERNEL_RELEASE].present)
		release_by_version(m);
	set_string(m, FACT_KERNEL_CMDLINE, "proc/cmdline");
	set_lockdown(m);
	set_config(m);
	(void)root_read_string(m->root, &m->boot_id, "proc/sys/kernel/random/boot_id");
	return 0;
}
