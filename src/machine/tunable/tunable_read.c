/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file finds where a tunable stands on this kernel and reads it; it never writes. */
#include <errno.h>

#include "machine/source/cmdline.h"
#include "machine/tunable/tunable_smt.h"

#define CPU "sys/devices/system/cpu/"

void tunable_now_done(struct tunable_now *now)
{
	free(now->value);
	free(now->path);
	*now = (struct tunable_now) { 0 };
}

void tunable_places_done(struct tunable_places *places)
{
	for (size_t i = 0; i < places->count; i++) {
		free(places->place[i].path);
		free(places->place[i].instance);
		free(places->place[i].value);
		free(places->place[i].text);
	}
	free(places->place);
	*places = (struct tunable_places) { 0 };
}

/* The kernel release of the tree as TUNABLE_KERNEL(), 0 if unknown. */
static unsigned int tunable_kernel(struct root *root)
{
	_cleanup_free_ char *release = NULL;
	unsigned int major, minor;

	if (root_read_string(root, &release, "proc/sys/kernel/osrelease") < 0 ||
	    sscanf(release, "%3u.%3u", &major, &minor) != 2)
		return 0;
	return TUNABLE_KERNEL(major, minor);
}

/* Does kernel lockdown hide or refuse debugfs? Under integrity even reading gives EPERM. */
static bool is_locked_down(struct root *root)
{
	_cleanup_content_ struct content c = { 0 };
	_cleanup_free_ char *mode = NULL;

	if (root_read(root, &c, "sys/kernel/security/lockdown") < 0 ||
	    grammar_read(GRAMMAR_BRACKETS, NULL, content_span(&c), &mode) < 0)
		return false;
	return !streq(mode, "none");
}

bool tunable_is_locked(struct root *root, const char *path)
{
	return path && starts_with(path, "sys/kernel/debug/") && is_locked_down(root);
}

/* Adds a place; takes over nothing on failure. */
static int add_place(struct tunable_places *places, const char *path, int cpu,
		     struct tunable_place **ret)
{
	struct tunable_place *grown = reallocarray(places->place, places->count + 1,
						   sizeof(*places->place));
	struct tunable_place *place;

	if (!grown)
		return -ENOMEM;
	places->place = grown;
	place = &grown[places->count];
	*place = (struct tunable_place) { .path = strdup(path), .thread = -1 };
	if (!place->path)
		return -ENOMEM;
	places->count++;
	if (cpu >= 0 && asprintf(&place->instance, "cpu%d", cpu) < 0) {
		place->instance = NULL;
		return -ENOMEM;
	}
	*ret = place;
	return 0;
}

/* The text that brings back exactly this value: the file's own word, or its whole content. */
static int keep_text(const struct tunable *t, struct span content, const char *value, char **ret)
{
	bool is_verbatim = t->grammar == GRAMMAR_PLAIN || t->grammar == GRAMMAR_VECTOR ||
			   t->grammar == GRAMMAR_BOOL || t->grammar == GRAMMAR_DISABLE ||
			   t->grammar == GRAMMAR_MASK;

	if (!is_verbatim)
		return grammar_write(t->grammar, t->name, value, ret);
	*ret = span_dup(span_trim(content));
	return *ret ? 0 : -ENOMEM;
}

/* Reads a place's file. A failure is kept in it; only -ENOMEM is returned. */
static int read_place(struct root *root, const struct tunable *t, struct tunable_place *place)
{
	_cleanup_content_ struct content c = { 0 };
	int r = root_read(root, &c, "%s", place->path);

	if (r >= 0)
		r = grammar_read(t->grammar, t->name, content_span(&c), &place->value);
	if (r >= 0)
		r = keep_text(t, content_span(&c), place->value, &place->text);
	if (r == -ENOMEM)
		return r;
	place->error = r < 0 ? -r : 0;
	return 0;
}

