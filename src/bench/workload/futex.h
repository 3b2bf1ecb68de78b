/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The clock and the sleep that every measurement uses: CLOCK_MONOTONIC and private futexes. */
#ifndef LPARTUNE_BENCH_FUTEX_H
#define LPARTUNE_BENCH_FUTEX_H

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S 1000000000ULL
#define NS_PER_MS 1000000ULL
#define NS_PER_US 1000ULL

static inline uint64_t clock_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

static inline struct timespec clock_timespec(uint64_t ns)
{
	return (struct timespec) {
		.tv_sec = (time_t)(ns / NS_PER_S),
		.tv_nsec = (long)(ns % NS_PER_S),
	};
}

static inline void cpu_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__powerpc64__)
	__asm__ volatile("or 1,1,1; or 2,2,2" ::: "memory"); /* low, then normal SMT priority */
#else
	__asm__ volatile("" ::: "memory");
#endif
}

/* Sleeps while *word == value. True only if this thread slept and was woken (not for a changed word,
 * a signal or a time-out). */
static inline bool futex_wait(_Atomic uint32_t *word, uint32_t value)
{
	return syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0) == 0;
}

/* The same until an instant of CLOCK_MONOTONIC. */
static inline bool futex_wait_until(_Atomic uint32_t *word, uint32_t value, uint64_t until_ns)
{
	struct timespec until = clock_timespec(until_ns);

	return syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, value, &until, NULL,
		       FUTEX_BITSET_MATCH_ANY) == 0;
}

static inline void futex_wake(_Atomic uint32_t *word, int waiters)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, waiters, NULL, NULL, 0);
}

#endif
