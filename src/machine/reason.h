/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a number is not there. A closed list: its words are part of every document. */
#ifndef LPARTUNE_MACHINE_REASON_H
#define LPARTUNE_MACHINE_REASON_H

/* Ordered: of two reasons for one absence the later says more and is kept. */
enum reason {
	REASON_MISSING,	       /* no such file, or the key is not in it */
	REASON_NOT_SAMPLED,    /* it would have had to be asked for */
	REASON_NO_DATA,	       /* the source is there and has counted nothing */
	REASON_OFFLINE,	       /* it belongs to a CPU that is not online */
	REASON_RESET,	       /* a counter went back (migration, hotplug, switched off and on) */
	REASON_NOT_PROVIDED,   /* the kernel or the hypervisor says that it has none */
	REASON_INVALID,	       /* there, but damaged or absurd */
	REASON_DENIED,	       /* there, but only for root */
	REASON_LOCKED_DOWN,    /* there, but kernel lockdown forbids it even to root */
	REASON_NOT_APPLICABLE, /* machines of this kind have no such thing */
	REASON_COUNT
};

/* The word that documents use ("locked-down"). */
const char *reason_word(enum reason reason);

/* The reason that an error (positive errno) of a read stands for. */
enum reason reason_of_errno(int error);

#endif
