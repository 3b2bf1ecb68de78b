/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file draws samples on a terminal, with plain ANSI sequences. */
#include "output/sample_live.h"

#include <errno.h>
#include <langinfo.h>
#include <math.h>
#include <signal.h>
#include <sys/ioctl.h>

#include "machine/sample/columns.h"
#include "output/sample_rows.h"

#define HISTORY 512

#define ENTER "\033[?1049h\033[?25l"
#define LEAVE "\033[?25h\033[?1049l"
#define HOME "\033[H"
#define LINE_END "\033[K\n"
#define SCREEN_END "\033[J"

struct sample_live {
	struct sample_rows_view rows; /* the system's line, and the verdict */
	bool entered, utf8;
	unsigned int width, height;
	unsigned int line;		     /* lines drawn */
	float steal[HISTORY], busy[HISTORY]; /* rings; NAN: absent */
	unsigned int drawn;
	json_t *last; /* what is on the screen; NULL: nothing yet */
};

static void enter(struct sample_live *live)
{
	if (!live->entered)
		fputs(ENTER, stdout);
	live->entered = true;
}

static void leave(struct sample_live *live)
{
	if (live->entered)
		fputs(LEAVE, stdout);
	live->entered = false;
	fflush(stdout);
}

/* Dies of it, on a terminal that is as it was. */
static void on_death(int number)
{
	ssize_t n = write(STDOUT_FILENO, LEAVE, sizeof(LEAVE) - 1);

	(void)n;
	raise(number);
}

static void catch_death(void)
{
	static const int numbers[] = { SIGSEGV, SIGBUS,	 SIGILL,  SIGFPE,  SIGABRT, SIGSYS,
				       SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ };
	const struct sigaction action = { .sa_handler = on_death,
					  .sa_flags = (int)(SA_RESETHAND | SA_NODEFER) };

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		sigaction(numbers[i], &action, NULL);
}

int sample_live_new(struct sample_live **ret)
{
	struct sample_live *live;

	if (!isatty(STDOUT_FILENO))
		return -ENOTTY;
	live = calloc(1, sizeof(*live));
	if (!live)
		return -ENOMEM;
	sample_rows_init(&live->rows, false, false);
	live->utf8 = streq(nl_langinfo(CODESET), "UTF-8");
	catch_death();
	*ret = live;
	return 0;
}

void sample_live_free(struct sample_live *live)
{
	if (!live)
		return;
	leave(live);
	json_decref(live->last);
	free(live);
}

void sample_live_pause(struct sample_live *live)
{
	if (live)
		leave(live);
}

static void measure(struct sample_live *live)
{
	struct winsize ws;

	live->width = 80;
	live->height = 24;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) == 0 && ws.ws_col && ws.ws_row) {
		live->width = ws.ws_col;
		live->height = ws.ws_row;
	}
	live->line = 0;
}

/* Is there room for another line? The last one stays free: a newline there would scroll. */
static bool has_room(const struct sample_live *live)
{
	return live->line + 1 < live->height;
}

static void end_line(struct sample_live *live)
{
	fputs(LINE_END, stdout);
	live->line++;
}

