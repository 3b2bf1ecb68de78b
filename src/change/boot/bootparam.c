/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file knows which loader is installed and whether it has a parameter; it writes nothing. */
#include "change/boot/bootparam.h"

#include <errno.h>

#include "change/boot/bootline.h"
#include "change/boot/bootsource.h"
#include "change/change.h"

static void wish_done(struct boot_wish *wish)
{
	free(wish->name);
	free(wish->token);
	free(wish->told);
	json_decref(wish->kept);
}

void loader_done(struct loader *loader)
{
	for (size_t i = 0; i < loader->count; i++)
		wish_done(&loader->wish[i]);
	free(loader->wish);
	cmdlines_done(&loader->before);
	cmdlines_done(&loader->wanted);
	free(loader->blamed);
	*loader = (struct loader) { 0 };
}

/* Is one of the words in the ID or ID_LIKE of os-release? */
static bool is_like(struct root *root, const char *words)
{
	static const char *const files[] = { "etc/os-release", "usr/lib/os-release" };
	_cleanup_content_ struct content c = { 0 };
	struct span rest, line, key, value, word, wanted;
	int r = -ENOENT;

	for (size_t i = 0; i < ARRAY_SIZE(files) && r < 0; i++)
		r = root_read(root, &c, "%s", files[i]);
	rest = content_span(&c);
	while (r == 0 && span_line(&rest, &line)) {
		if (!span_split(line, '=', &key, &value) ||
		    (!span_is(key, "ID") && !span_is(key, "ID_LIKE")))
			continue;
		if (value.len > 1 && value.text[0] == '"')
			value = (struct span) { value.text + 1, value.len - 2 };
		while (span_word(&value, &word))
			for (wanted = span_of(words); span_word(&wanted, &key);)
				if (key.len == word.len && !memcmp(key.text, word.text, key.len))
					return true;
	}
	return false;
}

/* LOADER_TYPE of SLES: only plain GRUB 2 is known. */
static bool is_suse_grub2(struct root *root)
{
	_cleanup_content_ struct content c = { 0 };
	struct span rest, line, key, value;

	if (root_read(root, &c, "etc/sysconfig/bootloader") < 0)
		return true;
	rest = content_span(&c);
	while (span_line(&rest, &line))
		if (span_split(line, '=', &key, &value) && span_is(key, "LOADER_TYPE"))
			return span_is(value, "\"grub2\"") || span_is(value, "grub2") ||
			       span_is(value, "\"\"");
	return true;
}

enum loader_kind bootparam_detect(struct root *root, const char **ret_why)
{
	if (root_exists(root, "run/ostree-booted") == 0 || root_exists(root, "ostree") == 0) {
		*ret_why = "image mode: use rpm-ostree kargs or bootc";
		return LOADER_UNKNOWN;
	}
	if (root_exists(root, "etc/zipl.conf") == 0) {
		*ret_why = "zipl is not supported";
		return LOADER_UNKNOWN;
	}
	if (root_exists(root, BOOTPARAM_DEFAULTS) == 0) {
		if (is_like(root, "rhel fedora centos"))
			return LOADER_GRUBBY;
		if (is_like(root, "debian ubuntu"))
			return LOADER_GRUBD;
		if (is_like(root, "suse opensuse sles") && is_suse_grub2(root))
			return LOADER_SUSE;
	}
	*ret_why = "the boot loader is not one that lpartune knows";
	return LOADER_UNKNOWN;
}

const char *bootparam_token(const char *setting)
{
	if (streq(setting, "absent"))
		return NULL;
	return streq(setting, "present") ? "" : setting;
}

int bootparam_source_has(struct root *root, enum loader_kind kind, const char *name,
			 const char *token)
{
	const char *path;

	return bootsource_have(root, kind, name, token, &path);
}

int bootparam_is_configured(struct root *root, enum loader_kind kind,
			    const struct cmdlines *cmdlines, const char *name, const char *token,
			    const char **ret_path)
{
	*ret_path = NULL;
	if (!cmdlines_first_normal(cmdlines))
		return 0;
	for (size_t i = 0; i < cmdlines->count; i++) {
		const struct cmdline_entry *entry = &cmdlines->entry[i];

		*ret_path = entry->file;
		if (entry->kind == ENTRY_NORMAL &&
		    (entry->error || !bootline_has(span_of(entry->line), name, token)))
			return 0;
	}
	return bootsource_have(root, kind, name, token, ret_path);
}

