/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file parses the dispatch statistics. */
#include "machine/source/dispatch.h"

#include <errno.h>

#include "base/idset.h"

#define NUMBERS_MAX (DISPATCH_KINDS + 1)

static unsigned int take_numbers(struct span rest, uint64_t *numbers)
{
	unsigned int n = 0;
	struct span word;

	while (n <= NUMBERS_MAX && span_word(&rest, &word)) {
		if (n == NUMBERS_MAX || parse_u64(word, &numbers[n]) < 0)
			return 0;
		n++;
	}
	return n;
}

static void parse_counts(struct span rest, struct dispatch_cpu *cpu)
{
	uint64_t numbers[NUMBERS_MAX];
	unsigned int n = take_numbers(rest, numbers);

	if (n == NUMBERS_MAX) { /* same thread and same core are both the same core */
		numbers[1] += numbers[2];
		memmove(numbers + 2, numbers + 3, (NUMBERS_MAX - 3) * sizeof(*numbers));
		n--;
	}
	cpu->valid = n == DISPATCH_KINDS;
	if (cpu->valid)
		memcpy(cpu->count, numbers, sizeof(cpu->count));
}

static int add_cpu(struct dispatches *d, unsigned int cpu, struct span rest)
{
	if (d->used == d->room) {
		size_t room = d->room ? d->room * 2 : 64;
		struct dispatch_cpu *grown = reallocarray(d->cpus, room, sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		d->cpus = grown;
		d->room = room;
	}
	d->cpus[d->used] = (struct dispatch_cpu) { .cpu = cpu };
	parse_counts(rest, &d->cpus[d->used]);
	d->used++;
	return 0;
}

static int parse_line(struct span line, struct dispatches *d)
{
	struct span word, rest = line;
	uint64_t cpu;

	if (!span_word(&rest, &word))
		return 0;
	if (span_is(word, "off") && !span_word(&rest, &word)) {
		d->off = true;
		return 0;
	}
	if (!span_starts(word, "cpu") ||
	    parse_u64((struct span) { word.text + 3, word.len - 3 }, &cpu) < 0 || cpu >= IDSET_MAX)
		return 0;
	return add_cpu(d, (unsigned int)cpu, rest);
}

int dispatches_parse(struct span text, struct dispatches *d)
{
	struct span line;
	int r = 0;

	*d = (struct dispatches) { .cpus = d->cpus, .room = d->room };
	while (r == 0 && span_line(&text, &line))
		r = parse_line(line, d);
	if (r < 0)
		return r;
	/* Off, and counts all the same: no kernel writes that. */
	return d->off != (d->used > 0) ? 0 : -EINVAL;
}

int dispatches_read(struct root *root, struct dispatches *dispatches)
{
	_cleanup_content_ struct content c = { 0 };
	int r = root_read(root, &c, DISPATCH_PATH);

	return r < 0 ? r : dispatches_parse(content_span(&c), dispatches);
}
