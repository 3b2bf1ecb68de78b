/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file plans what to apply; it writes nothing. */
#include "change/apply.h"

#include <errno.h>

#include "change/boot/dropin.h"
#include "machine/tunable/origin.h"

static enum change_status status_of_error(int error)
{
	static const struct {
		int error;
		enum change_status status;
	} rows[] = {
		{ EACCES, CHANGE_DENIED },
		{ EROFS, CHANGE_DENIED },
		{ EBUSY, CHANGE_STUCK },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].error == error)
			return rows[i].status;
	return CHANGE_ABSENT;
}

/* Does configuration that is not ours give this value at the next boot anyway? */
static bool comes_by_itself(struct root *root, const struct setting *setting)
{
	_cleanup_origin_claims_ struct origin_claims claims = { 0 };
	const struct origin_claim *winner;

	if (setting->tunable->persist != PERSIST_SYSCTLD ||
	    origin_find(root, setting->tunable, &claims) < 0)
		return false;
	winner = origin_winner(&claims);
	return winner && winner->value && !strstr(winner->where, SYSCTLD_PATH) &&
	       tunable_same(setting->tunable, winner->value, setting->to);
}

/* Does this claim take effect after our file of sysctl.d? tuned does not: it applies /etc once more. */
static bool beats_us(const struct origin_claim *claim)
{
	const char *slash = strrchr(claim->where, '/');

	if (claim->origin == ORIGIN_SAPTUNE)
		return true;
	return claim->origin == ORIGIN_SYSCTL_CONF && claim->at_boot && slash &&
	       strcmp(slash, strrchr(SYSCTLD_PATH, '/')) > 0 && !strstr(claim->where, SYSCTLD_PATH);
}

/* The winner, and all that loses to it. */
static int describe_winner(const struct origin_claims *claims, const struct origin_claim *winner,
			   char **ret)
{
	const char *between = ", over ";
	size_t size;
	FILE *f = open_memstream(ret, &size);

	if (!f)
		return -ENOMEM;
	fprintf(f, "%s %s sets it to %s at the next boot", origin_word(winner->origin),
		winner->where, winner->value);
	for (const struct origin_claim *c = claims->claim; c < winner; c++) {
		if (!c->at_boot)
			continue;
		fprintf(f, "%s%s%s%s%s", between, c->where, c->value ? " (" : "",
			c->value ? c->value : "", c->value ? ")" : "");
		between = ", ";
	}
	if (!fclose(f))
		return 1;
	free(*ret);
	*ret = NULL;
	return -ENOMEM;
}

int change_find_conflict(struct root *root, const struct tunable *tunable, const char *value,
			 char **ret)
{
	_cleanup_origin_claims_ struct origin_claims claims = { 0 };
	const struct origin_claim *last = NULL;
	int r = tunable->persist == PERSIST_SYSCTLD ? origin_find(root, tunable, &claims) : 0;

	for (size_t i = 0; i < claims.count && r == 0; i++)
		if (beats_us(&claims.claim[i]))
			last = &claims.claim[i];
	if (r < 0 || !last || !last->value || tunable_same(tunable, last->value, value))
		return r;
	return describe_winner(&claims, last, ret);
}

int change_note_boot_unit(struct root *root, struct change_item *item)
{
	if (item->detail || item->tunable->persist != PERSIST_BOOT_UNIT ||
	    root_exists(root, "etc/systemd/system/multi-user.target.wants/lpartune.service") == 0)
		return 0;
	return change_detail(item, "until the next boot only: lpartune.service is not enabled");
}

int change_is_forbidden(struct change *change, const char *path, struct change_item *item)
{
	int r;

	if (tunable_is_locked(change->root, path)) {
		item->status = CHANGE_LOCKED;
		return 1;
	}
	if (!path || !root_is_read_only(change->root, path))
		return 0;
	item->status = CHANGE_UNSUITED;
	r = change_detail(item, "/%s is on a file system that is mounted read-only (a container?)",
			  path);
	return r < 0 ? r : 1;
}

static int copy_reasons(struct change_item *item, const struct setting *setting)
{
	item->rule = setting->rule ? strdup(setting->rule) : NULL;
	item->reason = setting->reason ? strdup(setting->reason) : NULL;
	return (setting->rule && !item->rule) || (setting->reason && !item->reason) ? -ENOMEM : 0;
}

