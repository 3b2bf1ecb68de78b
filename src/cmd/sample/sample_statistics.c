/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file switches statistics on for the time of a run. */
#include <errno.h>

#include "change/record/temporary.h"
#include "cmd/sample/sample.h"
#include "output/output.h"

struct sample_statistics {
	struct change_temporary *change;
};

static const char *const tunable_ids[] = { "dispatch:vcpudispatch_stats",
					   "sysctl:kernel.sched_schedstats" };

static void tell(const struct tunable *tunable, int error)
{
	if (error == -EBUSY)
		log_warning("cannot switch %s on: another reader of the dispatch trace log, or "
			    "another lpartune, is at work; its columns stay empty",
			    tunable->title);
	else if (error == -ENOENT)
		log_warning("cannot switch %s on: this kernel or mode has none", tunable->title);
	else
		log_warning("cannot switch %s on: %s", tunable->title, strerror(-error));
}

int sample_statistics_begin(struct root *root, struct sample_statistics **ret)
{
	struct change_wish wishes[ARRAY_SIZE(tunable_ids)];
	size_t count = 0, failed;
	int r = -ENOENT;

	*ret = calloc(1, sizeof(**ret));
	if (!*ret)
		return -ENOMEM;
	for (size_t i = 0; i < ARRAY_SIZE(tunable_ids); i++)
		wishes[count++] = (struct change_wish) { tunable_find(tunable_ids[i]), "on" };
	wishes[1].value = "1";
	/* One that fails must not take the other with it. */
	while (count) {
		r = change_temporary_begin(root, wishes, count, 0, &(*ret)->change, &failed);
		if (r == 0)
			return 0;
		if (failed >= count) {
			tell(wishes[0].tunable, r);
			return 0;
		}
		tell(wishes[failed].tunable, r);
		memmove(&wishes[failed], &wishes[failed + 1],
			(count - failed - 1) * sizeof(*wishes));
		count--;
	}
	return 0;
}

void sample_statistics_end(struct sample_statistics *statistics)
{
	int r;

	if (!statistics)
		return;
	r = change_temporary_end(statistics->change);
	if (r == -ESTALE)
		log_warning(
			"a statistic was changed by somebody else meanwhile and is left as it is");
	else if (r < 0)
		log_error(
			"cannot put a statistic back: %s; the next lpartune that writes tries again",
			strerror(-r));
	free(statistics);
}
