/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * This file is a crowd that talks: groups in which every sender writes to every receiver, as in
 * hackbench and perf bench sched messaging, but for a time instead of a count, and with the time
 * that each message took.
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include "bench/workload/benchmarks.h"
#include "bench/workload/team.h"

#define GROUP_HALF 20 /* senders, and as many receivers */
#define MESSAGE_SIZE 100

enum messaging_kind { MESSAGING_SOCKET, MESSAGING_PIPE };

static const char *const kinds[] = {
	[MESSAGING_SOCKET] = "socket",
	[MESSAGING_PIPE] = "pipe",
	NULL,
};

struct message {
	uint64_t sent_ns; /* 0: there are no more */
	char filling[MESSAGE_SIZE - sizeof(uint64_t)];
};

struct group;

struct receiver {
	struct group *group;
	int read_fd, write_fd;
	uint64_t warmup;
	struct histogram took;
};

struct group {
	_Atomic unsigned int senders_left;
	struct receiver receiver[GROUP_HALF];
};

/* All in one piece of memory that children share. */
struct hall {
	struct team team;
	unsigned int count; /* groups */
	size_t size;
	struct member *member;
	struct group group[];
};

/* False if the other end is gone. */
static bool send_message(const struct receiver *to, uint64_t sent_ns)
{
	const struct message message = { .sent_ns = sent_ns };
	const char *at = (const char *)&message;
	size_t left = sizeof(message);

	while (left) {
		ssize_t n = write(to->write_fd, at, left);

		if (n < 0 && errno != EINTR)
			return false;
		if (n > 0) {
			at += n;
			left -= (size_t)n;
		}
	}
	return true;
}

static bool receive_message(const struct receiver *self, struct message *ret)
{
	char *at = (char *)ret;
	size_t left = sizeof(*ret);

	while (left) {
		ssize_t n = read(self->read_fd, at, left);

		if (n == 0 || (n < 0 && errno != EINTR))
			return false;
		if (n > 0) {
			at += n;
			left -= (size_t)n;
		}
	}
	return ret->sent_ns != 0;
}

/* One message to each receiver; false when the time is over. */
static bool send_round(struct group *group, struct team *team)
{
	for (unsigned int i = 0; i < GROUP_HALF; i++) {
		uint64_t now = clock_ns();

		if (now >= team->end_ns || team_is_stopped(team) ||
		    !send_message(&group->receiver[i], now))
			return false;
	}
	return true;
}

static void sender_body(struct member *self)
{
	struct group *group = self->arg;

	if (team_gate(self))
		while (send_round(group, self->team))
			;
	/* The last one out tells the receivers. */
	if (atomic_fetch_sub(&group->senders_left, 1) == 1)
		for (unsigned int i = 0; i < GROUP_HALF; i++)
			(void)send_message(&group->receiver[i], 0);
}

static void receiver_body(struct member *self)
{
	struct receiver *receiver = self->arg;
	struct message message;

	if (!team_gate(self))
		return;
	while (receive_message(receiver, &message)) {
		uint64_t now = clock_ns();

		if (message.sent_ns >= self->team->measure_ns)
			histogram_add(&receiver->took, now - message.sent_ns);
		else
			receiver->warmup++;
	}
}

static int open_receiver(struct receiver *receiver, enum messaging_kind kind)
{
	int fd[2];
	int r = kind == MESSAGING_PIPE ? pipe2(fd, O_CLOEXEC)
				       : socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd);

	if (r < 0)
		return -errno;
	receiver->read_fd = fd[0];
	receiver->write_fd = fd[1];
	return 0;
}

