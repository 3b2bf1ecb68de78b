/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file collects who claims a tunable, in the order of a boot; it judges no value. */
#include "machine/tunable/origin.h"

#include <errno.h>
#include <jansson.h>
#include <stdarg.h>

#include "machine/source/cmdline.h"
#include "machine/source/sysctl_conf.h"

const char *origin_word(enum origin origin)
{
	static const char *const words[ORIGIN_COUNT] = {
		[ORIGIN_UNKNOWN] = "unknown",
		[ORIGIN_DEFAULT] = "kernel default",
		[ORIGIN_BOOT_PARAMETER] = "boot parameter",
		[ORIGIN_SYSCTL_CONF] = "sysctl.d",
		[ORIGIN_TUNED] = "tuned",
		[ORIGIN_SAPTUNE] = "saptune",
		[ORIGIN_SMTSTATE] = "smtstate",
		[ORIGIN_CPUPOWER] = "cpupower",
	};

	return words[origin];
}

void origin_claims_done(struct origin_claims *claims)
{
	for (size_t i = 0; i < claims->count; i++) {
		free(claims->claim[i].where);
		free(claims->claim[i].value);
	}
	free(claims->claim);
	*claims = (struct origin_claims) { 0 };
}

static int add_claim(struct origin_claims *claims, enum origin origin, struct span value,
		     const char *where, ...) _printf_(4, 5);

/* A value whose text is NULL is not known. */
static int add_claim(struct origin_claims *claims, enum origin origin, struct span value,
		     const char *where, ...)
{
	struct origin_claim *grown = reallocarray(claims->claim, claims->count + 1,
						  sizeof(*claims->claim));
	struct origin_claim *claim;
	va_list args;
	int len;

	if (!grown)
		return -ENOMEM;
	claims->claim = grown;
	claim = &grown[claims->count];
	*claim = (struct origin_claim) { .origin = origin, .at_boot = true };
	va_start(args, where);
	len = vasprintf(&claim->where, where, args);
	va_end(args);
	if (len < 0)
		return -ENOMEM;
	claims->count++;
	if (value.text)
		claim->value = span_dup_utf8(value);
	return value.text && !claim->value ? -ENOMEM : 0;
}

/* Boot parameters that set the start value of something that is also set at run time. */
static const struct {
	const char *tunable, *parameter;
	const char *words[3][2]; /* the parameter's word → the tunable's value */
} boot_parameters[] = {
	{ "sysctl:kernel.numa_balancing",
	  "numa_balancing",
	  { { "enable", "1" }, { "disable", "0" } } },
	{ "sysctl:kernel.nmi_watchdog", "nmi_watchdog", { { "0", "0" }, { "1", "1" } } },
	{ "thp:enabled", "transparent_hugepage", { { NULL, NULL } } },
	{ "smt", "smt-enabled", { { "off", "1" } } },
	{ "sched:preempt", "preempt", { { NULL, NULL } } },
};

static int find_boot_parameter(struct root *root, const struct tunable *t,
			       struct origin_claims *claims)
{
	_cleanup_content_ struct content c = { 0 };
	struct span value, shown;

	if (root_read(root, &c, "proc/cmdline") < 0)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(boot_parameters); i++) {
		const char *parameter = boot_parameters[i].parameter;

		if (!streq(boot_parameters[i].tunable, t->id) ||
		    !cmdline_get(content_span(&c), parameter, &value))
			continue;
		shown = value;
		for (size_t k = 0; k < 3 && boot_parameters[i].words[k][0]; k++)
			if (span_is(value, boot_parameters[i].words[k][0]))
				shown = span_of(boot_parameters[i].words[k][1]);
		return add_claim(claims, ORIGIN_BOOT_PARAMETER, shown, "%s=%.*s", parameter,
				 (int)value.len, value.text);
	}
	return 0;
}

/* The key of a sysctl tunable, or NULL. */
static const char *sysctl_key(const struct tunable *t)
{
	return starts_with(t->id, "sysctl:") ? t->id + strlen("sysctl:") : NULL;
}

static int add_sysctl_line(const struct sysctl_line *line, struct origin_claims *claims)
{
	int r = add_claim(claims, ORIGIN_SYSCTL_CONF, span_of(line->value), "%s:%u", line->file,
			  line->line);

	if (r == 0)
		claims->claim[claims->count - 1].at_boot = !line->only_procps;
	return r;
}

