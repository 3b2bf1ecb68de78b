/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file edits kernel command lines by whole parameters; other bytes never change. */
#include "change/boot/tokens.h"

#include <ctype.h>
#include <errno.h>

#include "machine/source/cmdline.h"

static bool has_value(struct span parameter)
{
	return parameter.len && memchr(parameter.text, '=', parameter.len);
}

/* Stands for any value in is_exactly. */
static const char any_value[] = "";

/* Is this exactly NAME, or NAME=VALUE? */
static bool is_exactly(struct span parameter, const char *name, const char *value)
{
	struct span key, text;

	cmdline_split(parameter, &key, &text);
	if (!cmdline_same_name(key, span_of(name)))
		return false;
	if (value == any_value)
		return true;
	if (!value || !has_value(parameter))
		return !value && !has_value(parameter);
	return span_is(text, value);
}

unsigned int tokens_count(struct span line, const char *name, const char *value)
{
	struct span parameter;
	unsigned int count = 0;

	while (cmdline_next(&line, &parameter))
		count += is_exactly(parameter, name, value);
	return count;
}

/* The last parameter of this name; false if there is none. */
static bool find_last(struct span line, const char *name, struct span *ret)
{
	struct span parameter, key, value;
	bool found = false;

	while (cmdline_next(&line, &parameter)) {
		cmdline_split(parameter, &key, &value);
		if (!cmdline_same_name(key, span_of(name)))
			continue;
		*ret = parameter;
		found = true;
	}
	return found;
}

/* head + before + NAME[=VALUE] + after + tail. */
static char *splice(struct span head, const char *before, const char *name, const char *value,
		    const char *after, struct span tail)
{
	char *line = NULL;
	int len = asprintf(&line, "%.*s%s%s%s%s%s%.*s", (int)head.len, head.text, before, name,
			   value ? "=" : "", value ? value : "", after, (int)tail.len, tail.text);

	return len < 0 ? NULL : line;
}

char *tokens_add(struct span line, const char *name, const char *value)
{
	struct span rest = line, head, parameter;
	const char *end = line.text;

	while (cmdline_next(&rest, &parameter))
		end = parameter.text + parameter.len;
	head = (struct span) { line.text, (size_t)(end - line.text) };
	/* The blank that is added stands where tokens_remove takes one away. */
	return splice(head, head.len ? " " : "", name, value, !head.len && line.len ? " " : "",
		      (struct span) { end, line.len - head.len });
}

char *tokens_replace(struct span line, const char *name, const char *value)
{
	struct span parameter, head, tail;

	if (!find_last(line, name, &parameter))
		return span_dup(line);
	head = (struct span) { line.text, (size_t)(parameter.text - line.text) };
	tail.text = parameter.text + parameter.len;
	tail.len = line.len - (size_t)(tail.text - line.text);
	return splice(head, "", name, value, "", tail);
}

/* Cuts one parameter out of a string, with the blank before it, or after it at the start. */
static void cut(char *line, size_t at, size_t len)
{
	size_t all = strlen(line);

	if (at > 0 && isspace((unsigned char)line[at - 1])) {
		at--;
		len++;
	} else if (at + len < all && isspace((unsigned char)line[at + len])) {
		len++;
	}
	memmove(line + at, line + at + len, all - at - len + 1);
}

char *tokens_remove(struct span line, const char *name, const char *value)
{
	char *copy = span_dup(line);
	struct span rest, parameter;

	if (!copy)
		return NULL;
	rest = span_of(copy);
	while (cmdline_next(&rest, &parameter)) {
		size_t at = (size_t)(parameter.text - copy);

		if (!is_exactly(parameter, name, value))
			continue;
		cut(copy, at, parameter.len);
		rest = span_of(copy + (at ? at - 1 : 0));
	}
	return copy;
}
char *tokens_remove_all(struct span line, const char *name)
{
	return tokens_remove(line, name, any_value);
}
