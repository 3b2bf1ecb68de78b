/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file reads kernel release strings. */
#include "advice/release.h"

#include <ctype.h>
#include <errno.h>

#include "base/util.h"

/* The marks that distributions put into their releases. First match wins. */
static const struct {
	const char *mark;
	enum builder builder;
} marks[] = {
	{ ".el6", BUILDER_RHEL6 },	    { ".el7", BUILDER_RHEL7 },
	{ ".el8", BUILDER_RHEL8 },	    { ".el9", BUILDER_RHEL9 },
	{ ".el10", BUILDER_RHEL10 },	    { ".fc", BUILDER_FEDORA },
	{ "-default", BUILDER_SUSE },	    { "-generic", BUILDER_UBUNTU },
	{ "-powerpc64le", BUILDER_DEBIAN }, { "-powerpc64", BUILDER_DEBIAN },
	{ "-amd64", BUILDER_DEBIAN },	    { "-s390x", BUILDER_DEBIAN },
};

static const char *const names[] = {
	[BUILDER_UPSTREAM] = "mainline or stable",
	[BUILDER_RHEL6] = "RHEL 6",
	[BUILDER_RHEL7] = "RHEL 7",
	[BUILDER_RHEL8] = "RHEL 8",
	[BUILDER_RHEL9] = "RHEL 9",
	[BUILDER_RHEL10] = "RHEL 10",
	[BUILDER_FEDORA] = "Fedora",
	[BUILDER_SUSE] = "SUSE",
	[BUILDER_DEBIAN] = "Debian",
	[BUILDER_UBUNTU] = "Ubuntu",
};

/* Takes a number of at most four digits off `*text`. */
static bool take_number(const char **text, unsigned int *ret)
{
	unsigned int value = 0, digits = 0;

	for (; isdigit((unsigned char)**text) && digits < 5; (*text)++, digits++)
		value = value * 10 + (unsigned int)(**text - '0');
	if (!digits || isdigit((unsigned char)**text))
		return false;
	*ret = value;
	return true;
}

static enum builder find_builder(const char *suffix)
{
	for (size_t i = 0; i < ARRAY_SIZE(marks); i++)
		if (strstr(suffix, marks[i].mark))
			return marks[i].builder;
	return BUILDER_UPSTREAM;
}

int release_parse(const char *text, struct release *ret)
{
	struct release release = { 0 };

	if (!take_number(&text, &release.version.major) || *text++ != '.' ||
	    !take_number(&text, &release.version.minor))
		return -EINVAL;
	if (*text == '.') {
		text++;
		if (!take_number(&text, &release.version.patch))
			return -EINVAL;
	}
	release.builder = find_builder(text);
	if (*text == '-') {
		text++;
		(void)take_number(&text, &release.build);
	}
	*ret = release;
	return 0;
}

int version_compare(struct version a, struct version b)
{
	if (a.major != b.major)
		return a.major < b.major ? -1 : 1;
	if (a.minor != b.minor)
		return a.minor < b.minor ? -1 : 1;
	return a.patch < b.patch ? -1 : a.patch > b.patch;
}

bool release_tells_patch(const struct release *release)
{
	return release->builder == BUILDER_UPSTREAM || release->version.patch != 0;
}

const char *builder_name(enum builder builder)
{
	return names[builder];
}
