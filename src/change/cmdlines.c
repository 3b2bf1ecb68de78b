/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file reads what the boot loader is configured to boot; it changes nothing. */
#include "change/cmdlines.h"

#include <errno.h>

void cmdlines_done(struct cmdlines *cmdlines)
{
	for (size_t i = 0; i < cmdlines->count; i++) {
		free(cmdlines->entry[i].file);
		free(cmdlines->entry[i].line);
	}
	free(cmdlines->entry);
	*cmdlines = (struct cmdlines) { 0 };
}

/* Takes over `line`. */
static int add_entry(struct cmdlines *cmdlines, const char *file, enum entry_kind kind, char *line)
{
	struct cmdline_entry *grown = reallocarray(cmdlines->entry, cmdlines->count + 1,
						   sizeof(*cmdlines->entry));

	if (!grown || !line) {
		if (grown)
			cmdlines->entry = grown;
		free(line);
		return -ENOMEM;
	}
	cmdlines->entry = grown;
	grown[cmdlines->count] = (struct cmdline_entry) { strdup(file), kind, line };
	cmdlines->count++;
	return grown[cmdlines->count - 1].file ? 0 : -ENOMEM;
}

const char *cmdlines_grub_cfg(struct root *root)
{
	static const char *const paths[] = { "boot/grub2/grub.cfg", "boot/grub/grub.cfg" };

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		if (root_exists(root, "%s", paths[i]) == 0)
			return paths[i];
	return NULL;
}

enum entry_kind cmdlines_kind_of_bls(const char *name, struct span text)
{
	if (strstr(name, "rescue"))
		return ENTRY_RESCUE;
	if (starts_with(name, "ostree") || span_has(text, "/ostree/") || span_has(text, "boom") ||
	    span_has(text, "snapshot"))
		return ENTRY_FOREIGN;
	return ENTRY_NORMAL;
}

int cmdlines_options_of_bls(struct span text, struct span *ret)
{
	struct span line, found = { 0 };
	unsigned int count = 0;

	while (span_line(&text, &line)) {
		if (!span_starts(line, "options") || line.len < 8 ||
		    (line.text[7] != ' ' && line.text[7] != '\t'))
			continue;
		found = (struct span) { line.text + 8, line.len - 8 };
		count++;
	}
	if (count != 1)
		return -ENOENT;
	*ret = found;
	return 0;
}

int cmdlines_grubenv(struct span block, const char *name, struct span *ret)
{
	struct span line, key, value;

	while (span_line(&block, &line))
		if (span_split(line, '=', &key, &value) && span_is(key, name)) {
			*ret = (struct span) { value.text, value.len };
			return 0;
		}
	return -ENOENT;
}

/* The variable that a word is ("$kernelopts", "${kernelopts}"), or an empty span. */
static struct span variable_of(struct span word)
{
	if (word.len > 3 && word.text[0] == '$' && word.text[1] == '{')
		return (struct span) { word.text + 2, word.len - 3 };
	if (word.len > 1 && word.text[0] == '$')
		return (struct span) { word.text + 1, word.len - 1 };
	return (struct span) { word.text, 0 };
}

/* The options with the variables of grubenv put in; an unknown one expands to nothing. */
static char *expand(struct span options, struct span grubenv)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	const char *at = options.text, *end = options.text + options.len;
	struct span rest = options, word;

	if (!f)
		return NULL;
	while (span_word(&rest, &word)) {
		struct span variable = variable_of(word), value = { "", 0 };
		char name[64];

		if (!variable.len)
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)variable.len, variable.text);
		(void)cmdlines_grubenv(grubenv, name, &value);
		fprintf(f, "%.*s%.*s", (int)(word.text - at), at, (int)value.len, value.text);
		at = word.text + word.len;
	}
	fprintf(f, "%.*s", (int)(end - at), at);
	if (fclose(f)) {
		free(text);
		return NULL;
	}
	return text;
}

static int read_bls_entry(struct root *root, const char *name, struct span grubenv,
			  struct cmdlines *cmdlines)
{
	_cleanup_content_ struct content c = { 0 };
	struct span options;
	char file[512];
	int r;

	snprintf(file, sizeof(file), BLS_DIR "/%s", name);
	r = root_read(root, &c, "%s", file);
	if (r < 0)
		return r;
	if (cmdlines_options_of_bls(content_span(&c), &options) < 0)
		return 0;
	return add_entry(cmdlines, file, cmdlines_kind_of_bls(name, content_span(&c)),
			 expand(options, grubenv));
}

static int read_bls(struct root *root, struct cmdlines *cmdlines)
{
	_cleanup_names_ struct names names = { 0 };
	_cleanup_content_ struct content env = { 0 };
	int r = root_list(root, &names, BLS_DIR);

	if (r < 0)
		return r == -ENOENT || r == -ENOTDIR ? 0 : r;
	(void)root_read(root, &env, GRUBENV);
	for (size_t i = 0; i < names.count; i++) {
		const char *dot = strrchr(names.name[i], '.');

		if (!dot || !streq(dot, ".conf"))
			continue;
		r = read_bls_entry(root, names.name[i], content_span(&env), cmdlines);
		if (r < 0)
			return r;
	}
	return 0;
}

/* Reading a grub.cfg: which menu entry are we in? */
struct menu {
	struct cmdlines *cmdlines;
	const char *file;
	enum entry_kind kind;
};

static enum entry_kind kind_of_title(struct span title)
{
	if (span_has(title, "recovery") || span_has(title, "rescue"))
		return ENTRY_RESCUE;
	return span_has(title, "snapshot") ? ENTRY_FOREIGN : ENTRY_NORMAL;
}

/* "linux PATH ARGS": the arguments are what the kernel gets. */
static int take_menu_line(struct span text, void *arg)
{
	static const char *const commands[] = { "linux", "linux16", "linuxefi" };
	struct menu *menu = arg;
	struct span rest = span_trim(text), word;

	if (!span_word(&rest, &word))
		return 0;
	if (span_is(word, "menuentry")) {
		menu->kind = kind_of_title(rest);
		return 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (span_is(word, commands[i]) && span_word(&rest, &word))
			return add_entry(menu->cmdlines, menu->file, menu->kind,
					 span_dup(span_trim(rest)));
	return 0;
}

int cmdlines_read(struct root *root, struct cmdlines *ret)
{
	_cleanup_cmdlines_ struct cmdlines cmdlines = { 0 };
	struct menu menu = { .cmdlines = &cmdlines, .file = cmdlines_grub_cfg(root) };
	int r = read_bls(root, &cmdlines);

	/* With BLS the grub.cfg has no entries of its own. */
	if (r == 0 && !cmdlines.count && menu.file)
		r = root_each_line(root, take_menu_line, &menu, "%s", menu.file);
	if (r < 0)
		return r;
	*ret = cmdlines;
	cmdlines = (struct cmdlines) { 0 };
	return 0;
}
