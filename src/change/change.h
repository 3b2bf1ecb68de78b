/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A change of the machine: planned as a whole, written to the journal, done step by step with each
 * value read back, and entered in the books; or undone in reverse. What a crash interrupted is undone
 * by the next change that opens the books, before it does anything else.
 */
#ifndef LPARTUNE_CHANGE_CHANGE_H
#define LPARTUNE_CHANGE_CHANGE_H

#include "change/boot/bootparam.h"
#include "change/record/books.h"

/* What becomes of one setting. */
enum change_status {
	CHANGE_OK,	       /* it is so already: nothing is written */
	CHANGE_SET,	       /* (will be) changed now */
	CHANGE_PENDING_REBOOT, /* configured; in force after a reboot */
	CHANGE_NEXT_LOAD,      /* configured; in force when the module is loaded the next time */
	CHANGE_REVERTED,       /* (will be) brought back */
	CHANGE_DRIFT,	       /* somebody else has changed it; left alone */
	CHANGE_CONFLICT,    /* in force, but somebody else's configuration wins at the next boot */
	CHANGE_PENDING_CPU, /* some CPUs came online later and have the kernel's default */
	CHANGE_NOT_EFFECTIVE, /* configured, and not in force although the machine was rebooted */
	CHANGE_LOCKED,	      /* kernel lockdown forbids it */
	CHANGE_DENIED,	      /* the right is missing */
	CHANGE_ABSENT,	      /* this kernel or machine has no such tunable */
	CHANGE_OBSOLETE,      /* this kernel has it no more */
	CHANGE_STUCK,	      /* at a value that only a reboot changes */
	CHANGE_UNSUPPORTED,   /* the boot loader is not one we know: nothing is changed */
	CHANGE_UNSUITED,      /* approved, but its rule does not hold here any more */
	CHANGE_NEW,	      /* recommended, and not approved: nothing is changed */
	CHANGE_STATUS_COUNT
};

/* The word that documents use ("pending-reboot"). */
const char *change_status_word(enum change_status status);

struct change_item {
	const struct tunable *tunable;
	char *from, *to; /* what it is and what it shall be; may be NULL */
	char *rule, *reason;
	char *detail; /* in a sentence; may be NULL */
	enum change_status status;
};

/* How a configuration file that is wholly ours is, compared with what the books want it to hold. */
enum file_state {
	FILE_NONE, /* not there, and nothing wants it */
	FILE_OK,
	FILE_DELETED,
	FILE_EDITED,
	FILE_LEFT, /* there, although nothing wants it any more */
	FILE_DENIED,
};

/* The word that documents use ("edited"). */
const char *change_file_word(enum file_state state);

#define CHANGE_FILES 4

struct change_file {
	const char *path; /* NULL: not looked at */
	enum file_state state;
	char *detail; /* in a sentence; may be NULL */
};

struct change {
	struct root *root;
	struct workspace ws;
	struct books books;  /* as they are */
	struct books future; /* as they will be */
	struct steps steps;
	struct loader loader; /* the boot loader's part */
	struct change_item *items;
	size_t count;
	struct change_file file[CHANGE_FILES]; /* for verify */
	char **note; /* sentences about what was found and what was left */
	size_t notes;
	int recovered; /* steps that were undone because a crash had left them */
	struct {       /* for readers: a change that nobody has finished */
		bool is_there;
		bool is_running; /* its process is still there */
		char *time;	 /* when it began; NULL: only root can tell */
		size_t steps;
	} interrupted;
	bool menu_is_stale;  /* grub.cfg still has what a crash left, and kernels of others */
	bool is_partial;     /* a revert leaves more than the items tell: the notes say what */
	const char *damaged; /* the book that cannot be read, after -EBADMSG */
	char *obstacle;	     /* the file that recovery could not bring back, after its -errno */
	size_t failed;	     /* the step that failed */
	bool at_boot;	     /* values only: files and boot loader are left */
	bool loader_failed;  /* it was the boot loader's part */
	bool all_goes;	     /* a revert that leaves nothing of ours */
	char *boot_stays;    /* a revert that leaves boot parameters: why, and the -errno */
	int boot_error;
};
void change_close(struct change *change);
#define _cleanup_change_ _cleanup_(change_close)

/*
 * Opens the books. With `write` takes the lock (waiting up to `wait_s` seconds; -EALREADY) and undoes
 * what a crash left; else `interrupted` tells of it. -EBADMSG: `damaged` says which book; -EACCES, …;
 * an error of the file `obstacle`, which an interrupted change had written.
 */
int change_open(struct root *root, bool write, unsigned int wait_s, struct change *ret);

/* Forgets what was planned: steps, items, notes, the loader's part and the future. -ENOMEM. */
int change_start_over(struct change *change);

/* Adds an item. Texts are copied. NULL when memory is out. */
struct change_item *change_add_item(struct change *change, const struct tunable *tunable,
				    const char *from, const char *to, enum change_status status);
/* What is told may come from files of others: what is not UTF-8, and control characters, become '?'.
 * -ENOMEM. */
int change_detail(struct change_item *item, const char *format, ...) _printf_(2, 3);

/* Adds a sentence. -ENOMEM. */
int change_note(struct change *change, const char *format, ...) _printf_(2, 3);

/* What becomes of a setting whose tunable cannot be read. */
enum change_status change_status_of(const struct tunable_now *now);

enum change_outcome {
	CHANGE_DONE,
	CHANGE_NOTHING,	   /* there was nothing to do */
	CHANGE_UNDONE,	   /* failed; everything is as before */
	CHANGE_NOT_UNDONE, /* failed, and so did undoing: the journal is kept */
};

/* Does what was planned. On failure `*ret_error` is the first -errno and `failed` the step (the
 * number of steps: the boot loader's tool or the books). */
enum change_outcome change_run(struct change *change, int *ret_error);

#endif
