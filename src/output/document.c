/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file makes documents and prints them; it knows nothing of what is in them. */
#include <errno.h>
#include <stdio.h>
#include <time.h>

#include "base/parse.h"
#include "output/output.h"
#include "output/text.h"
#include "version.h"

static void format_now(char *buf, size_t size)
{
	time_t now = time(NULL);
	struct tm tm;

	gmtime_r(&now, &tm);
	strftime(buf, size, "%Y-%m-%dT%H:%M:%SZ", &tm);
}

json_t *document_new(const char *command, const char *boot_id, const char *root)
{
	_cleanup_free_ char *clean_root = span_dup_utf8(
		span_of(root)); /* a name can be any bytes */
	char now[32];

	if (!clean_root)
		return NULL;
	format_now(now, sizeof(now));
	return json_pack("{s:s, s:s, s:i, s:s, s:s?, s:s}", "lpartune", LPARTUNE_VERSION, "command",
			 command, "format", DOCUMENT_FORMAT, "time", now, "boot_id", boot_id,
			 "root", clean_root);
}

/* Everything that was printed must have arrived: a full disk shows only here. */
static int finish(FILE *f)
{
	if (fflush(f) == 0 && !ferror(f))
		return 0;
	return errno ? -errno : -EIO;
}

int output_flush(void)
{
	return finish(stdout);
}

int output_document(const json_t *doc, bool as_json, view_fn view)
{
	struct text text;

	errno = 0;
	if (!as_json) {
		text_init(&text, stdout);
		view(doc, &text);
		return finish(stdout);
	}
	if (json_dumpf(doc, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(15)) < 0)
		return errno ? -errno : -EIO;
	putc('\n', stdout);
	return finish(stdout);
}

static int put_stdout(const char *text, size_t len, void *unused _unused_)
{
	errno = 0;
	if (fwrite(text, 1, len, stdout) == len)
		return 0;
	return errno ? -errno : -EIO;
}

int output_large_document(const json_t *doc, bool as_json, view_fn view,
			  const struct output_blocks *blocks)
{
	int r;

	if (!as_json)
		return output_document(doc, false, view);
	r = output_dump(doc, blocks, put_stdout, NULL);
	errno = 0;
	return r < 0 ? r : finish(stdout);
}
