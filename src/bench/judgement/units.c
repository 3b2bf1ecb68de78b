/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file groups blocks. */
#include "bench/judgement/units.h"

#include <errno.h>
#include <math.h>

void units_done(struct units *u)
{
	for (size_t i = 0; i < u->count; i++) {
		if (u->wake)
			distribution_done(&u->wake[i]);
		if (u->response)
			distribution_done(&u->response[i]);
	}
	free(u->wake);
	free(u->response);
	free(u->rate);
	free(u->steal);
	free(u->wake_set.block);
	free(u->response_set.block);
	*u = (struct units) { 0 };
}

static int point_at(const struct distribution *d, size_t n, struct block_set *set)
{
	set->block = reallocarray(NULL, n + 1, sizeof(*set->block));
	if (!set->block)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		set->block[i] = &d[i];
	set->count = n;
	return 0;
}

static int allocate(struct units *u, size_t n)
{
	u->wake = calloc(n + 1, sizeof(*u->wake));
	u->response = calloc(n + 1, sizeof(*u->response));
	u->rate = calloc(n + 1, sizeof(*u->rate));
	u->steal = calloc(n + 1, sizeof(*u->steal));
	if (!u->wake || !u->response || !u->rate || !u->steal ||
	    point_at(u->wake, n, &u->wake_set) < 0 ||
	    point_at(u->response, n, &u->response_set) < 0) {
		units_done(u);
		return -ENOMEM;
	}
	u->count = n;
	return 0;
}

/* Adds a block to a unit that has `before` blocks already. */
static int add_block(struct units *u, size_t i, const struct saved_block *block, double before)
{
	u->rate[i] = (u->rate[i] * before + block->rate_per_s) / (before + 1);
	u->steal[i] = (u->steal[i] * before + block->steal_pct) / (before + 1);
	if (distribution_merge(&u->wake[i], &block->wake) < 0)
		return -ENOMEM;
	return distribution_merge(&u->response[i], &block->response);
}

int units_of_blocks(const struct saved_cell *cell, struct units *ret)
{
	struct units u = { 0 };
	int r = allocate(&u, cell->count);

	for (size_t i = 0; i < cell->count && r == 0; i++)
		r = add_block(&u, i, &cell->blocks[i], 0);
	if (r < 0) {
		units_done(&u);
		return r;
	}
	*ret = u;
	return 0;
}

static size_t session_of(const struct saved_cell *cell, size_t block, size_t documents)
{
	return documents > 1 ? cell->blocks[block].file : 2 * block / cell->count;
}

int units_of_sessions(const struct saved_cell *cell, size_t documents, struct units *ret)
{
	struct units u = { 0 };
	size_t sessions = documents > 1 ? documents : 2;
	_cleanup_free_ double *blocks = calloc(sessions, sizeof(*blocks));
	int r = blocks ? allocate(&u, sessions) : -ENOMEM;

	for (size_t i = 0; i < cell->count && r == 0; i++) {
		size_t session = session_of(cell, i, documents);

		r = add_block(&u, session, &cell->blocks[i], blocks[session]);
		blocks[session]++;
	}
	for (size_t i = 0; i < sessions && r == 0; i++)
		if (blocks[i] <= 0)
			u.rate[i] = u.steal[i] = NAN; /* not measured, which is not 0 */
	if (r < 0) {
		units_done(&u);
		return r;
	}
	*ret = u;
	return 0;
}
