/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Boot parameters. One method for each distribution, chosen by what is installed; none edits what a
 * loader's tool generates. After a change every entry, and every file that a new kernel's entry will
 * come from, is read again: what counts is what the files say, not what a tool returned. Rescue
 * entries, snapshots and other people's entries stay as they are. In a tree no tool runs: sources
 * are edited, and what is generated from them is left.
 *
 * Of each place that holds a command line the books keep what it said before a parameter came to it,
 * or that it had the parameter already: a revert brings back the one and leaves the other.
 *
 * Documents of the distributions: grubby(8) for RHEL 8 to 10, grub.d drop-ins of Debian's grub2,
 * update-bootloader(8) and transactional-update(8) for SLES.
 */
#ifndef LPARTUNE_CHANGE_BOOTPARAM_H
#define LPARTUNE_CHANGE_BOOTPARAM_H

#include "change/boot/bootedit.h"
#include "change/boot/cmdlines.h"
#include "change/record/step.h"

enum loader_kind {
	LOADER_UNKNOWN,
	LOADER_GRUBBY, /* RHEL: BLS entries, grubenv, /etc/default/grub, /etc/kernel/cmdline */
	LOADER_GRUBD,  /* Debian, Ubuntu: a file in /etc/default/grub.d and update-grub */
	LOADER_SUSE,   /* SLES: /etc/default/grub and update-bootloader */
};

#define BOOTPARAM_DROPIN "etc/default/grub.d/zz-lpartune.cfg"
#define BOOTPARAM_DEFAULTS "etc/default/grub"

/* A parameter that is to be set or taken out of every command line; or, to revert, that was. */
struct boot_wish {
	char *name;
	char *token; /* NULL: no such parameter; "": a flag; else the value */
	bool is_revert;
	char *told;   /* of a revert: where somebody else has changed it since; may be NULL */
	bool is_left; /* and that stays as it is */
	bool is_lost; /* nobody knows what was there before: the originals are lost */
	json_t *kept; /* places that stay, with the lines that they had before us; may be NULL */
};

struct loader {
	enum loader_kind kind;
	struct boot_wish *wish;
	size_t count;
	struct cmdlines before; /* the entries as they were planned from */
	struct cmdlines wanted; /* as they must be afterwards */
	bool run;		/* the loader's tool must run */
	bool force;		/* a revert goes over what somebody else has changed since */
	const char *tool;	/* the tool that ran last */
	char *blamed;		/* the file that an error is about */
};
void loader_done(struct loader *loader);

/* Which loader is installed, and if it is none that we know, why (a sentence). */
enum loader_kind bootparam_detect(struct root *root, const char **ret_why);

/* The value of a setting as a token: NULL for "absent", "" for "present". */
const char *bootparam_token(const char *setting);

/*
 * Do all normal entries (of at least one) have it, and all files that the entries of new kernels
 * come from? `ret_path` (owned by the caller's cmdlines, or static) is the first that has not; NULL
 * if there is no entry at all. 1, 0, -errno.
 */
int bootparam_is_configured(struct root *root, enum loader_kind kind,
			    const struct cmdlines *cmdlines, const char *name, const char *token,
			    const char **ret_path);

/* Have the files that the entries of new kernels come from it? 1, 0, -errno. */
int bootparam_source_has(struct root *root, enum loader_kind kind, const char *name,
			 const char *token);

/* Adds a wish; texts are copied. -ENOMEM. */
int bootparam_wish(struct loader *loader, const char *name, const char *token);
int bootparam_wish_back(struct loader *loader, const char *name, const char *ours);

struct change;

/* Why the entries in `before` are none that we can give a parameter to, in words; NULL if they are. */
const char *bootparam_obstacle(struct root *root, const struct loader *loader);

/* Remembers the file that an error is about, for the message; returns the error. */
int bootparam_blame(struct loader *loader, const char *path, int error);

/* The cause of an error of planning and the way out, in words; NULL for what errno says. */
const char *bootparam_reason(const struct loader *loader, int error);

/* What our drop-in for Debian's grub-mkconfig must hold by the books; NULL: there is to be none, or
 * another loader. -ENOMEM. */
struct books;
int bootparam_grubd_text(struct root *root, const struct books *books, char **ret);

/* The parameters in our drop-in, if it is as we left it, allocated; and the file as one of ours. 1, 0,
 * -errno. */
int bootparam_grubd_find(struct change *change, char **ret);
int bootparam_grubd_enter(struct change *change);

/*
 * Enters parameters of ours of which the record of what is applied knows nothing: those of our
 * drop-in, and those of which the originals are still there. A note tells. How many, or -errno.
 */
int bootparam_adopt(struct change *change);

/* Notes, for verify, that the lines are lost that the entries had before. -ENOMEM. */
int bootparam_note_lost(struct change *change);

/* With nothing applied: notes parameters that lpartune could have set, where no record says anything and none can be
 * told from the administrator's. -ENOMEM. */
int bootparam_note_unknown(struct change *change);

/*
 * Plans the wishes as steps of the change. -errno, of which bootparam_reason knows the words; -ESTALE
 * as for drop-ins. `*ret_path` is the file.
 */
int bootparam_plan(struct change *change, bool force, const char **ret_path);

/* Does the wishes to the generated entries of `wanted`. -ENOMEM. */
int bootparam_make_wanted(struct loader *loader);

/* The parts of the plan for each loader (bootplan, grubd). */
int bootparam_plan_grubd(struct change *change, bool force);
int bootparam_plan_generated(struct change *change);

/*
 * After the steps: runs the tool, gives foreign entries their bytes back, and reads every entry
 * again. -EREMOTEIO: a file (`loader.blamed`) is not what it must be. What the tool wrote becomes
 * part of the steps.
 */
int bootparam_finish(struct root *root, int lock, struct loader *loader, struct steps *steps);

/* The places of a loader file that hold a command line: how many. */
size_t bootparam_places(const char *path, enum bootedit kind[2]);

/* Is this a file of a boot loader, to which others write too? */
bool bootparam_is_file(const char *path);

/* Makes grub.cfg anew from the files as they are. `*ret_tool` is what does it. -errno. */
int bootparam_make_menu(struct root *root, int lock, const char **ret_tool);

/* Is no boot parameter of ours left in the books as they will be? */
bool bootparam_nothing_stays(const struct change *change);

#endif
