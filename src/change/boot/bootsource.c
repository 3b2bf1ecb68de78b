/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file reads what the entries of new kernels come from; it writes none of it. */
#include "change/boot/bootsource.h"

#include <ctype.h>
#include <errno.h>

#include "change/boot/bootline.h"
#include "machine/source/cmdline.h"

#define KERNEL_CMDLINE "etc/kernel/cmdline"
#define GRUBD_DIR "etc/default/grub.d"

/* A file that the command lines of new kernels come from; the value of a second variable stands
 * behind that of the first. */
struct source {
	const char *path;
	enum bootedit kind[2];
	size_t kinds;
	bool is_optional; /* counts only if there is a command line in it */
};

static const struct source grubby_sources[] = {
	{ .path = GRUBENV, .kind = { BOOTEDIT_GRUBENV }, .kinds = 1, .is_optional = true },
	{ .path = BOOTPARAM_DEFAULTS, .kind = { BOOTEDIT_LINUX, BOOTEDIT_DEFAULT }, .kinds = 2 },
	{ .path = KERNEL_CMDLINE, .kind = { BOOTEDIT_PLAIN }, .kinds = 1 },
};
static const struct source suse_sources[] = {
	{ .path = BOOTPARAM_DEFAULTS, .kind = { BOOTEDIT_LINUX, BOOTEDIT_DEFAULT }, .kinds = 2 },
};

void boot_claim_done(struct boot_claim *claim)
{
	free(claim->place);
	free(claim->token);
	*claim = (struct boot_claim) { 0 };
}

/* What only the shell can tell is no value that could be compared. */
static bool is_plain(struct span value)
{
	return !value.len ||
	       (!memchr(value.text, '$', value.len) && !memchr(value.text, '`', value.len) &&
		!memchr(value.text, '\\', value.len));
}

/* Line 0: the file has but one. */
static int set_claim(struct boot_claim *claim, const char *path, unsigned int line,
		     const struct span *value)
{
	int len;

	boot_claim_done(claim);
	len = line ? asprintf(&claim->place, "/%s:%u", path, line)
		   : asprintf(&claim->place, "/%s", path);
	if (len < 0)
		claim->place = NULL;
	claim->token = value ? span_dup(*value) : NULL;
	return claim->place && (!value || claim->token) ? 0 : -ENOMEM;
}

static int find_in_source(struct root *root, const struct source *source, const char *name,
			  struct boot_claim *ret)
{
	_cleanup_content_ struct content c = { 0 };
	struct span text, part, value;
	int r = root_read(root, &c, "%s", source->path);

	if (r < 0)
		return r == -ENOENT ? 0 : r;
	text = content_span(&c);
	for (size_t i = 0; i < source->kinds; i++) {
		r = bootedit_find(source->kind[i], text, &part);
		if (r == 0 && cmdline_get(part, name, &value))
			r = set_claim(ret, source->path, 0, &value);
		else if ((r == -EBADMSG || r == -ENOTUNIQ) &&
			 bootedit_names(source->kind[i], text, name))
			return set_claim(ret, source->path, 0, NULL);
		if (r == -ENOMEM)
			return r;
	}
	return 0;
}

/* Does one have it? What we cannot read as the shell does is believed if it names the parameter. */
static int source_has(struct root *root, const struct source *source, const char *name,
		      const char *token)
{
	_cleanup_boot_claim_ struct boot_claim claim = { 0 };
	_cleanup_content_ struct content c = { 0 };
	struct span part;
	int r = root_read(root, &c, "%s", source->path);

	if (r < 0)
		return r == -ENOENT ? 1 : r;
	if (source->is_optional &&
	    bootedit_find(source->kind[0], content_span(&c), &part) == -ENOENT)
		return 1;
	r = find_in_source(root, source, name, &claim);
	if (r < 0)
		return r;
	if (!claim.place || !token)
		return !claim.place && !token;
	return !claim.token || streq(claim.token, token);
}

/* Reading Debian's files: what follows GRUB_CMDLINE_LINUX_DEFAULT is put behind what follows
 * GRUB_CMDLINE_LINUX. */
struct shell {
	const char *name, *path;
	unsigned int line;
	struct boot_claim every, normal;
};

/* Up to a '#' outside of quotes. */
static struct span without_comment(struct span line)
{
	char quote = '\0';

	for (size_t i = 0; i < line.len; i++) {
		char c = line.text[i];

		if (c == '#' && !quote && (i == 0 || isspace((unsigned char)line.text[i - 1])))
			return (struct span) { line.text, i };
		if (c == quote)
			quote = '\0';
		else if (!quote && (c == '"' || c == '\''))
			quote = c;
	}
	return line;
}

/* "VARIABLE=", and nothing of what the variable had before goes into it. */
static bool begins_anew(struct span line, const char *variable)
{
	struct span rest, word = span_trim(line);
	size_t len = strlen(variable);

	if (span_starts(word, "export "))
		word = span_trim((struct span) { word.text + 7, word.len - 7 });
	if (!span_starts(word, variable) || word.len <= len || word.text[len] != '=')
		return false;
	rest = (struct span) { word.text + len, word.len - len };
	return !span_has(rest, variable);
}

