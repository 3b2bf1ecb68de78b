/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * This file is contention for one lock, in the kernel and in user space: where a hypervisor that
 * takes away the holder's processor makes everybody wait.
 */
#include <pthread.h>
#include <sys/mman.h>

#include "bench/workload/benchmarks.h"
#include "bench/workload/crew.h"

enum lock_kind { LOCK_WRITE, LOCK_MMAP, LOCK_MUTEX, LOCK_SPIN };

static const char *const kinds[] = {
	[LOCK_WRITE] = "write",
	[LOCK_MMAP] = "mmap",
	[LOCK_MUTEX] = "mutex",
	[LOCK_SPIN] = "spin",
	NULL,
};

#define HELD_STEPS 100 /* of work under a user-space lock: about 100 ns */

struct lock_shared {
	int file; /* of the write kind */
	long page;
	pthread_mutex_t mutex;
	_own_line_ atomic_flag spin;
	_own_line_ volatile unsigned int work;
};

/* One page of the same file by everybody: the inode's lock. */
static int operate_write(void *arg, void *own)
{
	static const char page[4096];
	struct lock_shared *shared = arg;
	ssize_t n = pwrite(shared->file, page, sizeof(page), 0);

	(void)own;
	return n < 0 ? -errno : 0;
}

/* Mapping and unmapping in one address space: its mmap lock, for writing. */
static int operate_mmap(void *arg, void *own)
{
	struct lock_shared *shared = arg;
	size_t size = (size_t)shared->page;
	void *map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)own;
	if (map == MAP_FAILED)
		return -errno;
	(void)munmap(map, size);
	return 0;
}

static void hold(struct lock_shared *shared)
{
	for (unsigned int i = 0; i < HELD_STEPS; i++)
		shared->work = shared->work + 1;
}

static int operate_mutex(void *arg, void *own)
{
	struct lock_shared *shared = arg;

	(void)own;
	pthread_mutex_lock(&shared->mutex);
	hold(shared);
	pthread_mutex_unlock(&shared->mutex);
	return 0;
}

static int operate_spin(void *arg, void *own)
{
	struct lock_shared *shared = arg;

	(void)own;
	while (atomic_flag_test_and_set_explicit(&shared->spin, memory_order_acquire))
		cpu_relax();
	hold(shared);
	atomic_flag_clear_explicit(&shared->spin, memory_order_release);
	return 0;
}

static const struct crew_work works[] = {
	[LOCK_WRITE] = { .operate = operate_write },
	[LOCK_MMAP] = { .operate = operate_mmap },
	[LOCK_MUTEX] = { .operate = operate_mutex },
	[LOCK_SPIN] = { .operate = operate_spin },
};

static int lock_run(struct session *session, struct measurement *m, struct block *block)
{
	struct lock_shared shared = {
		.file = memfd_create("lpartune", MFD_CLOEXEC),
		.page = sysconf(_SC_PAGESIZE),
		.mutex = PTHREAD_MUTEX_INITIALIZER,
		.spin = ATOMIC_FLAG_INIT,
	};
	int r;

	if (shared.file < 0)
		return -errno;
	r = crew_run(session, m, block, &works[m->cell.kind], &shared);
	if (r != -ETIME)
		(void)close(shared.file);
	return r;
}

static int lock_cells(const struct session *session, struct cell_list *list)
{
	struct cell cell = { .benchmark = &benchmark_lock };
	int r = 0;

	for (cell.kind = 0; kinds[cell.kind] && r == 0; cell.kind++)
		r = crew_cells(session, cell, list);
	return r;
}

const struct benchmark benchmark_lock = {
	.name = "lock",
	.id = "bench-lock",
	.summary = "contention for one lock, by number of threads",
	.about =
		"Threads that all want the same lock: the kernel's, by writing one page of the same "
		"file (write) or by mapping and unmapping memory (mmap), and their own, a mutex that "
		"sleeps or a lock that spins (spin). The time is that of one operation, the rate is "
		"that of all threads together. If the hypervisor takes the holder's processor, all "
		"wait: the tail and the rate show it.",
	.operation = "op",
	.kinds = kinds,
	.cells = lock_cells,
	.run = lock_run,
};
