/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file is `lpartune recommend`: what to change on this machine, and a plan of it. */
#include "cmd/advice/recommend.h"

#include <errno.h>

#include "base/store.h"
#include "cmd/advice/plan.h"
#include "cmd/command.h"
#include "cmd/suggest.h"
#include "output/output.h"

#define IDS_MAX 64

struct ids {
	const char *id[IDS_MAX];
	size_t count;
};

struct options {
	struct common_options common;
	bool all, check;
	const char *workload, *plan;
	struct ids only, ignore;
};

enum { KEY_PLAN = 256, KEY_ONLY, KEY_IGNORE };

static const struct argp_option options[] = {
	{ .name = "all",
	  .key = 'a',
	  .doc = "Also tell what was considered and does not apply, and popular advice "
		 "without evidence" },
	{ .name = "check", .key = 'c', .doc = "Exit with 3 if something is to be changed" },
	{ .name = "workload",
	  .key = 'w',
	  .arg = "NAME",
	  .doc = "What the partition is for: sap-hana, db2, latency, throughput or none" },
	{ .name = "plan",
	  .key = KEY_PLAN,
	  .arg = "FILE",
	  .doc = "Save the settings to change, for lpartune apply --plan" },
	{ .name = "only",
	  .key = KEY_ONLY,
	  .arg = "ID,...",
	  .doc = "Only these rules or tunables; they also enter the plan" },
	{ .name = "ignore",
	  .key = KEY_IGNORE,
	  .arg = "ID,...",
	  .doc = "All but these rules or tunables" },
	{ 0 }
};

static const struct argp_child children[] = { { .argp = &common_argp }, { 0 } };

static bool is_id(const char *id)
{
	return rule_find(id) || tunable_find(id);
}

/* The words of a list separated by commas; the argument itself is cut up. */
static void take_ids(struct argp_state *state, char *list, struct ids *ids)
{
	char *save = NULL;

	for (char *id = strtok_r(list, ",", &save); id; id = strtok_r(NULL, ",", &save)) {
		if (!is_id(id))
			id_refuse(state, id);
		else if (ids->count == IDS_MAX)
			argp_error(state, "more than %d ids", IDS_MAX);
		else
			ids->id[ids->count++] = id;
	}
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->common;
		return 0;
	case 'a':
		o->all = true;
		return 0;
	case 'c':
		o->check = true;
		return 0;
	case 'w':
		o->workload = workload_argument(state, arg);
		return 0;
	case KEY_PLAN:
		o->plan = arg;
		return 0;
	case KEY_ONLY:
		take_ids(state, arg, &o->only);
		return 0;
	case KEY_IGNORE:
		take_ids(state, arg, &o->ignore);
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "unexpected argument '%s'", arg);
		return EINVAL;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse_option,
	.doc = "Tell what to change on this partition with this kernel, why, on what evidence and at what "
	       "risk. Changes nothing.",
	.children = children,
};

static enum status fail(const char *what, const char *name, int error)
{
	log_error("cannot %s '%s': %s", what, name, strerror(-error));
	return STATUS_FAILED;
}

static bool has_id(const struct ids *ids, const struct recommendation *r)
{
	for (size_t i = 0; i < ids->count; i++)
		if (recommendation_is(r, ids->id[i]))
			return true;
	return false;
}

static bool is_asked_for(const struct recommendation *r, const void *arg)
{
	const struct options *o = arg;

	if (o->only.count)
		return has_id(&o->only, r) && !has_id(&o->ignore, r);
	return !r->ignored && !has_id(&o->ignore, r);
}

static json_t *plan_document(const struct machine *m, const struct settings *settings,
			     const char *workload)
{
	json_t *doc = document_new("recommend", m->boot_id, root_name(m->root));
	json_t *array = plan_settings_to_json(settings);
	const char *mode = NULL, *kernel = NULL;

	(void)facts_string(&m->facts, FACT_LPAR_MODE, &mode);
	(void)facts_string(&m->facts, FACT_KERNEL_RELEASE, &kernel);
	if (doc && array &&
	    json_object_update_new(doc, json_pack("{s:s?, s:s?, s:s, s:O}", "mode", mode, "kernel",
						  kernel, "workload", workload ? workload : "none",
						  "settings", array)) == 0) {
		json_decref(array);
		return doc;
	}
	json_decref(array);
	json_decref(doc);
	return NULL;
}

