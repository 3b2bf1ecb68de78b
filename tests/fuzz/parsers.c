// SPDX-License-Identifier: GPL-2.0-or-later
/* This file fuzzes what needs no file: numbers, sets, text formats. */
#include <errno.h>
#include <math.h>

#include "base/idset.h"
#include "fuzz.h"
#include "machine/fact/machine.h"
#include "machine/source/cmdline.h"
#include "machine/source/cpuinfo.h"
#include "machine/source/cputime.h"
#include "machine/source/dispatch.h"
#include "machine/source/lppaca.h"
#include "machine/tunable/grammar.h"

static void numbers(struct span input)
{
	uint64_t u = 7;
	int64_t i = 7;
	double real = 7;
	bool boolean;
	_cleanup_free_ char *copy = span_dup_utf8(input);

	fuzz_holds_utf8(copy);
	if (parse_u64(input, &u) < 0)
		HOLDS(u == 7);
	if (parse_i64(input, &i) < 0)
		HOLDS(i == 7);
	HOLDS(parse_real(input, &real) < 0 || isfinite(real));
	(void)parse_hex64(input, &u);
	(void)parse_bool(input, &boolean);
}

static void words(struct span input)
{
	struct span rest = input, line, word, key, value;
	size_t taken = 0;

	while (span_line(&rest, &line)) {
		struct span words = line;

		HOLDS(line.text >= input.text && line.text + line.len <= input.text + input.len);
		while (span_word(&words, &word))
			taken += word.len;
		if (span_split(line, '=', &key, &value))
			HOLDS(key.len > 0 && key.len + value.len < line.len);
	}
	HOLDS(taken <= input.len);
}

/* What is read and printed again reads as the same set. */
static void sets(struct span input)
{
	_cleanup_idset_ struct idset list = { 0 }, mask = { 0 }, again = { 0 };
	_cleanup_free_ char *text = span_dup(input), *printed = NULL;

	(void)idset_parse_mask(text, &mask);
	HOLDS(idset_count(&mask) <= IDSET_MAX);
	if (idset_parse_list(text, &list) < 0)
		return;
	printed = idset_format(&list);
	HOLDS(printed && idset_parse_list(printed, &again) == 0);
	HOLDS(idset_equal(&list, &again) && idset_count(&list) == idset_count(&again));
}

static void lppaca(struct span input)
{
	struct lppaca vpa = { .yield_count = 7 };

	if (lppaca_parse(input.text, input.len, &vpa) < 0)
		HOLDS(vpa.yield_count == 7);
	else
		HOLDS(input.len >= LPPACA_SIZE);
}

static void cpuinfo(struct span input)
{
	struct cpuinfo info = { 0 };

	if (cpuinfo_parse(input, &info) < 0)
		return;
	fuzz_holds_utf8(info.cpu);
	fuzz_holds_utf8(info.model);
	fuzz_holds_utf8(info.platform);
	cpuinfo_done(&info);
}

static void stat(struct span input)
{
	_cleanup_cputimes_ struct cputimes times = { 0 };

	if (cputimes_parse(input, &times) < 0)
		return;
	HOLDS(times.total.kinds <= CPUTIME_KINDS && times.count <= input.len);
	(void)cputime_total(&times.total);
	(void)cputime_is_plausible(&times.total, 1, times.count);
}

static void dispatch(struct span input)
{
	_cleanup_dispatches_ struct dispatches dispatches = { 0 };

	if (dispatches_parse(input, &dispatches) == 0)
		HOLDS(dispatches.off ? dispatches.used == 0 : dispatches.used > 0);
}

static void cmdline(struct span input)
{
	struct span rest = input, parameter, name, value;
	size_t count = 0;

	while (cmdline_next(&rest, &parameter)) {
		cmdline_split(parameter, &name, &value);
		HOLDS(parameter.len > 0 && name.len <= parameter.len);
		HOLDS(++count <= input.len);
	}
	(void)cmdline_get(input, "no-steal-acc", &value);
}

/* The first byte chooses the grammar. A canonical value can be written. */
static void grammar(struct span input)
{
	enum grammar which = input.len ? (unsigned char)input.text[0] % GRAMMAR_COUNT : 0;
	struct span text = { input.text + (input.len ? 1 : 0), input.len - (input.len ? 1 : 0) };
	_cleanup_free_ char *value = NULL, *written = NULL;

	if (grammar_read(which, "TTWU_QUEUE", text, &value) < 0)
		HOLDS(!value);
	else
		(void)grammar_write(which, "TTWU_QUEUE", value, &written);
}

static void kmsg(struct span input)
{
	struct span rest = input, line;

	while (span_line(&rest, &line))
		(void)kernel_log_wants(line);
}

const struct fuzz_target fuzz_parsers[] = {
	{ "numbers", numbers },	  { "words", words },	  { "sets", sets },
	{ "lppaca", lppaca },	  { "cpuinfo", cpuinfo }, { "stat", stat },
	{ "dispatch", dispatch }, { "cmdline", cmdline }, { "grammar", grammar },
	{ "kmsg", kmsg },	  { NULL, NULL },
};
