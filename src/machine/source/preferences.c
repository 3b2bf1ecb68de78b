/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file reads /etc/lpartune/lpartune.conf. A line that cannot be used is told, and skipped. */
#include "machine/source/preferences.h"

#include <errno.h>

#include "base/similar.h"

void preferences_done(struct preferences *p)
{
	free(p->workload);
	free(p->complaint);
	for (size_t i = 0; i < p->ignored; i++)
		free(p->ignore[i]);
	*p = (struct preferences) { 0 };
}

static bool is_separator(char c)
{
	return c == ' ' || c == '\t' || c == ',';
}

static int add_ignored(struct preferences *p, struct span list)
{
	while (list.len) {
		size_t len = 0;

		while (len < list.len && !is_separator(list.text[len]))
			len++;
		if (len && p->ignored == PREFERENCES_IGNORE_MAX)
			return -E2BIG;
		if (len) {
			p->ignore[p->ignored] = span_dup_utf8((struct span) { list.text, len });
			if (!p->ignore[p->ignored])
				return -ENOMEM;
			p->ignored++;
		}
		len += len < list.len;
		list.text += len;
		list.len -= len;
	}
	return 0;
}

static int set(struct preferences *p, struct span key, struct span value)
{
	if (span_is(key, "ignore"))
		return add_ignored(p, value);
	if (span_is(key, "workload")) {
		free(p->workload);
		p->workload = span_dup_utf8(value);
		return p->workload ? 0 : -ENOMEM;
	}
	if (!span_is(key, "apply") || (!span_is(value, "listed") && !span_is(value, "auto")))
		return -EINVAL;
	p->apply_auto = span_is(value, "auto");
	return 0;
}

/* The key that may have been meant. */
static char *suggest(struct span line)
{
	static const char *const keys[] = { "workload", "ignore", "apply" };
	struct span key, value;
	_cleanup_free_ char *name = span_split(line, '=', &key, &value) ? span_dup(key) : NULL;
	struct similar similar = { .wanted = name };

	for (size_t i = 0; name && i < ARRAY_SIZE(keys); i++)
		if (!streq(name, keys[i]))
			similar_offer(&similar, keys[i]);
	return similar_hint(&similar);
}

static int complain(struct preferences *p, unsigned int number, struct span line)
{
	_cleanup_free_ char *text = span_dup_utf8(line), *hint = suggest(line);

	if (p->complaint)
		return 0;
	if (!text || !hint ||
	    asprintf(&p->complaint, "%s:%u: cannot use '%s'%s", PREFERENCES_PATH, number, text,
		     hint) < 0) {
		p->complaint = NULL;
		return -ENOMEM;
	}
	return 0;
}

static int take_line(struct preferences *p, unsigned int number, struct span line)
{
	const char *comment = line.len ? memchr(line.text, '#', line.len) : NULL;
	struct span key, value;
	int r = -EINVAL;

	if (comment)
		line.len = (size_t)(comment - line.text);
	line = span_trim(line);
	if (!line.len)
		return 0;
	if (span_split(line, '=', &key, &value) && value.len)
		r = set(p, key, value);
	return r < 0 && r != -ENOMEM ? complain(p, number, line) : r;
}

int preferences_read(struct root *root, struct preferences *ret)
{
	_cleanup_preferences_ struct preferences p = { 0 };
	_cleanup_content_ struct content c = { 0 };
	struct span rest, line;
	unsigned int number = 0;
	int r = root_read(root, &c, PREFERENCES_PATH);

	if (r < 0 && r != -ENOENT && r != -ENOTDIR)
		return r;
	rest = content_span(&c);
	while (r >= 0 && span_line(&rest, &line)) {
		r = take_line(&p, ++number, line);
		if (r < 0)
			return r;
	}
	*ret = p;
	p = (struct preferences) { 0 };
	return 0;
}
