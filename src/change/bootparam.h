/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Boot parameters. One method for each distribution, chosen by what is installed; none edits what a
 * loader's tool generates. After a change every entry is read again: what counts is what the files
 * say, not what a tool returned. Rescue entries, snapshots and other people's entries stay as they
 * are. In a tree no tool runs: sources are edited, and what is generated from them is left.
 *
 * Documents of the distributions: grubby(8) for RHEL 8 to 10, grub.d drop-ins of Debian's grub2,
 * update-bootloader(8) and transactional-update(8) for SLES.
 */
#ifndef LPARTUNE_CHANGE_BOOTPARAM_H
#define LPARTUNE_CHANGE_BOOTPARAM_H

#include "change/cmdlines.h"
#include "change/step.h"

enum loader_kind {
	LOADER_UNKNOWN,
	LOADER_GRUBBY, /* RHEL: BLS entries, grubenv, /etc/default/grub, /etc/kernel/cmdline */
	LOADER_GRUBD,  /* Debian, Ubuntu: a file in /etc/default/grub.d and update-grub */
	LOADER_SUSE,   /* SLES: /etc/default/grub and update-bootloader */
};

#define BOOTPARAM_LINE_MAX 2047 /* COMMAND_LINE_SIZE of powerpc is 2048, with the NUL */
#define BOOTPARAM_DROPIN "etc/default/grub.d/zz-lpartune.cfg"

/* A parameter that is to be set or taken out of every command line. */
struct boot_wish {
	char *name;
	char *value; /* NULL: no such parameter; "": a flag */
	char *ours; /* to revert: only this token (value as above) is ours to take out; else NULL */
	bool is_revert;
};

struct loader {
	enum loader_kind kind;
	struct boot_wish *wish;
	size_t count;
	struct cmdlines before; /* the entries as they were planned from */
	bool run;		/* the loader's tool must run */
	const char *original;	/* the line of the file at hand before we came; to go back to */
};
void loader_done(struct loader *loader);

/* Which loader is installed, and if it is none that we know, why (a sentence). */
enum loader_kind bootparam_detect(struct root *root, const char **ret_why);

/* The value of a setting as a token: NULL for "absent", "" for "present". */
const char *bootparam_token(const char *setting);

/* Does the kernel see the wanted token in this line? The last one of its name counts. */
bool bootparam_line_has(const char *line, const char *name, const char *token);

/* Do all normal entries (of at least one) have it? */
bool bootparam_is_configured(const struct cmdlines *cmdlines, const char *name, const char *token);

/* Adds a wish; texts are copied. -ENOMEM. */
int bootparam_wish(struct loader *loader, const char *name, const char *token);
int bootparam_wish_back(struct loader *loader, const char *name, const char *ours,
			const char *token);

struct change;

/*
 * Plans the wishes as steps of the change. -E2BIG: a command line or grubenv would be too long;
 * -EBADMSG, -ENOTUNIQ: a file is not in a form that can be edited (`*ret_path`); -EOPNOTSUPP: this
 * loader's method cannot take out a parameter that is not ours; -ESTALE as for drop-ins.
 */
int bootparam_plan(struct change *change, bool force, const char **ret_path);

/*
 * After the steps: runs the tool, gives foreign entries their bytes back, and reads every entry
 * again. -EREMOTEIO: an entry is not what it must be. What the tool wrote becomes part of the steps.
 */
int bootparam_finish(struct root *root, struct loader *loader, struct steps *steps);

/* Is no boot parameter of ours left in the books as they will be? */
bool bootparam_nothing_stays(const struct change *change);

/* The wishes done to one command line. Allocated; NULL when memory is out. */
char *bootparam_edit_line(struct span line, const struct loader *loader);

#endif
