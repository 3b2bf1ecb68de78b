/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `apply --confirm` does beside applying: a trial of what takes effect at once, and the first
 * session for what takes a boot. */
#ifndef LPARTUNE_CMD_APPLY_CONFIRM_H
#define LPARTUNE_CMD_APPLY_CONFIRM_H

#include "change/change.h"
#include "cmd/command.h"
#include "machine/tunable/setting.h"

struct apply_confirmation {
	char *summary;	 /* of the trial, for the books; NULL: there was none */
	json_t *session; /* measured before; NULL: there was none */
};
void apply_confirmation_done(struct apply_confirmation *confirmation);

/* Before anything is applied, without the lock. What went wrong is said. */
enum status apply_confirm_before(struct root *root, const struct settings *settings,
				 unsigned int wait_s, struct apply_confirmation *ret);

/* Enters the trial's result in the future books of a planned change, and notes it. -ENOMEM. */
int apply_confirm_enter(struct change *change, const struct apply_confirmation *confirmation);

/* When the change is made: lets its boot parameters wait for lpartune confirm. -errno. */
int apply_confirm_after(const struct change *change, const struct apply_confirmation *confirmation);

#endif
