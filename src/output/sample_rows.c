/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file prints rows of samples; it reads only the document and the table of columns. */
#include "output/sample_rows.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <time.h>

#include "output/number.h"
#include "output/output.h"

/* By importance: what does not fit on a terminal falls off the end. */
static const enum column shown[] = {
	COLUMN_STEAL,
	COLUMN_STEAL_DISPATCH_WAIT,
	COLUMN_STEAL_ENTITLEMENT_WAIT,
	COLUMN_USER,
	COLUMN_SYS,
	COLUMN_IDLE,
	COLUMN_STAT_STEAL,
	COLUMN_PHYSC,
	COLUMN_ENTC,
	COLUMN_DISPATCHES,
	COLUMN_PREEMPTIONS,
	COLUMN_DISPERSIONS,
	COLUMN_APP,
	COLUMN_IDLE_ENTRIES,
	COLUMN_IPIS,
	COLUMN_SMT_PULLS,
	COLUMN_HOME,
	COLUMN_CONTEXT_SWITCHES,
	COLUMN_MIGRATIONS,
};

#define LABEL_WIDTH 8U
#define TIME_WIDTH 8U

void sample_rows_init(struct sample_rows_view *view, bool with_time, bool with_labels)
{
	*view = (struct sample_rows_view) { .with_time = with_time,
					    .with_labels = with_labels,
					    .line_end = "\n" };
	text_init(&view->text, stdout);
	view->is_terminal = isatty(STDOUT_FILENO);
}

static bool is_word(const json_t *value, const char *const *words, size_t count)
{
	const char *word = json_string_value(value);

	for (size_t i = 0; word && i < count; i++)
		if (streq(word, words[i]))
			return true;
	return false;
}

/* Can this column have a number on this machine, now or at a later row? */
static bool is_promising(const json_t *doc, enum column column)
{
	static const char *const never[] = { "missing", "not-applicable", "not-provided", "denied",
					     "locked-down" };
	const char *name = column_info[column].name;
	const json_t *reason = json_object_get(json_object_get(doc, "absent"), name);

	if (json_is_number(json_object_get(json_object_get(doc, "system"), name)))
		return true;
	if (json_object_get(doc, "verdict")) /* there is no later row */
		return false;
	if (column == COLUMN_HOME || column == COLUMN_MIGRATIONS) /* only when asked for */
		return false;
	return !is_word(reason, never, ARRAY_SIZE(never));
}

/* Machines that cannot have lppacas do not cede. */
static bool is_without_cedes(const json_t *doc)
{
	static const char *const words[] = { "not-applicable" };

	return is_word(json_object_get(json_object_get(doc, "absent"),
				       column_info[COLUMN_DISPATCH_WAIT_TB].name),
		       words, 1);
}

static const char *heading_of(const struct sample_rows_view *view, enum column column)
{
	if (column == COLUMN_IDLE_ENTRIES && view->without_cedes)
		return "idle/s";
	return column_info[column].heading;
}

static void choose_columns(struct sample_rows_view *view, const json_t *doc)
{
	unsigned int width = (view->with_time ? TIME_WIDTH + 1 : 0) +
			     (view->with_labels ? LABEL_WIDTH + 1 : 0);

	view->count = 0;
	view->without_cedes = is_without_cedes(doc);
	for (size_t i = 0; i < ARRAY_SIZE(shown); i++) {
		if (!is_promising(doc, shown[i]))
			continue;
		width += column_info[shown[i]].width + 1;
		if (view->is_terminal && width > view->text.width)
			break;
		view->columns[view->count++] = shown[i];
	}
}

static void print_heading(struct sample_rows_view *view)
{
	FILE *out = view->text.out;

	fputs(text_on(&view->text, STYLE_BOLD), out);
	if (view->with_time)
		fprintf(out, "%-*s ", (int)TIME_WIDTH, "time");
	if (view->with_labels)
		fprintf(out, "%-*s ", (int)LABEL_WIDTH, "");
	for (unsigned int i = 0; i < view->count; i++) {
		const struct column_info *info = &column_info[view->columns[i]];

		fprintf(out, "%*s%s", (int)info->width, heading_of(view, view->columns[i]),
			i + 1 == view->count ? "" : " ");
	}
	fprintf(out, "%s%s", text_off(&view->text), view->line_end);
	view->lines = 0;
}

/* The clock of the row, as the user's wall shows it. */
static void print_time(struct sample_rows_view *view, const json_t *doc)
{
	const char *time = json_string_value(json_object_get(doc, "time"));
	char buf[TIME_WIDTH + 1] = "";
	struct tm tm = { 0 };
	time_t t;

	if (time && strptime(time, "%Y-%m-%dT%H:%M:%S", &tm)) {
		t = timegm(&tm);
		localtime_r(&t, &tm);
		strftime(buf, sizeof(buf), "%H:%M:%S", &tm);
	}
	fprintf(view->text.out, "%-*s ", (int)TIME_WIDTH, buf);
}

