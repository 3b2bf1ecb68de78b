/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file sums the lppacas. */
#include "machine/vpa.h"

#include "machine/lppaca.h"

void vpa_read(struct root *root, const struct idset *online, struct vpa *ret)
{
	*ret = (struct vpa) { 0 };
	idset_for_each (cpu, online) {
		struct lppaca lppaca;
		int r = lppaca_read(root, (unsigned int)cpu, &lppaca);

		if (r < 0) {
			ret->error = ret->error ? ret->error : -r;
			if (!ret->cpus) /* none will do better: it is the directory */
				return;
			continue;
		}
		ret->cpus++;
		ret->shared += lppaca.shared;
		ret->dispatch_wait_tb += lppaca.enqueue_dispatch_tb;
		ret->entitlement_wait_tb += lppaca.ready_enqueue_tb;
		ret->wait_ready_tb += lppaca.wait_ready_tb;
		ret->yields += lppaca.yield_count;
		ret->dispersions += lppaca.dispersion_count;
	}
}
