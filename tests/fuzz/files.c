// SPDX-License-Identifier: GPL-2.0-or-later
/* This file fuzzes readers that read one file through machine/root. */
#include <err.h>

#include "fuzz.h"
#include "machine/fact/sysinfo.h"
#include "machine/root.h"
#include "machine/source/devicetree.h"
#include "machine/source/interrupts.h"
#include "machine/source/kconfig.h"
#include "machine/source/lparcfg.h"
#include "machine/source/schedstat.h"

/* The scratch directory as a machine, opened once. */
static struct root *scratch_root(void)
{
	static struct root *root;

	if (!root && root_open(fuzz_scratch(), &root) < 0)
		errx(1, "cannot open '%s'", fuzz_scratch());
	return root;
}

static void lparcfg(struct span input)
{
	struct lparcfg lparcfg = { 0 };
	struct span rest, key, value;
	uint64_t number;

	fuzz_put("proc/powerpc/lparcfg", input);
	if (lparcfg_read(scratch_root(), &lparcfg) < 0)
		return;
	rest = content_span(&lparcfg.content);
	while (lparcfg_next(&rest, &key, &value)) {
		_cleanup_free_ char *name = span_dup(key);

		HOLDS(key.len > 0);
		(void)lparcfg_key(key);
		(void)lparcfg_u64(&lparcfg, name, &number);
	}
	lparcfg_done(&lparcfg);
}

static void interrupts(struct span input)
{
	_cleanup_interrupts_ struct interrupts interrupts = { 0 };

	fuzz_put("proc/interrupts", input);
	if (interrupts_read(scratch_root(), &interrupts) == 0)
		HOLDS(interrupts.count <= input.len && interrupts.doorbells <= interrupts.ipis);
}

static bool same_core(unsigned int a, unsigned int b, void *arg _unused_)
{
	return a / 8 == b / 8;
}

static void schedstat(struct span input)
{
	_cleanup_schedstat_ struct schedstat stat = { 0 };

	fuzz_put("proc/schedstat", input);
	if (schedstat_read(scratch_root(), same_core, NULL, &stat) == 0)
		HOLDS(stat.count <= input.len);
}

static void kconfig(struct span input)
{
	struct kconfig_option options[] = { { "PPC_SPLPAR", 0 }, { "HZ", 0 } };
	char path[4096];

	fuzz_put("boot/config-fuzz", input);
	HOLDS(kconfig_find(scratch_root(), "fuzz", options, ARRAY_SIZE(options), path) == 0);
	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		HOLDS(memchr("ymn", options[i].value, 4));
}

static void sysinfo(struct span input)
{
	static struct facts facts;

	fuzz_put("proc/sysinfo", input);
	sysinfo_hypervisor(scratch_root(), &facts);
	sysinfo_partition(scratch_root(), &facts);
	facts_done(&facts);
	facts = (struct facts) { 0 };
}

static void devicetree(struct span input)
{
	_cleanup_free_ char *model = NULL;
	struct devicetree dt;
	unsigned int threads;
	uint32_t cell;

	fuzz_put("proc/device-tree/model", input);
	fuzz_put("proc/device-tree/cpus/PowerPC,POWER10@0/ibm,ppc-interrupt-server#s", input);
	devicetree_find(scratch_root(), &dt);
	HOLDS(dt.base);
	if (devicetree_string(&dt, "model", &model) == 0)
		fuzz_holds_utf8(model);
	(void)devicetree_lists(&dt, "model", "qemu,pseries");
	HOLDS((devicetree_cell(&dt, "model", &cell) == 0) == (input.len >= 4));
	if (devicetree_threads_per_core(&dt, &threads) == 0)
		HOLDS(threads > 0);
}

const struct fuzz_target fuzz_files[] = {
	{ "lparcfg", lparcfg }, { "interrupts", interrupts }, { "schedstat", schedstat },
	{ "kconfig", kconfig }, { "sysinfo", sysinfo },	      { "devicetree", devicetree },
	{ NULL, NULL },
};
