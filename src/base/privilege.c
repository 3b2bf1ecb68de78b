/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file holds the table of capabilities that commands keep, and is the only user of libcap. */
#include "base/privilege.h"

#include <errno.h>
#include <sys/capability.h>
#include <sys/prctl.h>

#include "base/util.h"

#ifndef CAP_PERFMON
#define CAP_PERFMON 38 /* in the kernel's headers since Linux 5.8 */
#endif

static const struct {
	cap_value_t cap;
	enum privilege from; /* the least privilege that keeps it */
} kept[] = {
	{ CAP_DAC_READ_SEARCH, PRIVILEGE_READ },
	{ CAP_SYSLOG, PRIVILEGE_READ },
	{ CAP_PERFMON, PRIVILEGE_MEASURE },
	{ CAP_SYS_NICE, PRIVILEGE_MEASURE },
	{ CAP_IPC_LOCK, PRIVILEGE_MEASURE },
	{ CAP_SYS_ADMIN, PRIVILEGE_WRITE },    /* kernel.numa_balancing, schedstats */
	{ CAP_NET_ADMIN, PRIVILEGE_WRITE },    /* net.* */
	{ CAP_DAC_OVERRIDE, PRIVILEGE_WRITE }, /* files of others, in trees and in /etc */
	{ CAP_CHOWN, PRIVILEGE_WRITE },	       /* owner, mode, attributes of replaced files */
	{ CAP_FOWNER, PRIVILEGE_WRITE },
	{ CAP_FSETID, PRIVILEGE_WRITE },
	{ CAP_SETFCAP, PRIVILEGE_WRITE },
	{ CAP_SYS_RAWIO, PRIVILEGE_WRITE }, /* boot loader tools look at disks */
};

static bool is_kept(cap_value_t cap, enum privilege privilege)
{
	for (size_t i = 0; i < ARRAY_SIZE(kept); i++)
		if (kept[i].cap == cap && kept[i].from <= privilege)
			return true;
	return false;
}

/* Is it kept, but without effect? */
static bool is_held_back(cap_value_t cap, enum privilege privilege)
{
	return cap == CAP_SYS_ADMIN && privilege == PRIVILEGE_MEASURE;
}

/* Of what we have, clears what is not kept. */
static int clear_others(cap_t caps, enum privilege privilege)
{
	static const cap_flag_t flags[] = { CAP_EFFECTIVE, CAP_PERMITTED, CAP_INHERITABLE };

	for (cap_value_t cap = 0; cap <= CAP_LAST_CAP; cap++) {
		if (!CAP_IS_SUPPORTED(cap) || is_kept(cap, privilege))
			continue;
		for (size_t i = 0; i < ARRAY_SIZE(flags); i++) {
			if (flags[i] == CAP_PERMITTED && is_held_back(cap, privilege))
				continue;
			if (cap_set_flag(caps, flags[i], 1, &cap, CAP_CLEAR) < 0)
				return -errno;
		}
	}
	return 0;
}

int privilege_drop(enum privilege privilege)
{
	cap_t caps = cap_get_proc();
	int r;

	if (!caps)
		return -errno;
	r = clear_others(caps, privilege);
	if (r == 0 && cap_set_proc(caps) < 0)
		r = -errno;
	(void)cap_free(caps);
	if (r == 0 && privilege != PRIVILEGE_WRITE && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		r = -errno;
	return r;
}

/* Has it been held back: permitted, and without effect? */
static bool has_held_back(cap_t caps)
{
	cap_flag_value_t permitted = CAP_CLEAR, effective = CAP_SET;

	(void)cap_get_flag(caps, CAP_SYS_ADMIN, CAP_PERMITTED, &permitted);
	(void)cap_get_flag(caps, CAP_SYS_ADMIN, CAP_EFFECTIVE, &effective);
	return permitted == CAP_SET && effective == CAP_CLEAR;
}

static void set_held_back(const cap_flag_t *flags, int n, cap_flag_value_t value, cap_t caps)
{
	const cap_value_t cap = CAP_SYS_ADMIN;

	for (int i = 0; i < n; i++)
		(void)cap_set_flag(caps, flags[i], 1, &cap, value);
	(void)cap_set_proc(caps);
}

/* The two are a pair: whether there is something to take back is known from the first. */
static bool is_counting;

void privilege_counting_begin(void)
{
	static const cap_flag_t effective[] = { CAP_EFFECTIVE };
	cap_t caps = cap_get_proc();

	is_counting = caps && has_held_back(caps);
	if (is_counting)
		set_held_back(effective, 1, CAP_SET, caps);
	(void)cap_free(caps);
}

void privilege_counting_end(void)
{
	static const cap_flag_t all[] = { CAP_EFFECTIVE, CAP_PERMITTED };
	cap_t caps = is_counting ? cap_get_proc() : NULL;

	if (caps)
		set_held_back(all, ARRAY_SIZE(all), CAP_CLEAR, caps);
	is_counting = false;
	(void)cap_free(caps);
}

const char *privilege_for_path(const char *path)
{
	if (starts_with(path, "proc/sys/net/"))
		return "CAP_NET_ADMIN";
	if (starts_with(path, "proc/sys/kernel/"))
		return "CAP_SYS_ADMIN";
	return "CAP_DAC_OVERRIDE";
}
