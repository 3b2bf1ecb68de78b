/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file splits a command line as the kernel's next_arg() does. */
#include "machine/source/cmdline.h"

#include <ctype.h>

bool cmdline_next(struct span *rest, struct span *parameter)
{
	struct span s = span_trim(*rest);
	bool quoted = false;
	size_t len = 0;

	for (; len < s.len && (quoted || !isspace((unsigned char)s.text[len])); len++)
		quoted ^= s.text[len] == '"';
	*parameter = (struct span) { s.text, len };
	*rest = (struct span) { s.text + len, s.len - len };
	return len > 0 && !span_is(*parameter, "--");
}

static struct span unquote(struct span s)
{
	if (s.len && s.text[0] == '"') {
		s.text++;
		s.len--;
		if (s.len && s.text[s.len - 1] == '"')
			s.len--;
	}
	return s;
}

void cmdline_split(struct span parameter, struct span *name, struct span *value)
{
	struct span p = unquote(parameter);
	const char *at = p.len ? memchr(p.text, '=', p.len) : NULL;

	*name = (struct span) { p.text, at ? (size_t)(at - p.text) : p.len };
	*value = (struct span) { p.text + p.len, 0 };
	if (at)
		*value = unquote((struct span) { at + 1, p.len - name->len - 1 });
}

bool cmdline_same_name(struct span a, struct span b)
{
	if (a.len != b.len)
		return false;
	for (size_t i = 0; i < a.len; i++) {
		char x = a.text[i] == '-' ? '_' : a.text[i];
		char y = b.text[i] == '-' ? '_' : b.text[i];

		if (x != y)
			return false;
	}
	return true;
}

bool cmdline_get(struct span cmdline, const char *wanted, struct span *ret)
{
	struct span parameter, name, value;
	bool found = false;

	while (cmdline_next(&cmdline, &parameter)) {
		cmdline_split(parameter, &name, &value);
		if (!cmdline_same_name(name, span_of(wanted)))
			continue;
		found = true;
		if (ret)
			*ret = value;
	}
	return found;
}
