/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Origin: who set a value, and who will win at the next boot. Claims are what configuration says:
 * boot parameters, sysctl.d, tuned, saptune, smtstate. What was written by hand since boot leaves no
 * trace; then the origin is unknown, and this says so.
 */
#ifndef LPARTUNE_MACHINE_ORIGIN_H
#define LPARTUNE_MACHINE_ORIGIN_H

#include "machine/tunable/tunables.h"

enum origin {
	ORIGIN_UNKNOWN,
	ORIGIN_DEFAULT, /* the value is the kernel's default and nobody claims it */
	ORIGIN_BOOT_PARAMETER,
	ORIGIN_SYSCTL_CONF, /* a file of sysctl.d, or sysctl.conf */
	ORIGIN_TUNED,
	ORIGIN_SAPTUNE,
	ORIGIN_SMTSTATE,
	ORIGIN_CPUPOWER,
	ORIGIN_COUNT
};

/* "kernel default", "sysctl.d", "tuned" …: words of documents. */
const char *origin_word(enum origin origin);

/* Somebody's configuration of a tunable. */
struct origin_claim {
	enum origin origin;
	char *where; /* "/etc/sysctl.d/99-x.conf:3", "numa_balancing=disable", "profile sap-hana" */
	char *value; /* canonical where it can be told, else NULL */
	bool at_boot; /* false: only when somebody calls `sysctl --system` */
};

/* In the order in which they take effect at boot: the last that is `at_boot` wins. */
struct origin_claims {
	struct origin_claim *claim;
	size_t count;
};
void origin_claims_done(struct origin_claims *claims);
#define _cleanup_origin_claims_ _cleanup_(origin_claims_done)

int origin_find(struct root *root, const struct tunable *tunable, struct origin_claims *ret);

/* The claim that wins at the next boot, or NULL if nobody claims the tunable. */
const struct origin_claim *origin_winner(const struct origin_claims *claims);

/*
 * Who set the value that is in force now: the last claim of that value (`*ret_claim`, may be NULL),
 * else the kernel's default, else unknown.
 */
enum origin origin_of(const struct origin_claims *claims, const struct tunable *tunable,
		      const char *value, const struct origin_claim **ret_claim);

#endif
