/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What does it cost? `cost run COMMAND...` runs a command, its output thrown away, and prints its CPU
 * time in us and its largest resident size in KiB; with LIST on standard input, the lppacas and the
 * /proc/stat in it move meanwhile (a tree's counters stand still by themselves). `cost reread ROUNDS < LIST` opens the files of a
 * list and prints the CPU time in us of one round of reading them all with pread, a round each 10 ms:
 * the least that any reader of these files can cost.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FILES_MAX 65536

static double cpu_us(const struct rusage *usage)
{
	return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1e6 +
	       (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec);
}

/* A file whose counters move: mapped, so that to move them costs its reader nothing. */
static struct moving {
	unsigned char *at;
	size_t size;
} moving[FILES_MAX];
static int moving_count;

static void map_listed(void)
{
	char path[4096];
	struct stat st;

	while (moving_count < FILES_MAX && fgets(path, sizeof(path), stdin)) {
		int fd;

		path[strcspn(path, "\n")] = '\0';
		if (!strstr(path, "/vpa/cpu-") && !strstr(path, "/proc/stat"))
			continue;
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd < 0 || fstat(fd, &st) < 0)
			continue;
		moving[moving_count].size = (size_t)st.st_size;
		moving[moving_count].at = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE,
					       MAP_SHARED, fd, 0);
		close(fd);
		if (moving[moving_count].at != MAP_FAILED)
			moving_count++;
	}
}

/* Adds to a big-endian counter that ends before `end`. */
static void add_be(unsigned char *end, unsigned int add)
{
	while (add) {
		add += *--end;
		*end = (unsigned char)add;
		add >>= 8;
	}
}

/* Adds 1 to a decimal number of which `at` is the last digit; one of nines stays. */
static void add_decimal(char *at)
{
	while (*at == '9')
		*at-- = '0';
	if (*at >= '0' && *at < '9')
		++*at;
}

static char *next_line(char *line, const char *end)
{
	char *newline = memchr(line, '\n', (size_t)(end - line));

	return newline ? newline + 1 : NULL;
}

/* An lppaca's yields and waits; in /proc/stat the user time of each line. */
static void move(const struct moving *m)
{
	char *line = (char *)m->at, *end = line + m->size;

	if (m->size == 640) {
		add_be(m->at + 0x104, 7);
		add_be(m->at + 0x160, 123457);
		add_be(m->at + 0x168, 34567);
		return;
	}
	for (; line && line + 8 < end && strncmp(line, "cpu", 3) == 0;
	     line = next_line(line, end)) {
		line += strcspn(line, " ");
		line += strspn(line, " ");
		line += strcspn(line, " ");
		add_decimal(line - 1);
	}
}

static int run(char **argv)
{
	struct rusage usage;
	int status = 0, null;
	pid_t pid;

	if (!isatty(STDIN_FILENO))
		map_listed();
	pid = fork();
	if (pid == 0) {
		null = open("/dev/null", O_WRONLY | O_CLOEXEC);
		dup2(null, STDOUT_FILENO);
		execvp(argv[0], argv);
		_exit(127);
	}
	while (pid > 0 && moving_count && wait4(pid, &status, WNOHANG, &usage) == 0) {
		for (int i = 0; i < moving_count; i++)
			move(&moving[i]);
		nanosleep(&(struct timespec) { .tv_nsec = 4000000 }, NULL);
	}
	if (pid < 0 || (!moving_count && wait4(pid, &status, 0, &usage) < 0) || status) {
		fprintf(stderr, "cost: %s: status %d, %s\n", argv[0], status, strerror(errno));
		return 1;
	}
	printf("%.0f %ld\n", cpu_us(&usage), usage.ru_maxrss);
	return 0;
}

static int open_listed(int *fds)
{
	struct rlimit limit;
	char path[4096];
	int count = 0;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &limit);
	}
	while (count < FILES_MAX && fgets(path, sizeof(path), stdin)) {
		path[strcspn(path, "\n")] = '\0';
		fds[count] = open(path, O_RDONLY | O_CLOEXEC);
		if (fds[count] < 0) {
			fprintf(stderr, "cost: %s: %s\n", path, strerror(errno));
			return -1;
		}
		count++;
	}
	return count;
}

static int reread(int rounds)
{
	static int fds[FILES_MAX];
	static char buf[1 << 20];
	const struct timespec pace = { .tv_nsec = 10000000 };
	struct rusage before, after;
	int count = open_listed(fds);

	if (count < 0 || rounds < 1)
		return 1;
	getrusage(RUSAGE_SELF, &before);
	for (int i = 0; i < rounds; i++) {
		for (int k = 0; k < count; k++)
			if (pread(fds[k], buf, sizeof(buf), 0) < 0)
				return 1;
		nanosleep(&pace, NULL); /* caches cool down for it as they do for the program */
	}
	getrusage(RUSAGE_SELF, &after);
	printf("%.0f\n", (cpu_us(&after) - cpu_us(&before)) / rounds);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 2 && strcmp(argv[1], "run") == 0)
		return run(argv + 2);
	if (argc == 3 && strcmp(argv[1], "reread") == 0)
		return reread((int)strtol(argv[2], NULL, 10));
	fputs("usage: cost run COMMAND... | cost reread ROUNDS < LIST\n", stderr);
	return 2;
}
