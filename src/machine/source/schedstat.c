/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file streams /proc/schedstat; the table of versions says where its numbers stand. */
#include "machine/source/schedstat.h"

#include <errno.h>

#include "base/idset.h"

/* Numbers of a domain line: three groups (one for each kind of balancing), then 12 others. */
static const struct layout {
	unsigned int version;
	bool named;
	unsigned int group;  /* numbers of a group */
	unsigned int gained; /* lb_gained in it */
} layouts[] = {
	{ .version = 15, .named = false, .group = 8, .gained = 4 },
	{ .version = 16, .named = false, .group = 8, .gained = 4 },
	{ .version = 17, .named = true, .group = 11, .gained = 7 },
};
#define GROUPS 3
#define OTHERS 12
#define NUMBERS_MAX (GROUPS * 11 + OTHERS)

struct reading {
	struct schedstat *stat;
	const struct layout *layout;
	struct schedstat_cpu *cpu; /* whose domain lines follow */
	same_core_fn same_core;
	void *arg;
};

/* The rest of a word after a prefix, as a number. */
static bool take_index(struct span word, const char *prefix, uint64_t *ret)
{
	size_t len = strlen(prefix);

	return span_starts(word, prefix) &&
	       parse_u64((struct span) { word.text + len, word.len - len }, ret) == 0;
}

static void parse_version(struct reading *reading, struct span rest)
{
	uint64_t version;

	if (parse_u64(rest, &version) < 0 || version > 1000)
		return;
	reading->stat->version = (unsigned int)version;
	for (size_t i = 0; i < ARRAY_SIZE(layouts); i++)
		if (layouts[i].version == version)
			reading->layout = &layouts[i];
	reading->stat->has_domains = reading->layout != NULL;
}

static int add_cpu(struct reading *reading, unsigned int cpu)
{
	struct schedstat *stat = reading->stat;

	if (stat->count == stat->room) {
		size_t room = stat->room ? stat->room * 2 : 64;
		struct schedstat_cpu *grown = reallocarray(stat->cpus, room, sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		stat->cpus = grown;
		stat->room = room;
	}
	reading->cpu = &stat->cpus[stat->count++];
	*reading->cpu = (struct schedstat_cpu) { .cpu = cpu };
	return 0;
}

/* Takes exactly `count` numbers, to the end of the line. */
static bool take_numbers(struct span rest, uint64_t *numbers, unsigned int count)
{
	struct span word;
	unsigned int n = 0;

	for (; n < count && span_word(&rest, &word); n++)
		if (parse_u64(word, &numbers[n]) < 0)
			return false;
	return n == count && !span_word(&rest, &word);
}

/* Six counts of which only some still mean something, then run time, wait time, time slices. */
static int parse_cpu(struct reading *reading, uint64_t cpu, struct span rest)
{
	uint64_t numbers[9];
	int r;

	reading->cpu = NULL;
	if (cpu >= IDSET_MAX || !take_numbers(rest, numbers, ARRAY_SIZE(numbers)))
		return 0;
	r = add_cpu(reading, (unsigned int)cpu);
	if (r < 0)
		return r;
	reading->cpu->run_ns = numbers[6];
	reading->cpu->wait_ns = numbers[7];
	reading->cpu->timeslices = numbers[8];
	return 0;
}

/* Are all CPUs of a mask threads of this CPU's core, and more than one? */
static bool is_thread_level(const struct reading *reading, struct span mask)
{
	_cleanup_idset_ struct idset set = { 0 };
	_cleanup_free_ char *text = span_dup(mask);

	if (!reading->same_core || !text || idset_parse_mask(text, &set) < 0)
		return false;
	idset_for_each (cpu, &set)
		if (!reading->same_core(reading->cpu->cpu, (unsigned int)cpu, reading->arg))
			return false;
	return idset_count(&set) > 1;
}

static void parse_domain(struct reading *reading, uint64_t level, struct span rest)
{
	const struct layout *layout = reading->layout;
	uint64_t numbers[NUMBERS_MAX];
	struct span word;
	bool threads;

	if (!layout || !reading->cpu || !span_word(&rest, &word))
		return;
	if (layout->named) {
		threads = span_is(word, "SMT");
		if (!span_word(&rest, &word))
			return;
	} else {
		threads = level == 0 && is_thread_level(reading, word);
	}
	if (!threads || !take_numbers(rest, numbers, GROUPS * layout->group + OTHERS))
		return;
	reading->cpu->has_pulls = true;
	for (unsigned int i = 0; i < GROUPS; i++)
		reading->cpu->smt_pulls += (uint32_t)numbers[i * layout->group + layout->gained];
}

static int parse_line(struct span line, void *arg)
{
	struct reading *reading = arg;
	struct span word;
	uint64_t index;

	if (!span_word(&line, &word))
		return 0;
	if (span_is(word, "version"))
		parse_version(reading, line);
	else if (take_index(word, "cpu", &index))
		return parse_cpu(reading, index, line);
	else if (take_index(word, "domain", &index))
		parse_domain(reading, index, line);
	return 0;
}

int schedstat_read(struct root *root, same_core_fn same_core, void *arg, struct schedstat *stat)
{
	struct reading reading = { .stat = stat, .same_core = same_core, .arg = arg };
	int r;

	*stat = (struct schedstat) { .cpus = stat->cpus, .room = stat->room };
	r = root_each_line(root, parse_line, &reading, SCHEDSTAT_PATH);
	return r == 0 && !stat->version ? -EINVAL : r;
}
