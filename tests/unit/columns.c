/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file tests the table of columns: every row is whole, names are their own. */
#include "machine/sample/columns.h"

#include "base/util.h"
#include "unit.h"

/* Names that are frozen: consumers rely on them. */
static const char *const frozen[] = {
	"steal_pct",
	"steal_dispatch_wait_pct",
	"steal_entitlement_wait_pct",
	"stat_steal_pct",
	"dispatches_per_s",
	"preemptions_per_s",
	"dispersions_per_s",
	"home_pct",
	"physc",
	"entc_pct",
	"app",
	"user_pct",
	"sys_pct",
	"iowait_pct",
	"idle_pct",
	"irq_pct",
	"softirq_pct",
	"ipis_per_s",
	"idle_entries_per_s",
	"smt_pulls_per_s",
	"migrations_per_s",
	"context_switches_per_s",
};

static int column_find(const char *name)
{
	for (int i = 0; i < COLUMN_COUNT; i++)
		if (streq(column_info[i].name, name))
			return i;
	return -1;
}

int main(void)
{
	for (int i = 0; i < COLUMN_COUNT; i++) {
		const struct column_info *c = &column_info[i];

		CHECK(c->name && c->heading && c->unit && c->about && c->source);
		CHECK(column_find(c->name) == i); /* no other has its name */
		CHECK(strlen(c->heading) <= c->width);
	}
	for (size_t i = 0; i < ARRAY_SIZE(frozen); i++)
		CHECK(column_find(frozen[i]) >= 0);
	return unit_done();
}
