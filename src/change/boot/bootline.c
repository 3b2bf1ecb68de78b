/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file edits one command line and finds the way back; bytes of other parameters never change. */
#include "change/boot/bootline.h"

#include <ctype.h>
#include <errno.h>

#include "change/boot/tokens.h"
#include "machine/source/cmdline.h"

/* A flag has no value in the line. */
static const char *value_of(const char *token)
{
	return token && *token ? token : NULL;
}

static bool is_named(struct span parameter, const char *name)
{
	struct span key, value;

	cmdline_split(parameter, &key, &value);
	return cmdline_same_name(key, span_of(name));
}

static bool same_bytes(struct span a, struct span b)
{
	return a.len == b.len && memcmp(a.text, b.text, a.len) == 0;
}

bool bootline_has(struct span line, const char *name, const char *token)
{
	struct span value;
	bool found = cmdline_get(line, name, &value);

	return token ? found && span_is(value, token) : !found;
}

unsigned int bootline_count(struct span line, const char *name)
{
	struct span parameter;
	unsigned int count = 0;

	while (cmdline_next(&line, &parameter))
		count += is_named(parameter, name);
	return count;
}

bool bootline_last(struct span line, const char *name, struct span *ret)
{
	struct span parameter;
	bool found = false;

	while (cmdline_next(&line, &parameter)) {
		if (!is_named(parameter, name))
			continue;
		*ret = parameter;
		found = true;
	}
	return found;
}

static bool next_named(struct span *rest, const char *name, struct span *ret)
{
	while (cmdline_next(rest, ret))
		if (is_named(*ret, name))
			return true;
	return false;
}

bool bootline_is_changed(struct span line, const char *name, const char *ours, const char *was)
{
	struct span rest = span_of(was), now, before;
	bool more_now, more_before;

	if (bootline_has(line, name, ours))
		return false;
	do {
		more_now = next_named(&line, name, &now);
		more_before = next_named(&rest, name, &before);
	} while (more_now && more_before && same_bytes(now, before));
	return more_now || more_before;
}

char *bootline_edit(struct span line, const char *name, const char *token)
{
	if (bootline_has(line, name, token))
		return span_dup(line);
	if (!token)
		return tokens_remove_all(line, name);
	if (bootline_count(line, name))
		return tokens_replace(line, name, value_of(token));
	return tokens_add(line, name, value_of(token));
}

static bool same_parameters(const char *a, const char *b)
{
	struct span ra = span_of(a), rb = span_of(b), pa, pb;

	for (;;) {
		bool more_a = cmdline_next(&ra, &pa), more_b = cmdline_next(&rb, &pb);

		if (!more_a || !more_b)
			return more_a == more_b && same_bytes(span_trim(ra), span_trim(rb));
		if (!same_bytes(pa, pb))
			return false;
	}
}

int bootline_same_but(const char *a, const char *b, const char *name)
{
	_cleanup_free_ char *rest_a = tokens_remove_all(span_of(a), name);
	_cleanup_free_ char *rest_b = tokens_remove_all(span_of(b), name);

	return rest_a && rest_b ? same_parameters(rest_a, rest_b) : -ENOMEM;
}

/* How many parameters of a line are these very bytes; `ret_end` (may be NULL) is the end of the
 * first. */
static unsigned int find(const char *line, struct span wanted, const char **ret_end)
{
	struct span rest = span_of(line), parameter;
	unsigned int count = 0;

	while (cmdline_next(&rest, &parameter)) {
		if (!same_bytes(parameter, wanted))
			continue;
		if (!count++ && ret_end)
			*ret_end = parameter.text + parameter.len;
	}
	return count;
}

/* Where a parameter of `was` belongs in a line: behind the nearest one before it that is still
 * there, and behind as many blanks as there were, less the one that goes with it. */
static size_t place_of(const char *line, const char *was, struct span wanted)
{
	struct span rest = span_of(was), parameter;
	const char *end = NULL, *before_end = was, *at;
	size_t blanks;

	while (cmdline_next(&rest, &parameter) && parameter.text != wanted.text) {
		(void)find(line, parameter, &end);
		before_end = parameter.text + parameter.len;
	}
	blanks = (size_t)(wanted.text - before_end);
	at = end ? end : line;
	for (size_t i = 1; end && i < blanks && isspace((unsigned char)*at); i++)
		at++;
	return (size_t)(at - line);
}

/* Puts a parameter of `was` into the line; takes over the line. */
static char *put_back(char *line, const char *was, struct span wanted)
{
	_cleanup_free_ char *old = line;
	size_t at = place_of(old, was, wanted);
	bool is_first = at == 0;
	char *longer;

	if (asprintf(&longer, "%.*s%s%.*s%s%s", (int)at, old, is_first ? "" : " ", (int)wanted.len,
		     wanted.text, is_first && *old ? " " : "", old + at) < 0)
		return NULL;
	return longer;
}

/* Each parameter of the name that `was` has more of than the line. */
static char *put_all_back(char *line, const char *was, const char *name)
{
	struct span rest = span_of(was), parameter;

	while (line && cmdline_next(&rest, &parameter))
		if (is_named(parameter, name) &&
		    find(line, parameter, NULL) < find(was, parameter, NULL))
			line = put_back(line, was, parameter);
	return line;
}

char *bootline_back(struct span line, const char *name, const char *ours, const char *was)
{
	_cleanup_free_ char *copy = span_dup(line);
	_cleanup_free_ char *left = was ? bootline_edit(span_of(was), name, ours) : NULL;
	int r;

	if (!copy || (was && !left))
		return NULL;
	if (!bootline_has(line, name, ours))
		return take_ptr(&copy);
	r = was && bootline_count(line, name) == bootline_count(span_of(left), name)
		    ? bootline_same_but(copy, was, name)
		    : 0;
	if (r)
		return r < 0 ? NULL : strdup(was);
	if (ours) {
		free(copy);
		copy = tokens_remove(line, name, value_of(ours));
	}
	return was && copy ? put_all_back(take_ptr(&copy), was, name) : take_ptr(&copy);
}

char *bootline_restore(struct span line, const char *name, const char *was)
{
	char *copy = tokens_remove_all(line, name);
	int r = copy ? bootline_same_but(copy, was, name) : -ENOMEM;

	if (r > 0) {
		free(copy);
		return strdup(was);
	}
	if (r == 0)
		return put_all_back(copy, was, name);
	free(copy);
	return NULL;
}

char *bootline_without(struct span line, const char *name, const char *ours, const char *was)
{
	if (!ours || tokens_count(span_of(was), name, value_of(ours)))
		return span_dup(line);
	return tokens_remove(line, name, value_of(ours));
}
