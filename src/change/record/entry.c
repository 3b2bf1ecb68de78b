/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file makes and changes entries of the state; what an entry keeps of the first time stays. */
#include "change/record/entry.h"

#include <errno.h>

#include "change/record/record.h"

const char *entry_text(const json_t *entry, const char *key)
{
	return json_string_value(json_object_get(entry, key));
}

static int set_text(json_t *entry, const char *key, const char *text)
{
	return json_object_set_new(entry, key, text ? json_string(text) : json_null());
}

/* How the value was spelled, where it stands in one file and not as lpartune would write it. */
static int keep_spelling(struct root *root, const struct setting *setting, json_t *entry)
{
	_cleanup_tunable_places_ struct tunable_places places = { 0 };
	const char *text;
	json_t *json;
	int r = tunable_places(root, setting->tunable, &places);

	if (r < 0 || places.count != 1 || places.place[0].thread >= 0)
		return r;
	text = places.place[0].text;
	if (!text || !setting->from || streq(text, setting->from))
		return 0;
	json = json_string(text); /* NULL if it is no UTF-8: then it is not kept */
	return json && json_object_set_new(entry, "from_text", json) ? -ENOMEM : 0;
}

static int keep_twin(struct root *root, const struct tunable *t, json_t *entry)
{
	_cleanup_tunable_now_ struct tunable_now now = { 0 };
	const struct tunable *twin = t->twin ? tunable_find(t->twin) : NULL;
	int r = twin ? tunable_read(root, twin, &now) : 0;

	if (r < 0 || !now.value)
		return r;
	return set_text(entry, "twin_from", now.value) ? -ENOMEM : 0;
}

json_t *entry_new(struct root *root, const struct setting *setting, bool ours)
{
	json_t *stamp = record_new(root, "stamp"), *entry;

	entry = json_pack(
		"{s:s, s:s?, s:b, s:O, s:O, s:O}", "tunable", setting->tunable->id, "from",
		setting->from, "ours", (int)ours, "time", json_object_get(stamp, "time"), "boot_id",
		json_object_get(stamp, "boot_id"), "kernel", json_object_get(stamp, "kernel"));
	json_decref(stamp);
	if (entry && (keep_spelling(root, setting, entry) < 0 ||
		      keep_twin(root, setting->tunable, entry) < 0)) {
		json_decref(entry);
		return NULL;
	}
	return entry;
}

int entry_succeed(json_t *entry, const json_t *twin)
{
	static const char *const stamps[] = { "time", "boot_id", "kernel" };
	int r = set_text(entry, "from", entry_text(twin, "twin_from"));

	r |= set_text(entry, "twin_from", entry_text(twin, "from"));
	(void)json_object_del(entry, "from_text");
	for (size_t i = 0; i < ARRAY_SIZE(stamps); i++)
		r |= json_object_set(entry, stamps[i], json_object_get(twin, stamps[i]));
	return r ? -ENOMEM : 0;
}

/* The boot in which the value was last changed: whether a reboot is pending depends on it. */
static int stamp_change(struct root *root, json_t *entry)
{
	json_t *stamp = record_new(root, "stamp");
	int r = json_object_set(entry, "changed_boot_id", json_object_get(stamp, "boot_id"));

	json_decref(stamp);
	return r;
}

int entry_update(struct root *root, json_t *entry, const struct setting *setting, bool ours)
{
	const char *to = entry_text(entry, "to");
	int r = 0;

	if (ours)
		r |= json_object_set_new(entry, "ours", json_true());
	if (!to || !streq(to, setting->to))
		r |= stamp_change(root, entry);
	r |= set_text(entry, "to", setting->to);
	r |= set_text(entry, "rule", setting->rule);
	r |= set_text(entry, "reason", setting->reason);
	return r ? -ENOMEM : 0;
}

bool entry_is_of_this_boot(struct root *root, const json_t *entry)
{
	_cleanup_free_ char *boot_id = NULL;
	const char *then = entry_text(entry, "changed_boot_id");

	return !then || root_read_string(root, &boot_id, "proc/sys/kernel/random/boot_id") < 0 ||
	       streq(boot_id, then);
}
