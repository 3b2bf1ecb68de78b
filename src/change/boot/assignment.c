/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file edits one assignment of a shell file, or refuses to. */
#include "change/boot/assignment.h"

#include <errno.h>

/* Does the line assign the variable, in whatever form? `ret` is what follows the '='. */
static bool assigns(struct span line, const char *name, struct span *ret)
{
	struct span s = span_trim(line);
	size_t len = strlen(name);

	if (span_starts(s, "export ")) {
		s.text += strlen("export ");
		s.len -= strlen("export ");
		s = span_trim(s);
	}
	if (!span_starts(s, name))
		return false;
	s.text += len;
	s.len -= len;
	if (s.len && s.text[0] == '+') {
		s.text++;
		s.len--;
	}
	if (!s.len || s.text[0] != '=')
		return false;
	*ret = (struct span) { s.text + 1, s.len - 1 };
	return true;
}

/* Where the quotes end: NULL if they do not, or if the shell would expand something before. */
static const char *closing_quote(struct span value)
{
	for (size_t i = 1; i < value.len; i++) {
		if (value.text[i] == '"')
			return value.text + i;
		if (value.text[i] == '$' || value.text[i] == '`')
			return NULL;
		/* What is escaped stays so: parameters are exchanged whole. */
		i += value.text[i] == '\\';
	}
	return NULL;
}

/* "…" and nothing behind it but a comment. */
static int between_quotes(struct span value, struct span *ret)
{
	const char *end = value.len && value.text[0] == '"' ? closing_quote(value) : NULL;
	struct span rest;

	if (!end)
		return -EBADMSG;
	*ret = (struct span) { value.text + 1, (size_t)(end - value.text) - 1 };
	rest = span_trim((struct span) { end + 1, value.len - ret->len - 2 });
	return rest.len && rest.text[0] != '#' ? -EBADMSG : 0;
}

int assignment_find(struct span file, const char *name, struct span *ret)
{
	struct span line, value, found = { 0 };
	int r = -ENOENT;

	/* Files are handed on as strings: behind a NUL byte all would be lost. */
	if (file.len && memchr(file.text, 0, file.len))
		return -EBADMSG;
	while (span_line(&file, &line)) {
		if (!assigns(line, name, &value))
			continue;
		if (r != -ENOENT)
			return -ENOTUNIQ;
		/* "export" and "+=" are assignments, but not ones that we write. */
		r = span_starts(line, name) && value.text[-2] != '+' ? between_quotes(value, &found)
								     : -EBADMSG;
	}
	if (r == 0)
		*ret = found;
	return r;
}

int assignment_replace(struct span file, const char *name, const char *text, char **ret)
{
	struct span old;
	bool ends_line = !file.len || file.text[file.len - 1] == '\n';
	int r = assignment_find(file, name, &old), len;

	if (r == -ENOENT)
		len = asprintf(ret, "%.*s%s%s=\"%s\"\n", (int)file.len, file.text,
			       ends_line ? "" : "\n", name, text);
	else if (r < 0)
		return r;
	else
		len = asprintf(ret, "%.*s%s%.*s", (int)(old.text - file.text), file.text, text,
			       (int)(file.len - (size_t)(old.text - file.text) - old.len),
			       old.text + old.len);
	return len < 0 ? -ENOMEM : 0;
}
