/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * This file judges whether a kernel has a behaviour: seen on the machine, else by symbol, else by
 * configuration, else by version. It never takes an unknown backport for an absence.
 */
#include <errno.h>

#include "advice/kernels.h"
#include "advice/words.h"

/* A data symbol of every kernel: if it is listed, all data symbols are. */
#define DATA_SYMBOL "system_state"

static const struct verdict undecided = { PRESENCE_UNSURE, CONFIDENCE_NONE };

static struct verdict decided(bool has, enum confidence confidence)
{
	return (struct verdict) { has ? PRESENCE_HAS : PRESENCE_LACKS, confidence };
}

static bool of_this_arch(const struct facts *facts, const char *arch)
{
	const char *is;

	/* "ppc64" covers ppc64le. */
	return !arch || (facts_string(facts, FACT_ARCH, &is) && starts_with(is, arch));
}

static struct verdict by_sight(const struct facts *facts, const struct behaviour_info *info)
{
	const struct fact_value *value = &facts->value[info->seen];

	if (!info->seen || !value->present)
		return undecided;
	if (fact_info[info->seen].type != FACT_TYPE_STRING)
		return decided(true, CONFIDENCE_SEEN);
	if (info->seen_no && words_have(info->seen_no, value->string))
		return decided(false, CONFIDENCE_SEEN);
	if (!info->seen_yes || words_have(info->seen_yes, value->string))
		return decided(true, CONFIDENCE_SEEN);
	return undecided;
}

static struct verdict by_symbol(const struct facts *facts, const struct behaviour_info *info)
{
	const char *symbols;

	if (!info->symbol || !facts_string(facts, FACT_KERNEL_SYMBOLS, &symbols))
		return undecided;
	if (words_listed(info->symbol, symbols))
		return decided(true, CONFIDENCE_SYMBOL);
	if (info->symbol_kind == SYMBOL_TEXT ||
	    (info->symbol_kind == SYMBOL_DATA && words_listed(DATA_SYMBOL, symbols)))
		return decided(false, CONFIDENCE_SYMBOL);
	return undecided;
}

/* The value of an option in the fact ("NAME=y OTHER=n"): true if the fact tells. */
static bool config_value(const struct facts *facts, const char *option, struct span *ret)
{
	const char *config;
	struct span rest, word, name;

	if (!facts_string(facts, FACT_KERNEL_CONFIG, &config))
		return false;
	rest = span_of(config);
	while (span_word(&rest, &word))
		if (span_split(word, '=', &name, ret) && span_is(name, option))
			return true;
	return false;
}

static struct verdict by_config(const struct facts *facts, const struct behaviour_info *info)
{
	struct span value = { "", 0 };

	if (!info->config || !config_value(facts, info->config, &value))
		return undecided;
	if (span_is(value, "n"))
		return decided(false, CONFIDENCE_CONFIG);
	return info->config_proves ? decided(true, CONFIDENCE_CONFIG) : undecided;
}

static bool same_base(struct version a, struct version b)
{
	return a.major == b.major && a.minor == b.minor;
}

/* What a known backport says of a release; PRESENCE_OTHER_ARCH: nothing. */
static enum presence by_backport(const struct backport *backport, const struct release *release)
{
	if (!backport->version.major || !same_base(backport->version, release->version))
		return PRESENCE_OTHER_ARCH;
	if (backport->builder != BUILDER_UPSTREAM) {
		if (backport->builder != release->builder)
			return PRESENCE_OTHER_ARCH;
		return release->build >= backport->build ? PRESENCE_HAS : PRESENCE_UNSURE;
	}
	if (!release_tells_patch(release))
		return PRESENCE_UNSURE;
	if (version_compare(release->version, backport->version) >= 0)
		return PRESENCE_HAS;
	return release->builder == BUILDER_UPSTREAM ? PRESENCE_LACKS : PRESENCE_UNSURE;
}

static enum presence before_since(const struct behaviour_info *info, const struct release *release)
{
	for (size_t i = 0; i < BACKPORTS_MAX; i++) {
		enum presence presence = by_backport(&info->backport[i], release);

		if (presence != PRESENCE_OTHER_ARCH)
			return presence;
	}
	return release->builder == BUILDER_UPSTREAM ? PRESENCE_LACKS : PRESENCE_UNSURE;
}

