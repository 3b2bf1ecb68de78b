/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file puts counts into documents. */
#include "bench/counted.h"

#include <math.h>

#include "bench/document.h"

json_t *tally_to_json(const struct tally *tally)
{
	json_t *object = json_object(), *absent = json_object();

	for (unsigned int i = 0; i < TALLY_COUNT; i++) {
		const char *word = tally_word((enum tally_figure)i);

		json_object_set_new(object, word, real_or_null(tally->value[i]));
		if (isnan(tally->value[i]))
			json_object_set_new(absent, word,
					    json_string(reason_word(tally->reason[i])));
	}
	json_object_set_new(object, "absent", absent);
	return object;
}

/* Means over the blocks that counted. */
struct mean_count {
	double per_s, deviation, running, per_operation;
};

static bool average(const struct measurement *m, unsigned int i, struct mean_count *ret)
{
	_cleanup_free_ double *rate = calloc(m->block_count + 1, sizeof(*rate));
	double running = 0, operations = 0, seconds = 0;
	size_t n = 0;

	for (unsigned int b = 0; rate && b < m->block_count; b++) {
		const struct block *block = &m->blocks[b];

		if (isnan(block->counter_per_s[i]))
			continue;
		rate[n++] = block->counter_per_s[i];
		running += block->counter_running[i];
		operations += (double)block->done;
		seconds += (double)block->duration_ns * 1e-9;
	}
	if (!n)
		return false;
	ret->per_s = statistics_mean(rate, n);
	ret->deviation = statistics_deviation(rate, n);
	ret->running = running / (double)n;
	ret->per_operation = ret->per_s * seconds / operations;
	return true;
}

json_t *counters_to_json(const struct counters *counters, const struct measurement *m)
{
	json_t *object = json_object();

	for (unsigned int i = 0; counters && i < counters->count; i++) {
		const struct counter *counter = &counters->counter[i];
		struct mean_count mean;
		json_t *one;

		if (average(m, i, &mean))
			one = json_pack("{s:f, s:f, s:o, s:f}", "per_s", mean.per_s,
					"per_s_deviation", mean.deviation, "per_operation",
					real_or_null(mean.per_operation), "running", mean.running);
		else
			one = json_pack(
				"{s:n, s:s}", "per_s", "reason",
				reason_word(counter->fd ? REASON_NO_DATA : counter->reason));
		json_object_set_new(object, counter->name, one);
	}
	return object;
}

json_t *block_counters_to_json(const struct counters *counters, const struct block *block)
{
	json_t *object = json_object();

	for (unsigned int i = 0; counters && i < counters->count; i++)
		json_object_set_new(object, counters->counter[i].name,
				    real_or_null(block->counter_per_s[i]));
	return object;
}