/*
 * Enters a setting with the value that was there before. What is new at boot (`apply = auto`) is not
 * in our files, which a unit cannot write, until somebody applies it.
 */
static int enter(struct change *change, const struct setting *setting, const char *from, bool ours)
{
	struct setting with_from = *setting;
	json_t *entry;
	int r;

	with_from.from = (char *)from;
	r = books_enter(change->root, &change->future, &with_from, ours);
	entry = books_setting(&change->future, setting->tunable->id);
	if (r < 0 || !entry)
		return r;
	if (!change->at_boot)
		(void)json_object_del(entry, "by_boot");
	else if (!books_setting(&change->books, setting->tunable->id))
		r = json_object_set_new(entry, "by_boot", json_true());
	return r ? -ENOMEM : 0;
}

static int plan_now(struct change *change, const struct setting *setting, const char *from,
		    struct change_item *item)
{
	bool is_known = books_setting(&change->books, setting->tunable->id) != NULL;
	size_t before = change->steps.count;
	int r = step_plan_value(change->root, setting->tunable, setting->to, &change->steps);

	if (r == -ENOMEM)
		return r;
	if (r < 0) {
		while (change->steps.count > before)
			step_done(&change->steps.step[--change->steps.count]);
		item->status = status_of_error(-r);
		return 0;
	}
	item->status = r ? CHANGE_SET : CHANGE_OK;
	r = enter(change, setting, from,
		  r > 0 || (!is_known && !comes_by_itself(change->root, setting)));
	if (r < 0)
		return r;
	r = change_find_conflict(change->root, setting->tunable, setting->to, &item->detail);
	return r < 0 ? r : change_note_boot_unit(change->root, item);
}

static int plan_later(struct change *change, const struct setting *setting, const char *from,
		      struct change_item *item)
{
	bool is_same = from && tunable_same(setting->tunable, from, setting->to);

	item->status = is_same ? CHANGE_OK : CHANGE_NEXT_LOAD;
	return enter(change, setting, from, true);
}

/* Debian's own files are not ours to take a parameter out of; our drop-in is. */
static const char *refusal(const struct change *change, enum loader_kind kind,
			   const struct setting *setting)
{
	const json_t *known = books_setting(&change->books, setting->tunable->id);

	if (kind != LOADER_GRUBD || bootparam_token(setting->to) ||
	    json_is_true(json_object_get(known, "ours")))
		return NULL;
	return "it is not ours to take out of /etc/default/grub";
}

/* What the administrator has to do where we cannot. */
static int refuse(struct change_item *item, const char *why)
{
	const struct tunable *t = item->tunable;
	const char *token = bootparam_token(item->to);

	item->status = CHANGE_UNSUPPORTED;
	if (!token)
		return change_detail(item, "%s: take '%s' out of the kernel's command line by hand",
				     why, t->name);
	return change_detail(item, "%s: add '%s%s%s' to the kernel's command line by hand", why,
			     t->name, *token ? "=" : "", token);
}

static int plan_boot(struct change *change, const struct setting *setting, const char *from,
		     struct change_item *item)
{
	const char *name = setting->tunable->name, *token = bootparam_token(setting->to);
	struct loader *loader = &change->loader;
	const char *why = NULL, *path;
	int r = loader->before.count ? 0 : cmdlines_read(change->root, NULL, &loader->before);

	if (r < 0)
		return r;
	item->status = from && tunable_same(setting->tunable, from, setting->to)
			       ? CHANGE_OK
			       : CHANGE_PENDING_REBOOT;
	loader->kind = bootparam_detect(change->root, &why);
	r = bootparam_is_configured(change->root, loader->kind, &loader->before, name, token,
				    &path);
	if (r)
		return r < 0 ? r : enter(change, setting, from, false);
	why = why ? why : bootparam_obstacle(change->root, loader);
	why = why ? why : refusal(change, loader->kind, setting);
	if (why)
		return refuse(item, why);
	r = enter(change, setting, from, true);
	return r < 0 ? r : bootparam_wish(loader, name, token);
}

/* The value that a plan wants for a tunable, or NULL. */
static const char *wanted_by(const struct settings *settings, const char *id)
{
	for (size_t i = 0; i < settings->count; i++)
		if (streq(settings->list[i].tunable->id, id))
			return settings->list[i].to;
	return NULL;
}