static bool next_word(struct span *rest, struct span *word)
{
	const char *ends = "\"';}() \t\r`";

	while (rest->len && strchr(ends, rest->text[0])) {
		rest->text++;
		rest->len--;
	}
	word->text = rest->text;
	word->len = 0;
	while (word->len < rest->len && !strchr(ends, rest->text[word->len]))
		word->len++;
	rest->text += word->len;
	rest->len -= word->len;
	return word->len;
}

/* NAME=VALUE, or VARIABLE=NAME=VALUE without quotes. */
static int take_word(struct shell *shell, struct span word, struct boot_claim *claim)
{
	struct span key, value;

	cmdline_split(word, &key, &value);
	if (span_starts(key, "GRUB_CMDLINE_LINUX") && value.len)
		cmdline_split(value, &key, &value);
	if (!cmdline_same_name(key, span_of(shell->name)))
		return 0;
	return set_claim(claim, shell->path, shell->line, is_plain(value) ? &value : NULL);
}

static int take_line(struct span text, void *arg)
{
	struct shell *shell = arg;
	struct span line = without_comment(text), word;
	const char *variable = bootedit_variable(BOOTEDIT_DEFAULT);
	struct boot_claim *claim = &shell->normal;
	int r = 0;

	if (!span_has(line, variable) && span_has(line, bootedit_variable(BOOTEDIT_LINUX))) {
		variable = bootedit_variable(BOOTEDIT_LINUX);
		claim = &shell->every;
	}
	shell->line++;
	if (begins_anew(line, variable))
		boot_claim_done(claim);
	while (r == 0 && next_word(&line, &word))
		r = take_word(shell, word, claim);
	return r;
}

static int take_file(struct root *root, struct shell *shell, const char *path)
{
	int r;

	shell->path = path;
	shell->line = 0;
	r = root_each_line(root, take_line, shell, "%s", path);
	return r < 0 && r != -ENOENT ? r : 0;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* /etc/default/grub.d/?*.cfg, as the shell sorts them. */
static int take_directory(struct root *root, struct shell *shell)
{
	_cleanup_names_ struct names names = { 0 };
	int r = root_list(root, &names, GRUBD_DIR);

	if (r < 0)
		return r == -ENOMEM ? r : 0;
	if (names.count)
		qsort(names.name, names.count, sizeof(*names.name), compare);
	for (size_t i = 0; i < names.count && r >= 0; i++) {
		const char *dot = strrchr(names.name[i], '.');
		char path[512];

		snprintf(path, sizeof(path), GRUBD_DIR "/%s", names.name[i]);
		if (dot && streq(dot, ".cfg") && names.name[i][0] != '.')
			r = take_file(root, shell, path);
	}
	return r < 0 ? r : 0;
}

/* `path`: only this file. */
static int find_in_shell(struct root *root, const char *path, const char *name,
			 struct boot_claim *ret)
{
	struct shell shell = { .name = name };
	int r = take_file(root, &shell, path ? path : BOOTPARAM_DEFAULTS);

	if (r == 0 && !path)
		r = take_directory(root, &shell);
	if (r == 0) {
		struct boot_claim *last = shell.normal.place ? &shell.normal : &shell.every;

		*ret = *last;
		*last = (struct boot_claim) { 0 };
	}
	boot_claim_done(&shell.every);
	boot_claim_done(&shell.normal);
	return r;
}

/* Of what is to be absent only our own file is asked whether it is gone. */
static int grubd_has(struct root *root, const char *name, const char *token)
{
	_cleanup_boot_claim_ struct boot_claim claim = { 0 };
	int r = find_in_shell(root, token ? NULL : BOOTPARAM_DROPIN, name, &claim);

	if (r < 0)
		return r;
	if (!claim.place || !token)
		return !claim.place && !token;
	return !claim.token || streq(claim.token, token);
}

int bootsource_have(struct root *root, enum loader_kind kind, const char *name, const char *token,
		    const char **ret_path)
{
	const struct source *sources = kind == LOADER_SUSE ? suse_sources : grubby_sources;
	size_t count = kind == LOADER_SUSE ? ARRAY_SIZE(suse_sources) : ARRAY_SIZE(grubby_sources);
	int r = 1;

	if (kind == LOADER_GRUBD) {
		*ret_path = BOOTPARAM_DROPIN;
		return grubd_has(root, name, token);
	}
	for (size_t i = 0; kind != LOADER_UNKNOWN && i < count && r > 0; i++) {
		*ret_path = sources[i].path;
		r = source_has(root, &sources[i], name, token);
	}
	return r;
}

int bootsource_find(struct root *root, enum loader_kind kind, const char *path, const char *name,
		    struct boot_claim *ret)
{
	if (kind == LOADER_GRUBD)
		return find_in_shell(root, NULL, name, ret);
	for (size_t i = 0; kind != LOADER_UNKNOWN && i < ARRAY_SIZE(grubby_sources); i++)
		if (streq(grubby_sources[i].path, path ? path : BOOTPARAM_DEFAULTS))
			return find_in_source(root, &grubby_sources[i], name, ret);
	return 0;
}