/* The path of this kernel: the first that exists; an answer other than "no such file" is one too. */
static int find_path(struct root *root, const struct tunable *t, const char **ret)
{
	int first = -ENOENT;

	for (size_t i = 0; i < TUNABLE_PATHS && t->paths[i]; i++) {
		int r = root_exists(root, "%s", t->paths[i]);

		if (r >= 0) {
			*ret = t->paths[i];
			return 0;
		}
		if (first == -ENOENT && r != -ENOTDIR)
			first = r;
	}
	return first;
}

static bool is_debugfs(const struct tunable *t)
{
	return t->paths[0] && starts_with(t->paths[0], "sys/kernel/debug/");
}

/* Why there is no value: what this kernel dropped, what lockdown hides, or the file's own error. */
static void set_absent(struct root *root, const struct tunable *t, int error,
		       struct tunable_places *places)
{
	unsigned int kernel = t->gone ? tunable_kernel(root) : 0;
	enum reason reason = reason_of_errno(error);

	places->state = TUNABLE_ABSENT;
	places->reason = reason;
	if (reason == REASON_MISSING && kernel && kernel >= t->gone)
		places->state = TUNABLE_OBSOLETE;
	else if (is_debugfs(t) && (reason == REASON_MISSING || reason == REASON_DENIED) &&
		 is_locked_down(root))
		places->reason = REASON_LOCKED_DOWN;
}

static int file_places(struct root *root, const struct tunable *t, struct tunable_places *places)
{
	const char *path = NULL;
	struct tunable_place *place;
	int r = find_path(root, t, &path);

	if (r < 0) {
		set_absent(root, t, -r, places);
		return 0;
	}
	r = add_place(places, path, -1, &place);
	return r < 0 ? r : read_place(root, t, place);
}

static bool is_one_of(const char *names, const char *name)
{
	size_t len = strlen(name);

	for (const char *p = names; p; p = strchr(p, '|') ? strchr(p, '|') + 1 : NULL)
		if (strncmp(p, name, len) == 0 && (p[len] == '|' || p[len] == '\0'))
			return true;
	return false;
}

/* The number in "cpu12" or "state1", or -1. */
static int number_behind(const char *name, const char *prefix)
{
	uint64_t number;

	if (!starts_with(name, prefix) || parse_u64(span_of(name + strlen(prefix)), &number) < 0 ||
	    number >= IDSET_MAX)
		return -1;
	return (int)number;
}

/* The idle states of one CPU that have a name we look for. */
static int idle_states_of(struct root *root, const struct tunable *t, int cpu,
			  struct tunable_places *places)
{
	_cleanup_names_ struct names states = { 0 };
	int r = root_list(root, &states, CPU "cpu%d/cpuidle", cpu);

	if (r < 0) /* an offline CPU has no such directory */
		return r == -ENOMEM ? r : 0;
	r = 0;
	for (size_t i = 0; i < states.count && r >= 0; i++) {
		_cleanup_free_ char *name = NULL;
		struct tunable_place *place;
		char path[128];

		if (number_behind(states.name[i], "state") < 0 ||
		    root_read_string(root, &name, CPU "cpu%d/cpuidle/%s/name", cpu,
				     states.name[i]) < 0 ||
		    !is_one_of(t->name, name))
			continue;
		snprintf(path, sizeof(path), CPU "cpu%d/cpuidle/%.24s/disable", cpu,
			 states.name[i]);
		r = add_place(places, path, cpu, &place);
		if (r >= 0)
			r = read_place(root, t, place);
	}
	return r;
}

static int cpuidle_places(struct root *root, const struct tunable *t, struct tunable_places *places)
{
	_cleanup_names_ struct names names = { 0 };
	int r = root_list(root, &names, "%s", CPU);

	for (size_t i = 0; r >= 0 && i < names.count; i++) {
		int cpu = number_behind(names.name[i], "cpu");

		if (cpu >= 0)
			r = idle_states_of(root, t, cpu, places);
	}
	if (r == -ENOMEM)
		return r;
	if (!places->count)
		set_absent(root, t, r < 0 ? -r : ENOENT, places);
	return 0;
}