static bool is_in_plan(const struct recommendation *r, const struct settings *settings)
{
	for (size_t i = 0; i < settings->count; i++)
		if (streq(settings->list[i].rule, r->rule->id))
			return true;
	return false;
}

/* The table says "change" and "conflict" also of what is only planned where it is named. */
static bool is_left_out(const struct recommendation *r, const struct settings *settings)
{
	return r->wants && !is_in_plan(r, settings) &&
	       (r->standing == STANDING_CHANGE || r->standing == STANDING_CONFLICT);
}

static int tell_plan(const char *path, const struct recommendations *all,
		     const struct settings *settings)
{
	_cleanup_free_ char *others = NULL;
	const char *separator = "; not in it unless named (--only): ";
	size_t size;
	FILE *f = open_memstream(&others, &size);

	if (!f)
		return -ENOMEM;
	for (size_t i = 0; i < all->count; i++) {
		if (!is_left_out(&all->list[i], settings))
			continue;
		fprintf(f, "%s%s", separator, all->list[i].rule->id);
		separator = ", ";
	}
	if (fclose(f))
		return -ENOMEM;
	log_note("%zu setting%s in '%s'%s", settings->count, settings->count == 1 ? "" : "s", path,
		 others);
	return 0;
}

static int save_plan(const struct options *o, const struct machine *m,
		     const struct recommendations *all)
{
	_cleanup_settings_ struct settings settings = { 0 };
	_cleanup_free_ char *json = NULL, *text = NULL;
	json_t *doc;
	int r = recommendations_plan(all, o->only.id, o->only.count, &settings);

	if (r < 0)
		return r;
	doc = plan_document(m, &settings, all->workload);
	json = doc ? json_dumps(doc, JSON_INDENT(2)) : NULL;
	json_decref(doc);
	if (!json || asprintf(&text, "%s\n", json) < 0) {
		text = NULL;
		return -ENOMEM;
	}
	r = store_write_atomic(o->plan, text, strlen(text), 0644);
	if (r < 0)
		return r;
	return tell_plan(o->plan, all, &settings);
}

static int print(const struct options *o, const struct machine *m,
		 const struct recommendations *all)
{
	json_t *doc = recommend_document(m, all, all->workload, o->all);
	int r = doc ? output_document(doc, o->common.json, recommend_view) : -ENOMEM;

	json_decref(doc);
	return r;
}

static enum status run(const struct command *self, int argc, char **argv)
{
	_cleanup_root_ struct root *root = NULL;
	_cleanup_machine_ struct machine machine = { 0 };
	_cleanup_recommendations_ struct recommendations all = { 0 };
	struct options o = { 0 };
	int r;

	command_parse(self, argc, argv, &o);
	r = root_open(o.common.root, &root);
	if (r < 0)
		return fail("open", o.common.root ? o.common.root : "/", r);
	r = machine_read(root, &machine);
	if (r >= 0)
		r = recommendations_make(&machine, o.workload, &all);
	if (r < 0)
		return fail("read", root_name(root), r);
	if (all.complaint)
		log_warning("%s", all.complaint);
	recommendations_keep(&all, is_asked_for, &o);
	r = o.plan ? save_plan(&o, &machine, &all) : 0;
	if (r < 0)
		return fail("write", o.plan, r);
	r = print(&o, &machine, &all);
	if (r < 0)
		return command_finish(r);
	return o.check && recommendations_ask(&all) ? STATUS_DIFFERENT : STATUS_OK;
}

const struct command cmd_recommend = {
	.name = "recommend",
	.summary = "Tell what to change here, why, on what evidence and at what risk",
	.argp = &argp,
	.needs = NEEDS_READ,
	.run = run,
};
