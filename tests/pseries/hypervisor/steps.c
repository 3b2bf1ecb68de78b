/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file turns the text of a script into steps. Rule: what is not understood is an error. */
#include "steps.h"

#include <errno.h>

#include "base/parse.h"
#include "base/util.h"
#include "qemu.h"

/* A number with its unit: "25ms". */
static int parse_duration_ns(struct span text, uint64_t *ret)
{
	static const struct {
		const char *unit;
		uint64_t ns;
	} units[] = { { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 } };

	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		size_t length = strlen(units[i].unit);
		struct span number = { text.text, text.len - length };
		uint64_t value;

		if (text.len <= length ||
		    memcmp(text.text + number.len, units[i].unit, length) != 0)
			continue;
		if (parse_u64(number, &value) < 0 || value > UINT64_MAX / units[i].ns)
			continue;
		*ret = value * units[i].ns;
		return 0;
	}
	return -EINVAL;
}

static int parse_ticks(struct span text, uint64_t *ret)
{
	uint64_t ns;
	int r = parse_duration_ns(text, &ns);

	if (r >= 0)
		*ret = timebase_ticks(ns);
	return r;
}

static int parse_cpus(struct span text, struct idset *ret)
{
	_cleanup_free_ char *list = span_dup(text);

	return list ? idset_parse_list(list, ret) : -ENOMEM;
}

static int parse_count(struct span text, uint32_t *ret)
{
	uint64_t value;
	int r = parse_u64(text, &value);

	if (r < 0 || value > UINT32_MAX)
		return -EINVAL;
	*ret = (uint32_t)value;
	return 0;
}

static int parse_word(struct step *step, struct span word)
{
	struct span key, value;

	if (!span_split(word, '=', &key, &value))
		return -EINVAL;
	if (span_is(key, "cpus"))
		return parse_cpus(value, &step->cpus);
	if (span_is(key, "at"))
		return parse_duration_ns(value, &step->at_ns);
	if (span_is(key, "every"))
		return parse_duration_ns(value, &step->every_ns);
	if (span_is(key, "times"))
		return parse_u64(value, &step->times);
	if (step->verb == STEP_HOLD)
		return span_is(key, "length") ? parse_duration_ns(value, &step->length_ns)
					      : -EINVAL;
	if (span_is(key, "dispatch"))
		return parse_ticks(value, &step->waiting.dispatch_ticks);
	if (span_is(key, "entitlement"))
		return parse_ticks(value, &step->waiting.entitlement_ticks);
	if (span_is(key, "dispersions"))
		return parse_count(value, &step->waiting.dispersions);
	return -EINVAL;
}

/* A held host CPU must get air: the kernel throttles real-time threads at 95 % of a second. */
static bool step_is_sound(const struct step *step)
{
	if (idset_count(&step->cpus) == 0 || step->times == 0)
		return false;
	if (step->times > 1 && step->every_ns == 0)
		return false;
	if (step->verb == STEP_WRITE)
		return step->waiting.dispatch_ticks || step->waiting.entitlement_ticks ||
		       step->waiting.dispersions;
	return step->length_ns > 0 && step->length_ns <= 500000000 &&
	       (step->times == 1 || step->length_ns <= step->every_ns / 10 * 9);
}

static int parse_step(struct span line, struct step *step)
{
	struct span word;

	if (!span_word(&line, &word))
		return -EINVAL;
	if (span_is(word, "hold"))
		step->verb = STEP_HOLD;
	else if (!span_is(word, "write"))
		return -EINVAL;
	while (span_word(&line, &word)) {
		int r = parse_word(step, word);

		if (r < 0)
			return r;
	}
	return step_is_sound(step) ? 0 : -EINVAL;
}

static int add_line(struct steps *steps, struct span line)
{
	struct step *list;

	line = span_trim(line);
	if (line.len == 0 || line.text[0] == '#')
		return 0;
	if (span_is(line, "next")) {
		steps->parts++;
		return 0;
	}
	list = reallocarray(steps->list, steps->count + 1, sizeof(*list));
	if (!list)
		return -ENOMEM;
	steps->list = list;
	list[steps->count] = (struct step) { .part = steps->parts - 1, .times = 1 };
	return parse_step(line, &list[steps->count++]);
}

int steps_read(const char *path, struct steps *ret, unsigned int *ret_line)
{
	_cleanup_fclose_ FILE *file = fopen(path, "re");
	_cleanup_free_ char *line = NULL;
	struct steps steps = { .parts = 1 };
	unsigned int number = 0;
	size_t size = 0;
	int r = 0;

	if (!file)
		r = -errno;
	while (r >= 0 && getline(&line, &size, file) >= 0) {
		number++;
		r = add_line(&steps, span_of(line));
	}
	if (r < 0) {
		steps_done(&steps);
		*ret_line = number;
		return r;
	}
	*ret = steps;
	return 0;
}

void steps_done(struct steps *steps)
{
	for (size_t i = 0; i < steps->count; i++)
		idset_done(&steps->list[i].cpus);
	free(steps->list);
	*steps = (struct steps) { 0 };
}
