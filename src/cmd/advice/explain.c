/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file is `lpartune explain`: everything that has an id, in full, or the list of it. */
#include "cmd/advice/explain.h"

#include <errno.h>

#include "base/similar.h"
#include "cmd/command.h"
#include "output/output.h"

struct options {
	struct common_options common;
	const char *id;
};

static const struct argp_child children[] = { { .argp = &common_argp }, { 0 } };

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->common;
		return 0;
	case ARGP_KEY_ARG:
		if (o->id)
			argp_error(state, "one id at a time: '%s' is too many", arg);
		o->id = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.parser = parse_option,
	.args_doc = "[ID]",
	.doc = "Explain a rule, a kernel behaviour, a tunable, a fact, a workload or a term: what it is, "
	       "what is known about it and from where, and how it stands on this machine. Without "
	       "ID: the list.",
	.children = children,
};

static enum status fail(const char *what, const char *name, int error)
{
	log_error("cannot %s '%s': %s", what, name, strerror(-error));
	return STATUS_FAILED;
}

/* The ids that are spelled nearly so. */
static char *suggest(const char *id)
{
	struct similar similar = { .wanted = id };

	for (size_t k = 0; k < explain_kinds_count; k++)
		for (size_t i = 0; i < explain_kinds[k].count(); i++)
			similar_offer(&similar, explain_kinds[k].id(i));
	return similar_hint(&similar);
}

/* The ids that have the word in them: what the user may have meant. */
static enum status unknown(const char *id)
{
	_cleanup_free_ char *list = NULL, *hint = suggest(id);
	size_t size, found = 0;
	FILE *f = open_memstream(&list, &size);

	if (!f)
		return fail("explain", id, -ENOMEM);
	for (size_t k = 0; k < explain_kinds_count; k++)
		for (size_t i = 0; i < explain_kinds[k].count(); i++)
			if (strcasestr(explain_kinds[k].id(i), id) && found++ < 8)
				fprintf(f, "%s%s", found > 1 ? ", " : "", explain_kinds[k].id(i));
	if (fclose(f))
		return fail("explain", id, -ENOMEM);
	if (found)
		log_error("nothing is called '%s'; there is: %s%s", id, list,
			  found > 8 ? ", ..." : "");
	else
		log_error("nothing is called '%s'%s", id,
			  hint && *hint ? hint : "; 'lpartune explain' lists everything");
	return STATUS_USAGE;
}

static json_t *list_json(void)
{
	json_t *array = json_array();

	for (size_t k = 0; k < explain_kinds_count; k++)
		for (size_t i = 0; i < explain_kinds[k].count(); i++)
			json_array_append_new(array, json_pack("{s:s, s:s, s:s}", "id",
							       explain_kinds[k].id(i), "kind",
							       explain_kinds[k].name, "title",
							       explain_kinds[k].title(i)));
	return array;
}

static json_t *sources_json(const struct explain_kind *kind, size_t i)
{
	json_t *array = json_array();

	if (!kind->sources)
		return array;
	for (const char *const *url = kind->sources(i); *url; url++)
		json_array_append_new(array, json_string(*url));
	return array;
}

static json_t *entry_json(const struct explain_kind *kind, size_t i, struct machine *m)
{
	json_t *sections = json_array();

	kind->fill(sections, i, m);
	return json_pack("{s:s, s:s, s:s, s:o, s:o}", "id", kind->id(i), "kind", kind->name,
			 "title", kind->title(i), "sections", sections, "sources",
			 sources_json(kind, i));
}

static int make_document(const struct options *o, struct root *root, json_t **ret)
{
	_cleanup_machine_ struct machine m = { 0 };
	const struct explain_kind *kind = NULL;
	json_t *doc, *body;
	size_t index = 0;
	int r;

	if (o->id) {
		r = machine_read(root, &m);
		if (r < 0)
			return r;
		(void)explain_find(o->id, &kind, &index);
	}
	doc = document_new("explain", m.boot_id, root_name(root));
	body = kind ? entry_json(kind, index, &m) : json_pack("{s:o}", "entries", list_json());
	if (!doc || json_object_update_new(doc, body) < 0) {
		json_decref(doc);
		return -ENOMEM;
	}
	*ret = doc;
	return 0;
}

static enum status run(const struct command *self, int argc, char **argv)
{
	_cleanup_root_ struct root *root = NULL;
	_cleanup_json_ json_t *doc = NULL;
	const struct explain_kind *kind;
	struct options o = { 0 };
	size_t index;
	int r;

	command_parse(self, argc, argv, &o);
	if (o.id && !explain_find(o.id, &kind, &index))
		return unknown(o.id);
	r = root_open(o.common.root, &root);
	if (r < 0)
		return fail("open", o.common.root ? o.common.root : "/", r);
	r = make_document(&o, root, &doc);
	if (r < 0)
		return fail("explain", o.id ? o.id : "the list", r);
	return command_finish(output_document(doc, o.common.json, explain_view));
}

const struct command cmd_explain = {
	.name = "explain",
	.summary = "Explain a rule, tunable, fact, column or term, with its sources",
	.argp = &argp,
	.needs = NEEDS_READ,
	.run = run,
};
