/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file keeps our drop-in for Debian's grub-mkconfig: it writes it from the books, and the books
 * from it when they are lost. */
#include <errno.h>

#include "change/boot/bootparam.h"
#include "change/boot/dropin.h"
#include "change/change.h"
#include "machine/source/cmdline.h"

#define FIRST_WORDS "# Written by lpartune"
#define HEAD FIRST_WORDS "; `lpartune revert` takes it back.\n"
#define VALUE                           \
	"GRUB_CMDLINE_LINUX_DEFAULT=\"" \
	"${GRUB_CMDLINE_LINUX_DEFAULT:+$GRUB_CMDLINE_LINUX_DEFAULT }"

static bool is_kept(const json_t *entry, const struct tunable **ret, const char **ret_token)
{
	const char *id = json_string_value(json_object_get(entry, "tunable"));
	const char *to = json_string_value(json_object_get(entry, "to"));

	*ret = id ? tunable_find(id) : NULL;
	*ret_token = to ? bootparam_token(to) : NULL;
	return *ret && *ret_token && (*ret)->where == WHERE_CMDLINE &&
	       json_is_true(json_object_get(entry, "ours"));
}

/* The drop-in's one line, from the books. `*ret` is NULL if there is nothing in it. */
static int render(const struct books *books, char **ret)
{
	char *text = NULL;
	const json_t *entry;
	size_t size, i, count = 0;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return -ENOMEM;
	fputs(HEAD VALUE, f);
	json_array_foreach (json_object_get(books->state, "settings"), i, entry) {
		const struct tunable *t;
		const char *token;

		if (is_kept(entry, &t, &token))
			fprintf(f, "%s%s%s%s", count++ ? " " : "", t->name, *token ? "=" : "",
				token);
	}
	fputs("\"\n", f);
	if (fclose(f)) {
		free(text);
		return -ENOMEM;
	}
	if (!count) {
		free(text);
		text = NULL;
	}
	*ret = text;
	return 0;
}

int bootparam_grubd_text(struct root *root, const struct books *books, char **ret)
{
	const char *why;

	*ret = NULL;
	return bootparam_detect(root, &why) == LOADER_GRUBD ? render(books, ret) : 0;
}

int bootparam_plan_grubd(struct change *change, bool force)
{
	_cleanup_free_ char *content = NULL;
	bool is_revert = change->loader.wish[0].is_revert;
	bool known = books_file(&change->books, BOOTPARAM_DROPIN) != NULL;
	size_t before = change->steps.count;
	int r = render(&change->future, &content);

	/* A file of that name which is not as we would write it is somebody's work. */
	if (r == 0 && content && !known && !force &&
	    root_exists(change->root, BOOTPARAM_DROPIN) == 0)
		r = -ESTALE;
	if (r == 0)
		r = dropin_plan_file(change, BOOTPARAM_DROPIN, content, force);
	if (r < 0)
		return bootparam_blame(&change->loader, BOOTPARAM_DROPIN, r);
	if (is_revert && change->steps.count == before)
		return 0;
	return bootparam_plan_generated(change);
}

/* The parameters of a drop-in that is word for word as we write it. */
static int parameters_of(const struct image *image, struct span *ret)
{
	static const char start[] = HEAD VALUE, end[] = "\"\n";
	size_t head = strlen(start), tail = strlen(end);

	if (image->len < head + tail || memcmp(image->data, start, head) != 0 ||
	    strcmp(image->data + image->len - tail, end) != 0)
		return -EINVAL;
	*ret = (struct span) { image->data + head, image->len - head - tail };
	return ret->len && !memchr(ret->text, '"', ret->len) ? 0 : -EINVAL;
}

/* One parameter as a setting. -EINVAL: this version does not know it. */
static int add_setting(struct span parameter, struct settings *settings)
{
	_cleanup_free_ char *to = NULL;
	struct span name, value;
	const struct tunable *t;
	char id[128];
	int len;

	cmdline_split(parameter, &name, &value);
	len = snprintf(id, sizeof(id), "cmdline:%.*s", (int)name.len, name.text);
	t = len < (int)sizeof(id) ? tunable_find(id) : NULL;
	to = value.len ? span_dup(value) : strdup("present");
	if (!to)
		return -ENOMEM;
	if (!t || tunable_check(t, to) < 0)
		return -EINVAL;
	return settings_add(settings, t, NULL, to, NULL, "found in " BOOTPARAM_DROPIN);
}

static int enter(struct change *change, struct books *books, const struct settings *settings,
		 const struct image *now)
{
	struct step written = { .path = (char *)BOOTPARAM_DROPIN, .thread = -1, .after = *now };
	const struct steps steps = { .step = &written, .count = 1 };
	int r = books_enter_steps(books, &steps);

	for (size_t i = 0; r == 0 && i < settings->count; i++)
		if (!books_setting(books, settings->list[i].tunable->id))
			r = books_enter(change->root, books, &settings->list[i], true);
	return r;
}

int bootparam_adopt(struct change *change)
{
	_cleanup_settings_ struct settings settings = { 0 };
	_cleanup_image_ struct image now = { 0 };
	struct span rest, parameter;
	const char *why;
	int r;

	if (books_file(&change->books, BOOTPARAM_DROPIN) ||
	    bootparam_detect(change->root, &why) != LOADER_GRUBD)
		return 0;
	r = write_read(change->root, BOOTPARAM_DROPIN, &now);
	if (r < 0 || !now.exists || parameters_of(&now, &rest) < 0)
		return r == -EACCES ? 0 : r;
	while (r == 0 && cmdline_next(&rest, &parameter))
		r = add_setting(parameter, &settings);
	if (r == 0)
		r = enter(change, &change->books, &settings, &now);
	if (r == 0)
		r = enter(change, &change->future, &settings, &now);
	return r == -EINVAL ? 0 : r;
}