/* A zero of a pair whose other half is not zero: the kernel sees to it, and takes no other command. */
static bool follows_twin(struct root *root, const struct settings *settings,
			 const struct setting *setting)
{
	_cleanup_tunable_now_ struct tunable_now now = { 0 };
	const char *twin = setting->tunable->twin, *wanted;

	if (!twin || !streq(setting->to, "0"))
		return false;
	wanted = wanted_by(settings, twin);
	if (!wanted && tunable_read(root, tunable_find(twin), &now) == 0)
		wanted = now.value;
	return wanted && !streq(wanted, "0");
}

static int plan_following(struct change_item *item)
{
	bool is_same = item->from && tunable_same(item->tunable, item->from, item->to);

	item->status = is_same ? CHANGE_OK : CHANGE_SET;
	return change_detail(item, "the kernel sets it so with %s", item->tunable->twin);
}

static int plan_setting(struct change *change, const struct settings *settings,
			const struct setting *setting, bool at_boot)
{
	_cleanup_tunable_now_ struct tunable_now now = { 0 };
	const struct tunable *t = setting->tunable;
	bool is_later = t->where == WHERE_CMDLINE || t->where == WHERE_MODULE;
	struct change_item *item;
	unsigned int limit;
	int r = tunable_read(change->root, t, &now);

	if (r < 0 || (at_boot && is_later))
		return r;
	item = change_add_item(change, t, now.value, setting->to, CHANGE_ABSENT);
	if (!item)
		return -ENOMEM;
	r = copy_reasons(item, setting);
	if (r < 0)
		return r;
	if (is_later)
		return t->where == WHERE_MODULE ? plan_later(change, setting, now.value, item)
						: plan_boot(change, setting, now.value, item);
	if (now.state != TUNABLE_READ) {
		item->status = change_status_of(&now);
		return now.state == TUNABLE_OBSOLETE ? change_detail(item, "%s", t->gone_text) : 0;
	}
	if (tunable_exceeds(change->root, t, setting->to, &limit)) {
		item->status = CHANGE_UNSUITED;
		return change_detail(item, "a core of this machine has %u threads", limit);
	}
	if (follows_twin(change->root, settings, setting))
		return plan_following(item);
	if (!tunable_same(t, now.value, setting->to)) {
		r = change_is_forbidden(change, now.path, item);
		if (r)
			return r < 0 ? r : 0;
	}
	return plan_now(change, setting, now.value, item);
}

/* SMT comes first: the kernel computes some values anew when CPUs come or go. */
static int plan_settings(struct change *change, const struct settings *settings, bool at_boot,
			 bool is_smt)
{
	int r = 0;

	for (size_t i = 0; i < settings->count && r == 0; i++)
		if ((settings->list[i].tunable->where == WHERE_SMT) == is_smt)
			r = plan_setting(change, settings, &settings->list[i], at_boot);
	return r;
}

int change_plan_apply(struct change *change, const struct settings *settings,
		      const struct apply_options *options, const char **ret_path)
{
	int r = options->at_boot ? 0 : bootparam_adopt(change);

	change->at_boot = options->at_boot;
	r = r < 0 ? r : 0;
	if (r == 0)
		r = plan_settings(change, settings, options->at_boot, true);
	if (r == 0)
		r = plan_settings(change, settings, options->at_boot, false);
	if (r == 0 && !options->at_boot)
		r = dropin_plan(change, options->force ? DROPIN_FORCE : DROPIN_REFUSE, ret_path);
	if (r == 0 && !options->at_boot)
		r = bootparam_plan(change, options->force, ret_path);
	return r < 0 ? r : books_enter_steps(&change->future, &change->steps);
}

int change_settings_of_books(const struct books *books, struct settings *ret)
{
	_cleanup_settings_ struct settings settings = { 0 };
	const json_t *entry;
	size_t i;

	json_array_foreach (json_object_get(books->state, "settings"), i, entry) {
		const char *id = json_string_value(json_object_get(entry, "tunable"));
		const char *to = json_string_value(json_object_get(entry, "to"));
		const struct tunable *t = id ? tunable_find(id) : NULL;
		int r;

		if (!t || !to || tunable_check(t, to) < 0)
			continue;
		r = settings_add(&settings, t, NULL, to,
				 json_string_value(json_object_get(entry, "rule")),
				 json_string_value(json_object_get(entry, "reason")));
		if (r < 0)
			return r;
	}
	*ret = settings;
	settings = (struct settings) { 0 };
	return 0;
}
