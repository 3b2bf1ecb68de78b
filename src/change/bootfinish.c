/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file runs the loader's tool and believes only what it reads afterwards. */
#include <errno.h>

#include "change/bootparam.h"
#include "change/tokens.h"
#include "change/tool.h"
#include "machine/source/cmdline.h"

/* One argument as grubby takes it. */
static char *argument(const char *option, const char *name, const char *token)
{
	char *text;

	return asprintf(&text, "--%s=%s%s%s", option, name, *token ? "=" : "", token) < 0 ? NULL
											  : text;
}

static int run_grubby_with(char *text)
{
	_cleanup_free_ char *owned = text;
	const char *const argv[] = { "grubby", "--update-kernel=ALL", owned, NULL };

	return owned ? tool_run(argv) : -ENOMEM;
}

/* The value that a name has in the entries now, to be taken out by value: a bare name would take
 * every instance. */
static const char *old_token(const struct loader *loader, const char *name, char **ret)
{
	struct span value;

	for (size_t i = 0; i < loader->before.count; i++)
		if (loader->before.entry[i].kind == ENTRY_NORMAL &&
		    cmdline_get(span_of(loader->before.entry[i].line), name, &value)) {
			*ret = span_dup(value);
			return *ret;
		}
	return NULL;
}

static int run_grubby(const struct loader *loader)
{
	int r = 0;

	for (size_t i = 0; i < loader->count && r == 0; i++) {
		const struct boot_wish *wish = &loader->wish[i];
		_cleanup_free_ char *owned = NULL;
		const char *old = wish->ours ? wish->ours : old_token(loader, wish->name, &owned);

		if (old)
			r = run_grubby_with(argument("remove-args", wish->name, old));
		if (r == 0 && wish->value)
			r = run_grubby_with(argument("args", wish->name, wish->value));
	}
	return r;
}

static int run_suse(struct root *root)
{
	static const char *const transactional[] = { "transactional-update", "--continue",
						     "grub.cfg", NULL };
	static const char *const refresh[] = { "update-bootloader", "--refresh", NULL };
	static const char *const mkconfig[] = { "grub2-mkconfig", "-o", "/boot/grub2/grub.cfg",
						NULL };

	if (tool_exists(root, "transactional-update") && access("/usr", W_OK) < 0)
		return tool_run(transactional);
	return tool_run(tool_exists(root, "update-bootloader") ? refresh : mkconfig);
}

static int run_tool(struct root *root, const struct loader *loader)
{
	static const char *const update_grub[] = { "update-grub", NULL };

	switch (loader->kind) {
	case LOADER_GRUBBY:
		return run_grubby(loader);
	case LOADER_GRUBD:
		return tool_run(update_grub);
	case LOADER_SUSE:
		return run_suse(root);
	default:
		return -EOPNOTSUPP;
	}
}

/* The same parameters in the same order; blanks between them do not count. */
static bool same_parameters(const char *a, const char *b)
{
	struct span ra = span_of(a), rb = span_of(b), pa, pb;

	for (;;) {
		bool more_a = cmdline_next(&ra, &pa), more_b = cmdline_next(&rb, &pb);

		if (!more_a || !more_b)
			return more_a == more_b;
		if (pa.len != pb.len || memcmp(pa.text, pb.text, pa.len) != 0)
			return false;
	}
}

/* The line without the parameters that we change. */
static char *without_ours(const char *line, const struct loader *loader)
{
	char *rest = strdup(line);

	for (size_t i = 0; i < loader->count && rest; i++) {
		char *next = tokens_remove_all(span_of(rest), loader->wish[i].name);

		free(rest);
		rest = next;
	}
	return rest;
}

/* Only the parameters of one name, in their order. */
static char *only(const char *line, const char *name)
{
	struct span rest = span_of(line), parameter, key, value;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	while (cmdline_next(&rest, &parameter)) {
		cmdline_split(parameter, &key, &value);
		if (cmdline_same_name(key, span_of(name)))
			fprintf(f, " %s=%.*s", name, (int)value.len, value.text);
	}
	if (fclose(f)) {
		free(text);
		return NULL;
	}
	return text;
}

/* grubby puts a new value at the end, not in the old one's place: ours may have moved, and nothing
 * else may. -ENOMEM, 1, 0. */
static int is_as_wanted(const char *now, const char *wanted, const struct loader *loader)
{
	_cleanup_free_ char *rest_now = without_ours(now, loader);
	_cleanup_free_ char *rest_wanted = without_ours(wanted, loader);
	bool same;

	if (!rest_now || !rest_wanted)
		return -ENOMEM;
	same = same_parameters(rest_now, rest_wanted);
	for (size_t i = 0; i < loader->count && same; i++) {
		_cleanup_free_ char *a = only(now, loader->wish[i].name);
		_cleanup_free_ char *b = only(wanted, loader->wish[i].name);

		if (!a || !b)
			return -ENOMEM;
		same = streq(a, b);
	}
	return same;
}

/* Every normal entry has exactly our change, all others none. */
static int check_entries(struct root *root, const struct loader *loader)
{
	_cleanup_cmdlines_ struct cmdlines now = { 0 };
	int r = cmdlines_read(root, &now);

	if (r < 0)
		return r;
	if (now.count != loader->before.count)
		return -EREMOTEIO;
	for (size_t i = 0; i < now.count; i++) {
		const struct cmdline_entry *before = &loader->before.entry[i];
		_cleanup_free_ char *wanted = before->kind == ENTRY_NORMAL
						      ? bootparam_edit_line(span_of(before->line),
									    loader)
						      : strdup(before->line);

		if (!wanted)
			return -ENOMEM;
		r = is_as_wanted(now.entry[i].line, wanted, loader);
		if (r <= 0)
			return r < 0 ? r : -EREMOTEIO;
	}
	return 0;
}

/* A BLS entry that is not normal and that the tool changed all the same. */
static bool is_foreign(const struct step *step)
{
	const char *name = strrchr(step->path, '/');

	return starts_with(step->path, BLS_DIR) && step->before.exists &&
	       cmdlines_kind_of_bls(name + 1, (struct span) { step->before.data,
							      step->before.len }) != ENTRY_NORMAL;
}

static int look_again(struct root *root, struct steps *steps)
{
	int r = 0;

	for (size_t i = 0; i < steps->count && r == 0; i++) {
		struct step *step = &steps->step[i];

		if (!step->by_tool)
			continue;
		if (is_foreign(step))
			r = write_image(root, step->path, &step->before, true);
		image_done(&step->after);
		if (r == 0)
			r = write_read(root, step->path, &step->after);
	}
	return r;
}

int bootparam_finish(struct root *root, struct loader *loader, struct steps *steps)
{
	int r = 0;

	if (!loader->count)
		return 0;
	if (loader->run) {
		r = run_tool(root, loader);
		if (r == 0)
			r = look_again(root, steps);
	}
	/* A tree's generated files follow when its owner runs the tool. Bytes that were put back as they
	 * were need no check. */
	if (r == 0 &&
	    (loader->run || (loader->kind == LOADER_GRUBBY && !loader->wish[0].is_revert)))
		r = check_entries(root, loader);
	return r;
}
