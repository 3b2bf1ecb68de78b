// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * This file fuzzes whole readings: a small healthy machine (FUZZ_TREE, made by tests/generate) in
 * which the input replaces one file, and captures' manifests.
 */
#include <err.h>
#include <ftw.h>
#include <math.h>

#include "base/store.h"
#include "fuzz.h"
#include "machine/fact/machine.h"
#include "machine/root.h"
#include "machine/sample/replay.h"
#include "machine/source/sysctl_conf.h"

struct original {
	char *path; /* below the tree */
	char *text;
	size_t len;
};

static struct {
	struct original *file;
	size_t count;
	size_t prefix; /* length of the tree's own path */
} healthy;

static int keep_file(const char *path, const struct stat *st _unused_, int type,
		     struct FTW *ftw _unused_)
{
	struct original *file;

	if (type != FTW_F)
		return 0;
	healthy.file = reallocarray(healthy.file, healthy.count + 1, sizeof(*healthy.file));
	if (!healthy.file)
		errx(1, "out of memory");
	file = &healthy.file[healthy.count++];
	file->path = strdup(path + healthy.prefix);
	if (store_read(path, &file->text, &file->len) < 0)
		errx(1, "cannot read '%s'", path);
	return 0;
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct original *)a)->path, ((const struct original *)b)->path);
}

/* The healthy machine is copied once, in an order that does not depend on the file system. */
static void load(void)
{
	const char *tree = getenv("FUZZ_TREE");

	if (healthy.count)
		return;
	if (!tree)
		errx(2, "FUZZ_TREE names no tree");
	healthy.prefix = strlen(tree) + 1;
	nftw(tree, keep_file, 16, FTW_PHYS);
	if (!healthy.count)
		errx(2, "no files in '%s'", tree);
	qsort(healthy.file, healthy.count, sizeof(*healthy.file), by_path);
	for (size_t i = 0; i < healthy.count; i++)
		fuzz_put(healthy.file[i].path,
			 (struct span) { healthy.file[i].text, healthy.file[i].len });
}

static void check_facts(const struct facts *facts)
{
	for (int i = 0; i < FACT_COUNT; i++) {
		const struct fact_value *value = &facts->value[i];

		fuzz_holds_utf8(value->source);
		fuzz_holds_utf8(value->conflict);
		if (value->present && fact_info[i].type == FACT_TYPE_STRING)
			fuzz_holds_utf8(value->string);
		if (value->present && fact_info[i].type == FACT_TYPE_REAL)
			HOLDS(isfinite(value->real));
	}
}

/* The first two bytes choose the file, the rest replaces it. */
static void machine(struct span input)
{
	const struct original *file;
	_cleanup_root_ struct root *root = NULL;
	struct machine m;
	size_t which;

	load();
	if (input.len < 2)
		return;
	which = (unsigned char)input.text[0] * 256U + (unsigned char)input.text[1];
	file = &healthy.file[which % healthy.count];
	fuzz_put(file->path, (struct span) { input.text + 2, input.len - 2 });
	HOLDS(root_open(fuzz_scratch(), &root) == 0);
	HOLDS(machine_read(root, &m) == 0);
	check_facts(&m.facts);
	machine_done(&m);
	fuzz_put(file->path, (struct span) { file->text, file->len });
}

static void manifest(struct span input)
{
	_cleanup_root_ struct root *root = NULL;
	_cleanup_free_ char *text = NULL;

	fuzz_put("manifest.json", input);
	fuzz_put("root/proc/uptime", span_of("1.00 1.00\n"));
	if (root_open(fuzz_scratch(), &root) == 0)
		(void)root_read_string(root, &text, "proc/uptime");
}

/* The input is the manifest of a capture with instants. */
static void replay(struct span input)
{
	_cleanup_replay_ struct replay *replay = NULL;
	_cleanup_watch_ struct watch watch = { 0 };
	int r = 1;

	fuzz_put("manifest.json", input);
	fuzz_put("root/proc/cpuinfo", span_of("timebase : 512000000\nplatform : pSeries\n"));
	fuzz_put("instants/000/proc/stat", span_of("cpu 1 0 1 9 0 0 0 1\n"));
	fuzz_put("instants/001/proc/stat", span_of("cpu 2 0 1 19 0 0 0 3\n"));
	if (replay_open(fuzz_scratch(), &replay) < 0)
		return;
	watch_init(&watch, replay_root(replay));
	while (r > 0) {
		_cleanup_reading_ struct reading reading = { 0 };

		r = replay_next(replay, &watch, &reading);
	}
}

static void sysctl(struct span input)
{
	_cleanup_root_ struct root *root = NULL;
	struct sysctl_lines lines = { 0 };

	fuzz_put("etc/sysctl.d/50-fuzz.conf", input);
	HOLDS(root_open(fuzz_scratch(), &root) == 0);
	HOLDS(sysctl_conf_find(root, "kernel.numa_balancing", &lines) == 0);
	HOLDS(lines.count <= input.len);
	sysctl_lines_done(&lines);
}

const struct fuzz_target fuzz_trees[] = {
	{ "machine", machine }, { "manifest", manifest }, { "replay", replay },
	{ "sysctl", sysctl },	{ NULL, NULL },
};
