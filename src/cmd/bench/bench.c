/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file is `lpartune bench`: plan, run, document, and the file that --save asked for. */
#include "cmd/bench/bench.h"

#include <errno.h>

#include "base/parse.h"
#include "base/store.h"
#include "bench/bench.h"
#include "bench/document.h"
#include "bench/host/limits.h"
#include "bench/workload/benchmarks.h"
#include "bench/workload/futex.h"
#include "bench/workload/map.h"
#include "cmd/bench/bench_rig.h"
#include "cmd/command.h"
#include "machine/fact/machine.h"
#include "output/facts.h"
#include "output/output.h"

/* What the steps of a run hand on. */
struct run {
	struct bench_options options;
	int argc;
	char **argv;
	struct rig rig;
	struct bench bench;
};

static void run_done(struct run *run)
{
	/* A stuck thread may still use any of it; the process ends now anyway. */
	if (run->bench.is_stuck)
		return;
	bench_done(&run->bench);
	rig_done(&run->rig);
	bench_options_done(&run->options);
}

static enum status failed(const char *what, int r)
{
	log_error("%s: %s", what, strerror(-r));
	return STATUS_FAILED;
}

static json_t *sanitized(const char *text)
{
	_cleanup_free_ char *clean = text ? span_dup_utf8(span_of(text)) : NULL;

	return clean ? json_string(clean) : json_null();
}

static int list_benchmarks(bool as_json)
{
	json_t *doc = document_new("bench", NULL, "/"), *list = json_array();
	int r;

	for (unsigned int i = 0; benchmarks[i]; i++)
		json_array_append_new(list,
				      json_pack("{s:s, s:s, s:s, s:s}", "name", benchmarks[i]->name,
						"summary", benchmarks[i]->summary, "about",
						benchmarks[i]->about, "operation",
						benchmarks[i]->operation));
	json_object_set_new(doc, "definition", json_integer(BENCH_DEFINITION));
	json_object_set_new(doc, "benchmarks", list);
	r = output_document(doc, as_json, bench_list_view);
	json_decref(doc);
	return r;
}

static int plan(struct run *run)
{
	struct bench_options *o = &run->options;
	struct session session = rig_session(&run->rig, &o->config);
	int r;

	if (o->map) {
		if (o->config.block_ns == BENCH_BLOCK_NS)
			o->config.block_ns = MAP_BLOCK_NS;
		return map_plan(&o->config, &session, &run->bench);
	}
	if (!o->benchmark_count)
		o->benchmark[o->benchmark_count++] = o->schbench ? &benchmark_fanout
								 : &benchmark_wake;
	r = rig_add_cells(&run->rig, o);
	return r < 0 ? r : bench_plan(&o->config, &session, &run->rig.cells, &run->bench);
}

static void show_progress(void *arg, uint64_t elapsed_ns, uint64_t planned_ns)
{
	(void)arg;
	log_progress("measuring: %u of about %u s", (unsigned int)(elapsed_ns / NS_PER_S),
		     (unsigned int)(planned_ns / NS_PER_S));
}

static json_t *make_document(const struct run *run)
{
	json_t *doc = document_new("bench", run->rig.machine.boot_id, root_name(run->rig.root));
	json_t *arguments = json_array();

	for (int i = 1; i < run->argc; i++)
		json_array_append_new(arguments, sanitized(run->argv[i]));
	json_object_set_new(doc, "label", sanitized(run->options.label));
	json_object_set_new(doc, "arguments", arguments);
	json_object_set_new(doc, "dry_run", json_boolean(run->options.dry_run));
	json_object_set_new(doc, "limits", limits_to_json(run->rig.root));
	json_object_set_new(doc, "facts", facts_to_json(&run->rig.machine.facts));
	if (bench_to_json(&run->bench, false, doc) < 0) {
		json_decref(doc);
		return NULL;
	}
	if (run->options.map)
		json_object_set_new(doc, "map", map_to_json(&run->bench));
	return doc;
}

static json_t *make_block(void *arg, size_t result, size_t block)
{
	return bench_block_to_json(arg, result, block);
}

/* A document, and its blocks, which are most of it and made while it is written. */
struct large_document {
	const json_t *doc;
	struct output_blocks blocks;
};

static int produce(void *arg, void *sink)
{
	const struct large_document *large = arg;

	return output_dump(large->doc, &large->blocks, store_put, sink);
}

