/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file runs the loader's tool and believes only what it reads afterwards. */
#include <errno.h>

#include "change/boot/bootline.h"
#include "change/boot/bootparam.h"
#include "change/boot/snapshot.h"
#include "change/boot/tokens.h"
#include "change/boot/tool.h"
#include "machine/source/cmdline.h"

/* What a run needs to know. */
struct run {
	struct root *root;
	int lock;
	struct loader *loader;
};

static int run_tool(const struct run *run, const char *const *argv)
{
	run->loader->tool = argv[0];
	return tool_run(argv, run->lock);
}

static int run_grubby_with(const struct run *run, const char *option, const char *name,
			   const char *token)
{
	_cleanup_free_ char *text = NULL;
	const char *argv[] = { "grubby", "--update-kernel=ALL", NULL, NULL };

	if (asprintf(&text, "--%s=%s%s%s", option, name, *token ? "=" : "", token) < 0)
		return -ENOMEM;
	argv[2] = text;
	return run_tool(run, argv);
}

/* Has an entry before this one the same value of the parameter? */
static bool is_repeated(const struct cmdlines *lines, size_t i, const char *name, struct span value)
{
	struct span other;

	for (size_t k = 0; k < i; k++)
		if (lines->entry[k].kind == ENTRY_NORMAL &&
		    cmdline_get(span_of(lines->entry[k].line), name, &other) &&
		    other.len == value.len && !memcmp(other.text, value.text, value.len))
			return true;
	return false;
}

/* Other values go by value, each of them: a bare name would take every instance. */
static int remove_others(const struct run *run, const struct boot_wish *wish)
{
	const struct cmdlines *before = &run->loader->before;
	int r = 0;

	for (size_t i = 0; i < before->count && r == 0; i++) {
		_cleanup_free_ char *old = NULL;
		struct span value;

		if (before->entry[i].kind != ENTRY_NORMAL ||
		    !cmdline_get(span_of(before->entry[i].line), wish->name, &value) ||
		    (wish->token && span_is(value, wish->token)) ||
		    is_repeated(before, i, wish->name, value))
			continue;
		old = span_dup(value);
		r = old ? run_grubby_with(run, "remove-args", wish->name, old) : -ENOMEM;
	}
	return r;
}

static int run_grubby(const struct run *run)
{
	int r = 0;

	for (size_t i = 0; i < run->loader->count && r == 0; i++) {
		const struct boot_wish *wish = &run->loader->wish[i];

		r = remove_others(run, wish);
		if (r == 0 && wish->token)
			r = run_grubby_with(run, "args", wish->name, wish->token);
	}
	return r;
}

static int run_suse(const struct run *run)
{
	static const char *const refresh[] = { "update-bootloader", "--refresh", NULL };
	static const char *const mkconfig[] = { "grub2-mkconfig", "-o", "/boot/grub2/grub.cfg",
						NULL };

	return run_tool(run, tool_exists(run->root, "update-bootloader") ? refresh : mkconfig);
}

