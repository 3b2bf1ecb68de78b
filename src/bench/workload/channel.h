/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How one thread wakes another: a futex, an eventfd or a pipe, one way, one signal at a time. */
#ifndef LPARTUNE_BENCH_CHANNEL_H
#define LPARTUNE_BENCH_CHANNEL_H

#include <stdbool.h>

#include "bench/workload/futex.h"

/* What two CPUs write to must not share a line; POWER has lines of 128 bytes. */
#define LINE_SIZE 128
#define _own_line_ _Alignas(LINE_SIZE)

enum primitive {
	PRIMITIVE_FUTEX,
	PRIMITIVE_EVENTFD,
	PRIMITIVE_PIPE,
	PRIMITIVE_COUNT,
};

const char *primitive_word(enum primitive primitive);
int primitive_parse(const char *word, enum primitive *ret); /* -EINVAL */

struct channel {
	_own_line_ _Atomic uint32_t word;
	enum primitive primitive;
	int read_fd, write_fd;
};

/* -errno of eventfd(2) or pipe(2). A channel of zeros, closed or never opened, may be closed. */
int channel_open(struct channel *channel, enum primitive primitive);
void channel_close(struct channel *channel);

static inline void channel_send(struct channel *c)
{
	/* Eight bytes for an eventfd, of which a pipe takes four, as perf bench does. */
	const uint64_t one = 1;

	if (c->primitive == PRIMITIVE_FUTEX) {
		atomic_store(&c->word, 1);
		futex_wake(&c->word, 1);
	} else {
		ssize_t n = write(c->write_fd, &one,
				  c->primitive == PRIMITIVE_PIPE ? 4 : sizeof(one));
		(void)n; /* a full pipe cannot be: one signal at a time */
	}
}

/* Waits for a signal and takes it. True if this thread was seen to sleep; only a futex tells. */
static inline bool channel_receive(struct channel *c)
{
	bool slept = false;
	uint64_t got;

	if (c->primitive == PRIMITIVE_FUTEX) {
		while (!atomic_load(&c->word))
			slept |= futex_wait(&c->word, 0);
		atomic_store(&c->word, 0);
	} else {
		while (read(c->read_fd, &got, c->primitive == PRIMITIVE_PIPE ? 4 : sizeof(got)) < 0)
			if (errno != EINTR)
				break;
	}
	return slept;
}

#endif
