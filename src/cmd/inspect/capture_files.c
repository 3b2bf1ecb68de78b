/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file watches the readers and copies what they asked for. */
#include <errno.h>
#include <sys/utsname.h>
#include <time.h>

#include "base/errname.h"
#include "base/store.h"
#include "cmd/advice/recommendation.h"
#include "cmd/inspect/capture.h"
#include "machine/sample/watch.h"
#include "machine/source/cpuid.h"
#include "machine/tunable/origin.h"
#include "version.h"

static const char *const kinds[] = {
	[ROOT_FILE] = "file",
	[ROOT_DIRECTORY] = "directory",
	[ROOT_TEST] = "test",
};

/* A path can be asked for in several ways; reading or listing it says more than looking for it. */
static void note(void *arg, enum root_kind kind, const char *path, int error)
{
	struct capture *c = arg;
	const json_t *before;

	while (*path == '/')
		path++;
	if (strstr(path, "../")) /* the opener stays in its root; a copy would not */
		return;
	before = json_object_get(c->paths, path);
	if (c->counters && kind == ROOT_FILE && !error &&
	    json_object_set_new(c->counters, path, json_true()) < 0)
		c->out_of_memory = true;
	if (before && !streq(json_string_value(json_object_get(before, "kind")), kinds[ROOT_TEST]))
		return;
	if (json_object_set_new(c->paths, path,
				json_pack("{s:s, s:i}", "kind", kinds[kind], "error", error)) < 0)
		c->out_of_memory = true;
}

/* All of them, whether a rule holds for one today or not: somebody will ask for another workload. */
static int read_tunables(struct root *root)
{
	int r = 0;

	for (size_t i = 0; r >= 0 && i < tunable_count; i++) {
		_cleanup_origin_claims_ struct origin_claims claims = { 0 };
		_cleanup_tunable_now_ struct tunable_now now = { 0 };

		r = tunable_read(root, &tunables[i], &now);
		if (r >= 0 && origin_find(root, &tunables[i], &claims) == -ENOMEM)
			r = -ENOMEM;
	}
	return r;
}

/* Everything that a command reads, once: facts, settings and who sets them, counters. */
int capture_watch(struct capture *c)
{
	_cleanup_machine_ struct machine machine = { 0 };
	_cleanup_recommendations_ struct recommendations all = { 0 };
	_cleanup_watch_ struct watch watch = { 0 };
	_cleanup_reading_ struct reading reading = { 0 };
	int r;

	c->paths = json_object();
	c->errors = json_object();
	c->instants = json_array();
	if (!c->paths || !c->errors || !c->instants)
		return -ENOMEM;
	root_trace(c->root, note, c);
	r = machine_read(c->root, &machine);
	if (r >= 0)
		r = recommendations_make(&machine, NULL, &all);
	if (r >= 0)
		r = read_tunables(c->root);
	c->counters = json_object();
	if (r >= 0 && c->counters) {
		watch_init(&watch, c->root);
		watch.topology = &machine.topology;
		watch.wants_lppaca = watch.wants_idle = true;
		r = watch_read(&watch, true, &reading);
	}
	root_trace(c->root, NULL, NULL);
	return r < 0 ? r : c->out_of_memory || !c->counters ? -ENOMEM : 0;
}

/* The content as it goes into the capture. -errno of reading: recorded, no failure. */
static int copy_file(struct capture *c, const char *prefix, const char *path)
{
	_cleanup_content_ struct content content = { 0 };
	_cleanup_free_ char *target = NULL;
	int r = root_read(c->root, &content, "%s", path);

	if (r < 0) {
		const char *name = errname(-r);

		return json_object_set_new(c->errors, path, json_string(name ? name : "EIO"));
	}
	r = capture_filter(path, &content);
	if (r >= 0 && !c->keep_names)
		r = capture_redact(path, &content);
	if (r < 0 || asprintf(&target, "%s/%s", prefix, path) < 0)
		return -ENOMEM;
	c->files++;
	c->bytes += content.len;
	return store_put_at(c->dirfd, target, content.text, content.len, 0644);
}

