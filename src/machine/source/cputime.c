/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file parses /proc/stat; it is read at every interval, so it allocates only when CPUs come. */
#include "machine/source/cputime.h"

#include <errno.h>

#include "base/idset.h"

#define KINDS_MIN 4 /* Linux 2.4 */
#define GENEROUS 16

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Takes a number off `rest`. False at the end of the line; -1 in `ok` for anything but a number. */
static bool take_number(struct span *rest, uint64_t *ret, bool *ok)
{
	uint64_t value = 0;

	while (rest->len && is_blank(*rest->text)) {
		rest->text++;
		rest->len--;
	}
	if (!rest->len)
		return false;
	while (rest->len && !is_blank(*rest->text)) {
		unsigned int digit = (unsigned int)*rest->text - '0';

		if (digit > 9 || __builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, digit, &value)) {
			*ok = false;
			return false;
		}
		rest->text++;
		rest->len--;
	}
	*ret = value;
	return true;
}

static void parse_ticks(struct span rest, struct cputime *ret)
{
	struct cputime time = { 0 };
	bool ok = true;

	while (time.kinds < CPUTIME_KINDS && take_number(&rest, &time.ticks[time.kinds], &ok))
		time.kinds++;
	if (!ok || time.kinds < KINDS_MIN)
		time = (struct cputime) { 0 };
	*ret = time;
}

static int add_cpu(struct cputimes *times, unsigned int cpu, struct span ticks)
{
	if (times->count == times->room) {
		size_t room = times->room ? times->room * 2 : 64;
		struct cputime_cpu *grown = reallocarray(times->cpus, room, sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		times->cpus = grown;
		times->room = room;
	}
	times->cpus[times->count].cpu = cpu;
	parse_ticks(ticks, &times->cpus[times->count].time);
	times->count++;
	return 0;
}

/* "cpu  1 2 3 4" or "cpu17 1 2 3 4"; a CPU number that cannot be one is skipped. */
static int parse_cpu_line(struct span line, struct cputimes *times)
{
	struct span rest = { line.text + 3, line.len - 3 };
	size_t digits = 0;
	uint64_t cpu;

	while (digits < rest.len && !is_blank(rest.text[digits]))
		digits++;
	if (digits == 0) {
		parse_ticks(rest, &times->total);
		return 0;
	}
	if (parse_u64((struct span) { rest.text, digits }, &cpu) < 0 || cpu >= IDSET_MAX)
		return 0;
	return add_cpu(times, (unsigned int)cpu,
		       (struct span) { rest.text + digits, rest.len - digits });
}

static void parse_counter(struct span line, struct cputimes *times)
{
	const struct {
		const char *key;
		uint64_t *value;
		bool *has;
	} rows[] = {
		{ "ctxt ", &times->context_switches, &times->has_context_switches },
		{ "btime ", &times->boot_time_s, &times->has_boot_time },
		{ "processes ", &times->forks, &times->has_forks },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		size_t len = strlen(rows[i].key);

		if (span_starts(line, rows[i].key))
			*rows[i].has = parse_u64((struct span) { line.text + len, line.len - len },
						 rows[i].value) == 0;
	}
}

int cputimes_parse(struct span text, struct cputimes *times)
{
	struct span line;
	int r = 0;

	*times = (struct cputimes) { .cpus = times->cpus, .room = times->room };
	while (r == 0 && span_line(&text, &line)) {
		if (span_starts(line, "cpu"))
			r = parse_cpu_line(line, times);
		else
			parse_counter(line, times);
	}
	if (r < 0)
		return r;
	return times->total.kinds || times->count ? 0 : -EINVAL;
}

int cputimes_read(struct root *root, struct cputimes *times)
{
	_cleanup_content_ struct content c = { 0 };
	int r = root_read(root, &c, CPUTIME_PATH);

	return r < 0 ? r : cputimes_parse(content_span(&c), times);
}

uint64_t cputime_total(const struct cputime *time)
{
	uint64_t total = 0;

	for (unsigned int i = 0; i < time->kinds && i < CPUTIME_SUMMED; i++)
		if (__builtin_add_overflow(total, time->ticks[i], &total))
			return UINT64_MAX;
	return total;
}

bool cputime_is_plausible(const struct cputime *time, double elapsed_s, size_t cpus)
{
	double ticks = (elapsed_s + 1) * CPUTIME_HZ * (double)(cpus ? cpus : 1);

	return (double)cputime_total(time) <= ticks * GENEROUS;
}
