/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file edits the command line within each kind of loader file; it opens none of them. */
#include "change/bootedit.h"

#include <errno.h>

#include "change/assignment.h"

#define GRUBENV_SIZE 1024 /* fixed: GRUB writes into the block that is there */
#define LINUX "GRUB_CMDLINE_LINUX"
#define LINUX_DEFAULT "GRUB_CMDLINE_LINUX_DEFAULT"

/* The file with `old`, a part of it, exchanged. */
static int exchange(struct span file, struct span old, const char *text, char **ret)
{
	size_t head = (size_t)(old.text - file.text);

	if (asprintf(ret, "%.*s%s%.*s", (int)head, file.text, text,
		     (int)(file.len - head - old.len), old.text + old.len) < 0)
		return -ENOMEM;
	return 0;
}

/* Entries of RHEL 8 say only "$kernelopts": the parameters are in grubenv then. */
static int find_in_bls(struct span file, struct span *ret)
{
	struct span options;
	int r = cmdlines_options_of_bls(file, &options);

	if (r < 0)
		return r;
	if (span_has(options, "$kernelopts") || span_has(options, "${kernelopts}"))
		return -ENOENT;
	*ret = options;
	return 0;
}

static int find_first_line(struct span file, struct span *ret)
{
	return span_line(&file, ret) ? 0 : -ENOENT;
}

int bootedit_find(enum bootedit kind, struct span file, struct span *ret)
{
	/* Files are handed on as strings: behind a NUL byte all would be lost. */
	if (file.len && memchr(file.text, 0, file.len))
		return -EBADMSG;
	switch (kind) {
	case BOOTEDIT_BLS:
		return find_in_bls(file, ret);
	case BOOTEDIT_GRUBENV:
		return cmdlines_grubenv(file, "kernelopts", ret);
	case BOOTEDIT_LINUX:
		return assignment_find(file, LINUX, ret);
	case BOOTEDIT_DEFAULT:
		return assignment_find(file, LINUX_DEFAULT, ret);
	default:
		return find_first_line(file, ret);
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

int bootedit(enum bootedit kind, struct span file, const struct loader *loader, char **ret)
{
	_cleanup_free_ char *line = NULL, *edited = NULL;
	bool assigned = kind == BOOTEDIT_LINUX || kind == BOOTEDIT_DEFAULT;
	struct span part = { "", 0 };
	int r = bootedit_find(kind, file, &part);

	/* An assignment that is not there is made. */
	if (r < 0 && !(assigned && r == -ENOENT))
		return r;
	line = bootparam_edit_line(part, loader);
	if (!line)
		return -ENOMEM;
	if (strlen(line) > BOOTPARAM_LINE_MAX)
		return -E2BIG;
	if (assigned)
		return assignment_replace(file, kind == BOOTEDIT_LINUX ? LINUX : LINUX_DEFAULT,
					  line, ret);
	r = exchange(file, part, line, &edited);
	if (r == 0 && kind == BOOTEDIT_GRUBENV)
		r = pad_grubenv(&edited);
	if (r == 0)
		*ret = take_ptr(&edited);
	return r;
}
