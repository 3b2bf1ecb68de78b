/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file reads properties of the device tree. */
#include "machine/source/devicetree.h"

#include <errno.h>

void devicetree_find(struct root *root, struct devicetree *ret)
{
	static const char *const bases[] = { "sys/firmware/devicetree/base", "proc/device-tree",
					     "ppc64/device-tree" };

	*ret = (struct devicetree) { .root = root, .error = ENOENT };
	for (size_t i = 0; i < ARRAY_SIZE(bases); i++) {
		int r = root_exists(root, "%s", bases[i]);

		if (r >= 0) {
			ret->base = bases[i];
			ret->error = 0;
			return;
		}
		if (r != -ENOENT && r != -ENOTDIR)
			ret->error = -r;
	}
}

int devicetree_has(const struct devicetree *dt, const char *path)
{
	return dt->base ? root_exists(dt->root, "%s/%s", dt->base, path) : -dt->error;
}

static int read_property(const struct devicetree *dt, const char *path, struct content *ret)
{
	return dt->base ? root_read(dt->root, ret, "%s/%s", dt->base, path) : -dt->error;
}

int devicetree_string(const struct devicetree *dt, const char *path, char **ret)
{
	_cleanup_content_ struct content c = { 0 };
	char *string;
	int r = read_property(dt, path, &c);

	if (r < 0)
		return r;
	string = span_dup_utf8((struct span) { c.text, strnlen(c.text, c.len) });
	if (!string)
		return -ENOMEM;
	*ret = string;
	return 0;
}

int devicetree_lists(const struct devicetree *dt, const char *path, const char *wanted)
{
	_cleanup_content_ struct content c = { 0 };
	int r = read_property(dt, path, &c);

	if (r < 0)
		return r;
	for (size_t at = 0; at < c.len; at += strlen(c.text + at) + 1)
		if (streq(c.text + at, wanted))
			return 1;
	return 0;
}

int devicetree_cell(const struct devicetree *dt, const char *path, uint32_t *ret)
{
	_cleanup_content_ struct content c = { 0 };
	int r = read_property(dt, path, &c);

	if (r < 0)
		return r;
	if (c.len < 4)
		return -EINVAL;
	*ret = parse_be32(c.text);
	return 0;
}

/* The first node below cpus/ that is a processor: it tells the threads of a core. */
static int first_cpu_node(const struct devicetree *dt, char *path, size_t size)
{
	_cleanup_names_ struct names names = { 0 };
	int r;

	if (!dt->base)
		return -dt->error;
	r = root_list(dt->root, &names, "%s/cpus", dt->base);
	for (size_t i = 0; r >= 0 && i < names.count; i++) {
		snprintf(path, size, "cpus/%s/ibm,ppc-interrupt-server#s", names.name[i]);
		if (strchr(names.name[i], '@') && devicetree_has(dt, path) >= 0) {
			snprintf(path, size, "cpus/%s", names.name[i]);
			return 0;
		}
	}
	return r < 0 ? r : -ENOENT;
}

int devicetree_threads_per_core(const struct devicetree *dt, unsigned int *ret)
{
	_cleanup_content_ struct content c = { 0 };
	char node[256], path[320];
	int r = first_cpu_node(dt, node, sizeof(node));

	if (r < 0)
		return r;
	snprintf(path, sizeof(path), "%s/ibm,ppc-interrupt-server#s", node);
	r = read_property(dt, path, &c);
	if (r < 0)
		return r;
	/* Power has 1, 2, 4 or 8 threads in a core. */
	if (c.len < 4 || c.len > 32 || c.len % 4 || (c.len & (c.len - 1)))
		return -EINVAL;
	*ret = (unsigned int)(c.len / 4);
	return 0;
}

int devicetree_has_thread_groups(const struct devicetree *dt)
{
	char node[256], path[320];
	int r = first_cpu_node(dt, node, sizeof(node));

	if (r < 0)
		return r;
	snprintf(path, sizeof(path), "%s/ibm,thread-groups", node);
	r = devicetree_has(dt, path);
	return r == -ENOENT ? 0 : r < 0 ? r : 1;
}
