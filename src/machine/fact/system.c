/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file makes facts of the system around: distribution, memory, uptime, huge pages, merging. */
#include <errno.h>

#include "machine/fact/machine.h"

/* A value of os-release, without the quotes that a shell would take off. */
static char *os_release_value(const struct content *c, const char *wanted)
{
	struct span rest = content_span(c), line, key, value;

	while (span_line(&rest, &line)) {
		if (!span_split(line, '=', &key, &value) || !span_is(key, wanted))
			continue;
		if (value.len >= 2 && (value.text[0] == '"' || value.text[0] == '\'') &&
		    value.text[value.len - 1] == value.text[0])
			value = (struct span) { value.text + 1, value.len - 2 };
		return span_dup_utf8(value);
	}
	return NULL;
}

static void set_distribution(struct machine *m)
{
	static const char *const paths[] = { "etc/os-release", "usr/lib/os-release" };
	_cleanup_content_ struct content c = { 0 };
	_cleanup_free_ char *id = NULL;
	_cleanup_free_ char *name = NULL;
	size_t i = 0;
	int r = root_read(m->root, &c, "%s", paths[i]);

	if (r == -ENOENT)
		r = root_read(m->root, &c, "%s", paths[++i]);
	if (r < 0) {
		facts_absent(&m->facts, FACT_DISTRO_ID, reason_of_errno(-r), "%s", paths[0]);
		facts_absent(&m->facts, FACT_DISTRO_NAME, reason_of_errno(-r), "%s", paths[0]);
		return;
	}
	id = os_release_value(&c, "ID");
	name = os_release_value(&c, "PRETTY_NAME");
	if (id)
		facts_set_string(&m->facts, FACT_DISTRO_ID, id, "%s", paths[i]);
	if (name)
		facts_set_string(&m->facts, FACT_DISTRO_NAME, name, "%s", paths[i]);
}

static int find_total(struct span line, void *arg)
{
	struct span word;

	return span_word(&line, &word) && span_is(word, "MemTotal:") && span_word(&line, &word) &&
	       parse_u64(word, arg) == 0;
}

static void set_memory(struct machine *m)
{
	uint64_t kib;
	int r = root_each_line(m->root, find_total, &kib, "proc/meminfo");

	if (r == 1 && kib && kib <= INT64_MAX / 1024)
		facts_set_integer(&m->facts, FACT_MEMORY_TOTAL, (int64_t)kib * 1024,
				  "proc/meminfo (MemTotal)");
	else
		facts_absent(&m->facts, FACT_MEMORY_TOTAL,
			     r < 0 ? reason_of_errno(-r) : REASON_INVALID,
			     "proc/meminfo (MemTotal)");
}

static void set_uptime(struct machine *m)
{
	_cleanup_free_ char *text = NULL;
	struct span rest, word;
	double seconds;
	int r = root_read_string(m->root, &text, "proc/uptime");

	if (r >= 0) {
		rest = span_of(text);
		if (span_word(&rest, &word) && parse_real(word, &seconds) == 0 && seconds >= 0 &&
		    seconds < 1e12) {
			facts_set_integer(&m->facts, FACT_UPTIME, (int64_t)seconds, "proc/uptime");
			return;
		}
	}
	facts_absent(&m->facts, FACT_UPTIME, r < 0 ? reason_of_errno(-r) : REASON_INVALID,
		     "proc/uptime");
}

/* "always [madvise] never" */
static void set_choice(struct machine *m, enum fact fact, const char *path)
{
	_cleanup_free_ char *text = NULL;
	_cleanup_free_ char *chosen = NULL;
	const char *open, *close;
	int r = root_read_string(m->root, &text, "%s", path);

	open = r < 0 ? NULL : strchr(text, '[');
	close = open ? strchr(open, ']') : NULL;
	chosen = close ? span_dup((struct span) { open + 1, (size_t)(close - open) - 1 }) : NULL;
	if (chosen)
		facts_set_string(&m->facts, fact, chosen, "%s", path);
	else
		facts_absent(&m->facts, fact, r < 0 ? reason_of_errno(-r) : REASON_INVALID, "%s",
			     path);
}

static void set_integer(struct machine *m, enum fact fact, const char *path)
{
	_cleanup_free_ char *text = NULL;
	int64_t value;
	int r = root_read_string(m->root, &text, "%s", path);

	if (r >= 0 && parse_i64(span_of(text), &value) == 0)
		facts_set_integer(&m->facts, fact, value, "%s", path);
	else
		facts_absent(&m->facts, fact, r < 0 ? reason_of_errno(-r) : REASON_INVALID, "%s",
			     path);
}

int system_read(struct machine *m)
{
	set_distribution(m);
	set_memory(m);
	set_uptime(m);
	set_choice(m, FACT_MEMORY_THP, "sys/kernel/mm/transparent_hugepage/enabled");
	set_choice(m, FACT_MEMORY_THP_DEFRAG, "sys/kernel/mm/transparent_hugepage/defrag");
	set_integer(m, FACT_MEMORY_KSM, "sys/kernel/mm/ksm/run");
	set_integer(m, FACT_NUMA_BALANCING, "proc/sys/kernel/numa_balancing");
	return 0;
}
