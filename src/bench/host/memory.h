/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory that the calling thread owns and has touched: zeros, whole pages, of its own node. */
#ifndef LPARTUNE_BENCH_MEMORY_H
#define LPARTUNE_BENCH_MEMORY_H

#include <string.h>
#include <sys/mman.h>

/* NULL if there is none. */
static inline void *own_memory(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	/* Touched here, so that no page fault is measured. */
	return memory == MAP_FAILED ? NULL : memset(memory, 0, size);
}

static inline void own_memory_free(void *memory, size_t size)
{
	if (memory)
		(void)munmap(memory, size);
}

#endif
