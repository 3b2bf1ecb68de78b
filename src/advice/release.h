/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel releases ("5.14.0-427.13.1.el9_4.ppc64le") as far as advice reads them: the mainline
 * version, whose build it is, and its build number.
 */
#ifndef LPARTUNE_ADVICE_RELEASE_H
#define LPARTUNE_ADVICE_RELEASE_H

#include <stdbool.h>

struct version {
	unsigned int major, minor, patch;
};

/* Who built a kernel decides what its number is worth: distributions backport, and some
 * (RHEL, Debian, Ubuntu) keep the patch level at 0 whatever stable release they follow. */
enum builder {
	BUILDER_UPSTREAM, /* no distribution's mark: the number is what it says */
	BUILDER_RHEL6,
	BUILDER_RHEL7,
	BUILDER_RHEL8,
	BUILDER_RHEL9,
	BUILDER_RHEL10,
	BUILDER_FEDORA,
	BUILDER_SUSE,
	BUILDER_DEBIAN,
	BUILDER_UBUNTU,
};

struct release {
	struct version version;
	enum builder builder;
	unsigned int build; /* the first number behind the dash: 427; 0 if there is none */
};

/* Returns 0 or -EINVAL if the text does not begin with "N.N"; `ret` is then untouched. */
int release_parse(const char *text, struct release *ret);

/* <0, 0, >0 as a is older than, the same as, newer than b. */
int version_compare(struct version a, struct version b);

/* Does the patch level of such a release tell the stable release it is based on? */
bool release_tells_patch(const struct release *release);

/* The name for people: "mainline or stable", "RHEL 9" … */
const char *builder_name(enum builder builder);

#endif
