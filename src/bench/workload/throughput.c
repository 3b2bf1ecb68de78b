/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file measures records a second: memory mapped, copied, searched and given back. */
#include <sys/mman.h>

#include "bench/workload/benchmarks.h"
#include "bench/workload/crew.h"

#define CHUNK_SIZE (256 * 1024)
#define CHUNK_KEYS (CHUNK_SIZE / sizeof(uint64_t))

struct table {
	uint64_t key[CHUNK_KEYS];
};

/* Each thread draws its own keys. */
static int prepare(void *shared, void **own)
{
	struct random *random = malloc(sizeof(*random));

	(void)shared;
	if (!random)
		return -ENOMEM;
	*random = random_seeded(clock_ns() ^ (uintptr_t)random);
	*own = random;
	return 0;
}

static void finish(void *shared, void *own)
{
	(void)shared;
	free(own);
}

/* Binary search in the copy; the result is used so that the copy is. */
static size_t search(const uint64_t *key, uint64_t wanted)
{
	size_t low = 0, high = CHUNK_KEYS;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (key[middle] < wanted)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int operate(void *shared, void *own)
{
	const struct table *table = shared;
	struct random *random = own;
	uint64_t *copy = mmap(NULL, CHUNK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			      -1, 0);

	if (copy == MAP_FAILED)
		return -errno;
	memcpy(copy, table->key, CHUNK_SIZE);
	copy[0] = search(copy, random_u64(random) % (2 * CHUNK_KEYS));
	(void)munmap(copy, CHUNK_SIZE);
	return 0;
}

static int throughput_run(struct session *session, struct measurement *m, struct block *block)
{
	static const struct crew_work work = { .prepare = prepare,
					       .operate = operate,
					       .finish = finish };
	struct table *table = own_memory(sizeof(*table));
	int r;

	if (!table)
		return -ENOMEM;
	for (size_t i = 0; i < CHUNK_KEYS; i++)
		table->key[i] = 2 * i;
	r = crew_run(session, m, block, &work, table);
	if (r != -ETIME)
		own_memory_free(table, sizeof(*table));
	return r;
}

static int throughput_cells(const struct session *session, struct cell_list *list)
{
	return crew_cells(session, (struct cell) { .benchmark = &benchmark_throughput }, list);
}

const struct benchmark benchmark_throughput = {
	.name = "throughput",
	.id = "bench-throughput",
	.summary = "memory-touching records a second, by number of threads",
	.about =
		"Each record maps 256 KiB, copies a table into it, searches it and unmaps it: page "
		"faults, memory bandwidth and the mmap lock, hardly a wakeup. A second opinion: what "
		"makes wakes faster may make this slower.",
	.operation = "record",
	.cells = throughput_cells,
	.run = throughput_run,
};
