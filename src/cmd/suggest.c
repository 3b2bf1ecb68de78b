/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file offers the names of the tables to base/similar. */
#include "cmd/suggest.h"

#include "advice/rules.h"
#include "base/similar.h"
#include "machine/tunable/tunables.h"

static void offer_tunables(struct similar *similar)
{
	for (size_t i = 0; i < tunable_count; i++)
		similar_offer(similar, tunables[i].id);
}

char *suggest_id(const char *id)
{
	struct similar similar = { .wanted = id };

	for (size_t i = 0; i < rules_count; i++)
		similar_offer(&similar, rules[i].id);
	offer_tunables(&similar);
	return similar_hint(&similar);
}

char *suggest_tunable(const char *id)
{
	struct similar similar = { .wanted = id };

	offer_tunables(&similar);
	return similar_hint(&similar);
}

static char *suggest_workload(const char *name)
{
	struct similar similar = { .wanted = name };

	for (size_t i = 0; i < workloads_count; i++)
		similar_offer(&similar, workloads[i].id);
	return similar_hint(&similar);
}

void id_refuse(struct argp_state *state, const char *id)
{
	_cleanup_free_ char *hint = suggest_id(id);

	argp_error(state, "'%s' is neither a rule nor a tunable%s", id,
		   hint && *hint ? hint : "; lpartune explain lists them");
}

const char *workload_argument(struct argp_state *state, const char *arg)
{
	_cleanup_free_ char *hint = NULL;

	if (workload_find(arg))
		return arg;
	hint = suggest_workload(arg);
	argp_error(state, "unknown workload '%s'%s", arg,
		   hint && *hint ? hint : "; lpartune explain lists them");
	return NULL;
}
