/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file takes names and serial numbers out of captured files, and log lines nobody needs. */
#include <errno.h>
#include <fnmatch.h>

#include "cmd/inspect/capture.h"
#include "machine/fact/machine.h"

/* Values behind a key, in files of "key=value" or "key: value" lines. */
static const struct {
	const char *path; /* fnmatch(3) */
	char separator;
	const char *key, *instead; /* NULL: zeros */
} keys[] = {
	{ "*/lparcfg", '=', "serial_number", NULL },
	{ "*/lparcfg", '=', "partition_name", "lpar01" },
	{ "proc/sysinfo", ':', "Sequence Code", NULL },
	{ "proc/sysinfo", ':', "LPAR Name", "LPAR01" },
	{ "proc/sysinfo", ':', "LPAR Extended Name", "LPAR01" },
	{ "proc/sysinfo", ':', "LPAR UUID", NULL },
	{ "proc/sysinfo", ':', "VM?? Name", "GUEST01" },
	{ "proc/sysinfo", ':', "VM?? Extended Name", "GUEST01" },
	{ "proc/sysinfo", ':', "VM?? UUID", NULL },
};

/* Whole files that are a name or a number. */
static const struct {
	const char *path, *instead; /* NULL: zeros */
} files[] = {
	{ "*/ibm,partition-name", "lpar01" },
	{ "*/system-id", NULL },
	{ "*/host-serial", NULL },
	{ "*/vm,uuid", NULL },
};

/* Large files of which the readers look at a few lines. An empty log is no log to its reader: if no
 * line of it is wanted, the head of one stays, without its text. */
static const struct filter {
	const char *path;
	bool (*wants)(struct span line);
	const char *head_ends; /* characters that end a record's head; NULL: lines have none */
} filters[] = {
	{ "dev/kmsg", kernel_log_wants, ";]" },
	{ "var/log/dmesg", kernel_log_wants, ";]" },
	{ "sos_commands/kernel/dmesg*", kernel_log_wants, ";]" },
	{ "proc/kallsyms", symbols_want, NULL },
	{ "*/System.map*", symbols_want, NULL },
};

static bool fits(const char *pattern, const char *path)
{
	return fnmatch(pattern, path, 0) == 0;
}

static void put_value(FILE *f, struct span value, const char *instead)
{
	if (instead)
		fputs(instead, f);
	for (size_t i = 0; !instead && i < value.len; i++) {
		char c = value.text[i];

		putc(strchr("-,: ", c) || c == '\0' || c == '\n' ? c : '0', f);
	}
}

/* '?' stands for a digit: the levels of virtual machines are numbered. */
static bool key_fits(struct span key, const char *pattern)
{
	if (key.len != strlen(pattern))
		return false;
	for (size_t i = 0; i < key.len; i++)
		if (pattern[i] == '?' ? key.text[i] < '0' || key.text[i] > '9'
				      : key.text[i] != pattern[i])
			return false;
	return true;
}

static void put_line(FILE *f, const char *path, struct span line)
{
	struct span key, value;

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (!fits(keys[i].path, path) ||
		    !span_split(line, keys[i].separator, &key, &value) ||
		    !key_fits(key, keys[i].key) || !value.len)
			continue;
		fwrite(line.text, 1, (size_t)(value.text - line.text), f);
		put_value(f, value, keys[i].instead);
		putc('\n', f);
		return;
	}
	fwrite(line.text, 1, line.len, f);
	putc('\n', f);
}

static bool has_keys(const char *path)
{
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (fits(keys[i].path, path))
			return true;
	return false;
}

typedef void (*rewrite_fn)(FILE *f, const char *path, struct span content);

static int rewrite(const char *path, struct content *content, rewrite_fn fn)
{
	struct content changed = { 0 };
	FILE *f = open_memstream(&changed.text, &changed.len);

	if (!f)
		return -ENOMEM;
	fn(f, path, content_span(content));
	if (fclose(f)) {
		content_done(&changed);
		return -ENOMEM;
	}
	content_done(content);
	*content = changed;
	return 0;
}

static void rewrite_lines(FILE *f, const char *path, struct span rest)
{
	struct span line;

	while (span_line(&rest, &line))
		put_line(f, path, line);
}

static void rewrite_whole(FILE *f, const char *path, struct span content)
{
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		if (fits(files[i].path, path)) {
			put_value(f, content, files[i].instead);
			if (files[i].instead)
				putc('\0', f);
			return;
		}
}

static void put_head(FILE *f, struct span line, const char *ends)
{
	for (size_t i = 0; i < line.len; i++)
		if (line.text[i] && strchr(ends, line.text[i])) {
			fprintf(f, "%.*s\n", (int)i + 1, line.text);
			return;
		}
}

static void keep_lines(FILE *f, const struct filter *filter, struct span rest)
{
	struct span line, last = { 0 };
	bool is_empty = true;

	while (span_line(&rest, &line)) {
		last = line;
		if (!filter->wants(line))
			continue;
		fprintf(f, "%.*s\n", (int)line.len, line.text);
		is_empty = false;
	}
	if (is_empty && filter->head_ends)
		put_head(f, last, filter->head_ends);
}

static void keep_wanted(FILE *f, const char *path, struct span rest)
{
	for (size_t i = 0; i < ARRAY_SIZE(filters); i++)
		if (fits(filters[i].path, path)) {
			keep_lines(f, &filters[i], rest);
			return;
		}
}

int capture_filter(const char *path, struct content *content)
{
	for (size_t i = 0; i < ARRAY_SIZE(filters); i++)
		if (fits(filters[i].path, path))
			return rewrite(path, content, keep_wanted);
	return 0;
}

int capture_redact(const char *path, struct content *content)
{
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		if (fits(files[i].path, path))
			return rewrite(path, content, rewrite_whole);
	return has_keys(path) ? rewrite(path, content, rewrite_lines) : 0;
}
