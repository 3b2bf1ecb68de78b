// SPDX-License-Identifier: GPL-2.0-or-later
/* This file reads the words that describe a machine. */
#include <err.h>
#include <errno.h>
#include <limits.h>

#include "machine.h"

enum type { NUMBER, SWITCH, CHOICE, TEXT };

struct option_info {
	const char *name;
	enum type type;
	size_t offset;
	const char *const *choices; /* ends with NULL */
};

static const char *const kinds[] = { [POWERVM] = "powervm",   [KVM_PSERIES] = "kvm-pseries",
				     [QEMU_TCG] = "qemu-tcg", [POWERNV] = "powernv",
				     [PRSM] = "prsm",	      [X86_KVM] = "x86-kvm",
				     [X86] = "x86",	      NULL };
static const char *const modes[] = { [SHARED_UNCAPPED] = "shared-uncapped",
				     [SHARED_CAPPED] = "shared-capped",
				     [DEDICATED] = "dedicated",
				     [DONATING] = "dedicated-donating",
				     NULL };
static const char *const accountings[] = { [ACCOUNTING_BY_KERNEL] = "by-kernel",
					   [ACCOUNTING_SOUND] = "sound",
					   [ACCOUNTING_UNIT_BUG] = "unit-bug",
					   [ACCOUNTING_NONE] = "none",
					   NULL };

#define OPTION(name, type, member, ...)                                   \
	{                                                                 \
		name, type, offsetof(struct options, member), __VA_ARGS__ \
	}

static const struct option_info table[] = {
	OPTION("kind", CHOICE, kind, kinds),
	OPTION("mode", CHOICE, mode, modes),
	OPTION("accounting", CHOICE, accounting, accountings),
	OPTION("processor", NUMBER, processor, NULL),
	OPTION("cores", NUMBER, cores, NULL),
	OPTION("threads", NUMBER, threads, NULL),
	OPTION("nodes", NUMBER, nodes, NULL),
	OPTION("cpuless", NUMBER, cpuless, NULL),
	OPTION("node-step", NUMBER, node_step, NULL),
	OPTION("max-cores", NUMBER, max_cores, NULL),
	OPTION("holes", NUMBER, holes, NULL),
	OPTION("entitlement", NUMBER, entitlement, NULL),
	OPTION("weight", NUMBER, weight, NULL),
	OPTION("pool", NUMBER, pool, NULL),
	OPTION("pool-cores", NUMBER, pool_cores, NULL),
	OPTION("frame-cores", NUMBER, frame_cores, NULL),
	OPTION("busy", NUMBER, busy, NULL),
	OPTION("steal-dispatch", NUMBER, steal_dispatch, NULL),
	OPTION("steal-entitlement", NUMBER, steal_entitlement, NULL),
	OPTION("uptime", NUMBER, uptime, NULL),
	OPTION("interrupts", NUMBER, interrupts, NULL),
	OPTION("gib", NUMBER, gib, NULL),
	OPTION("affinity-score", NUMBER, affinity_score, NULL),
	OPTION("big-cores", SWITCH, big_cores, NULL),
	OPTION("caches", NUMBER, caches, NULL),
	OPTION("debugfs", SWITCH, debugfs, NULL),
	OPTION("lparcfg", SWITCH, lparcfg, NULL),
	OPTION("dispatch-stats", SWITCH, dispatch_stats, NULL),
	OPTION("schedstats", SWITCH, schedstats, NULL),
	OPTION("full", SWITCH, is_full, NULL),
	OPTION("denied", SWITCH, is_denied, NULL),
	OPTION("kernel", TEXT, kernel, NULL),
	OPTION("distro", TEXT, distro, NULL),
	OPTION("name", TEXT, name, NULL),
	OPTION("model", TEXT, model, NULL),
	OPTION("cmdline", TEXT, cmdline, NULL),
	OPTION("offline", TEXT, offline, NULL),
	OPTION("log", TEXT, log, NULL),
};

static const struct options defaults = {
	.kind = POWERVM,
	.mode = SHARED_UNCAPPED,
	.processor = 10,
	.cores = 4,
	.threads = 8,
	.nodes = 1,
	.node_step = 1,
	.entitlement = 200,
	.weight = 128,
	.pool_cores = 24,
	.frame_cores = 32,
	.busy = 300,
	.uptime = 864000,
	.interrupts = 8,
	.gib = 16,
	.affinity_score = -1,
	.big_cores = true,
	.caches = -1,
	.debugfs = true,
	.lparcfg = true,
	.kernel = "6.12",
	.distro = "rhel",
	.name = "synthetic",
	.model = "9080-HEX",
	.cmdline = "",
	.offline = "",
	.log = "",
};

static int read_number(const char *word, const char *text)
{
	char *end;
	long number;

	errno = 0;
	number = strtol(text, &end, 10);
	if (errno || end == text || *end || number < -1 || number > INT_MAX)
		errx(2, "not a number: '%s'", word);
	return (int)number;
}

static int read_choice(const char *word, const char *text, const char *const *choices)
{
	for (int i = 0; choices[i]; i++) {
		if (streq(choices[i], text))
			return i;
	}
	errx(2, "unknown choice: '%s'", word);
}

static void set(struct options *options, const struct option_info *info, const char *word,
		const char *text)
{
	void *member = (char *)options + info->offset;

	switch (info->type) {
	case NUMBER:
		*(int *)member = read_number(word, text);
		break;
	case SWITCH:
		*(bool *)member = streq(text, "yes");
		break;
	case CHOICE:
		*(int *)member = read_choice(word, text, info->choices);
		break;
	case TEXT:
		*(const char **)member = text;
		break;
	}
}

static void set_word(struct options *options, const char *word)
{
	size_t len = strcspn(word, "=");

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		if (strlen(table[i].name) == len && strncmp(word, table[i].name, len) == 0 &&
		    word[len]) {
			set(options, &table[i], word, word + len + 1);
			return;
		}
	}
	errx(2, "unknown word: '%s'", word);
}

static void check(const struct options *o)
{
	if (o->cores < 1 || o->threads < 1 || o->threads > 8 || o->nodes < 1 ||
	    o->nodes > o->cores || o->node_step < 1 || o->uptime < 1)
		errx(2, "at least one core and thread, no node without core, at most 8 threads");
	if (o->busy + o->steal_dispatch + o->steal_entitlement > 1000)
		errx(2, "busy and steal exceed 1000 per mill");
}

void options_read(struct options *options, char **words)
{
	*options = defaults;
	for (; *words; words++)
		set_word(options, *words);
	if (options->max_cores < options->cores + options->holes)
		options->max_cores = options->cores + options->holes;
	check(options);
}
