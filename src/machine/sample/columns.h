/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The columns of `lpartune sample`: name, unit, meaning and formula of each number, in one table
 * that rows, every output format and `explain` use. Names are part of every document and are never
 * renamed.
 */
#ifndef LPARTUNE_MACHINE_COLUMNS_H
#define LPARTUNE_MACHINE_COLUMNS_H

enum column {
	/* steal, from the lppaca where it can be read */
	COLUMN_STEAL,
	COLUMN_STEAL_DISPATCH_WAIT,
	COLUMN_STEAL_ENTITLEMENT_WAIT,
	/* /proc/stat: these add up to 100 */
	COLUMN_USER,
	COLUMN_SYS,
	COLUMN_IOWAIT,
	COLUMN_IDLE,
	COLUMN_IRQ,
	COLUMN_SOFTIRQ,
	COLUMN_STAT_STEAL,
	/* dispatching */
	COLUMN_DISPATCHES,
	COLUMN_PREEMPTIONS,
	COLUMN_DISPERSIONS,
	COLUMN_HOME,
	COLUMN_HOME_ADJACENT,
	COLUMN_HOME_AWAY,
	COLUMN_SAME_CORE,
	/* processor consumption */
	COLUMN_PHYSC,
	COLUMN_ENTC,
	COLUMN_APP,
	COLUMN_PURR_BUSY,
	COLUMN_PURR_IDLE,
	COLUMN_PURR_AWAY,
	COLUMN_SPURR_BUSY,
	COLUMN_FREQUENCY,
	/* scheduling */
	COLUMN_IPIS,
	COLUMN_DOORBELLS,
	COLUMN_IDLE_ENTRIES,
	COLUMN_SMT_PULLS,
	COLUMN_MIGRATIONS,
	COLUMN_CONTEXT_SWITCHES,
	/* the exact counts behind the steal */
	COLUMN_INTERVAL_TB,
	COLUMN_DISPATCH_WAIT_TB,
	COLUMN_ENTITLEMENT_WAIT_TB,
	COLUMN_COUNT
};

struct column_info {
	const char *name;	      /* in documents: "steal_pct" */
	const char *heading;	      /* over the rows of text, short */
	const char *unit;	      /* "%", "1/s", "cores", "timebase ticks" */
	unsigned int width, decimals; /* in rows of text */
	int system_only;	      /* has no value for a single CPU */
	const char *about;	      /* meaning and formula */
	const char *source;	      /* files */
};
extern const struct column_info column_info[COLUMN_COUNT];

#endif
