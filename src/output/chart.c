/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file draws tail curves: how large a share of the samples took longer than a time. */
#include "output/chart.h"

#include <math.h>
#include <stdio.h>

#include "base/util.h"

#define PANEL_WIDTH 560
#define PANEL_HEIGHT 320
#define LEFT 70
#define RIGHT 20
#define TOP 40
#define BOTTOM 50
#define COLUMNS 2
#define HEAD 40
#define SHARE_LOWEST 1e-4

static const char *const colours[] = { "#1f5fa8", "#c0392b" };

/* The part of the plane that a panel shows; logarithms to base 10. */
struct frame {
	double left, top; /* of the panel in the picture */
	double low, high; /* of ns */
};

static void put_escaped(FILE *f, const char *text)
{
	for (; *text; text++)
		switch (*text) {
		case '&':
			fputs("&amp;", f);
			break;
		case '<':
			fputs("&lt;", f);
			break;
		case '>':
			fputs("&gt;", f);
			break;
		default:
			putc((unsigned char)*text < 0x20 || *text == 0x7f ? '?' : *text, f);
		}
}

static double x_of(const struct frame *frame, double ns)
{
	double part = (log10(fmax(ns, 1)) - frame->low) / (frame->high - frame->low);

	return frame->left + LEFT + part * (PANEL_WIDTH - LEFT - RIGHT);
}

static double y_of(const struct frame *frame, double share)
{
	double part = log10(fmax(share, SHARE_LOWEST)) / log10(SHARE_LOWEST);

	return frame->top + TOP + part * (PANEL_HEIGHT - TOP - BOTTOM);
}

static void widen(const struct chart_curve *curve, double *low, double *high)
{
	for (size_t i = 0; i < curve->count; i++) {
		*low = fmin(*low, log10(fmax(curve->point[i].ns, 1)));
		*high = fmax(*high, log10(fmax(curve->point[i].ns, 1)));
	}
}

static struct frame frame_of(const struct chart_panel *panel, size_t i)
{
	double low = INFINITY, high = -INFINITY;

	for (size_t c = 0; c < ARRAY_SIZE(panel->curve); c++)
		widen(&panel->curve[c], &low, &high);
	if (!(low <= high)) {
		low = 3;
		high = 6;
	}
	return (struct frame) {
		.left = (double)(i % COLUMNS) * PANEL_WIDTH,
		.top = HEAD + (double)(i / COLUMNS) * PANEL_HEIGHT,
		.low = floor(low),
		.high = fmax(ceil(high), floor(low) + 1),
	};
}

static void put_text(FILE *f, double x, double y, const char *anchor, const char *text)
{
	fprintf(f, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
	put_escaped(f, text);
	fputs("</text>\n", f);
}

static void put_line(FILE *f, double x1, double y1, double x2, double y2)
{
	fprintf(f, "<line stroke=\"#ddd\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", x1,
		y1, x2, y2);
}

static void format_ns(char *buf, size_t size, double ns)
{
	if (ns < 1e3)
		snprintf(buf, size, "%.0f ns", ns);
	else if (ns < 1e6)
		snprintf(buf, size, "%.0f us", ns / 1e3);
	else if (ns < 1e9)
		snprintf(buf, size, "%.0f ms", ns / 1e6);
	else
		snprintf(buf, size, "%.0f s", ns / 1e9);
}

static void put_time_axis(FILE *f, const struct frame *frame)
{
	double bottom = y_of(frame, SHARE_LOWEST);

	for (double e = frame->low; e <= frame->high; e++) {
		double x = x_of(frame, pow(10, e));
		char label[32];

		put_line(f, x, y_of(frame, 1), x, bottom);
		format_ns(label, sizeof(label), pow(10, e));
		put_text(f, x, bottom + 18, "middle", label);
	}
}

static void put_share_axis(FILE *f, const struct frame *frame)
{
	static const struct {
		double share;
		const char *label;
	} ticks[] = { { 1, "all" },    { 0.5, "p50" },	  { 0.1, "p90" },
		      { 0.01, "p99" }, { 1e-3, "p99.9" }, { 1e-4, "p99.99" } };

	for (size_t i = 0; i < ARRAY_SIZE(ticks); i++) {
		double y = y_of(frame, ticks[i].share);

		put_line(f, frame->left + LEFT, y, frame->left + PANEL_WIDTH - RIGHT, y);
		put_text(f, frame->left + LEFT - 6, y + 4, "end", ticks[i].label);
	}
}

static void put_curve(FILE *f, const struct frame *frame, const struct chart_curve *curve, size_t i)
{
	if (!curve->count)
		return;
	fprintf(f, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" points=\"",
		colours[i]);
	for (size_t k = 0; k < curve->count; k++)
		fprintf(f, "%.1f,%.1f ", x_of(frame, curve->point[k].ns),
			y_of(frame, curve->point[k].share));
	fputs("\"/>\n", f);
	fprintf(f, "<g fill=\"%s\">", colours[i]);
	put_text(f, frame->left + PANEL_WIDTH - RIGHT - 6, frame->top + TOP + 16 + 16 * (double)i,
		 "end", curve->name);
	fputs("</g>\n", f);
}

static void put_panel(FILE *f, const struct chart_panel *panel, size_t i)
{
	struct frame frame = frame_of(panel, i);

	put_text(f, frame.left + LEFT, frame.top + TOP - 12, "start", panel->title);
	fputs("<g fill=\"#555\" font-size=\"11\">\n", f);
	put_time_axis(f, &frame);
	put_share_axis(f, &frame);
	fputs("</g>\n", f);
	for (size_t c = 0; c < ARRAY_SIZE(panel->curve); c++)
		put_curve(f, &frame, &panel->curve[c], c);
}

char *chart_svg(const char *heading, const struct chart_panel *panels, size_t count)
{
	char *text = NULL;
	size_t size, rows = (count + COLUMNS - 1) / COLUMNS;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	fprintf(f,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%zu\" "
		"font-family=\"sans-serif\" font-size=\"13\">\n"
		"<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
		COLUMNS * PANEL_WIDTH, HEAD + rows * PANEL_HEIGHT);
	put_text(f, LEFT, 26, "start", heading);
	for (size_t i = 0; i < count; i++)
		put_panel(f, &panels[i], i);
	fputs("</svg>\n", f);
	if (fclose(f)) {
		free(text);
		return NULL;
	}
	return text;
}
