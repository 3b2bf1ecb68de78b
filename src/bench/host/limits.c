/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file reads what else decides when a measured thread may run. */
#include "bench/host/limits.h"

#include "base/parse.h"

static json_t *autogroup(struct root *root)
{
	_cleanup_free_ char *text = NULL;

	if (root_read_string(root, &text, "proc/sys/kernel/sched_autogroup_enabled") < 0)
		return json_null();
	return json_boolean(streq(text, "1"));
}

/* The path in the unified hierarchy ("0::/system.slice/…"), without the leading slash; or NULL. */
static char *cgroup_path(struct root *root)
{
	_cleanup_content_ struct content c = { 0 };
	struct span rest, line;

	if (root_read(root, &c, "proc/self/cgroup") < 0)
		return NULL;
	rest = content_span(&c);
	while (span_line(&rest, &line))
		if (span_starts(line, "0::/"))
			return span_dup_utf8((struct span) { line.text + 4, line.len - 4 });
	return NULL;
}

static bool is_limit(const char *max)
{
	return !starts_with(max, "max");
}

/* The limit of the group, or of the nearest above it that has one; "max …" if none has; else NULL. */
static char *cpu_max(struct root *root, const char *group)
{
	_cleanup_free_ char *path = strdup(group), *found = NULL;

	for (char *slash; path && *path; *slash = '\0') {
		_cleanup_free_ char *max = NULL;

		if (root_read_string(root, &max, "sys/fs/cgroup/%s/cpu.max", path) >= 0 &&
		    (!found || is_limit(max))) {
			free(found);
			found = take_ptr(&max);
		}
		slash = strrchr(path, '/');
		if (!slash || (found && is_limit(found)))
			break;
	}
	return take_ptr(&found);
}

static json_t *paranoid(struct root *root)
{
	_cleanup_free_ char *text = NULL;
	int64_t level;

	if (root_read_string(root, &text, "proc/sys/kernel/perf_event_paranoid") < 0 ||
	    parse_i64(span_of(text), &level) < 0)
		return json_null();
	return json_integer(level);
}

/* A tree can hold any bytes. */
static json_t *text_or_null(const char *text)
{
	_cleanup_free_ char *clean = text ? span_dup_utf8(span_of(text)) : NULL;

	return clean ? json_string(clean) : json_null();
}

json_t *limits_to_json(struct root *root)
{
	_cleanup_free_ char *path = cgroup_path(root), *max = NULL, *cpuset = NULL;

	if (path) {
		max = cpu_max(root, path);
		(void)root_read_string(root, &cpuset, "sys/fs/cgroup/%s/cpuset.cpus.effective",
				       path);
	}
	return json_pack("{s:o, s:s?, s:o, s:o, s:o}", "autogroup", autogroup(root), "cgroup", path,
			 "cpu_max", text_or_null(max), "cpuset", text_or_null(cpuset),
			 "perf_event_paranoid", paranoid(root));
}