/* Each present CPU that can go offline. A CPU without the file `online` is always online. */
static int smt_by_cpu(struct root *root, const struct tunable *t, struct tunable_places *places)
{
	_cleanup_(topology_cleanup) struct topology topology = { 0 };
	unsigned int threads = tunable_smt_threads(root, &topology);
	int r = 0;

	if (threads < 2 || topology.present_error) {
		set_absent(root, t, threads == 1 ? EOPNOTSUPP : ENOENT, places);
		return 0;
	}
	idset_for_each (cpu, &topology.present) {
		struct tunable_place *place;
		char path[64];

		snprintf(path, sizeof(path), CPU "cpu%d/online", cpu);
		if (root_exists(root, "%s", path) < 0)
			continue;
		r = add_place(places, path, cpu, &place);
		if (r < 0)
			return r;
		place->thread = cpu % (int)threads;
		r = read_place(root, t, place);
		if (r < 0)
			return r;
	}
	if (!places->count)
		set_absent(root, t, ENOENT, places);
	return 0;
}

/* Before 6.6 the file exists on ppc64 and says "notimplemented". */
static int smt_places(struct root *root, const struct tunable *t, struct tunable_places *places)
{
	struct tunable_place *place;
	int r = file_places(root, t, places);

	if (r < 0)
		return r;
	place = places->count ? &places->place[0] : NULL;
	if (place && place->value && streq(place->value, "notsupported")) {
		tunable_places_done(places);
		set_absent(root, t, EOPNOTSUPP, places);
		return 0;
	}
	if (place && place->value && !streq(place->value, "notimplemented"))
		return tunable_smt_number(root, place);
	tunable_places_done(places);
	return smt_by_cpu(root, t, places);
}

/* The best of what the places tell: one that can be read makes the tunable readable. */
static void judge_places(struct root *root, const struct tunable *t, struct tunable_places *places)
{
	int error = 0;

	for (size_t i = 0; i < places->count; i++) {
		if (places->place[i].value) {
			places->state = TUNABLE_READ;
			return;
		}
		error = places->place[i].error;
	}
	if (places->count)
		set_absent(root, t, error, places);
}

int tunable_places(struct root *root, const struct tunable *t, struct tunable_places *ret)
{
	static int (*const find[])(struct root *, const struct tunable *,
				   struct tunable_places *) = {
		[WHERE_FILE] = file_places,
		[WHERE_CPUIDLE] = cpuidle_places,
		[WHERE_SMT] = smt_places,
	};
	_cleanup_tunable_places_ struct tunable_places places = {
		.state = TUNABLE_ABSENT,
		.reason = REASON_NOT_APPLICABLE,
	};
	int r = 0;

	if (t->where < ARRAY_SIZE(find))
		r = find[t->where](root, t, &places);
	if (r < 0)
		return r;
	judge_places(root, t, &places);
	*ret = places;
	places = (struct tunable_places) { 0 };
	return 0;
}

static int read_cmdline(struct root *root, const struct tunable *t, struct tunable_now *now)
{
	_cleanup_content_ struct content c = { 0 };
	struct span value;
	bool is_set, is_flag = t->values && starts_with(t->values, "present");
	int r = root_read(root, &c, "proc/cmdline");

	if (r < 0) {
		now->reason = reason_of_errno(-r);
		return r == -ENOMEM ? r : 0;
	}
	is_set = cmdline_get(content_span(&c), t->name, &value);
	now->value = !is_set   ? strdup("absent")
		     : is_flag ? strdup("present")
			       : span_dup_utf8(value);
	now->path = strdup("proc/cmdline");
	now->state = TUNABLE_READ;
	return now->value && now->path ? 0 : -ENOMEM;
}

