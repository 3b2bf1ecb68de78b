/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file reads what the boot loader is configured to boot; it changes nothing. */
#include "change/boot/cmdlines.h"

#include <ctype.h>
#include <errno.h>

#include "machine/source/cmdline.h"

static void entry_done(struct cmdline_entry *entry)
{
	free(entry->file);
	free(entry->image);
	free(entry->line);
}

void cmdlines_done(struct cmdlines *cmdlines)
{
	for (size_t i = 0; i < cmdlines->count; i++)
		entry_done(&cmdlines->entry[i]);
	free(cmdlines->entry);
	*cmdlines = (struct cmdlines) { 0 };
}

/* Takes over what the entry holds. */
static int add_entry(struct cmdlines *cmdlines, struct cmdline_entry entry)
{
	struct cmdline_entry *grown = reallocarray(cmdlines->entry, cmdlines->count + 1,
						   sizeof(*cmdlines->entry));

	if (grown)
		cmdlines->entry = grown;
	if (!grown || !entry.file || !entry.image || !entry.line) {
		entry_done(&entry);
		return -ENOMEM;
	}
	grown[cmdlines->count++] = entry;
	return 0;
}

const char *cmdlines_grub_cfg(struct root *root)
{
	static const char *const paths[] = { "boot/grub2/grub.cfg", "boot/grub/grub.cfg" };

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		if (root_exists(root, "%s", paths[i]) == 0)
			return paths[i];
	return NULL;
}

const struct cmdline_entry *cmdlines_first_normal(const struct cmdlines *cmdlines)
{
	for (size_t i = 0; i < cmdlines->count; i++)
		if (cmdlines->entry[i].kind == ENTRY_NORMAL)
			return &cmdlines->entry[i];
	return NULL;
}

/* What follows the last slash: GRUB names kernels with and without their partition. */
static struct span file_name(struct span path)
{
	const char *slash = path.len ? memrchr(path.text, '/', path.len) : NULL;

	return slash ? (struct span) { slash + 1, path.len - (size_t)(slash + 1 - path.text) }
		     : path;
}

const struct cmdline_entry *cmdlines_of_image(const struct cmdlines *cmdlines, struct span image)
{
	struct span wanted = file_name(image);

	for (size_t i = 0; i < cmdlines->count && wanted.len; i++) {
		struct span name = file_name(span_of(cmdlines->entry[i].image));

		if (name.len == wanted.len && !memcmp(name.text, wanted.text, name.len))
			return &cmdlines->entry[i];
	}
	return NULL;
}

int cmdlines_bls_value(struct span text, const char *key, struct span *ret)
{
	struct span line, rest, word, found = { 0 };
	unsigned int count = 0;

	while (span_line(&text, &line)) {
		const char *end = line.text + line.len;

		rest = line;
		/* A key without even a blank behind it has no place for a value. */
		if (!span_word(&rest, &word) || !span_is(word, key) || word.text + word.len == end)
			continue;
		found.text = word.text + word.len + 1;
		found.len = (size_t)(end - found.text);
		count++;
	}
	if (count != 1)
		return count ? -ENOTUNIQ : -ENODATA;
	*ret = found;
	return 0;
}

/* "MACHINE-0123456-VERSION": boom puts the first digits of its own id between the two. */
static bool is_of_boom(const char *name)
{
	const char *id = strchr(name, '-');
	size_t digits = id ? strspn(id + 1, "0123456789abcdef") : 0;

	return digits >= 7 && id[1 + digits] == '-';
}

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text);

	return len >= strlen(end) && streq(text + len - strlen(end), end);
}

enum entry_kind cmdlines_kind_of_bls(const char *name, struct span text)
{
	struct span options = { "", 0 };

