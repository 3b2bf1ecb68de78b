/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file keeps lists of settings. */
#include "machine/tunable/setting.h"

#include <errno.h>

static void setting_done(struct setting *setting)
{
	free(setting->instance);
	free(setting->from);
	free(setting->to);
	free(setting->rule);
	free(setting->reason);
}

void settings_done(struct settings *settings)
{
	for (size_t i = 0; i < settings->count; i++)
		setting_done(&settings->list[i]);
	free(settings->list);
	*settings = (struct settings) { 0 };
}

/* A copy of a text that may be NULL; false when memory is out. */
static bool copy(const char *text, char **ret)
{
	*ret = text ? strdup(text) : NULL;
	return !text || *ret;
}

int settings_add(struct settings *settings, const struct tunable *tunable, const char *from,
		 const char *to, const char *rule, const char *reason)
{
	struct setting setting = { .tunable = tunable };
	struct setting *list = reallocarray(settings->list, settings->count + 1,
					    sizeof(*settings->list));

	if (!list)
		return -ENOMEM;
	settings->list = list;
	if (!copy(from, &setting.from) || !copy(to, &setting.to) || !copy(rule, &setting.rule) ||
	    !copy(reason, &setting.reason)) {
		setting_done(&setting);
		return -ENOMEM;
	}
	list[settings->count++] = setting;
	return 0;
}

enum scope tunable_scope(const struct tunable *tunable)
{
	switch (tunable->where) {
	case WHERE_CMDLINE:
		return SCOPE_REBOOT;
	case WHERE_MODULE:
		return SCOPE_NEXT_LOAD;
	default:
		return SCOPE_NOW;
	}
}

const char *scope_word(enum scope scope)
{
	static const char *const words[] = {
		[SCOPE_NOW] = "now",
		[SCOPE_NEXT_LOAD] = "next-load",
		[SCOPE_REBOOT] = "next-boot",
		[SCOPE_OUTSIDE] = "outside",
	};

	return words[scope];
}
