/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file sums the lppacas. */
#include "machine/source/vpa.h"

#include <errno.h>

#include "machine/source/idle.h"
#include "machine/source/lppaca.h"

static void add_wait(struct vpa *vpa, const struct lppaca *lppaca)
{
	uint64_t wait_tb;

	if (__builtin_add_overflow(lppaca->enqueue_dispatch_tb, lppaca->ready_enqueue_tb,
				   &wait_tb) ||
	    __builtin_add_overflow(vpa->dispatch_wait_tb, lppaca->enqueue_dispatch_tb,
				   &vpa->dispatch_wait_tb) ||
	    __builtin_add_overflow(vpa->entitlement_wait_tb, lppaca->ready_enqueue_tb,
				   &vpa->entitlement_wait_tb))
		wait_tb = UINT64_MAX;
	if (wait_tb > vpa->most_wait_tb)
		vpa->most_wait_tb = wait_tb;
	vpa->wait_ready_tb |= lppaca->wait_ready_tb;
}

/* Every cede is a yield and a dispatch: a 32-bit yield count below twice the cedes (a 64-bit count
 * of cpuidle's) went round. Some cedes end before they yield, hence the margin. */
static bool went_round(struct root *root, const struct idle_states *states, unsigned int cpu,
		       const struct lppaca *lppaca)
{
	struct idle_use use = { 0 };

	return states->count && idle_entries_read(root, states, cpu, false, &use) >= 0 &&
	       use.entries > lppaca->yield_count / 2 + lppaca->yield_count / 4 + 10000;
}

void vpa_read(struct root *root, const struct idset *online, struct vpa *ret)
{
	_cleanup_idle_states_ struct idle_states states = { 0 };
	int first = idset_next(online, 0);

	*ret = (struct vpa) { 0 };
	if (first >= 0)
		(void)idle_states_read(root, (unsigned int)first, &states);
	idset_for_each (cpu, online) {
		struct lppaca lppaca;
		int r = lppaca_read(root, (unsigned int)cpu, &lppaca);

		if (r < 0) {
			ret->error = ret->error ? ret->error : -r;
			if (r == -ENOENT || r == -EACCES || r == -EPERM)
				return; /* it is the directory: no other CPU does better */
			continue;
		}
		ret->cpus++;
		ret->shared += lppaca.shared;
		ret->yields += lppaca.yield_count;
		ret->dispersions += lppaca.dispersion_count;
		add_wait(ret, &lppaca);
		if (!ret->has_wrapped)
			ret->has_wrapped = went_round(root, &states, (unsigned int)cpu, &lppaca);
	}
}