/* A directory keeps the names of all its entries: readers count them. */
static int copy_directory(struct capture *c, const char *path)
{
	_cleanup_names_ struct names names = { 0 };
	_cleanup_free_ char *target = NULL;
	int r = root_list(c->root, &names, "%s", path);

	if (r < 0)
		return 0;
	if (asprintf(&target, "root/%s", path) < 0)
		return -ENOMEM;
	r = store_put_directory_at(c->dirfd, target);
	for (size_t i = 0; r >= 0 && i < names.count; i++) {
		_cleanup_free_ char *one = NULL;

		if (asprintf(&one, "%s/%s", target, names.name[i]) < 0)
			return -ENOMEM;
		/* Whatever was read of it is there already. */
		r = store_put_directory_at(c->dirfd, one);
	}
	return r;
}

/* Something that was only looked for: an empty place stands for it. */
static int copy_test(struct capture *c, const char *path)
{
	_cleanup_names_ struct names names = { 0 };
	_cleanup_free_ char *target = NULL;
	int r;

	if (asprintf(&target, "root/%s", path) < 0)
		return -ENOMEM;
	if (root_list(c->root, &names, "%s", path) >= 0)
		return store_put_directory_at(c->dirfd, target);
	r = store_put_at(c->dirfd, target, "", 0, 0644);
	return r == -EISDIR ? 0 : r;
}

static int keep_error(struct capture *c, const char *path, int error)
{
	const char *name = errname(error);

	if (error == ENOENT)
		return 0; /* it is not there in the capture either */
	return json_object_set_new(c->errors, path, json_string(name ? name : "EIO"));
}

static int copy_kind(struct capture *c, const char *kind)
{
	const char *path;
	json_t *entry;
	int r = 0;

	json_object_foreach (c->paths, path, entry) {
		int error = (int)json_integer_value(json_object_get(entry, "error"));

		if (r < 0 || !streq(json_string_value(json_object_get(entry, "kind")), kind))
			continue;
		if (error)
			r = keep_error(c, path, error);
		else if (streq(kind, "file"))
			r = copy_file(c, "root", path);
		else if (streq(kind, "directory"))
			r = copy_directory(c, path);
		else
			r = copy_test(c, path);
	}
	return r;
}

int capture_copy(struct capture *c)
{
	int r = store_put_directory_at(c->dirfd, "root");

	/* Files first: where an entry of a directory is a file, it must not become a directory. */
	if (r >= 0)
		r = copy_kind(c, "file");
	if (r >= 0)
		r = copy_kind(c, "test");
	if (r >= 0)
		r = copy_kind(c, "directory");
	return r;
}

static json_int_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (json_int_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

int capture_instant(struct capture *c)
{
	char prefix[32];
	const char *path;
	json_t *entry;
	int r;

	snprintf(prefix, sizeof(prefix), "instants/%03zu", json_array_size(c->instants));
	r = json_array_append_new(c->instants, json_pack("{s:I}", "time_ns", now_ns()));
	json_object_foreach (c->counters, path, entry)
		if (r >= 0)
			r = copy_file(c, prefix, path);
	return r;
}

/* Answers of the running machine that no file holds. */
static json_t *recorded(const struct root *root)
{
	const char *source, *cpuid = NULL;
	struct utsname uts;

	if (!root_is_live(root) || uname(&uts) < 0)
		return json_pack("{s:s*, s:s*}", "uname", root_recorded(root, "uname"), "cpuid",
				 root_recorded(root, "cpuid"));
	cpuid = cpuid_hypervisor(&source);
	return json_pack("{s:s, s:s*}", "uname", uts.machine, "cpuid", cpuid);
}

int capture_finish(struct capture *c)
{
	_cleanup_free_ char *text = NULL;
	json_t *manifest = json_pack("{s:s, s:i, s:o, s:O, s:O}", "lpartune", LPARTUNE_VERSION,
				     "format", 1, "recorded", recorded(c->root), "errors",
				     c->errors, "instants", c->instants);

	if (manifest)
		text = json_dumps(manifest, JSON_INDENT(1));
	json_decref(manifest);
	return text ? store_write_at(c->dirfd, "manifest.json", text, strlen(text), 0644) : -ENOMEM;
}

void capture_done(struct capture *c)
{
	json_decref(c->paths);
	json_decref(c->counters);
	json_decref(c->errors);
	json_decref(c->instants);
	cleanup_close(&c->dirfd);
}