/* What an INI file of tuned says: keys of one section. */
struct profile {
	const char *section, *key;
	bool in_section, in_main;
	char *value;
	char include[128];
};

static int take_profile_line(struct span text, void *arg)
{
	struct profile *profile = arg;
	struct span line = span_trim(text), key, value;

	if (line.len && line.text[0] == '[') {
		profile->in_section = line.len > 2 && strlen(profile->section) == line.len - 2 &&
				      !memcmp(line.text + 1, profile->section, line.len - 2);
		profile->in_main = span_is(line, "[main]");
		return 0;
	}
	if (!line.len || line.text[0] == '#' || !span_split(line, '=', &key, &value))
		return 0;
	if (profile->in_main && span_is(key, "include") && value.len < sizeof(profile->include)) {
		memcpy(profile->include, value.text, value.len);
		profile->include[value.len] = '\0';
	}
	if (profile->in_section && span_is(key, profile->key)) {
		free(profile->value);
		profile->value = span_dup_utf8(value);
		return profile->value ? 0 : -ENOMEM;
	}
	return 0;
}

#define PROFILE_DEPTH 8

/* The value of a key in a profile of tuned or in one that it includes. The nearest wins. */
static int find_in_profile(struct root *root, const char *name, struct profile *profile)
{
	static const char *const places[] = { "etc/tuned", "etc/tuned/profiles", "usr/lib/tuned",
					      "usr/lib/tuned/profiles" };
	char current[128];

	snprintf(current, sizeof(current), "%s", name);
	for (int depth = 0; depth < PROFILE_DEPTH && *current && !profile->value; depth++) {
		int r = -ENOENT;

		*profile->include = '\0';
		profile->in_main = profile->in_section = false;
		for (size_t i = 0; i < ARRAY_SIZE(places) && r == -ENOENT; i++)
			r = root_each_line(root, take_profile_line, profile, "%s/%s/tuned.conf",
					   places[i], current);
		if (r == -ENOMEM)
			return r;
		snprintf(current, sizeof(current), "%s", profile->include);
	}
	return 0;
}

