/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file fuzzes what advice and its commands read: releases, symbols, plans, lpartune.conf. */
#include <err.h>

#include "advice/release.h"
#include "cmd/advice/plan.h"
#include "fuzz.h"
#include "machine/fact/machine.h"
#include "machine/source/preferences.h"

static struct root *scratch_root(void)
{
	static struct root *root;

	if (!root && root_open(fuzz_scratch(), &root) < 0)
		errx(1, "cannot open '%s'", fuzz_scratch());
	return root;
}

static void release(struct span input)
{
	_cleanup_free_ char *text = span_dup(input);
	struct release release = { 0 };

	if (text && release_parse(text, &release) == 0)
		HOLDS(version_compare(release.version, release.version) == 0 &&
		      builder_name(release.builder));
}

static void plan(struct span input)
{
	_cleanup_settings_ struct settings settings = { 0 };
	_cleanup_free_ char *error = NULL;

	if (plan_parse(input.text, input.len, &settings, &error) < 0) {
		HOLDS(error && !settings.count);
		return;
	}
	/* Whatever a file says, only values that may be written come out. */
	for (size_t i = 0; i < settings.count; i++)
		HOLDS(tunable_check(settings.list[i].tunable, settings.list[i].to) == 0);
}

static void preferences(struct span input)
{
	_cleanup_preferences_ struct preferences p = { 0 };

	fuzz_put(PREFERENCES_PATH, input);
	HOLDS(preferences_read(scratch_root(), &p) == 0);
	HOLDS(p.ignored <= PREFERENCES_IGNORE_MAX);
	if (p.complaint)
		fuzz_holds_utf8(p.complaint);
	for (size_t i = 0; i < p.ignored; i++)
		fuzz_holds_utf8(p.ignore[i]);
}

static void symbols(struct span input)
{
	struct machine m = { .root = scratch_root() };
	const char *found;

	fuzz_put("proc/kallsyms", input);
	facts_set_string(&m.facts, FACT_KERNEL_RELEASE, "5.3.0", "fuzz");
	HOLDS(symbols_read(&m) == 0);
	if (facts_string(&m.facts, FACT_KERNEL_SYMBOLS, &found))
		HOLDS(*found);
	facts_done(&m.facts);
}

const struct fuzz_target fuzz_advice[] = {
	{ "release", release }, { "plan", plan }, { "preferences", preferences },
	{ "symbols", symbols }, { NULL, NULL },
};
