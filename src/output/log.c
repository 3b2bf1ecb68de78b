/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file is the only writer of stderr. */
#include <stdarg.h>
#include <sys/ioctl.h>

#include "base/parse.h"
#include "output/output.h"

_printf_(2, 0) static void say(const char *kind, const char *format, va_list args)
{
	_cleanup_free_ char *text = NULL;
	_cleanup_free_ char *clean = NULL;

	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	/* What the user or a file named can hold anything: a terminal must not obey it. */
	clean = text ? span_dup_utf8(span_of(text)) : NULL;
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr); /* a progress line may stand there */
	fprintf(stderr, "lpartune: %s%s\n", kind, clean ? clean : format);
}

void log_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say("", format, args);
	va_end(args);
}

void log_warning(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say("warning: ", format, args);
	va_end(args);
}

void log_note(const char *format, ...)
{
	va_list args;

	if (!isatty(STDERR_FILENO))
		return;
	va_start(args, format);
	say("", format, args);
	va_end(args);
}

/* A line that wraps could not be taken back. */
static int progress_width(void)
{
	struct winsize ws;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &ws) == 0 && ws.ws_col > 1 ? ws.ws_col - 1 : 79;
}

void log_progress(const char *format, ...)
{
	_cleanup_free_ char *text = NULL;
	va_list args;

	if (!isatty(STDERR_FILENO))
		return;
	if (format) {
		va_start(args, format);
		if (vasprintf(&text, format, args) < 0)
			text = NULL;
		va_end(args);
	}
	fprintf(stderr, "\r\033[K%.*s", progress_width(), text ? text : "");
	fflush(stderr);
}

bool log_ask(const char *question)
{
	_cleanup_free_ char *answer = NULL;
	size_t size = 0;

	fprintf(stderr, "lpartune: %s [y/N] ", question);
	fflush(stderr);
	if (getline(&answer, &size, stdin) < 0)
		return false;
	answer[strcspn(answer, "\n")] = '\0';
	return streq(answer, "y") || streq(answer, "yes");
}
