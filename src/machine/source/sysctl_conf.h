/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files that set sysctls at boot, by the rules of sysctl.d(5) and systemd-sysctl: all
 * directories are merged by file name, the same name in a higher directory masks the lower one (a
 * link to /dev/null masks it for good), the last assignment wins, an explicit key beats a pattern,
 * and "-key" without "=" exempts it from patterns. procps' `sysctl --system` adds /etc/sysctl.conf
 * at the end, which systemd reads only where /etc/sysctl.d/99-sysctl.conf links to it.
 */
#ifndef LPARTUNE_MACHINE_SYSCTL_CONF_H
#define LPARTUNE_MACHINE_SYSCTL_CONF_H

#include "machine/root.h"

/* One assignment of a key. */
struct sysctl_line {
	char *file; /* absolute, as an administrator names it */
	unsigned int line;
	char *value;
	bool is_pattern;  /* the line's key has wildcards */
	bool is_etc;	  /* in /etc or /run: tuned applies those again after its profile */
	bool only_procps; /* systemd does not read this file */
};

struct sysctl_lines {
	struct sysctl_line *line;
	size_t count;
};
void sysctl_lines_done(struct sysctl_lines *lines);
#define _cleanup_sysctl_lines_ _cleanup_(sysctl_lines_done)

/* The path below /proc/sys of a key ("net.ipv4.conf.eth0/100.x" → "net/ipv4/conf/eth0.100/x"):
 * whichever of '.' and '/' comes first separates. Allocated; NULL: no memory, or the key has empty
 * parts or "..". */
char *sysctl_path(struct span key);

/*
 * The assignments of a key ("kernel.numa_balancing"), in the order in which they are applied: the
 * last one that systemd reads wins. Unreadable files are passed over. -ENOMEM.
 */
int sysctl_conf_find(struct root *root, const char *key, struct sysctl_lines *ret);

#endif
