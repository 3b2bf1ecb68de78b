/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file starts programs, without a shell; it is the only place that does. */
#include "change/tool.h"

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

static void become(const char *const *argv, pid_t parent)
{
	char *const env[] = { (char *)"PATH=" ROOT_PATH, (char *)"LC_ALL=C", NULL };
	int null = open("/dev/null", O_RDWR);

	/* A tool that goes on after our death would write while the next lpartune undoes. */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != parent || null < 0)
		_exit(126);
	(void)dup2(null, STDIN_FILENO);
	(void)dup2(null, STDOUT_FILENO);
	(void)setenv("PATH", ROOT_PATH, 1);
	execvpe(argv[0], (char *const *)argv, env);
	_exit(127);
}

int tool_run(const char *const *argv)
{
	pid_t parent = getpid(), pid = fork();
	int status;

	if (pid < 0)
		return -errno;
	if (pid == 0)
		become(argv, parent);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return -ENOENT;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -EIO;
}