static int add_wish(struct loader *loader, const char *name, const char *token, bool is_revert)
{
	struct boot_wish *grown = reallocarray(loader->wish, loader->count + 1,
					       sizeof(*loader->wish));
	struct boot_wish wish = { .is_revert = is_revert };

	if (!grown)
		return -ENOMEM;
	loader->wish = grown;
	wish.name = strdup(name);
	wish.token = token ? strdup(token) : NULL;
	if (!wish.name || (token && !wish.token)) {
		wish_done(&wish);
		return -ENOMEM;
	}
	grown[loader->count++] = wish;
	return 0;
}

int bootparam_wish(struct loader *loader, const char *name, const char *token)
{
	return add_wish(loader, name, token, false);
}

int bootparam_wish_back(struct loader *loader, const char *name, const char *ours)
{
	return add_wish(loader, name, ours, true);
}

bool bootparam_nothing_stays(const struct change *change)
{
	const json_t *entry;
	size_t i;

	json_array_foreach (json_object_get(change->future.state, "settings"), i, entry) {
		const char *id = json_string_value(json_object_get(entry, "tunable"));

		if (id && starts_with(id, "cmdline:") &&
		    json_is_true(json_object_get(entry, "ours")))
			return false;
	}
	return true;
}

const char *bootparam_obstacle(struct root *root, const struct loader *loader)
{
	const struct cmdline_entry *first = cmdlines_first_normal(&loader->before);

	/* A tree's generated entries may be made later; those of grubby are made with the kernels. */
	if (!first && (loader->kind == LOADER_GRUBBY || root_is_live(root)))
		return "there is no boot entry of an installed kernel (is /boot mounted?)";
	if (first && first->is_generated && loader->kind == LOADER_GRUBBY)
		return "the entries of /boot/grub2/grub.cfg are no boot loader specification "
		       "entries (grub2-switch-to-blscfg makes them so)";
	return NULL;
}

int bootparam_blame(struct loader *loader, const char *path, int error)
{
	char *copy = strdup(path);

	if (copy) {
		free(loader->blamed);
		loader->blamed = copy;
	}
	return error;
}

const char *bootparam_reason(const struct loader *loader, int error)
{
	static const struct {
		int error;
		const char *path; /* a part of it; NULL: any */
		const char *reason;
	} rows[] = {
		{ E2BIG, GRUBENV,
		  "its block has 1024 bytes, and kernelopts would not fit: take parameters out "
		  "first" },
		{ E2BIG, NULL,
		  "the command line would be longer than the 2047 bytes that the kernel keeps: "
		  "take parameters out first" },
		{ EBADMSG, BOOTPARAM_DEFAULTS,
		  "the command line is not one assignment in double quotes without $ and ` (nor "
		  "+= or export): write it so, or add the parameter by hand" },
		{ EBADMSG, NULL,
		  "it has comments or bytes among the parameters: add the parameter by hand" },
		{ ENOTUNIQ, BLS_DIR, "it has more than one line 'options': join them into one" },
		{ ENOTUNIQ, NULL, "the command line is assigned more than once: leave one" },
		{ ENODATA, BLS_DIR, "it has no line 'options': add one" },
		{ ENOKEY, NULL,
		  "it says $kernelopts, and grubenv has none: set it there with grub2-editenv" },
		{ EEXIST, NULL,
		  "the parameter stands in GRUB_CMDLINE_LINUX, which recovery entries use too: "
		  "take it out there by hand" },
		{ ECANCELED, NULL,
		  "a variable of grubenv (tuned_params?) would give the parameter another value: "
		  "change it there first" },
		{ EILSEQ, NULL,
		  "its name or its command line is not UTF-8: add the parameter by hand" },
	};

	for (size_t i = 0; loader->blamed && i < ARRAY_SIZE(rows); i++)
		if (rows[i].error == -error &&
		    (!rows[i].path || strstr(loader->blamed, rows[i].path)))
			return rows[i].reason;
	return NULL;
}
