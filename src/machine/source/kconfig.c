/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file looks options up in a kernel configuration. */
#include "machine/source/kconfig.h"

#include <errno.h>
#include <limits.h>

struct search {
	struct kconfig_option *options;
	size_t count;
};

/* "CONFIG_X=y" or "# CONFIG_X is not set" */
static int look(struct span line, void *arg)
{
	const struct search *search = arg;
	struct span name, value;
	bool unset = span_starts(line, "# CONFIG_");

	if (unset) {
		line.text += 2;
		line.len -= 2;
		span_word(&line, &name);
	} else if (!span_split(line, '=', &name, &value) || value.len != 1 ||
		   !memchr("ymn", value.text[0], 3)) {
		return 0;
	}
	if (!span_starts(name, "CONFIG_"))
		return 0;
	name.text += 7;
	name.len -= 7;
	for (size_t i = 0; i < search->count; i++)
		if (span_is(name, search->options[i].name))
			search->options[i].value = unset ? 'n' : value.text[0];
	return 0;
}

int kconfig_find(struct root *root, const char *release, struct kconfig_option *options,
		 size_t count, char *ret_path)
{
	static const char *const places[] = { "boot/config-%s", "lib/modules/%s/config",
					      "usr/lib/modules/%s/config" };
	struct search search = { options, count };
	int r = -ENOENT;

	for (size_t i = 0; i < ARRAY_SIZE(places) && r == -ENOENT; i++) {
		int len;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		len = snprintf(ret_path, PATH_MAX, places[i], release);
#pragma GCC diagnostic pop
		if (len < 0 || len >= PATH_MAX)
			return -ENAMETOOLONG;
		r = root_each_line(root, look, &search, "%s", ret_path);
	}
	return r;
}