static enum text_style style_of(enum column column, double value)
{
	if (column != COLUMN_STEAL)
		return STYLE_PLAIN;
	return value >= 25 ? STYLE_RED : value >= 5 ? STYLE_YELLOW : STYLE_PLAIN;
}

/* What stands where a number is absent: "." for one that comes with a later row, "-" else. */
static const char *mark_of(const json_t *row, enum column column)
{
	const json_t *reason = json_object_get(json_object_get(row, "absent"),
					       column_info[column].name);
	const char *word = json_string_value(reason);

	return word && streq(word, "not-sampled") ? "." : "-";
}

static void print_numbers(struct sample_rows_view *view, const json_t *numbers, const json_t *row)
{
	for (unsigned int i = 0; i < view->count; i++) {
		enum column column = view->columns[i];
		const struct column_info *info = &column_info[column];
		const json_t *value = json_object_get(numbers, info->name);
		const char *end = i + 1 == view->count ? view->line_end : " ";
		char buf[NUMBER_SIZE];
		enum text_style style;

		if (!json_is_number(value)) {
			fprintf(view->text.out, "%*s%s", (int)info->width, mark_of(row, column),
				end);
			continue;
		}
		style = style_of(column, json_number_value(value));
		number_fixed(buf, json_number_value(value), info->width, info->decimals);
		fputs(text_on(&view->text, style), view->text.out);
		fputs(buf, view->text.out);
		fputs(style == STYLE_PLAIN ? "" : text_off(&view->text), view->text.out);
		fputs(end, view->text.out);
	}
	if (!view->count)
		fputs(view->line_end, view->text.out);
	view->lines++;
}

static int print_group(struct sample_rows_view *view, const struct sample_group *group)
{
	for (size_t i = 0; i < group->count; i++) {
		const json_t *row = group->row(group->arg, i);
		char label[32];

		if (!row)
			return -ENOMEM;
		snprintf(label, sizeof(label), "%s%lld", group->member,
			 (long long)json_integer_value(json_object_get(row, group->member)));
		if (view->with_time)
			fprintf(view->text.out, "%-*s ", (int)TIME_WIDTH, "");
		fprintf(view->text.out, "%-*s ", (int)LABEL_WIDTH, label);
		print_numbers(view, row, row);
	}
	return 0;
}

/* Lines until the heading comes again; never in a pipe. */
static unsigned int screen_lines(const struct sample_rows_view *view)
{
	struct winsize ws;

	if (!view->is_terminal || ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) < 0 || ws.ws_row < 5)
		return 0;
	return ws.ws_row - 2U;
}

static void print_paragraphs(struct sample_rows_view *view, const json_t *list, unsigned int first,
			     unsigned int indent, enum text_style style)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		text_paragraph(&view->text, first, indent, style, "%s",
			       json_string_value(json_array_get(list, i)));
}

static void print_verdict(struct sample_rows_view *view, const json_t *verdict)
{
	const char *next = json_string_value(json_object_get(verdict, "next"));

	if (!json_is_object(verdict))
		return;
	view->text.started = true;
	text_heading(&view->text, "Verdict");
	print_paragraphs(view, json_object_get(verdict, "text"), 0, 2, STYLE_PLAIN);
	if (next)
		text_paragraph(&view->text, 0, 2, STYLE_PLAIN, "Next: %s", next);
}

int sample_rows_print(struct sample_rows_view *view, const json_t *doc,
		      const struct sample_groups *groups)
{
	unsigned int screen = screen_lines(view);
	int r = 0;

	errno = 0;
	if (!view->started) {
		print_paragraphs(view, json_object_get(doc, "notes"), 0, 2, STYLE_DIM);
		choose_columns(view, doc);
		print_heading(view);
		view->started = true;
	} else if (screen && view->lines >= screen) {
		print_heading(view);
	}
	if (view->with_time)
		print_time(view, doc);
	if (view->with_labels)
		fprintf(view->text.out, "%-*s ", (int)LABEL_WIDTH, "all");
	print_numbers(view, json_object_get(doc, "system"), doc);
	for (size_t i = 0; r == 0 && i < groups->count; i++)
		r = print_group(view, &groups->group[i]);
	return r < 0 ? r : sample_rows_verdict(view, doc);
}

int sample_rows_verdict(struct sample_rows_view *view, const json_t *doc)
{
	print_verdict(view, json_object_get(doc, "verdict"));
	if (fflush(view->text.out) == 0 && !ferror(view->text.out))
		return 0;
	return errno ? -errno : -EIO;
}

void sample_rows_draw(struct sample_rows_view *view, const json_t *doc, const char *line_end)
{
	view->line_end = line_end;
	choose_columns(view, doc);
	print_heading(view);
	print_numbers(view, json_object_get(doc, "system"), doc);
	view->line_end = "\n";
}
