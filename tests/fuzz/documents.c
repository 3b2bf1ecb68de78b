// SPDX-License-Identifier: GPL-2.0-or-later
/* This file fuzzes our own documents, and texts that others own and a change edits. */
#include <errno.h>
#include <jansson.h>

#include "bench/judgement/reading.h"
#include "change/boot/assignment.h"
#include "change/boot/cmdlines.h"
#include "change/boot/tokens.h"
#include "change/record/step.h"
#include "fuzz.h"

static void steps(struct span input)
{
	json_t *json = json_loadb(input.text, input.len, JSON_ALLOW_NUL, NULL);
	struct steps read = { 0 };

	if (json && steps_from_json(json, &read) == 0)
		steps_done(&read);
	json_decref(json);
}

static void saved(struct span input)
{
	json_t *json = json_loadb(input.text, input.len, JSON_ALLOW_NUL, NULL);
	const json_t *const documents[] = { json, json };
	struct saved_side side = { 0 };
	size_t bad = 0;

	if (json && saved_side_read(documents, 2, &side, &bad) == 0)
		saved_side_done(&side);
	else
		HOLDS(side.count == 0 && bad < 2);
	json_decref(json);
}

static bool has_open_quote(struct span line)
{
	size_t quotes = 0;

	for (size_t i = 0; i < line.len; i++)
		quotes += line.text[i] == '"';
	return quotes % 2;
}

/* What is added and taken out again leaves every byte as it was. (Behind an open quote nothing can
 * be added: the kernel reads to the end of the line as one parameter.) */
static void tokens(struct span input)
{
	_cleanup_free_ char *added = NULL, *removed = NULL;

	if (has_open_quote(input) || memchr(input.text, '\0', input.len) ||
	    memchr(input.text, '\n', input.len) || tokens_count(input, "lpartune.fuzz", "1"))
		return;
	added = tokens_add(input, "lpartune.fuzz", "1");
	HOLDS(added && tokens_count(span_of(added), "lpartune.fuzz", "1") == 1);
	removed = tokens_remove(span_of(added), "lpartune.fuzz", "1");
	HOLDS(removed && strlen(removed) == input.len &&
	      memcmp(removed, input.text, input.len) == 0);
}

/* What is found and put back leaves every byte as it was. */
static void assignment(struct span input)
{
	_cleanup_free_ char *text = NULL, *changed = NULL;
	struct span value;

	if (assignment_find(input, "GRUB_CMDLINE_LINUX", &value) < 0)
		return;
	HOLDS(value.text >= input.text && value.text + value.len <= input.text + input.len);
	text = span_dup(value);
	HOLDS(assignment_replace(input, "GRUB_CMDLINE_LINUX", text, &changed) == 0);
	HOLDS(strlen(changed) == input.len && memcmp(changed, input.text, input.len) == 0);
}

static void bls(struct span input)
{
	struct span options;

	(void)cmdlines_kind_of_bls("entry.conf", input);
	if (cmdlines_bls_value(input, "options", &options) == 0)
		HOLDS(options.text >= input.text &&
		      options.text + options.len <= input.text + input.len);
	if (cmdlines_grubenv(input, "kernelopts", &options) == 0)
		HOLDS(options.text + options.len <= input.text + input.len);
}

const struct fuzz_target fuzz_documents[] = {
	{ "steps", steps },	      { "saved", saved }, { "tokens", tokens },
	{ "assignment", assignment }, { "bls", bls },	  { NULL, NULL },
};