/* MODULE.PARAMETER of a loaded module, or whether MODULE is loaded. */
static int read_module(struct root *root, const struct tunable *t, struct tunable_now *now)
{
	const char *dot = strchr(t->name, '.');
	int r;

	if (!dot) {
		r = root_exists(root, "sys/module/%s", t->name);
		now->value = strdup(r < 0 ? "absent" : "loaded");
		r = now->value ? 0 : -ENOMEM;
	} else {
		if (asprintf(&now->path, "sys/module/%.*s/parameters/%s", (int)(dot - t->name),
			     t->name, dot + 1) < 0) {
			now->path = NULL;
			return -ENOMEM;
		}
		r = root_read_string(root, &now->value, "%s", now->path);
	}
	if (r >= 0)
		now->state = TUNABLE_READ;
	else
		now->reason = reason_of_errno(-r);
	return r == -ENOMEM ? r : 0;
}

static int summarise(struct root *root, const struct tunable_places *places,
		     struct tunable_now *now)
{
	const char *value = NULL;

	if (places->count && places->place[0].thread >= 0)
		return tunable_smt_of_cores(root, places, &now->value);
	for (size_t i = 0; i < places->count; i++) {
		const char *v = places->place[i].value;

		if (v && value && !streq(v, value))
			value = TUNABLE_MIXED;
		else if (v && !value)
			value = v;
	}
	now->value = value ? strdup(value) : NULL;
	return now->value ? 0 : -ENOMEM;
}

static int read_places(struct root *root, const struct tunable *t, struct tunable_now *now)
{
	_cleanup_tunable_places_ struct tunable_places places = { 0 };
	int r = tunable_places(root, t, &places);

	if (r < 0)
		return r;
	now->state = places.state;
	now->reason = places.reason;
	if (places.count) {
		now->path = strdup(places.place[0].path);
		if (!now->path)
			return -ENOMEM;
	}
	if (now->state != TUNABLE_READ)
		return 0;
	r = summarise(root, &places, now);
	if (r == -ENODATA) {
		now->state = TUNABLE_ABSENT;
		now->reason = REASON_NO_DATA;
		r = 0;
	}
	return r;
}

int tunable_read(struct root *root, const struct tunable *t, struct tunable_now *ret)
{
	_cleanup_tunable_now_ struct tunable_now now = {
		.state = TUNABLE_ABSENT,
		.reason = REASON_MISSING,
	};
	int r;

	if (t->where == WHERE_CMDLINE)
		r = read_cmdline(root, t, &now);
	else if (t->where == WHERE_MODULE)
		r = read_module(root, t, &now);
	else
		r = read_places(root, t, &now);
	if (r < 0)
		return r;
	*ret = now;
	now = (struct tunable_now) { 0 };
	return 0;
}

int tunable_wanted(const struct tunable *t, const struct tunable_place *place, const char *value,
		   char **ret_text, char **ret_value)
{
	_cleanup_free_ char *text = NULL, *shown = NULL;
	uint64_t threads;
	int r;

	if (place->thread >= 0) {
		r = parse_u64(span_of(value), &threads);
		if (r < 0)
			return r;
		value = (uint64_t)place->thread < threads ? "1" : "0";
	}
	r = grammar_write(t->grammar, t->name, value, &text);
	if (r < 0)
		return r;
	shown = strdup(value);
	if (!shown)
		return -ENOMEM;
	*ret_text = take_ptr(&text);
	*ret_value = take_ptr(&shown);
	return 0;
}

int tunable_place_read(struct root *root, const struct tunable *t,
		       const struct tunable_place *place, char **ret)
{
	struct tunable_place now = { .path = place->path, .thread = place->thread };
	int r = read_place(root, t, &now);

	free(now.text);
	if (r >= 0 && now.value && t->where == WHERE_SMT && place->thread < 0)
		r = tunable_smt_number(root, &now);
	if (r < 0 || !now.value) {
		free(now.value);
		return r < 0 ? r : -now.error;
	}
	*ret = now.value;
	return 0;
}
