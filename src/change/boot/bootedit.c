/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file edits the command line within each kind of loader file; it opens none of them. */
#include "change/boot/bootedit.h"

#include <errno.h>

#include "change/boot/assignment.h"
#include "change/boot/cmdlines.h"

#define GRUBENV_SIZE 1024 /* fixed: GRUB writes into the block that is there */

const char *bootedit_variable(enum bootedit kind)
{
	static const char *const names[] = {
		[BOOTEDIT_LINUX] = "GRUB_CMDLINE_LINUX",
		[BOOTEDIT_DEFAULT] = "GRUB_CMDLINE_LINUX_DEFAULT",
		[BOOTEDIT_PLAIN] = NULL,
	};

	return names[kind];
}

/* kernel-install takes lines as one, and newer ones pass over those that begin with '#'. */
static int find_plain(struct span file, struct span *ret)
{
	struct span rest = file, line;

	while (span_line(&rest, &line))
		if (span_starts(span_trim(line), "#"))
			return -EBADMSG;
	*ret = span_trim(file);
	return 0;
}

int bootedit_find(enum bootedit kind, struct span file, struct span *ret)
{
	/* Files are handed on as strings: behind a NUL byte all would be lost. */
	if (file.len && memchr(file.text, 0, file.len))
		return -EBADMSG;
	switch (kind) {
	case BOOTEDIT_BLS:
		return cmdlines_bls_value(file, "options", ret);
	case BOOTEDIT_GRUBENV:
		return cmdlines_grubenv(file, "kernelopts", ret);
	case BOOTEDIT_PLAIN:
		return find_plain(file, ret);
	default:
		return assignment_find(file, bootedit_variable(kind), ret);
	}
}

/* Variables, then '#' up to the fixed size. */
static int pad_grubenv(char **block)
{
	size_t len = strlen(*block);
	char *padded;

	while (len && (*block)[len - 1] == '#')
		len--;
	if (len > GRUBENV_SIZE)
		return -E2BIG;
	padded = malloc(GRUBENV_SIZE + 1);
	if (!padded)
		return -ENOMEM;
	memcpy(padded, *block, len);
	memset(padded + len, '#', GRUBENV_SIZE - len);
	padded[GRUBENV_SIZE] = '\0';
	free(*block);
	*block = padded;
	return 0;
}

int bootedit_replace(enum bootedit kind, struct span file, const char *line, char **ret)
{
	_cleanup_free_ char *edited = NULL;
	struct span old;
	int r;

	if (bootedit_variable(kind))
		return assignment_replace(file, bootedit_variable(kind), line, ret);
	r = bootedit_find(kind, file, &old);
	if (r < 0)
		return r;
	if (asprintf(&edited, "%.*s%s%.*s", (int)(old.text - file.text), file.text, line,
		     (int)(file.len - (size_t)(old.text - file.text) - old.len),
		     old.text + old.len) < 0)
		return -ENOMEM;
	r = kind == BOOTEDIT_GRUBENV ? pad_grubenv(&edited) : 0;
	if (r == 0)
		*ret = take_ptr(&edited);
	return r;
}

bool bootedit_names(enum bootedit kind, struct span file, const char *parameter)
{
	const char *variable = bootedit_variable(kind);
	struct span line;

	while (span_line(&file, &line))
		if ((!variable || span_has(line, variable)) && span_has(line, parameter))
			return true;
	return false;
}