static double number(const json_t *row, enum column column)
{
	const json_t *value = json_object_get(row, column_info[column].name);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

static void remember(struct sample_live *live, const json_t *system)
{
	unsigned int at = live->drawn++ % HISTORY;
	double steal = number(system, COLUMN_STEAL);
	double stat_steal = number(system, COLUMN_STAT_STEAL);

	live->steal[at] = (float)steal;
	live->busy[at] = (float)(100 - number(system, COLUMN_IDLE) - number(system, COLUMN_IOWAIT) -
				 (isnan(stat_steal) ? 0 : stat_steal));
}

static void draw_bar(const struct sample_live *live, double value, double most)
{
	static const char *const blocks[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	static const char *const ascii[] = { " ", ".", ".", ":", ":", "+", "+", "#", "#" };
	int level = 0;

	if (isnan(value)) {
		putchar('?');
		return;
	}
	if (value > 0)
		level = 1 + (int)(value / most * 7.99);
	level = level < 0 ? 0 : level > 8 ? 8 : level;
	fputs(live->utf8 ? blocks[level] : ascii[level], stdout);
}

/* The newest values of a ring, as many as fit, scaled to the highest of them. */
static void draw_history(struct sample_live *live, const char *name, const float *ring)
{
	unsigned int room = live->width > 30 ? live->width - 30 : 1;
	unsigned int count = live->drawn < HISTORY ? live->drawn : HISTORY;
	float most = 1;

	if (!has_room(live))
		return;
	count = count < room ? count : room;
	for (unsigned int i = live->drawn - count; i < live->drawn; i++)
		most = ring[i % HISTORY] > most ? ring[i % HISTORY] : most;
	printf("%-6s ", name);
	for (unsigned int i = live->drawn - count; i < live->drawn; i++)
		draw_bar(live, (double)ring[i % HISTORY], (double)most);
	if (isnan(ring[(live->drawn - 1) % HISTORY]))
		fputs("  unknown", stdout);
	else
		printf("  %.1f %%, max %.1f", (double)ring[(live->drawn - 1) % HISTORY],
		       (double)most);
	end_line(live);
}

static void draw_cell(const struct sample_live *live, double steal)
{
	static const struct {
		double below;
		const char *shade, *ascii;
		enum text_style style;
	} cells[] = {
		{ 0.5, "·", ".", STYLE_DIM },	   { 5, "░", ":", STYLE_PLAIN },
		{ 15, "▒", "+", STYLE_YELLOW },	   { 35, "▓", "#", STYLE_YELLOW },
		{ INFINITY, "█", "@", STYLE_RED },
	};
	size_t i = 0;

	if (isnan(steal)) {
		putchar('?');
		return;
	}
	while (i + 1 < ARRAY_SIZE(cells) && steal >= cells[i].below)
		i++;
	printf("%s%s%s", text_on(&live->rows.text, cells[i].style),
	       live->utf8 ? cells[i].shade : cells[i].ascii, text_off(&live->rows.text));
}

/* Rows of cells, each row headed by its first core. */
static void draw_cores(struct sample_live *live, const json_t *cores)
{
	size_t per_line = live->width > 20 ? (live->width - 10) / 8 * 8 : 8;

	for (size_t i = 0; i < json_array_size(cores) && has_room(live); i += per_line) {
		printf("%6lld  ", (long long)json_integer_value(
					  json_object_get(json_array_get(cores, i), "core")));
		for (size_t k = i; k < i + per_line && k < json_array_size(cores); k++)
			draw_cell(live, number(json_array_get(cores, k), COLUMN_STEAL));
		end_line(live);
	}
}

static void draw_text(struct sample_live *live, const char *text)
{
	if (!has_room(live))
		return;
	printf("%.*s", (int)live->width, text);
	end_line(live);
}

static void draw_head(struct sample_live *live, const json_t *doc)
{
	const char *time = json_string_value(json_object_get(doc, "time"));
	const char *source = json_string_value(json_object_get(doc, "steal_source"));
	char text[256];

	snprintf(text, sizeof(text), "lpartune sample  %s  %lld CPUs online, steal by %s",
		 time ? time : "",
		 (long long)json_integer_value(json_object_get(doc, "cpus_online")),
		 source && streq(source, "vpa") ? "the hypervisor's count" : "/proc/stat");
	draw_text(live, text);
	draw_text(live, "");
}

/* The heading and the row of the system: two lines of the rows' view. */
static void draw_system(struct sample_live *live, const json_t *doc)
{
	if (live->line + 3 >= live->height)
		return;
	live->rows.text.width = live->width;
	sample_rows_draw(&live->rows, doc, LINE_END);
	live->line += 2;
	draw_text(live, "");
}

static int end(struct sample_live *live, const json_t *doc)
{
	leave(live);
	return sample_rows_verdict(&live->rows, doc);
}

int sample_live_print(struct sample_live *live, json_t *doc)
{
	if (json_object_get(doc, "verdict"))
		return end(live, doc);
	json_decref(live->last);
	live->last = json_incref(doc);
	remember(live, json_object_get(doc, "system"));
	return sample_live_redraw(live);
}

int sample_live_redraw(struct sample_live *live)
{
	const json_t *doc = live->last;

	if (!doc)
		return 0;
	errno = 0;
	measure(live);
	enter(live);
	fputs(HOME, stdout);
	draw_head(live, doc);
	draw_system(live, doc);
	draw_history(live, "steal", live->steal);
	draw_history(live, "busy", live->busy);
	draw_text(live, "");
	draw_text(live, "steal of each core:");
	draw_cores(live, json_object_get(doc, "cores"));
	fputs(SCREEN_END, stdout);
	if (fflush(stdout) == 0 && !ferror(stdout))
		return 0;
	return errno ? -errno : -EIO;
}
