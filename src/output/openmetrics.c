/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file renders samples as OpenMetrics. */
#include "output/openmetrics.h"

#include <errno.h>
#include <stdio.h>

#include "base/util.h"
#include "machine/sample/columns.h"

/* A unit must be the end of its metric's name, spelled out. */
static const struct {
	const char *unit;   /* of the column */
	const char *ending; /* of its name, which goes */
	const char *spelled;
} units[] = {
	{ "%", "_pct", "percent" },
	{ "1/s", "_per_s", "per_second" },
	{ "cores", "", "cores" },
	{ "timebase ticks", "_tb", "timebase_ticks" },
};

static size_t unit_of(const struct column_info *info)
{
	size_t i = 0;

	while (i + 1 < ARRAY_SIZE(units) && !streq(units[i].unit, info->unit))
		i++;
	return i;
}

/* "steal_pct" of a CPU becomes "lpartune_cpu_steal_percent". */
static void metric_name(char *buf, size_t size, const char *scope, const struct column_info *info)
{
	size_t unit = unit_of(info), len = strlen(info->name), cut = strlen(units[unit].ending);

	if (cut < len && streq(info->name + len - cut, units[unit].ending))
		len -= cut;
	snprintf(buf, size, "lpartune_%s%.*s_%s", scope, (int)len, info->name, units[unit].spelled);
}

static void print_escaped(FILE *f, const char *text)
{
	for (; *text; text++) {
		if (*text == '\\' || *text == '"')
			putc('\\', f);
		putc(*text, f);
	}
}

static void print_number(FILE *f, const json_t *value)
{
	if (json_is_integer(value))
		fprintf(f, " %lld\n", (long long)json_integer_value(value));
	else
		fprintf(f, " %.15g\n", json_real_value(value));
}

static void print_family(FILE *f, const char *name, const struct column_info *info)
{
	fprintf(f, "# TYPE %s gauge\n# UNIT %s %s\n# HELP %s ", name, name,
		units[unit_of(info)].spelled, name);
	print_escaped(f, info->about);
	putc('\n', f);
}

static void print_system(FILE *f, const json_t *doc)
{
	const json_t *system = json_object_get(doc, "system");
	char name[128];

	for (unsigned int i = 0; i < COLUMN_COUNT; i++) {
		const json_t *value = json_object_get(system, column_info[i].name);

		if (!json_is_number(value))
			continue;
		metric_name(name, sizeof(name), "", &column_info[i]);
		print_family(f, name, &column_info[i]);
		fputs(name, f);
		print_number(f, value);
	}
}

static void print_group(FILE *f, const json_t *rows, const char *member, const char *scope)
{
	char name[128];

	for (unsigned int i = 0; i < COLUMN_COUNT; i++) {
		bool begun = false;

		for (size_t k = 0; k < json_array_size(rows); k++) {
			const json_t *row = json_array_get(rows, k);
			const json_t *value = json_object_get(row, column_info[i].name);

			if (!json_is_number(value))
				continue;
			metric_name(name, sizeof(name), scope, &column_info[i]);
			if (!begun)
				print_family(f, name, &column_info[i]);
			begun = true;
			fprintf(f, "%s{%s=\"%lld\"}", name, member,
				(long long)json_integer_value(json_object_get(row, member)));
			print_number(f, value);
		}
	}
}

static void print_absent(FILE *f, const json_t *absent)
{
	if (!json_object_size(absent))
		return;
	fputs("# TYPE lpartune_absent gauge\n"
	      "# HELP lpartune_absent Columns of the system that have no number, and why.\n",
	      f);
	for (unsigned int i = 0; i < COLUMN_COUNT; i++) {
		const json_t *reason = json_object_get(absent, column_info[i].name);

		if (reason)
			fprintf(f, "lpartune_absent{column=\"%s\",reason=\"%s\"} 1\n",
				column_info[i].name, json_string_value(reason));
	}
}

static void print_exposition(FILE *f, const json_t *doc)
{
	const char *version = json_string_value(json_object_get(doc, "lpartune"));
	const char *source = json_string_value(json_object_get(doc, "steal_source"));
	const json_t *interval = json_object_get(doc, "interval_ns");

	fputs("# TYPE lpartune info\n# HELP lpartune Who sampled, and where steal comes from.\n",
	      f);
	fprintf(f, "lpartune_info{version=\"%s\",steal_source=\"%s\"} 1\n", version, source);
	if (json_is_integer(interval))
		fprintf(f,
			"# TYPE lpartune_interval_seconds gauge\n"
			"# UNIT lpartune_interval_seconds seconds\n"
			"# HELP lpartune_interval_seconds The interval that was sampled.\n"
			"lpartune_interval_seconds %.9f\n",
			(double)json_integer_value(interval) / 1e9);
	print_system(f, doc);
	print_group(f, json_object_get(doc, "nodes"), "node", "node_");
	print_group(f, json_object_get(doc, "cores"), "core", "core_");
	print_group(f, json_object_get(doc, "cpus"), "cpu", "cpu_");
	print_absent(f, json_object_get(doc, "absent"));
	fputs("# EOF\n", f);
}

char *openmetrics_render(const json_t *doc, size_t *ret_len)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return NULL;
	print_exposition(f, doc);
	if (ferror(f) | fclose(f)) {
		free(text);
		return NULL;
	}
	*ret_len = len;
	return text;
}

int openmetrics_print(const json_t *doc)
{
	errno = 0;
	print_exposition(stdout, doc);
	if (fflush(stdout) == 0 && !ferror(stdout))
		return 0;
	return errno ? -errno : -EIO;
}