/* The section and key by which tuned names a tunable; false if it has none. */
static bool tuned_name(const struct tunable *t, struct profile *profile)
{
	static const struct {
		const char *id, *section, *key;
	} rows[] = {
		{ "thp:enabled", "vm", "transparent_hugepages" },
		{ "thp:enabled", "vm", "transparent_hugepage" },
		{ "sched:migration_cost_ns", "scheduler", "sched_migration_cost_ns" },
		{ "sched:base_slice_ns", "scheduler", "sched_min_granularity_ns" },
		{ "ksm:run", "sysfs", "/sys/kernel/mm/ksm/run" },
	};

	if (sysctl_key(t)) {
		profile->section = "sysctl";
		profile->key = sysctl_key(t);
		return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (streq(rows[i].id, t->id)) {
			profile->section = rows[i].section;
			profile->key = rows[i].key;
			return true;
		}
	return false;
}

/* The profiles that tuned applies at boot, if its unit is enabled or it runs. */
static int active_profiles(struct root *root, char **ret)
{
	if (root_exists(root, "etc/systemd/system/multi-user.target.wants/tuned.service") < 0 &&
	    root_exists(root, "run/tuned/tuned.pid") < 0)
		return -ENOENT;
	return root_read_string(root, ret, "etc/tuned/active_profile");
}

static int find_tuned(struct root *root, const struct tunable *t, struct origin_claims *claims)
{
	_cleanup_free_ char *names = NULL;
	struct profile profile = { 0 };
	struct span rest, word;
	int r = 0;

	if (!tuned_name(t, &profile) || active_profiles(root, &names) < 0)
		return 0;
	rest = span_of(names);
	while (r == 0 && span_word(&rest, &word)) {
		char name[128];

		snprintf(name, sizeof(name), "%.*s", (int)word.len, word.text);
		r = find_in_profile(root, name, &profile);
		if (r == 0 && profile.value)
			r = add_claim(
				claims, ORIGIN_TUNED,
				span_of(*profile.value == '>' ? profile.value + 1 : profile.value),
				"profile %s", name);
		free(profile.value);
		profile.value = NULL;
	}
	return r;
}

/* sysctl.d, then tuned, which applies the files of /etc and /run once more on top of its profile. */
static int find_sysctl(struct root *root, const struct tunable *t, struct origin_claims *claims)
{
	_cleanup_sysctl_lines_ struct sysctl_lines lines = { 0 };
	const struct sysctl_line *again = NULL;
	size_t before;
	int r = sysctl_conf_find(root, sysctl_key(t), &lines);

	for (size_t i = 0; i < lines.count && r == 0; i++) {
		r = add_sysctl_line(&lines.line[i], claims);
		if (lines.line[i].is_etc)
			again = &lines.line[i];
	}
	before = claims->count;
	if (r == 0)
		r = find_tuned(root, t, claims);
	if (r == 0 && claims->count > before && again) {
		r = add_sysctl_line(again, claims);
		if (r == 0)
			claims->claim[claims->count - 1].at_boot = true;
	}
	return r;
}

/* /run/saptune/parameter/KEY is a stack of notes; the last one's value is in force. */
static int find_saptune(struct root *root, const struct tunable *t, struct origin_claims *claims)
{
	_cleanup_content_ struct content c = { 0 };
	const json_t *stack, *top;
	json_t *doc;
	const char *note, *value;
	int r = 0;

	if (!sysctl_key(t) || root_read(root, &c, "run/saptune/parameter/%s", sysctl_key(t)) < 0)
		return 0;
	doc = json_loadb(c.text, c.len, 0, NULL);
	stack = json_is_array(doc) ? doc : json_object_get(doc, "AllNotes");
	top = json_array_get(stack, json_array_size(stack) - 1);
	note = json_string_value(json_object_get(top, "NoteID"));
	value = json_string_value(json_object_get(top, "Value"));
	if (note && !streq(note, "start"))
		r = add_claim(claims, ORIGIN_SAPTUNE, value ? span_of(value) : (struct span) { 0 },
			      "note %s", note);
	json_decref(doc);
	return r;
}

static int find_smtstate(struct root *root, struct origin_claims *claims)
{
	static const char file[] = "var/lib/powerpc-utils/smt.state";
	_cleanup_content_ struct content c = { 0 };
	struct span rest, line, key, value;

	if (root_exists(root, "etc/systemd/system/sysinit.target.wants/smtstate.service") < 0 ||
	    root_read(root, &c, "%s", file) < 0)
		return 0;
	rest = content_span(&c);
	while (span_line(&rest, &line))
		if (span_split(line, '=', &key, &value) && span_is(key, "SMT_VALUE"))
			return add_claim(claims, ORIGIN_SMTSTATE, value, "smtstate.service (/%s)",
					 file);
	return 0;
}

static int find_cpupower(struct root *root, struct origin_claims *claims)
{
	if (root_exists(root, "etc/systemd/system/multi-user.target.wants/cpupower.service") < 0)
		return 0;
	return add_claim(claims, ORIGIN_CPUPOWER, (struct span) { 0 }, "cpupower.service");
}

int origin_find(struct root *root, const struct tunable *t, struct origin_claims *ret)
{
	_cleanup_origin_claims_ struct origin_claims claims = { 0 };
	int r = find_boot_parameter(root, t, &claims);

	if (r == 0)
		r = sysctl_key(t) ? find_sysctl(root, t, &claims) : find_tuned(root, t, &claims);
	if (r == 0)
		r = find_saptune(root, t, &claims);
	if (r == 0 && t->where == WHERE_SMT)
		r = find_smtstate(root, &claims);
	if (r == 0 && t->where == WHERE_CPUIDLE)
		r = find_cpupower(root, &claims);
	if (r < 0)
		return r;
	*ret = claims;
	claims = (struct origin_claims) { 0 };
	return 0;
}

const struct origin_claim *origin_winner(const struct origin_claims *claims)
{
	for (size_t i = claims->count; i-- > 0;)
		if (claims->claim[i].at_boot)
			return &claims->claim[i];
	return NULL;
}

enum origin origin_of(const struct origin_claims *claims, const struct tunable *t,
		      const char *value, const struct origin_claim **ret_claim)
{
	if (t->where == WHERE_CMDLINE && !streq(value, "absent"))
		return ORIGIN_BOOT_PARAMETER;
	for (size_t i = claims->count; i-- > 0;) {
		const struct origin_claim *claim = &claims->claim[i];

		if (!claim->value || !tunable_same(t, claim->value, value))
			continue;
		if (ret_claim)
			*ret_claim = claim;
		return claim->origin;
	}
	return t->standard && tunable_same(t, t->standard, value) ? ORIGIN_DEFAULT : ORIGIN_UNKNOWN;
}
