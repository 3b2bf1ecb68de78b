/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file walks the instants of a capture; every file is still opened by machine/root. */
#include "machine/replay.h"

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

/* A capture that we wrote opens at its root/ by itself; one without manifest has it below. */
static int open_base(struct replay *replay)
{
	int r;

	if (json_object_get(replay->manifest, "lpartune"))
		return root_open(replay->dir, &replay->base);
	r = open_below(replay, "root", &replay->base);
	return r == -ENOENT ? root_open(replay->dir, &replay->base) : r;
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
		r = open_base(replay);
	if (r >= 0)
		r = list_instants(replay);
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

/* What the manifest says of an instant: an object or a bare number, in a list or by name. */
static const json_t *instant_entry(const struct replay *replay, size_t index)
{
	const json_t *list = json_object_get(replay->manifest, "instants");

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

int replay_next(struct replay *replay, struct watch *watch, struct reading *ret)
{
	size_t index = replay->at - replay->from_base;
	struct instant at;
	int r;

	if (replay->at == replay_count(replay))
		return 0;
	watch->is_first = replay->at == 0;
	watch->base = replay->base;
	if (replay->from_base && replay->at == 0) {
		watch->root = replay->base;
		at = instant_time(replay->manifest);
	} else {
		_cleanup_free_ char *name = NULL;

		if (asprintf(&name, "instants/%s", replay->names.name[index]) < 0) {
			name = NULL;
			return -ENOMEM;
		}
		root_close(replay->here);
		replay->here = NULL;
		r = open_below(replay, name, &replay->here);
		if (r < 0)
			return r;
		watch->root = replay->here;
		at = instant_time(instant_entry(replay, index));
	}
	replay->at++;
	r = watch_read(watch, true, ret);
	set_clocks(ret, at);
	return r < 0 ? r : 1;
}
