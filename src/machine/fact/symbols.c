/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * This file looks for the kernel symbols that tell a kernel's behaviours whatever its version says:
 * distributions backport. Names in kallsyms are readable by everybody; only addresses are hidden.
 */
#include <errno.h>

#include "machine/fact/machine.h"

static const char *const symbols[] = {
	"system_state", /* data of every kernel: there iff data symbols are listed */
	"shared_processor",
	"check_kvm_guest",
	"kvm_guest",
	"pseries_paravirt_steal_clock",
	"powerpc_shared_proc_flags",
	"available_idle_cpu",
	"arch_vcpu_is_preempted",
	"__raw_callee_save___kvm_vcpu_is_preempted",
};

/* From this release on every symbol above is there for certain, and tens of megabytes need not be
 * read to know it (powerpc_shared_proc_flags, the youngest, is of 6.8). */
#define NEEDLESS_MAJOR 6
#define NEEDLESS_MINOR 8

struct search {
	bool found[ARRAY_SIZE(symbols)];
};

bool symbols_want(struct span line)
{
	struct span address, type, name;

	if (!span_word(&line, &address) || !span_word(&line, &type) || !span_word(&line, &name))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++)
		if (span_is(name, symbols[i]))
			return true;
	return false;
}

/* "c0000000000f1a30 t pseries_paravirt_steal_clock", in kallsyms with "[module]" behind modules'. */
static int look(struct span line, void *arg)
{
	struct search *search = arg;
	struct span address, type, name;

	if (!span_word(&line, &address) || !span_word(&line, &type) || !span_word(&line, &name))
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++)
		if (span_is(name, symbols[i]))
			search->found[i] = true;
	return 0;
}

/* "6.12.95+deb13-powerpc64le": is it one that need not be searched? */
static bool is_needless(const char *release)
{
	unsigned long major, minor;
	char *end;

	major = strtoul(release, &end, 10);
	if (end == release || *end != '.')
		return false;
	minor = strtoul(end + 1, NULL, 10);
	return major > NEEDLESS_MAJOR || (major == NEEDLESS_MAJOR && minor >= NEEDLESS_MINOR);
}

static int set_fact(struct machine *m, const struct search *search, const char *path)
{
	_cleanup_free_ char *text = NULL;
	size_t size, count = 0;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return -ENOMEM;
	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++)
		if (search->found[i])
			fprintf(f, "%s%s", count++ ? " " : "", symbols[i]);
	if (fclose(f))
		return -ENOMEM;
	if (!count)
		return -EINVAL; /* not the symbols of a Linux kernel */
	facts_set_string(&m->facts, FACT_KERNEL_SYMBOLS, text, "%s", path);
	return 0;
}

/* Where symbols stand: kallsyms for the running kernel, else the files installed with it. */
static const struct place {
	const char *before, *after; /* the release */
	bool has_release;
} places[] = {
	{ "proc/kallsyms", "", false },
	{ "boot/System.map-", "", true },
	{ "lib/modules/", "/System.map", true },
};

static int search_place(struct machine *m, const struct place *place, const char *release)
{
	_cleanup_free_ char *path = NULL;
	struct search search = { 0 };
	int r;

	if (asprintf(&path, "%s%s%s", place->before, place->has_release ? release : "",
		     place->after) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	r = root_each_line(m->root, look, &search, "%s", path);
	if (r >= 0)
		r = set_fact(m, &search, path);
	if (r < 0)
		facts_absent(&m->facts, FACT_KERNEL_SYMBOLS, reason_of_errno(-r), "%s", path);
	return r;
}

int symbols_read(struct machine *m)
{
	const char *release = "";
	int r = -ENOENT;

	if (!facts_string(&m->facts, FACT_KERNEL_RELEASE, &release)) {
		facts_absent(&m->facts, FACT_KERNEL_SYMBOLS, REASON_MISSING, "kernel.release");
		return 0;
	}
	if (is_needless(release)) {
		facts_absent(&m->facts, FACT_KERNEL_SYMBOLS, REASON_NOT_SAMPLED,
			     "the release tells");
		return 0;
	}
	for (size_t i = 0; r < 0 && r != -ENOMEM && i < ARRAY_SIZE(places); i++)
		r = search_place(m, &places[i], release);
	return r == -ENOMEM ? r : 0;
}
