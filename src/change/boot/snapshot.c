/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file drives transactional-update; which snapshot is next it asks btrfs, not the tool. */
#include "change/boot/snapshot.h"

#include <errno.h>

#include "change/boot/tool.h"

#define DIRECTORY "/.snapshots/"

bool snapshot_is_installed(struct root *root)
{
	return tool_exists(root, "transactional-update");
}

bool snapshot_is_needed(struct root *root)
{
	return root_is_live(root) && snapshot_is_installed(root) && access("/usr", W_OK) < 0;
}

/* The number in "…/.snapshots/5/snapshot". */
static int number_in(struct span text, unsigned int *ret)
{
	const char *at = memmem(text.text, text.len, DIRECTORY, strlen(DIRECTORY));
	struct span digits;
	uint64_t number;

	if (!at)
		return -ENODATA;
	digits.text = at + strlen(DIRECTORY);
	digits.len = 0;
	while (digits.text + digits.len < text.text + text.len && digits.text[digits.len] >= '0' &&
	       digits.text[digits.len] <= '9')
		digits.len++;
	if (parse_u64(digits, &number) < 0 || number > 1000000000)
		return -ENODATA;
	*ret = (unsigned int)number;
	return 0;
}

/* "ID 266 gen 1234 top level 265 path @/.snapshots/5/snapshot" */
int snapshot_next(int lock, unsigned int *ret)
{
	static const char *const argv[] = { "btrfs", "subvolume", "get-default", "/", NULL };
	_cleanup_free_ char *text = NULL;
	int r = tool_read(argv, lock, &text);

	return r < 0 ? r : number_in(span_of(text), ret);
}

/* A line of mountinfo: ID PARENT DEVICE ROOT MOUNTPOINT … */
static int take_mount(struct span line, void *arg)
{
	struct span word, root = { 0 };

	for (int i = 0; i < 4; i++)
		if (!span_word(&line, &root))
			return 0;
	return span_word(&line, &word) && span_is(word, "/") && number_in(root, arg) == 0;
}

unsigned int snapshot_running(struct root *root)
{
	unsigned int running = 0;

	(void)root_each_line(root, take_mount, &running, "proc/self/mountinfo");
	return running;
}

int snapshot_open(unsigned int number, struct root **ret)
{
	char path[64];

	snprintf(path, sizeof(path), DIRECTORY "%u/snapshot", number);
	return root_open(path, ret);
}

int snapshot_update(struct root *root, unsigned int old, int lock, unsigned int *ret)
{
	static const char *const anew[] = { "transactional-update", "grub.cfg", NULL };
	static const char *const on_top[] = { "transactional-update", "--continue", "grub.cfg",
					      NULL };
	unsigned int now;
	int r = tool_run(snapshot_running(root) != old ? on_top : anew, lock);

	if (r == 0)
		r = snapshot_next(lock, &now);
	if (r < 0)
		return r;
	if (now == old)
		return -EREMOTEIO;
	*ret = now;
	return 0;
}

int snapshot_rollback(unsigned int number, int lock)
{
	char text[16];
	const char *const argv[] = { "transactional-update", "rollback", text, NULL };

	snprintf(text, sizeof(text), "%u", number);
	return tool_run(argv, lock);
}