	if (ends_with(name, "-rescue.conf") || strstr(name, "-0-rescue-"))
		return ENTRY_RESCUE;
	(void)cmdlines_bls_value(text, "options", &options);
	if (starts_with(name, "ostree-") || is_of_boom(name) ||
	    cmdline_get(options, "ostree", NULL))
		return ENTRY_FOREIGN;
	return ENTRY_NORMAL;
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

bool cmdlines_has_variable(struct span options, const char *name)
{
	struct span word;

	while (span_word(&options, &word))
		if (span_is(variable_of(word), name))
			return true;
	return false;
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

/* A file as it is, or as a planned step will leave it. */
static int read_text(struct root *root, const struct steps *planned, const char *path,
		     struct content *ret)
{
	for (size_t i = planned ? planned->count : 0; i-- > 0;) {
		const struct step *step = &planned->step[i];

		if (step->tunable || !streq(step->path, path) || !step->after.exists)
			continue;
		ret->text = span_dup((struct span) { step->after.data, step->after.len });
		ret->len = step->after.len;
		return ret->text ? 0 : -ENOMEM;
	}
	return root_read(root, ret, "%s", path);
}

/* Something else than a kernel, such as a chained loader. */
static bool is_no_kernel(struct span text)
{
	struct span value;

	return cmdlines_bls_value(text, "linux", &value) == -ENODATA &&
	       (cmdlines_bls_value(text, "options", &value) == -ENODATA ||
		cmdlines_bls_value(text, "efi", &value) == 0 ||
		cmdlines_bls_value(text, "uki", &value) == 0);
}

static int add_bls_entry(const char *name, struct span text, struct span grubenv,
			 struct cmdlines *cmdlines)
{
	struct cmdline_entry entry = { .kind = cmdlines_kind_of_bls(name, text) };
	struct span options = { "", 0 }, image = { "", 0 }, ignored;

	if (is_no_kernel(text))
		return 0;
	(void)cmdlines_bls_value(text, "linux", &image);
	entry.error = cmdlines_bls_value(text, "options", &options);
	if (cmdlines_has_variable(options, "kernelopts") &&
	    cmdlines_grubenv(grubenv, "kernelopts", &ignored) < 0)
		entry.error = -ENOKEY;
	entry.image = span_dup(span_trim(image));
	entry.line = expand(options, grubenv);
	if (asprintf(&entry.file, BLS_DIR "/%s", name) < 0)
		entry.file = NULL;
	return add_entry(cmdlines, entry);
}

/* What is no file, or a link to nothing, is no entry for GRUB either. */
static bool is_no_file(int error)
{
	return error == -ENOENT || error == -EISDIR || error == -ELOOP || error == -EINVAL;
}

static int read_bls(struct root *root, const struct steps *planned, struct cmdlines *cmdlines)
{
	_cleanup_names_ struct names names = { 0 };
	_cleanup_content_ struct content env = { 0 };
	int r = root_list(root, &names, BLS_DIR);

	if (r < 0)
		return r == -ENOENT || r == -ENOTDIR ? 0 : r;
	(void)read_text(root, planned, GRUBENV, &env);
	for (size_t i = 0; i < names.count; i++) {
		_cleanup_content_ struct content c = { 0 };
		char path[512];

		if (!ends_with(names.name[i], ".conf"))
			continue;
		snprintf(path, sizeof(path), BLS_DIR "/%s", names.name[i]);
		r = read_text(root, planned, path, &c);
		if (is_no_file(r))
			continue;
		if (r == 0)
			r = add_bls_entry(names.name[i], content_span(&c), content_span(&env),
					  cmdlines);
		if (r < 0)
			return r;
	}
	return 0;
}

/* Reading a grub.cfg: which script made what we read, and which menu entry are we in? */
struct menu {
	struct cmdlines *cmdlines;
	const char *file;
	bool is_foreign; /* a part that does not come from the defaults */
	bool has_blscfg; /* its entries are those of the boot loader specification */
	enum entry_kind kind;
};

/* "### BEGIN /etc/grub.d/10_linux ###": the scripts that write entries from the defaults are named
 * for Linux (10_linux, 20_linux_xen, 10_linux_zfs). */
static void take_section(struct menu *menu, struct span text)
{
	struct span word;

	if (!span_word(&text, &word) || !span_word(&text, &word))
		return;
	if (span_is(word, "END"))
		menu->is_foreign = false;
	else if (span_is(word, "BEGIN") && span_word(&text, &word))
		menu->is_foreign = !span_has(file_name(word), "linux");
}

/* Titles are translated, the ids behind them are not. */
static enum entry_kind kind_of_title(const struct menu *menu, struct span title)
{
	static const char *const rescue[] = { "recovery mode", "-recovery-", "-0-rescue-",
					      "(rescue" };

	for (size_t i = 0; i < ARRAY_SIZE(rescue); i++)
		if (span_has(title, rescue[i]))
			return ENTRY_RESCUE;
	return menu->is_foreign ? ENTRY_FOREIGN : ENTRY_NORMAL;
}

/* "linux PATH ARGS": the arguments are what the kernel gets. */
static int take_menu_line(struct span text, void *arg)
{
	static const char *const commands[] = { "linux", "linux16", "linuxefi" };
	struct menu *menu = arg;
	struct span line = span_trim(text), rest = line, word;

	if (!span_word(&rest, &word))
		return 0;
	if (span_is(word, "###"))
		take_section(menu, line);
	menu->has_blscfg |= span_is(word, "blscfg");
	if (span_is(word, "menuentry"))
		menu->kind = kind_of_title(menu, rest);
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (span_is(word, commands[i]) && span_word(&rest, &word))
			return add_entry(menu->cmdlines, (struct cmdline_entry) {
								 .file = strdup(menu->file),
								 .kind = menu->kind,
								 .image = span_dup(word),
								 .line = span_dup(span_trim(rest)),
								 .is_generated = true,
							 });
	return 0;
}

/* 1 if it has entries of its own, 0 if they are elsewhere. */
static int read_menu(struct root *root, struct cmdlines *cmdlines)
{
	struct menu menu = { .cmdlines = cmdlines, .file = cmdlines_grub_cfg(root) };
	int r = menu.file ? root_each_line(root, take_menu_line, &menu, "%s", menu.file) : 0;

	return r < 0 ? r : cmdlines->count && !menu.has_blscfg;
}

int cmdlines_read(struct root *root, const struct steps *planned, struct cmdlines *ret)
{
	_cleanup_cmdlines_ struct cmdlines cmdlines = { 0 };
	int r = read_menu(root, &cmdlines);

	if (r == 0) {
		cmdlines_done(&cmdlines);
		r = read_bls(root, planned, &cmdlines);
	}
	if (r < 0)
		return r;
	*ret = cmdlines;
	cmdlines = (struct cmdlines) { 0 };
	return 0;
}
