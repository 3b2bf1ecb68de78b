/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file reads /proc/cpuinfo of every architecture that lpartune meets. */
#include "machine/source/cpuinfo.h"

#include <errno.h>
#include <stddef.h>

/* The first line with such a key gives the string. */
static const struct {
	const char *key;
	size_t offset;
} strings[] = {
	{ "platform", offsetof(struct cpuinfo, platform) },
	{ "model", offsetof(struct cpuinfo, model) },
	{ "machine", offsetof(struct cpuinfo, machine) },
	{ "cpu", offsetof(struct cpuinfo, cpu) },
	{ "model name", offsetof(struct cpuinfo, cpu) },
	{ "vendor_id", offsetof(struct cpuinfo, vendor) },
};

static int keep_string(struct cpuinfo *info, struct span key, struct span value)
{
	for (size_t i = 0; i < ARRAY_SIZE(strings); i++) {
		char **at = (char **)((char *)info + strings[i].offset);

		if (!span_is(key, strings[i].key) || *at || !value.len)
			continue;
		*at = span_dup_utf8(value);
		return *at ? 0 : -ENOMEM;
	}
	return 0;
}

static void keep_flags(struct cpuinfo *info, struct span flags)
{
	struct span word;

	info->has_flags = true;
	while (span_word(&flags, &word)) {
		info->is_64bit |= span_is(word, "lm");
		info->is_guest |= span_is(word, "hypervisor");
	}
}

/* "processor 0: version = 00,  identification = 279F25,  machine = 2817" */
static int keep_s390_machine(struct cpuinfo *info, struct span value)
{
	const char *at = memmem(value.text, value.len, "machine = ", 10);

	if (!at || info->cpu)
		return 0;
	at += 10;
	info->cpu = span_dup_utf8(
		span_trim((struct span) { at, value.len - (size_t)(at - value.text) }));
	return info->cpu ? 0 : -ENOMEM;
}

static int keep_line(struct span line, void *arg)
{
	struct cpuinfo *info = arg;
	struct span key, value;

	if (!span_split(line, ':', &key, &value))
		return 0;
	if (span_is(key, "flags") && !info->has_flags)
		keep_flags(info, value);
	else if (span_is(key, "timebase"))
		(void)parse_u64(value, &info->timebase_hz);
	else if (span_is(key, "CPU implementer"))
		info->is_arm64 = true;
	else if (span_starts(key, "processor ") && span_has(value, "machine = "))
		return keep_s390_machine(info, value);
	return keep_string(info, key, value);
}

int cpuinfo_parse(struct span text, struct cpuinfo *ret)
{
	struct span line;
	int r = 0;

	*ret = (struct cpuinfo) { 0 };
	while (r == 0 && span_line(&text, &line))
		r = keep_line(line, ret);
	if (r < 0)
		cpuinfo_done(ret);
	return r;
}

int cpuinfo_read(struct root *root, struct cpuinfo *ret)
{
	int r;

	*ret = (struct cpuinfo) { 0 };
	r = root_each_line(root, keep_line, ret, "proc/cpuinfo");
	if (r < 0)
		cpuinfo_done(ret);
	return r;
}

void cpuinfo_done(struct cpuinfo *info)
{
	for (size_t i = 0; i < ARRAY_SIZE(strings); i++) {
		char **at = (char **)((char *)info + strings[i].offset);

		free(*at);
		*at = NULL;
	}
	*info = (struct cpuinfo) { 0 };
}