/* Whether any operation was: a block without one says nothing. */
static bool has_measured(const struct bench *bench)
{
	for (unsigned int i = 0; i < bench->count; i++)
		for (unsigned int b = 0; b < bench->measurement[i].block_count; b++)
			if (bench->measurement[i].blocks[b].done)
				return true;
	return false;
}

static enum status outcome(const struct run *run)
{
	if (run->bench.is_stuck) {
		log_error("a thread did not come back: the result is not complete");
		return STATUS_FAILED;
	}
	if (run->bench.is_interrupted)
		return STATUS_INTERRUPTED;
	if (!run->options.dry_run && !has_measured(&run->bench)) {
		log_error("nothing could be measured");
		return STATUS_FAILED;
	}
	return STATUS_OK;
}

static view_fn view_of(const struct bench_options *o)
{
	if (o->map && !o->dry_run)
		return bench_map_view;
	return o->schbench ? bench_schbench_view : bench_view;
}

static enum status publish(struct run *run)
{
	_cleanup_json_ json_t *doc = make_document(run);
	struct large_document large = { doc, { .make = make_block, .arg = &run->bench } };
	int printed, saved = 0;

	if (!doc)
		return failed("cannot make the document", -ENOMEM);
	if (run->options.save)
		saved = store_write_produced(run->options.save, produce, &large, 0666);
	/* A signal that came too late to stop anything must not leave half a file behind. */
	if (!run->options.dry_run)
		stop_end(&run->rig.stop);
	printed = output_large_document(doc, run->options.common.json, view_of(&run->options),
					&large.blocks);
	if (saved < 0) {
		log_error("cannot write '%s': %s", run->options.save, strerror(-saved));
		return STATUS_FAILED;
	}
	return printed < 0 ? command_finish(printed) : outcome(run);
}

/* A duration that cannot be kept is refused, not passed over. */
static bool fits(const struct run *run)
{
	const struct bench_config *c = &run->options.config;
	uint64_t needed_ns = bench_planned_ns(&run->bench);

	if (c->rounds || run->options.dry_run || needed_ns <= c->duration_ns)
		return true;
	log_error(
		"a warm-up and one block of %.3g ms for each of %u cells take %.3g s, not %.3g s: "
		"give more --duration, fewer --cells or a shorter --block",
		(double)c->block_ns / 1e6, run->bench.count, (double)needed_ns / 1e9,
		(double)c->duration_ns / 1e9);
	return false;
}

static enum status measure(struct run *run)
{
	int r = rig_read(&run->rig, &run->options, !run->options.dry_run);

	if (r == -ENODEV)
		rig_tell_no_cpu();
	if (r == 0)
		r = plan(run);
	if (r < 0)
		return r == -ENODEV ? STATUS_FAILED : failed("cannot plan the run", r);
	if (!fits(run))
		return STATUS_USAGE;
	if (run->options.dry_run)
		return publish(run);
	stop_begin(&run->rig.stop);
	bench_run(&run->bench, show_progress, NULL);
	log_progress(NULL);
	return publish(run);
}

/* What cannot work is said before anything is measured. */
static enum status check(const struct run *run)
{
	const struct bench_options *o = &run->options;
	int r;

	if (!root_is_live(run->rig.root) && !o->dry_run) {
		log_error("only the running machine can be measured: --root needs --dry-run");
		return STATUS_USAGE;
	}
	r = o->save ? store_check_writable(o->save) : 0;
	if (r < 0) {
		log_error("cannot write '%s': %s", o->save, strerror(-r));
		return STATUS_FAILED;
	}
	return STATUS_OK;
}

static enum status run_bench(const struct command *self, int argc, char **argv)
{
	_cleanup_(run_done) struct run run = { .argc = argc, .argv = argv };
	enum status status;
	int r;

	bench_options_init(&run.options);
	command_parse(self, argc, argv, &run.options);
	if (run.options.list)
		return command_finish(list_benchmarks(run.options.common.json));
	r = root_open(run.options.common.root, &run.rig.root);
	if (r < 0) {
		log_error("cannot open '%s': %s", run.options.common.root, strerror(-r));
		return STATUS_FAILED;
	}
	status = check(&run);
	return status == STATUS_OK ? measure(&run) : status;
}

const struct command cmd_bench = {
	.name = "bench",
	.summary = "Measure wakeup latency, and say why wakes were slow",
	.argp = &bench_argp,
	.needs = NEEDS_MEASURE,
	.run = run_bench,
};
