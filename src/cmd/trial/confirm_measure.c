/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file measures a session for confirm: a run of bench whose document is kept. */
#include <errno.h>

#include "bench/document.h"
#include "bench/host/limits.h"
#include "bench/workload/benchmarks.h"
#include "bench/workload/futex.h"
#include "cmd/bench/bench_rig.h"
#include "cmd/trial/confirm.h"
#include "output/facts.h"
#include "output/output.h"

void confirm_options(struct bench_options *o)
{
	if (!o->config.rounds)
		o->config.rounds = CONFIRM_ROUNDS;
	if (!o->benchmark_count)
		o->benchmark[o->benchmark_count++] = &benchmark_wake;
}

static void show_progress(void *arg, uint64_t elapsed_ns, uint64_t planned_ns)
{
	(void)arg;
	log_progress("measuring: %u of about %u s", (unsigned int)(elapsed_ns / NS_PER_S),
		     (unsigned int)(planned_ns / NS_PER_S));
}

static json_t *make_document(const struct rig *rig, const struct bench *bench)
{
	json_t *doc = document_new("bench", rig->machine.boot_id, root_name(rig->root));

	json_object_set_new(doc, "label", json_null());
	json_object_set_new(doc, "arguments", json_array());
	json_object_set_new(doc, "dry_run", json_false());
	json_object_set_new(doc, "limits", limits_to_json(rig->root));
	json_object_set_new(doc, "facts", facts_to_json(&rig->machine.facts));
	if (bench_to_json(bench, true, doc) == 0)
		return doc;
	json_decref(doc);
	return NULL;
}

static int run(struct rig *rig, const struct bench_options *o, struct bench *bench, json_t **ret)
{
	struct session session = rig_session(rig, &o->config);
	int r = rig_add_cells(rig, o);

	if (r == 0)
		r = bench_plan(&o->config, &session, &rig->cells, bench);
	if (r < 0)
		return r;
	stop_begin(&rig->stop);
	bench_run(bench, show_progress, NULL);
	log_progress(NULL);
	stop_end(&rig->stop);
	if (bench->is_stuck || bench->is_interrupted)
		return bench->is_stuck ? -ETIME : -EINTR;
	*ret = make_document(rig, bench);
	return *ret ? 0 : -ENOMEM;
}

int confirm_measure(struct root *root, const struct bench_options *o, json_t **ret)
{
	struct rig rig = { .root = root };
	struct bench bench = { 0 };
	int r = rig_read(&rig, o, true);

	if (r == 0)
		r = run(&rig, o, &bench, ret);
	if (r == -EINTR)
		log_error("interrupted: the session was not whole and is not kept");
	else if (r == -ENODEV)
		rig_tell_no_cpu();
	else if (r < 0)
		log_error("cannot measure: %s", strerror(-r));
	/* A stuck thread may still use any of it; the process ends now anyway. */
	if (bench.is_stuck)
		return r;
	bench_done(&bench);
	rig.root = NULL;
	rig_done(&rig);
	return r;
}