static int run_loader(const struct run *run)
{
	static const char *const update_grub[] = { "update-grub", NULL };

	switch (run->loader->kind) {
	case LOADER_GRUBBY:
		return run_grubby(run);
	case LOADER_GRUBD:
		return run_tool(run, update_grub);
	case LOADER_SUSE:
		return run_suse(run);
	default:
		return -EOPNOTSUPP;
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

/* grubby puts a new value at the end, not in the old one's place: ours may have moved. 1, 0, -ENOMEM. */
static int same_of_ours(const char *now, const char *wanted, const struct boot_wish *wish)
{
	_cleanup_free_ char *a = only(now, wish->name);
	_cleanup_free_ char *b = only(wanted, wish->name);

	return a && b ? streq(a, b) : -ENOMEM;
}

static int same_of_others(const char *now, const char *wanted, const struct loader *loader)
{
	_cleanup_free_ char *rest_now = without_ours(now, loader);
	_cleanup_free_ char *rest_wanted = without_ours(wanted, loader);

	return rest_now && rest_wanted ? bootline_same_but(rest_now, rest_wanted, "") : -ENOMEM;
}

static int is_as_wanted(const char *now, const char *wanted, const struct loader *loader)
{
	int r = same_of_others(now, wanted, loader);

	for (size_t i = 0; i < loader->count && r > 0; i++)
		r = same_of_ours(now, wanted, &loader->wish[i]);
	return r;
}

/* Is ours gone from an entry, unless what it was made from has the same? */
static int is_gone(const struct run *run, const char *now, const struct boot_wish *wish)
{
	if (!wish->token || !bootline_has(span_of(now), wish->name, wish->token))
		return 1;
	return bootparam_source_has(run->root, run->loader->kind, wish->name, wish->token);
}

/* An entry made by the tool: where the parameter stood before, ours is added behind it. */
static int is_generated_so(const struct run *run, const char *now, const char *before,
			   const char *wanted)
{
	const struct loader *loader = run->loader;
	int r = same_of_others(now, wanted, loader);

	for (size_t i = 0; i < loader->count && r > 0; i++) {
		const struct boot_wish *wish = &loader->wish[i];

		if (wish->is_revert)
			r = is_gone(run, now, wish);
		else if (wish->token && bootline_count(span_of(before), wish->name))
			r = bootline_has(span_of(now), wish->name, wish->token);
		else
			r = same_of_ours(now, wanted, wish);
	}
	return r;
}

int bootparam_make_menu(struct root *root, int lock, const char **ret_tool)
{
	const char *why;
	struct loader loader = { .kind = bootparam_detect(root, &why) };
	const struct run run = { .root = root, .lock = lock, .loader = &loader };
	bool has_menu = loader.kind == LOADER_GRUBD || loader.kind == LOADER_SUSE;
	int r = has_menu && root_is_live(root) ? run_loader(&run) : -EOPNOTSUPP;

	*ret_tool = loader.kind == LOADER_GRUBD ? "update-grub" : "update-bootloader --refresh";
	return r;
}

size_t bootparam_places(const char *path, enum bootedit kind[2])
{
	if (streq(path, BOOTPARAM_DEFAULTS)) {
		kind[0] = BOOTEDIT_LINUX;
		kind[1] = BOOTEDIT_DEFAULT;
		return 2;
	}
	kind[0] = starts_with(path, BLS_DIR) ? BOOTEDIT_BLS
		  : streq(path, GRUBENV)     ? BOOTEDIT_GRUBENV
					     : BOOTEDIT_PLAIN;
	return 1;
}

/* What stands around the command line of an entry is none of the tool's business. */
static bool same_around(struct span a, struct span in_a, struct span b, struct span in_b)
{
	size_t head_a = (size_t)(in_a.text - a.text), head_b = (size_t)(in_b.text - b.text);
	size_t tail_a = a.len - head_a - in_a.len, tail_b = b.len - head_b - in_b.len;

	return head_a == head_b && tail_a == tail_b && !memcmp(a.text, b.text, head_a) &&
	       !memcmp(in_a.text + in_a.len, in_b.text + in_b.len, tail_a);
}

static int is_place_as_wanted(enum bootedit kind, const struct image *now,
			      const struct image *wanted, const struct loader *loader)
{
	struct span a = { now->data, now->len }, b = { wanted->data, wanted->len }, in_a, in_b;
	_cleanup_free_ char *line_a = NULL, *line_b = NULL;
	int ra = bootedit_find(kind, a, &in_a), rb = bootedit_find(kind, b, &in_b);

	if (ra < 0 || rb < 0)
		return ra == rb;
	if (kind == BOOTEDIT_BLS && !same_around(a, in_a, b, in_b))
		return 0;
	line_a = span_dup(in_a);
	line_b = span_dup(in_b);
	return line_a && line_b ? is_as_wanted(line_a, line_b, loader) : -ENOMEM;
}

static int is_file_as_wanted(const struct step *step, const struct image *now,
			     const struct loader *loader)
{
	enum bootedit kind[2];
	size_t kinds = bootparam_places(step->path, kind);
	int r = now->exists;

	for (size_t i = 0; i < kinds && r > 0; i++)
		r = is_place_as_wanted(kind[i], now, &step->after, loader);
	return r;
}

/*
 * A file after the tool. One that it passed over (versions differ in which they know) gets our own
 * edit, if it did the others; foreign entries get their bytes back. Returns 1 if the tool did it.
 */
static int settle(const struct run *run, struct step *step, bool tool_works)
{
	_cleanup_image_ struct image now = { 0 };
	const struct image *to = NULL;
	int r = write_read(run->root, step->path, &now);

	if (r < 0)
		return r;
	if (!step->after.exists)
		to = starts_with(step->path, BLS_DIR) ? &step->before : NULL;
	else if ((r = is_file_as_wanted(step, &now, run->loader)) != 0)
		return r;
	else if (image_same(&now, &step->before))
		to = tool_works ? &step->after : NULL;
	else
		return bootparam_blame(run->loader, step->path, -EREMOTEIO);
	return to ? write_image(run->root, step->path, to, to == &step->before) : 0;
}

static int take_after(struct root *root, struct step *step)
{
	image_done(&step->after);
	return write_read(root, step->path, &step->after);
}

static int look_again(const struct run *run, struct steps *steps)
{
	bool tool_works = false;
	int r = 0;

	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < steps->count && r >= 0; i++) {
			r = steps->step[i].by_tool ? settle(run, &steps->step[i], tool_works) : 0;
			tool_works |= r > 0;
		}
	for (size_t i = 0; i < steps->count && r >= 0; i++)
		if (steps->step[i].by_tool)
			r = take_after(run->root, &steps->step[i]);
	return r < 0 ? r : 0;
}

static int is_entry_as_wanted(const struct run *run, size_t i, const char *now)
{
	const struct loader *loader = run->loader;
	const struct cmdline_entry *before = &loader->before.entry[i];
	const struct cmdline_entry *wanted = &loader->wanted.entry[i];

	return before->is_generated && before->kind == ENTRY_NORMAL
		       ? is_generated_so(run, now, before->line, wanted->line)
		       : is_as_wanted(now, wanted->line, loader);
}

/* Every normal entry, of this root or of a snapshot, has exactly our change, all others none. */
static int check_entries(const struct run *run, struct root *entries)
{
	_cleanup_cmdlines_ struct cmdlines now = { 0 };
	struct loader *loader = run->loader;
	int r = cmdlines_read(entries, NULL, &now);

	if (r < 0)
		return r;
	if (now.count != loader->wanted.count)
		return bootparam_blame(loader, now.count ? now.entry[0].file : "boot", -EREMOTEIO);
	for (size_t i = 0; i < now.count; i++) {
		r = is_entry_as_wanted(run, i, now.entry[i].line);
		if (r <= 0)
			return bootparam_blame(loader, now.entry[i].file, r < 0 ? r : -EREMOTEIO);
	}
	return 0;
}

/* Where a snapshot waits for the reboot already, its entries are those that change. */
static int look_at_snapshot(const struct run *run, unsigned int number)
{
	_cleanup_root_ struct root *waiting = NULL;
	struct loader *loader = run->loader;
	int r = snapshot_open(number, &waiting);

	if (r < 0)
		return r == -ENOENT ? 0 : r;
	cmdlines_done(&loader->before);
	cmdlines_done(&loader->wanted);
	r = cmdlines_read(waiting, NULL, &loader->before);
	if (r == 0)
		r = cmdlines_read(waiting, NULL, &loader->wanted);
	return r < 0 ? r : bootparam_make_wanted(loader);
}

/* The new grub.cfg stands in the snapshot that the next boot uses, not in the running one. */
static int run_in_snapshot(const struct run *run)
{
	_cleanup_root_ struct root *next = NULL;
	unsigned int old, now;
	int r = snapshot_next(run->lock, &old);

	run->loader->tool = "transactional-update";
	if (r == 0)
		r = look_at_snapshot(run, old);
	if (r == 0)
		r = snapshot_update(run->root, old, run->lock, &now);
	if (r < 0)
		return r;
	r = snapshot_open(now, &next);
	if (r == 0)
		r = check_entries(run, next);
	if (r < 0)
		(void)snapshot_rollback(old, run->lock);
	return r;
}

int bootparam_finish(struct root *root, int lock, struct loader *loader, struct steps *steps)
{
	const struct run run = { .root = root, .lock = lock, .loader = loader };
	int r = 0;

	if (!loader->count)
		return 0;
	if (loader->run && loader->kind == LOADER_SUSE && snapshot_is_needed(root))
		return run_in_snapshot(&run);
	if (loader->run) {
		r = run_loader(&run);
		if (r == 0)
			r = look_again(&run, steps);
	}
	/* A tree's generated files follow when its owner runs the tool. Bytes that were put back as they
	 * were need no check. */
	if (r == 0 && (loader->run || loader->kind == LOADER_GRUBBY))
		r = check_entries(&run, root);
	return r;
}
