/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file walks the instants of a capture; every file is still opened by machine/root. */
#include "machine/sample/replay.h"

#include <errno.h>
#include <jansson.h>

#include "base/store.h"

struct replay {
	char *dir;
	struct root *base;
	struct root *here; /* the instant at hand */
	struct names names;
	json_t *manifest; /* NULL: none */
	size_t at;
	bool from_base; /* the only instant follows root/ */
};

static int load_manifest(struct replay *replay)
{
	_cleanup_free_ char *path = NULL, *text = NULL;
	size_t len;
	int r;

	if (asprintf(&path, "%s/manifest.json", replay->dir) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	r = store_read(path, &text, &len);
	if (r < 0)
		return r == -ENOENT ? 0 : r;
	replay->manifest = json_loadb(text, len, JSON_REJECT_DUPLICATES, NULL);
	return json_is_object(replay->manifest) ? 0 : -EINVAL;
}

static int open_below(const struct replay *replay, const char *name, struct root **ret)
{
	_cleanup_free_ char *path = NULL;

	if (asprintf(&path, "%s/%s", replay->dir, name) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	return root_open(path, ret);
}

/* The instant of an index as a path below the capture. */
static int open_instant(const struct replay *replay, size_t index, struct root **ret)
{
	_cleanup_free_ char *path = NULL;

	if (asprintf(&path, "instants/%s", replay->names.name[index]) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	return open_below(replay, path, ret);
}

/* A capture that we wrote opens at its root/ by itself, with its record of errors; one without our
 * manifest has it below; one without root/ has everything in its instants. */
static int open_base(struct replay *replay)
{
	int r = json_object_get(replay->manifest, "lpartune")
			? root_open(replay->dir, &replay->base)
			: open_below(replay, "root", &replay->base);

	if (r != -ENOENT)
		return r;
	replay->from_base = false;
	return open_instant(replay, 0, &replay->base);
}

static int list_instants(struct replay *replay)
{
	_cleanup_root_ struct root *root = NULL;
	int r = open_below(replay, "instants", &root);

	if (r < 0)
		return r;
	r = root_list(root, &replay->names, ".");
	if (r < 0)
		return r;
	replay->from_base = replay->names.count == 1;
	return replay->names.count ? 0 : -ENOENT;
}

int replay_open(const char *dir, struct replay **ret)
{
	struct replay *replay = calloc(1, sizeof(*replay));
	int r;

	if (!replay)
		return -ENOMEM;
	replay->dir = strdup(dir);
	r = replay->dir ? load_manifest(replay) : -ENOMEM;
	if (r >= 0)
		r = list_instants(replay);
	if (r >= 0)
		r = open_base(replay);
	if (r < 0) {
		replay_close(replay);
		return r;
	}
	*ret = replay;
	return 0;
}

void replay_close(struct replay *replay)
{
	if (!replay)
		return;
	root_close(replay->here);
	root_close(replay->base);
	names_done(&replay->names);
	json_decref(replay->manifest);
	free(replay->dir);
	free(replay);
}

struct root *replay_root(struct replay *replay)
{
	return replay->base;
}

size_t replay_count(const struct replay *replay)
{
	return replay->names.count + replay->from_base;
}

/* What the manifest says of an instant: an object or a bare number, in a list or by name. Lenient: a
 * hand-made capture is worth reading too. */
static const json_t *instant_entry(const struct replay *replay, size_t index)
{
	const json_t *list = json_object_get(replay->manifest, "instants");

	if (!json_is_array(list) && !json_is_object(list))
		list = json_object_get(replay->manifest, "time_ns");
	if (json_is_array(list))
		return json_array_get(list, index);
	return json_object_get(list, replay->names.name[index]);
}

static struct instant instant_time(const json_t *entry)
{
	const json_t *time = json_is_object(entry) ? json_object_get(entry, "time_ns") : entry;
	struct instant at = { 0 };

	if (json_is_integer(time) && json_integer_value(time) >= 0) {
		at.has_time = true;
		at.time_ns = (uint64_t)json_integer_value(time);
	}
	return at;
}

/* Sets the clocks of a replayed reading. */
static void set_clocks(struct reading *now, struct instant at)
{
	if (now->slow[SLOW_LPARCFG].taken && !now->slow[SLOW_LPARCFG].error &&
	    !now->lparcfg_error[LPARCFG_TBR]) {
		at.has_tb = true;
		at.tb = now->lparcfg[LPARCFG_TBR];
	}
	now->at = at;
	for (unsigned int i = 0; i < SLOW_COUNT; i++)
		now->slow[i].at = at;
}

/* Points the watch at the tree of the next instant, and tells its time. */
static int enter_next(struct replay *replay, struct watch *watch, struct instant *ret_at)
{
	size_t index = replay->at - (replay->from_base && replay->at ? 1 : 0);
	int r;

	watch->is_first = replay->at == 0;
	watch->base = replay->base;
	if (replay->from_base && replay->at == 0) {
		watch->root = replay->base;
		*ret_at = instant_time(replay->manifest);
		return 0;
	}
	root_close(replay->here);
	replay->here = NULL;
	r = open_instant(replay, index, &replay->here);
	if (r < 0)
		return r;
	watch->root = replay->here;
	*ret_at = instant_time(instant_entry(replay, index));
	return 0;
}

int replay_next(struct replay *replay, struct watch *watch, struct reading *ret)
{
	struct instant at;
	int r;

	if (replay->at == replay_count(replay))
		return 0;
	r = enter_next(replay, watch, &at);
	if (r < 0)
		return r;
	replay->at++;
	r = watch_read(watch, true, ret);
	set_clocks(ret, at);
	return r < 0 ? r : 1;
}
