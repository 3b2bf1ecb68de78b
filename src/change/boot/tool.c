/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file starts programs, without a shell; it is the only place that does. */
#include "change/boot/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#define ROOT_PATH "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

bool tool_exists(struct root *root, const char *name)
{
	static const char *const dirs[] = { "usr/local/sbin", "usr/local/bin", "usr/sbin",
					    "usr/bin",	      "sbin",	       "bin" };

	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++)
		if (root_exists(root, "%s/%s", dirs[i], name) == 0)
			return true;
	return false;
}

/* "NAME=VALUE" of our own environment, or NULL. */
static char *inherited(const char *name)
{
	const char *value = getenv(name);
	char *text;

	return value && asprintf(&text, "%s=%s", name, value) >= 0 ? text : NULL;
}

/*
 * The titles of grub.cfg are in the administrator's language, and a default entry may be chosen by
 * its title. LVM's tools, which probing starts, would complain of the lock's descriptor.
 */
static void make_environment(char **env)
{
	static const char *const names[] = { "LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES" };

	*env++ = (char *)"PATH=" ROOT_PATH;
	*env++ = (char *)"LVM_SUPPRESS_FD_WARNINGS=1";
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		*env = inherited(names[i]);
		env += *env != NULL;
	}
	*env = NULL;
}

static void become(const char *const *argv, pid_t parent, int lock, int output)
{
	char *env[8];
	int null = open("/dev/null", O_RDWR);

	/*
	 * A tool that goes on after our death would write while the next lpartune undoes. The tool dies
	 * with us, but what it has started does not: as long as that lives it holds our lock.
	 */
	if (lock >= 0)
		(void)fcntl(lock, F_SETFD, 0);
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != parent || null < 0)
		_exit(126);
	(void)dup2(null, STDIN_FILENO);
	(void)dup2(output >= 0 ? output : null, STDOUT_FILENO);
	(void)signal(SIGXFSZ, SIG_DFL);
	make_environment(env);
	(void)setenv("PATH", ROOT_PATH, 1);
	execvpe(argv[0], (char *const *)argv, env);
	_exit(127);
}

/* Starts a program; its pid, or -errno. */
static pid_t start(const char *const *argv, int lock, int output)
{
	pid_t parent = getpid(), pid = fork();

	if (pid == 0)
		become(argv, parent, lock, output);
	return pid < 0 ? -errno : pid;
}

static int wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return -ENOENT;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -EIO;
}

int tool_run(const char *const *argv, int lock)
{
	pid_t pid = start(argv, lock, -1);

	return pid < 0 ? pid : wait_for(pid);
}

/* Reads to the end; what does not fit is read and dropped, lest the tool wait for us. */
static void read_pipe(int fd, char *text, size_t size)
{
	char dropped[256];
	size_t len = 0;
	ssize_t n;

	do {
		bool fits = len + 1 < size;

		n = read(fd, fits ? text + len : dropped, fits ? size - len - 1 : sizeof(dropped));
		len += n > 0 && fits ? (size_t)n : 0;
	} while (n > 0 || (n < 0 && errno == EINTR));
	text[len] = '\0';
}

int tool_read(const char *const *argv, int lock, char **ret)
{
	_cleanup_close_ int output = -1;
	int ends[2], r;
	char text[4096];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	output = ends[0];
	pid = start(argv, lock, ends[1]);
	(void)close(ends[1]);
	if (pid < 0)
		return pid;
	read_pipe(output, text, sizeof(text));
	r = wait_for(pid);
	if (r < 0)
		return r;
	*ret = strdup(text);
	return *ret ? 0 : -ENOMEM;
}