static struct verdict by_version(const struct facts *facts, const struct behaviour_info *info)
{
	struct verdict verdict = { PRESENCE_HAS, CONFIDENCE_VERSION };
	struct release release;
	const char *text;

	if (!info->since.major || !facts_string(facts, FACT_KERNEL_RELEASE, &text) ||
	    release_parse(text, &release) < 0)
		return undecided;
	if (info->until.major && version_compare(release.version, info->until) >= 0)
		verdict.presence = PRESENCE_LACKS;
	else if (version_compare(release.version, info->since) < 0)
		verdict.presence = before_since(info, &release);
	return verdict;
}

struct verdict kernels_judge(const struct facts *facts, enum behaviour behaviour)
{
	static struct verdict (*const ways[])(const struct facts *,
					      const struct behaviour_info *) = {
		by_sight,
		by_symbol,
		by_config,
		by_version,
	};
	const struct behaviour_info *info = &behaviour_info[behaviour];
	struct verdict verdict = undecided;

	if (!of_this_arch(facts, info->arch))
		return (struct verdict) { PRESENCE_OTHER_ARCH, CONFIDENCE_NONE };
	for (size_t i = 0; i < ARRAY_SIZE(ways) && verdict.confidence == CONFIDENCE_NONE; i++)
		verdict = ways[i](facts, info);
	return verdict;
}

const char *presence_word(enum presence presence)
{
	static const char *const words[] = {
		[PRESENCE_UNSURE] = "unsure",
		[PRESENCE_HAS] = "yes",
		[PRESENCE_LACKS] = "no",
		[PRESENCE_OTHER_ARCH] = "not-applicable",
	};

	return words[presence];
}

const char *confidence_word(enum confidence confidence)
{
	static const char *const words[] = {
		[CONFIDENCE_NONE] = "none",	[CONFIDENCE_VERSION] = "version",
		[CONFIDENCE_CONFIG] = "config", [CONFIDENCE_SYMBOL] = "symbol",
		[CONFIDENCE_SEEN] = "seen",
	};

	return words[confidence];
}

static int describe_version(const struct facts *facts, const struct behaviour_info *info,
			    enum presence presence, char **ret)
{
	const char *text = "?";
	struct release release = { 0 };

	if (facts_string(facts, FACT_KERNEL_RELEASE, &text))
		(void)release_parse(text, &release);
	if (presence == PRESENCE_UNSURE)
		return asprintf(ret, "%s is before mainline %u.%u; whether %s has it is not known",
				text, info->since.major, info->since.minor,
				builder_name(release.builder));
	if (info->until.major)
		return asprintf(ret, "%s is %s mainline %u.%u to %u.%u", text,
				presence == PRESENCE_HAS ? "in" : "outside", info->since.major,
				info->since.minor, info->until.major, info->until.minor);
	return asprintf(ret, "%s %s (mainline %u.%u)", text,
			presence == PRESENCE_HAS ? "has it" : "is older", info->since.major,
			info->since.minor);
}

char *verdict_describe(const struct facts *facts, enum behaviour behaviour)
{
	const struct behaviour_info *info = &behaviour_info[behaviour];
	struct verdict verdict = kernels_judge(facts, behaviour);
	bool has = verdict.presence == PRESENCE_HAS;
	char *text = NULL;
	int r = -1;

	if (verdict.presence == PRESENCE_OTHER_ARCH)
		return strdup("not of this architecture");
	switch (verdict.confidence) {
	case CONFIDENCE_NONE:
		return strdup("the kernel's release is not known");
	case CONFIDENCE_VERSION:
		r = describe_version(facts, info, verdict.presence, &text);
		break;
	case CONFIDENCE_CONFIG:
		r = asprintf(&text, "CONFIG_%s is %s", info->config, has ? "set" : "not set");
		break;
	case CONFIDENCE_SYMBOL:
		r = asprintf(&text, "%s in the kernel's symbols",
			     has ? "its symbol is" : "no symbol of it is");
		break;
	case CONFIDENCE_SEEN:
		r = asprintf(&text, "%s on this system: %s", has ? "seen" : "seen to be absent",
			     fact_info[info->seen].key);
		break;
	}
	return r < 0 ? NULL : text;
}

int behaviour_find(const char *id)
{
	for (int i = 0; i < BEHAVIOUR_COUNT; i++)
		if (streq(behaviour_info[i].id, id))
			return i;
	return -1;
}
