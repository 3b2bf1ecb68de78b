/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernel behaviours: releases, backports, and the order of evidence. */
#include "advice/kernels.h"
#include "advice.h"
#include "unit.h"

static void test_releases(void)
{
	static const struct {
		const char *text;
		struct release is;
	} cases[] = {
		{ "5.3.0", { { 5, 3, 0 }, BUILDER_UPSTREAM, 0 } },
		{ "6.8.0-rc4+", { { 6, 8, 0 }, BUILDER_UPSTREAM, 0 } },
		{ "2.6.32-754.el6.ppc64", { { 2, 6, 32 }, BUILDER_RHEL6, 754 } },
		{ "4.14.0-115.el7a.ppc64le", { { 4, 14, 0 }, BUILDER_RHEL7, 115 } },
		{ "4.18.0-305.el8.ppc64le", { { 4, 18, 0 }, BUILDER_RHEL8, 305 } },
		{ "5.14.0-427.13.1.el9_4.ppc64le", { { 5, 14, 0 }, BUILDER_RHEL9, 427 } },
		{ "6.12.0-55.el10.ppc64le", { { 6, 12, 0 }, BUILDER_RHEL10, 55 } },
		{ "5.3.18-57-default", { { 5, 3, 18 }, BUILDER_SUSE, 57 } },
		{ "6.1.0-50-powerpc64le", { { 6, 1, 0 }, BUILDER_DEBIAN, 50 } },
		{ "6.8.0-31-generic", { { 6, 8, 0 }, BUILDER_UBUNTU, 31 } },
		{ "6.17.7-300.fc43.ppc64le", { { 6, 17, 7 }, BUILDER_FEDORA, 300 } },
	};
	struct release release = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		printf("# %s\n", cases[i].text);
		CHECK(release_parse(cases[i].text, &release) == 0);
		CHECK(version_compare(release.version, cases[i].is.version) == 0);
		CHECK(release.builder == cases[i].is.builder);
		CHECK(release.build == cases[i].is.build);
	}
	CHECK(release_parse("", &release) < 0);
	CHECK(release_parse("6", &release) < 0);
	CHECK(release_parse("6.x", &release) < 0);
	CHECK(release_parse("6.99999999", &release) < 0);
}

static void test_verdicts(void)
{
	static const struct {
		const char *facts;
		enum behaviour behaviour;
		enum presence presence;
		enum confidence confidence;
	} cases[] = {
#define FIX BEHAVIOUR_DEDICATED_NEVER_PREEMPTED
#define STEAL BEHAVIOUR_STEAL_ACCOUNTING
#define UNIT BEHAVIOUR_STEAL_IN_NANOSECONDS
		{ "arch=ppc64le", FIX, PRESENCE_UNSURE, CONFIDENCE_NONE },
		{ "arch=x86_64;kernel.release=5.3.0", FIX, PRESENCE_OTHER_ARCH, CONFIDENCE_NONE },
		{ "arch=ppc64le;kernel.release=5.3.0", FIX, PRESENCE_LACKS, CONFIDENCE_VERSION },
		{ "arch=ppc64le;kernel.release=5.4.8", FIX, PRESENCE_LACKS, CONFIDENCE_VERSION },
		{ "arch=ppc64le;kernel.release=5.4.11", FIX, PRESENCE_HAS, CONFIDENCE_VERSION },
		{ "arch=ppc64le;kernel.release=5.5.0", FIX, PRESENCE_HAS, CONFIDENCE_VERSION },
		{ "arch=ppc64le;kernel.release=5.3.18-57-default", FIX, PRESENCE_UNSURE,
		  CONFIDENCE_VERSION },
		{ "arch=ppc64le;kernel.release=4.18.0-305.el8.ppc64le", FIX, PRESENCE_UNSURE,
		  CONFIDENCE_VERSION },
		{ "arch=ppc64le;kernel.release=4.18.0-348.el8.ppc64le", FIX, PRESENCE_HAS,
		  CONFIDENCE_VERSION },
		{ "arch=ppc64le;kernel.release=5.3.18-57-default;"
		  "kernel.symbols=system_state shared_processor",
		  FIX, PRESENCE_HAS, CONFIDENCE_SYMBOL },
		{ "arch=ppc64le;kernel.release=5.3.18-57-default;kernel.symbols=system_state", FIX,
		  PRESENCE_LACKS, CONFIDENCE_SYMBOL },
		{ "arch=ppc64le;kernel.release=5.3.18-57-default;kernel.symbols=available_idle_cpu",
		  FIX, PRESENCE_UNSURE, CONFIDENCE_VERSION },
		{ "arch=ppc64le;kernel.release=6.12.0;kernel.config=PARAVIRT_TIME_ACCOUNTING=n",
		  STEAL, PRESENCE_LACKS, CONFIDENCE_CONFIG },
		{ "arch=ppc64le;kernel.release=5.14.0;steal.kernel_accounting=sound", STEAL,
		  PRESENCE_HAS, CONFIDENCE_SEEN },
		{ "arch=ppc64le;kernel.release=6.12.0;steal.kernel_accounting=none", STEAL,
		  PRESENCE_LACKS, CONFIDENCE_SEEN },
		{ "arch=ppc64le;kernel.release=6.12.0;steal.kernel_accounting=unknown", STEAL,
		  PRESENCE_HAS, CONFIDENCE_VERSION },
		{ "arch=ppc64le;kernel.release=6.1.0-50-powerpc64le", UNIT, PRESENCE_UNSURE,
		  CONFIDENCE_VERSION },
		{ "arch=ppc64le;kernel.release=6.6.18", UNIT, PRESENCE_HAS, CONFIDENCE_VERSION },
		{ "arch=ppc64le;kernel.release=6.6.17", UNIT, PRESENCE_LACKS, CONFIDENCE_VERSION },
		{ "arch=ppc64le;kernel.release=5.14.21", BEHAVIOUR_CEDE_LATENCY_FROM_FIRMWARE,
		  PRESENCE_HAS, CONFIDENCE_VERSION },
		{ "arch=ppc64le;kernel.release=5.15.0", BEHAVIOUR_CEDE_LATENCY_FROM_FIRMWARE,
		  PRESENCE_LACKS, CONFIDENCE_VERSION },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct facts facts = { 0 };
		struct verdict verdict;
		_cleanup_free_ char *text = NULL;

		advice_facts(&facts, cases[i].facts);
		verdict = kernels_judge(&facts, cases[i].behaviour);
		text = verdict_describe(&facts, cases[i].behaviour);
		printf("# %s: %s: %s\n", cases[i].facts, behaviour_info[cases[i].behaviour].id,
		       text);
		CHECK(verdict.presence == cases[i].presence);
		CHECK(verdict.confidence == cases[i].confidence);
		facts_done(&facts);
	}
}

static void test_table(void)
{
	for (int i = 0; i < BEHAVIOUR_COUNT; i++) {
		const struct behaviour_info *info = &behaviour_info[i];

		printf("# %d %s\n", i, info->id);
		CHECK(info->id && info->title && info->about);
		CHECK(behaviour_find(info->id) == i);
		CHECK(starts_with(info->source, "https://"));
		CHECK(info->since.major || info->seen || info->config);
	}
}

int main(void)
{
	test_releases();
	test_verdicts();
	test_table();
	return unit_done();
}
