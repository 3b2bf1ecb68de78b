/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file reads what else decides when a measured thread may run. */
#include "bench/limits.h"

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

json_t *limits_to_json(struct root *root)
{
	_cleanup_free_ char *path = cgroup_path(root), *max = NULL;

	if (path)
		(void)root_read_string(root, &max, "sys/fs/cgroup/%s/cpu.max", path);
	return json_pack("{s:o, s:s?, s:s?}", "autogroup", autogroup(root), "cgroup", path,
			 "cpu_max", max);
}
