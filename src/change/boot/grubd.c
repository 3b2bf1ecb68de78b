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

int bootparam_grubd_find(struct change *change, char **ret)
{
	const struct step *known = books_file(&change->books, BOOTPARAM_DROPIN);
	_cleanup_image_ struct image now = { 0 };
	struct span parameters;
	int r = write_read(change->root, BOOTPARAM_DROPIN, &now);

	if (r < 0 || !now.exists || (known && !image_same(&now, &known->after)) ||
	    parameters_of(&now, &parameters) < 0)
		return r == -EACCES ? 0 : r;
	*ret = span_dup(parameters);
	return *ret ? 1 : -ENOMEM;
}

int bootparam_grubd_enter(struct change *change)
{
	_cleanup_image_ struct image now = { 0 };
	struct step written = { .path = (char *)BOOTPARAM_DROPIN, .thread = -1 };
	const struct steps steps = { .step = &written, .count = 1 };
	int r = write_read(change->root, BOOTPARAM_DROPIN, &now);

	written.after = now;
	if (r == 0)
		r = books_enter_steps(&change->books, &steps);
	return r < 0 ? r : books_enter_steps(&change->future, &steps);
}
