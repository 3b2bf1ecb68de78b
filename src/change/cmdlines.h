/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command lines that the boot loader would hand over, entry by entry: boot loader specification
 * entries (RHEL; $kernelopts expanded from grubenv) and the linux lines of grub.cfg, submenus
 * included. Rescue and recovery entries, snapshots and other people's entries are told apart: they
 * are never edited and never asked.
 */
#ifndef LPARTUNE_CHANGE_CMDLINES_H
#define LPARTUNE_CHANGE_CMDLINES_H

#include "machine/root.h"

enum entry_kind {
	ENTRY_NORMAL,
	ENTRY_RESCUE,  /* rescue, recovery */
	ENTRY_FOREIGN, /* boom, ostree, snapshots */
};

struct cmdline_entry {
	char *file; /* beneath the root */
	enum entry_kind kind;
	char *line; /* as the kernel would get it */
};

struct cmdlines {
	struct cmdline_entry *entry;
	size_t count;
};
void cmdlines_done(struct cmdlines *cmdlines);
#define _cleanup_cmdlines_ _cleanup_(cmdlines_done)

/* Reads all entries. None at all is no error. -ENOMEM, -EACCES. */
int cmdlines_read(struct root *root, struct cmdlines *ret);

/* The kind of a BLS entry by its file name and text. */
enum entry_kind cmdlines_kind_of_bls(const char *name, struct span text);

/* Where the options of a BLS entry stand in its text: the whole value of the one line `options`.
 * -ENOENT: there is none, or more than one. */
int cmdlines_options_of_bls(struct span text, struct span *ret);

/* The value of a variable in a grubenv block, pointing into it. -ENOENT. */
int cmdlines_grubenv(struct span block, const char *name, struct span *ret);

#define BLS_DIR "boot/loader/entries"
#define GRUBENV "boot/grub2/grubenv"

/* The grub.cfg of this tree ("boot/grub2/grub.cfg" or "boot/grub/grub.cfg"), or NULL. */
const char *cmdlines_grub_cfg(struct root *root);

#endif