static int open_group(struct hall *hall, struct group *group, struct member *member,
		      enum messaging_kind kind)
{
	atomic_store(&group->senders_left, GROUP_HALF);
	for (unsigned int i = 0; i < GROUP_HALF; i++)
		group->receiver[i].read_fd = group->receiver[i].write_fd = -1;
	hall->count++;
	for (unsigned int i = 0; i < GROUP_HALF; i++) {
		int r = open_receiver(&group->receiver[i], kind);

		if (r < 0)
			return r;
		group->receiver[i].group = group;
		member[2 * i] = (struct member) { .body = sender_body,
						  .arg = group,
						  .name = "sender",
						  .cpu = -1,
						  .ends_itself = true };
		member[2 * i + 1] = (struct member) { .body = receiver_body,
						      .arg = &group->receiver[i],
						      .name = "receiver",
						      .cpu = -1,
						      .ends_itself = true };
	}
	return 0;
}

static void hall_done(struct hall *hall)
{
	for (unsigned int g = 0; g < hall->count; g++)
		for (unsigned int i = 0; i < GROUP_HALF; i++) {
			cleanup_close(&hall->group[g].receiver[i].read_fd);
			cleanup_close(&hall->group[g].receiver[i].write_fd);
		}
	(void)munmap(hall, hall->size);
}

static int hall_make(const struct session *session, const struct measurement *m, struct hall **ret)
{
	unsigned int groups = m->cell.size, members = 2 * GROUP_HALF * groups;
	size_t size = sizeof(struct hall) + groups * sizeof(struct group) +
		      members * sizeof(struct member);
	struct hall *hall = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
				 0);
	int r = 0;

	if (hall == MAP_FAILED)
		return -errno;
	hall->size = size;
	hall->member = (struct member *)&hall->group[groups];
	for (unsigned int g = 0; g < groups && r == 0; g++)
		r = open_group(hall, &hall->group[g], &hall->member[2 * GROUP_HALF * g],
			       (enum messaging_kind)m->cell.kind);
	if (r < 0) {
		hall_done(hall);
		return r;
	}
	hall->team.member = hall->member;
	hall->team.count = members;
	hall->team.fifo = session->config->fifo;
	hall->team.processes = session->config->processes;
	hall->team.finish_ns = 300 * NS_PER_MS;
	*ret = hall;
	return 0;
}

static int collect(const struct hall *hall, struct block *block)
{
	for (unsigned int g = 0; g < hall->count; g++)
		for (unsigned int i = 0; i < GROUP_HALF; i++) {
			const struct receiver *receiver = &hall->group[g].receiver[i];

			if (distribution_add_histogram(&block->wake, &receiver->took) < 0)
				return -ENOMEM;
			block->warmup += receiver->warmup;
		}
	block->done = block->wake.count;
	return 0;
}

static int messaging_run(struct session *session, struct measurement *m, struct block *block)
{
	struct hall *hall = NULL;
	int r = hall_make(session, m, &hall);

	if (r < 0)
		return r;
	r = session_play(session, &hall->team, block);
	if (r == -ETIME)
		return r;
	if (r == 0)
		r = collect(hall, block);
	hall_done(hall);
	return r;
}

static int messaging_cells(const struct session *session, struct cell_list *list)
{
	struct cell cell = { .benchmark = &benchmark_messaging, .distance = DISTANCE_FREE };

	(void)session;
	for (cell.kind = 0; kinds[cell.kind]; cell.kind++)
		for (cell.size = 1; cell.size <= 4; cell.size *= 4)
			if (cell_list_add(list, &cell) < 0)
				return -ENOMEM;
	return 0;
}

const struct benchmark benchmark_messaging = {
	.name = "messaging",
	.id = "bench-messaging",
	.summary = "groups of senders and receivers: messages a second, and how long each took",
	.about =
		"In each group 20 senders write 100 bytes to each of 20 receivers, over and over, "
		"through sockets or pipes; threads, or processes with --processes; --size groups. Like "
		"hackbench, but for a fixed time. The machine is overcommitted on purpose: this is about "
		"throughput under load; the time of a message is mostly queueing.",
	.operation = "msg",
	.kinds = kinds,
	.cells = messaging_cells,
	.run = messaging_run,
};
