/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * To be preloaded: a known delay in the wake path of lpartune bench, which itself knows nothing of it.
 * A thread that a futex woke is held up for DELAY_NS before it sees that it runs, as a slower kernel
 * would do. Only waits without a time limit count: so workers wait, and nobody else.
 */
#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static uint64_t delay_ns;

static void __attribute__((constructor)) read_delay(void)
{
	const char *text = getenv("DELAY_NS");

	delay_ns = text ? strtoull(text, NULL, 10) : 0;
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void spin(void)
{
	for (uint64_t began = now_ns(); now_ns() - began < delay_ns;)
		;
}

/* The C library's own, with six arguments of which fewer may be meant. */
long syscall(long number, ...)
{
	static long (*real)(long, ...);
	long a[6], r;
	va_list list;

	va_start(list, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(list, long);
	va_end(list);
	if (!real)
		real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	r = real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
	if (number == SYS_futex && a[1] == FUTEX_WAIT_PRIVATE && r == 0 && delay_ns) {
		int saved = errno;

		spin();
		errno = saved;
	}
	return r;
}
