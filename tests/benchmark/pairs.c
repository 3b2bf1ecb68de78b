// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * This file runs two commands in interleaved pairs and compares time and memory. Both run in every
 * pair, in an order that alternates, so that whatever the machine does besides falls on both.
 *
 *   pairs COUNT NAME-A NAME-B COMMAND-A... -- COMMAND-B...
 *
 * The ratio is the median over pairs of A's wall time to B's; its interval is that of the median by
 * order statistics (95 %, no distribution assumed).
 */
#include <err.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "base/util.h"

#define PAIRS_MAX 10000

struct side {
	const char *name;
	char **argv;
	double *wall_ms;
	long peak_kib;
};

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Runs a command to its end without its output; a command that fails has nothing to compare. */
static void run(struct side *side, unsigned int pair)
{
	posix_spawn_file_actions_t actions;
	double start = now_ms();
	struct rusage usage;
	int status, r;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	r = posix_spawnp(&pid, side->argv[0], &actions, NULL, side->argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (r != 0)
		errx(1, "cannot run '%s': %s", side->argv[0], strerror(r));
	if (wait4(pid, &status, 0, &usage) < 0)
		err(1, "cannot wait for '%s'", side->argv[0]);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		errx(1, "'%s' failed", side->argv[0]);
	side->wall_ms[pair] = now_ms() - start;
	if (usage.ru_maxrss > side->peak_kib)
		side->peak_kib = usage.ru_maxrss;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(const double *sorted, unsigned int count)
{
	return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

/* The largest rank (from 0) for which the values at it and at its mirror hold the median with 95 %:
 * P(fewer than rank+1 of count fair coins) stays below 2.5 %. */
static unsigned int interval_rank(unsigned int count)
{
	double term = 1, sum = 0;
	unsigned int rank = 0;

	for (unsigned int i = 0; i < count; i++)
		term /= 2;
	for (unsigned int k = 0; k < count / 2; k++) {
		sum += term;
		if (sum > 0.025)
			break;
		rank = k;
		term = term * (count - k) / (k + 1);
	}
	return rank;
}

static void report(const struct side *a, const struct side *b, unsigned int count)
{
	double *ratio = calloc(count, sizeof(*ratio));
	unsigned int rank = interval_rank(count);

	if (!ratio)
		errx(1, "out of memory");
	for (unsigned int i = 0; i < count; i++)
		ratio[i] = a->wall_ms[i] / b->wall_ms[i];
	qsort(ratio, count, sizeof(*ratio), compare);
	qsort(a->wall_ms, count, sizeof(*a->wall_ms), compare);
	qsort(b->wall_ms, count, sizeof(*b->wall_ms), compare);
	printf("%s: %.1f ms, %.1f MiB\n", a->name, median(a->wall_ms, count),
	       (double)a->peak_kib / 1024);
	printf("%s: %.1f ms, %.1f MiB\n", b->name, median(b->wall_ms, count),
	       (double)b->peak_kib / 1024);
	printf("ratio of time: %.3f (%.3f to %.3f, %u pairs)\n", median(ratio, count), ratio[rank],
	       ratio[count - 1 - rank], count);
	free(ratio);
}

static unsigned int read_count(const char *text)
{
	long count = strtol(text, NULL, 10);

	if (count < 6 || count > PAIRS_MAX) /* with fewer, no interval of the median holds 95 % */
		errx(2, "not a number of pairs from 6 to %d: '%s'", PAIRS_MAX, text);
	return (unsigned int)count;
}

int main(int argc, char **argv)
{
	struct side a, b;
	unsigned int count;
	int split = 4;

	if (argc < 7)
		errx(2, "usage: pairs COUNT NAME-A NAME-B COMMAND-A... -- COMMAND-B...");
	count = read_count(argv[1]);
	while (argv[split] && !streq(argv[split], "--"))
		split++;
	if (!argv[split] || !argv[split + 1])
		errx(2, "no second command");
	argv[split] = NULL;
	a = (struct side) { argv[2], argv + 4, calloc(count, sizeof(double)), 0 };
	b = (struct side) { argv[3], argv + split + 1, calloc(count, sizeof(double)), 0 };
	if (!a.wall_ms || !b.wall_ms)
		errx(1, "out of memory");
	run(&a, 0); /* warm up; overwritten by the first pair */
	run(&b, 0);
	for (unsigned int i = 0; i < count; i++) {
		run(i % 2 ? &b : &a, i);
		run(i % 2 ? &a : &b, i);
	}
	report(&a, &b, count);
	free(a.wall_ms);
	free(b.wall_ms);
	return 0;
}
