/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command lines that the boot loader would hand over, entry by entry: boot loader specification
 * entries (RHEL; $kernelopts expanded from grubenv) and the linux lines of grub.cfg, submenus
 * included. Rescue and recovery entries, snapshots and other people's entries are told apart: they
 * are never edited and never asked. What an entry is, its name and its section say, never a word
 * somewhere in its parameters:
 *
 * rescue:  …-0-rescue.conf, …-0-rescue-….conf (kernel-install); titles and ids of recovery mode
 * foreign: MACHINE-BOOTID-VERSION.conf (boom), ostree-….conf and entries with ostree= (image mode);
 *          entries of grub.cfg from a script of /etc/grub.d that is not for Linux on this system
 */
#ifndef LPARTUNE_CHANGE_CMDLINES_H
#define LPARTUNE_CHANGE_CMDLINES_H

#include "change/record/step.h"

enum entry_kind {
	ENTRY_NORMAL,
	ENTRY_RESCUE,  /* rescue, recovery */
	ENTRY_FOREIGN, /* boom, ostree, snapshots, other systems */
};

struct cmdline_entry {
	char *file; /* beneath the root */
	enum entry_kind kind;
	char *image;	   /* the kernel, as the entry names it */
	char *line;	   /* as the kernel would get it, without BOOT_IMAGE= */
	bool is_generated; /* in grub.cfg */
	int error;	   /* 0, or why the line cannot be told and edited: -ENODATA: there is no
			    * `options`; -ENOTUNIQ: there is more than one; -ENOKEY: it says
			    * $kernelopts, and grubenv has none */
};

struct cmdlines {
	struct cmdline_entry *entry;
	size_t count;
};
void cmdlines_done(struct cmdlines *cmdlines);
#define _cleanup_cmdlines_ _cleanup_(cmdlines_done)

/* Reads all entries; as they will be after `planned`, if that is not NULL. None at all is no error.
 * -ENOMEM, -EACCES. */
int cmdlines_read(struct root *root, const struct steps *planned, struct cmdlines *ret);

/* The entry that a kernel was booted with, by its BOOT_IMAGE= (any that has the kernel's file), or
 * NULL. */
const struct cmdline_entry *cmdlines_of_image(const struct cmdlines *cmdlines, struct span image);

/* The first normal entry, or NULL. */
const struct cmdline_entry *cmdlines_first_normal(const struct cmdlines *cmdlines);

/* The kind of a BLS entry by its file name and text. */
enum entry_kind cmdlines_kind_of_bls(const char *name, struct span text);

/* The value of the one line with this key in a BLS entry. -ENODATA: there is none; -ENOTUNIQ. */
int cmdlines_bls_value(struct span text, const char *key, struct span *ret);

/* Do the options take their parameters from this variable of grubenv? */
bool cmdlines_has_variable(struct span options, const char *name);

/* The value of a variable in a grubenv block, pointing into it. -ENOENT. */
int cmdlines_grubenv(struct span block, const char *name, struct span *ret);

#define BLS_DIR "boot/loader/entries"
#define GRUBENV "boot/grub2/grubenv"

/* The grub.cfg of this tree ("boot/grub2/grub.cfg" or "boot/grub/grub.cfg"), or NULL. */
const char *cmdlines_grub_cfg(struct root *root);

#endif
