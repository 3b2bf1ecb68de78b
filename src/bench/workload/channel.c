/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file opens and closes channels; the measured part is in the header. */
#include "bench/workload/channel.h"

#include <fcntl.h>
#include <sys/eventfd.h>

#include "base/util.h"

static const char *const words[PRIMITIVE_COUNT] = {
	[PRIMITIVE_FUTEX] = "futex",
	[PRIMITIVE_EVENTFD] = "eventfd",
	[PRIMITIVE_PIPE] = "pipe",
};

const char *primitive_word(enum primitive primitive)
{
	return words[primitive];
}

int primitive_parse(const char *word, enum primitive *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (streq(words[i], word)) {
			*ret = (enum primitive)i;
			return 0;
		}
	return -EINVAL;
}

static int open_pipe(struct channel *c)
{
	int fd[2];

	if (pipe2(fd, O_CLOEXEC) < 0)
		return -errno;
	c->read_fd = fd[0];
	c->write_fd = fd[1];
	return 0;
}

static int open_eventfd(struct channel *c)
{
	c->read_fd = c->write_fd = eventfd(0, EFD_CLOEXEC);
	return c->read_fd < 0 ? -errno : 0;
}

int channel_open(struct channel *c, enum primitive primitive)
{
	*c = (struct channel) { .primitive = primitive, .read_fd = -1, .write_fd = -1 };
	switch (primitive) {
	case PRIMITIVE_EVENTFD:
		return open_eventfd(c);
	case PRIMITIVE_PIPE:
		return open_pipe(c);
	default:
		return 0;
	}
}

void channel_close(struct channel *c)
{
	if (c->primitive == PRIMITIVE_FUTEX)
		return;
	cleanup_close(&c->read_fd);
	if (c->primitive == PRIMITIVE_PIPE)
		cleanup_close(&c->write_fd);
}
