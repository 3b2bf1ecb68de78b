/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * This file is `lpartune trial`: a change that is made and put back, round by round, and measured.
 * From before the first write until everything is back signals are only noted, and whatever goes
 * wrong in between leads through put_back.
 */
#include "cmd/trial/trial.h"

#include <errno.h>
#include <math.h>
#include <sys/stat.h>

#include "base/privilege.h"
#include "base/store.h"
#include "bench/host/limits.h"
#include "bench/trial_document.h"
#include "bench/workload/futex.h"
#include "cmd/bench/bench_rig.h"
#include "cmd/command.h"
#include "cmd/trial/trial_options.h"
#include "output/facts.h"

/* What the steps of a trial hand on. */
struct run {
	struct trial_options options;
	struct rig rig;
	struct change_temporary *temporary; /* NULL: nothing is changed */
	char *from[TRIAL_CHANGES_MAX];	    /* as it was found */
	struct trial trial;
	struct trial_verdict verdict;
	bool is_put_back;
	const char *applied; /* the outcome of --apply-if-better; NULL: not asked or not better */
};

static void run_done(struct run *run)
{
	/* A stuck thread may still use any of it; the process ends now anyway. */
	if (run->trial.end == TRIAL_STUCK)
		return;
	trial_verdict_done(&run->verdict);
	trial_done(&run->trial);
	rig_done(&run->rig);
	for (size_t i = 0; i < run->options.wishes; i++)
		free(run->from[i]);
	trial_options_done(&run->options);
}

static enum status failed(const char *what, int r)
{
	log_error("%s: %s", what, strerror(-r));
	return STATUS_FAILED;
}

/* Notes the values as they are. Is one of them not as wanted? */
static bool differs(struct run *run, enum status *ret_status)
{
	bool any = !run->options.wishes;

	for (size_t i = 0; i < run->options.wishes; i++) {
		const struct change_wish *wish = &run->options.wish[i];
		_cleanup_tunable_now_ struct tunable_now now = { 0 };

		if (tunable_read(run->rig.root, wish->tunable, &now) < 0)
			*ret_status = failed("cannot read the values", -ENOMEM);
		run->from[i] = take_ptr(&now.value);
		any |= !run->from[i] || !tunable_same(wish->tunable, run->from[i], wish->value);
	}
	return any;
}

/* There must be something to try. */
static enum status read_values(struct run *run)
{
	enum status status = run->options.wishes ? trial_recover(run->rig.root, run->options.wait_s)
						 : STATUS_OK;

	for (size_t i = 0; status == STATUS_OK && i < run->options.wishes; i++)
		if (!command_check_value(run->rig.root, run->options.wish[i].tunable,
					 run->options.wish[i].value))
			status = STATUS_FAILED;
	if (status != STATUS_OK || differs(run, &status) || status != STATUS_OK)
		return status;
	log_error("there is nothing to try: every value is as wanted already");
	return STATUS_FAILED;
}

/* Why a value could not be set, and the exit status for it. */
static enum status say_not_set(const struct change_wish *wish, int error)
{
	const struct tunable *t = wish->tunable;

	if (error == -EPERM || error == -EACCES)
		log_error("cannot set %s: %s: run it as root (it takes %s; kernel lockdown forbids "
			  "some)",
			  t->id, strerror(-error),
			  t->capability	 ? t->capability
			  : *t->paths[0] ? privilege_for_path(t->paths[0])
					 : "root");
	else if (error == -ENOENT)
		log_error("cannot set %s: this machine has no such tunable%s", t->id,
			  starts_with(t->paths[0], "sys/kernel/debug/")
				  ? ", or debugfs is not mounted at /sys/kernel/debug"
				  : "");
	else if (error == -EBUSY)
		log_error("cannot set %s: it is stuck until the next boot", t->id);
	else
		log_error("cannot set %s to %s: %s: everything is as before", t->id, wish->value,
			  error == -EREMOTEIO ? "the kernel took the value and shows another one"
					      : strerror(-error));
	return error == -EPERM || error == -EACCES || error == -ENOENT || error == -EBUSY
		       ? STATUS_FAILED
		       : STATUS_UNDONE;
}

static enum status begin(struct run *run)
{
	const struct trial_options *o = &run->options;
	size_t bad = o->wishes;
	int r = change_temporary_begin(run->rig.root, o->wish, o->wishes, o->wait_s,
				       &run->temporary, &bad);

	if (r == 0)
		return STATUS_OK;
	if (r == -ENOTRECOVERABLE) {
		log_error("cannot set %s to %s, and not everything could be put back; run "
			  "'lpartune revert --all' when the cause is gone",
			  o->wish[bad].tunable->id, o->wish[bad].value);
		return STATUS_NOT_UNDONE;
	}
	if (bad < o->wishes)
		return say_not_set(&o->wish[bad], r);
	if (r == -EBUSY) {
		log_error(
			"another lpartune changes this machine: wait for it, or use --wait SECONDS");
		return STATUS_BUSY;
	}
	log_error("cannot keep a record of the change: %s%s", strerror(-r),
		  r == -EACCES || r == -EPERM ? ": run it as root" : "");
	return STATUS_FAILED;
}

/* Both arms can use only the CPUs that are there in both. */
static int find_common_cpus(struct run *run)
{
	struct bench_options *o = &run->options.bench;
	struct rig changed = { .root = run->rig.root };
	int r = rig_read(&changed, o, false);

	if (r == 0 && !o->has_cpus) {
		o->cpus = changed.layout.allowed;
		changed.layout.allowed = (struct idset) { 0 };
		o->has_cpus = true;
	} else if (r == 0) {
		idset_for_each (cpu, &o->cpus)
			if (!idset_has(&changed.layout.allowed, (unsigned int)cpu))
				idset_del(&o->cpus, (unsigned int)cpu);
	}
	changed.root = NULL;
	rig_done(&changed);
	return r;
}

static bool changes_cpus(const struct trial_options *o)
{
	for (size_t i = 0; i < o->wishes; i++)
		if (o->wish[i].tunable->where == WHERE_SMT)
			return true;
	return false;
}

static int plan(struct run *run)
{
	struct trial_options *o = &run->options;
	struct session session;
	int r = changes_cpus(o) ? find_common_cpus(run) : 0;

	if (r == 0 && run->temporary)
		r = change_temporary_switch(run->temporary, false);
	if (r == 0)
		r = rig_read(&run->rig, &o->bench, true);
	if (r == 0)
		r = rig_add_cells(&run->rig, &o->bench);
	if (r < 0)
		return r;
	session = rig_session(&run->rig, &o->bench.config);
	return trial_plan(&o->config, &o->bench.config, &session, &run->rig.cells, &run->trial);
}

static int switch_to(void *arg, enum trial_arm arm)
{
	struct run *run = arg;

	return run->temporary ? change_temporary_switch(run->temporary, arm == TRIAL_B) : 0;
}

static void show_progress(void *arg, const struct trial *trial)
{
	_cleanup_trial_verdict_ struct trial_verdict v = { 0 };
	unsigned int gone = (unsigned int)((clock_ns() - trial->began_ns) / NS_PER_S);
	unsigned int planned = (unsigned int)(trial_planned_ns(trial) / NS_PER_S);
	const struct trial_effect *e = &v.metric[0];

	(void)arg;
	if (!isatty(STDERR_FILENO) ||
	    trial_judge_metrics(&trial->data, &trial->config.rule, &v) < 0)
		return;
	if (e->is_known)
		log_progress("round %zu of %u, %u of about %u s: %s %+.1f %% [%+.1f, %+.1f]",
			     trial->data.rounds, trial->config.rounds, gone, planned,
			     figures[e->figure].word, e->judgement.change_pct, e->judgement.low_pct,
			     e->judgement.high_pct);
	else
		log_progress("round %zu of %u, %u of about %u s", trial->data.rounds,
			     trial->config.rounds, gone, planned);
}

/* Does a round fit into --max-time, and enough of them for a verdict? */
static enum status check_time(const struct run *run)
{
	const struct trial_config *config = &run->options.config;
	uint64_t one = trial_round_ns(&run->trial), limit = config->max_ns;
	double one_s = (double)one / NS_PER_S;

	if (!limit || limit / EFFECT_ROUNDS_MIN >= one)
		return STATUS_OK;
	if (limit < one) {
		log_error("no round would end within --max-time: one takes about %.1f s", one_s);
		return STATUS_FAILED;
	}
	if (config->rounds && config->rounds < EFFECT_ROUNDS_MIN)
		return STATUS_OK;
	log_warning("within --max-time only about %u rounds will end, and below %d there is no "
		    "verdict: these take about %.0f s",
		    (unsigned int)(limit / one), EFFECT_ROUNDS_MIN, EFFECT_ROUNDS_MIN * one_s);
	return STATUS_OK;
}

static enum status measure(struct run *run)
{
	enum status status;
	int r = plan(run);

	if (r == -ENODEV) {
		rig_tell_no_cpu();
		return STATUS_FAILED;
	}
	if (r < 0)
		return failed("cannot plan the trial", r);
	status = check_time(run);
	if (status != STATUS_OK)
		return status;
	trial_run(&run->trial, switch_to, run, show_progress, NULL);
	log_progress(NULL);
	return STATUS_OK;
}

/* The way out of every trial. */
static enum status put_back(struct run *run)
{
	int r = change_temporary_end(run->temporary);

	run->temporary = NULL;
	run->is_put_back = r == 0;
	if (r == 0)
		return STATUS_OK;
	if (r == -ESTALE) {
		log_error("somebody else changed a value that was on trial: it was left as it is");
		return STATUS_FAILED;
	}
	log_error(
		"not everything could be put back: %s; run 'lpartune revert --all' when the cause "
		"is gone",
		strerror(-r));
	return STATUS_NOT_UNDONE;
}

static json_t *changes_to_json(const struct run *run)
{
	json_t *array = json_array();

	for (size_t i = 0; i < run->options.wishes; i++)
		json_array_append_new(array,
				      json_pack("{s:s, s:s, s:s?, s:s}", "tunable",
						run->options.wish[i].tunable->id, "title",
						run->options.wish[i].tunable->title, "from",
						run->from[i], "to", run->options.wish[i].value));
	return array;
}

static int add_self_test(const struct run *run, json_t *doc)
{
	json_t *result = NULL;
	int r = run->options.self_test ? trial_self_test_to_json(&run->trial, &result) : 0;

	json_object_set_new(doc, "self_test", result ? result : json_null());
	return r == -ENODATA ? 0 : r;
}

static json_t *make_document(const struct run *run)
{
	json_t *doc = document_new("trial", run->rig.machine.boot_id, root_name(run->rig.root));
	int r;

	json_object_set_new(doc, "changes", changes_to_json(run));
	json_object_set_new(doc, "put_back", json_boolean(run->is_put_back));
	json_object_set_new(doc, "applied", run->applied ? json_string(run->applied) : json_null());
	json_object_set_new(doc, "limits", limits_to_json(run->rig.root));
	json_object_set_new(doc, "facts", facts_to_json(&run->rig.machine.facts));
	r = trial_to_json(&run->trial, &run->verdict, doc);
	if (r == 0)
		r = add_self_test(run, doc);
	if (r == 0)
		return doc;
	json_decref(doc);
	return NULL;
}

static const char *word_of(const json_t *doc, const char *key)
{
	return json_string_value(json_object_get(doc, key));
}

static int write_plot(const struct run *run, const json_t *doc)
{
	char heading[256] = "lpartune trial";
	_cleanup_free_ char *svg = NULL;

	if (run->options.wishes)
		snprintf(heading, sizeof(heading), "lpartune trial of %s=%s%s: %s",
			 run->options.wish[0].tunable->id, run->options.wish[0].value,
			 run->options.wishes > 1 ? " and more" : "", word_of(doc, "verdict"));
	svg = trial_plot(&run->trial, heading);
	return svg ? store_write_atomic(run->options.plot, svg, strlen(svg), 0666) : -ENOMEM;
}

static int write_document(const struct run *run, const json_t *doc)
{
	_cleanup_free_ char *text = json_dumps(doc, JSON_COMPACT | JSON_REAL_PRECISION(15));

	return text ? store_write_atomic(run->options.save, text, strlen(text), 0666) : -ENOMEM;
}

static enum status write_files(const struct run *run, const json_t *doc)
{
	const struct trial_options *o = &run->options;
	int saved = o->save ? write_document(run, doc) : 0;
	int plotted = o->plot ? write_plot(run, doc) : 0;

	if (saved < 0)
		log_error("cannot write '%s': %s", o->save, strerror(-saved));
	if (plotted < 0)
		log_error("cannot write '%s': %s", o->plot, strerror(-plotted));
	return saved < 0 || plotted < 0 ? STATUS_FAILED : STATUS_OK;
}

static enum status outcome(const struct run *run)
{
	switch (run->trial.end) {
	case TRIAL_STUCK:
		log_error("a thread did not come back: there is no verdict");
		return STATUS_FAILED;
	case TRIAL_SWITCH_FAILED:
		log_error("cannot switch the values: %s", run->trial.error == -ESTALE
								  ? "somebody else changed one"
								  : strerror(-run->trial.error));
		return STATUS_UNDONE;
	case TRIAL_INTERRUPTED:
		return STATUS_INTERRUPTED;
	default:
		return run->options.check && run->verdict.got_worse ? STATUS_DIFFERENT : STATUS_OK;
	}
}

static enum status publish(const struct run *run)
{
	json_t *doc = make_document(run);
	enum status status;
	int r;

	if (!doc)
		return failed("cannot make the document", -ENOMEM);
	status = write_files(run, doc);
	r = output_document(doc, run->options.json, trial_view);
	json_decref(doc);
	if (r < 0)
		return command_finish(r);
	return status == STATUS_OK ? outcome(run) : status;
}

static bool is_whole(const struct trial *trial)
{
	return trial->end == TRIAL_COMPLETE || trial->end == TRIAL_EARLY ||
	       trial->end == TRIAL_TIME_UP;
}

static char *summarize(const struct run *run)
{
	const struct trial_verdict *v = &run->verdict;
	const struct trial_effect *e = v->decided_by ? v->decided_by : &v->metric[0];
	char *text = NULL, together[40] = "";

	if (!e->is_known || e->has_few)
		return strdup("undecided (trial: too few rounds or samples)");
	/* The verdict on several values is one on all of them, not on each. */
	if (run->options.wishes > 1)
		snprintf(together, sizeof(together), ", %zu values at once", run->options.wishes);
	if (asprintf(&text, "%s (trial of %zu rounds%s: %s %+.1f %%, 95 %% %+.1f to %+.1f)",
		     trial_verdict_word(v), run->trial.data.rounds, together,
		     figures[e->figure].word, e->judgement.change_pct, e->judgement.low_pct,
		     e->judgement.high_pct) < 0)
		return NULL;
	return text;
}

static enum status keep_if_better(struct run *run)
{
	const struct trial_options *o = &run->options;
	_cleanup_free_ char *summary = NULL;

	if (!o->apply_if_better || !is_whole(&run->trial) || run->verdict.got_worse ||
	    run->verdict.verdict != VERDICT_BETTER)
		return STATUS_OK;
	summary = summarize(run);
	if (trial_keep(run->rig.root, o->wish, o->wishes, o->wait_s, summary, &run->applied) < 0)
		return streq(run->applied, "not-undone") ? STATUS_NOT_UNDONE : STATUS_UNDONE;
	return STATUS_OK;
}

/* Everything between the first write and the last, and the verdict. */
static enum status measure_and_put_back(struct run *run, enum status *ret_back)
{
	enum status status = STATUS_OK;

	stop_begin(&run->rig.stop);
	if (run->options.wishes)
		status = begin(run);
	if (status == STATUS_OK)
		status = measure(run);
	*ret_back = put_back(run);
	stop_end(&run->rig.stop);
	if (status == STATUS_OK &&
	    trial_judge(&run->trial.data, &run->options.config.rule, &run->verdict) < 0)
		status = failed("cannot judge the trial", -ENOMEM);
	return status;
}

static enum status try_out(struct run *run)
{
	enum status back = STATUS_OK, status = measure_and_put_back(run, &back);

	if (status != STATUS_OK)
		return back == STATUS_OK ? status : back;
	status = back == STATUS_OK ? keep_if_better(run) : back;
	back = publish(run);
	return status == STATUS_OK ? back : status;
}

enum status trial_confirm(const struct change_wish *wishes, size_t count, unsigned int wait_s,
			  char **ret)
{
	_cleanup_(run_done) struct run run = { 0 };
	enum status back = STATUS_OK, status;

	if (count > TRIAL_CHANGES_MAX) {
		log_error("more than %d values cannot be tried at once", TRIAL_CHANGES_MAX);
		return STATUS_FAILED;
	}
	trial_options_init(&run.options);
	memcpy(run.options.wish, wishes, count * sizeof(*wishes));
	run.options.wishes = count;
	run.options.wait_s = wait_s;
	trial_options_complete(&run.options);
	status = command_open(&(struct common_options) { 0 }, &run.rig.root) < 0
			 ? STATUS_FAILED
			 : trial_recover(run.rig.root, wait_s);
	if (status == STATUS_OK && !differs(&run, &status))
		return status;
	if (status == STATUS_OK)
		status = measure_and_put_back(&run, &back);
	if (status == STATUS_OK)
		status = back == STATUS_OK ? outcome(&run) : back;
	if (status == STATUS_OK)
		*ret = summarize(&run);
	return status;
}

static enum status check_files(const struct trial_options *o)
{
	const char *files[] = { o->save, o->plot };

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		int r = files[i] ? store_check_writable(files[i]) : 0;

		if (r < 0) {
			log_error("cannot write '%s': %s", files[i], strerror(-r));
			return STATUS_FAILED;
		}
	}
	return STATUS_OK;
}

static enum status run_trial(const struct command *self, int argc, char **argv)
{
	static const struct common_options here = { 0 };
	_cleanup_(run_done) struct run run = { 0 };
	enum status status;

	trial_options_init(&run.options);
	command_parse(self, argc, argv, &run.options);
	umask(022);
	status = check_files(&run.options);
	if (status == STATUS_OK && command_open(&here, &run.rig.root) < 0)
		status = STATUS_FAILED;
	if (status == STATUS_OK)
		status = read_values(&run);
	return status == STATUS_OK ? try_out(&run) : status;
}

const struct command cmd_trial = {
	.name = "trial",
	.summary = "Try a change here: measured in turns, put back, judged",
	.argp = &trial_argp,
	.needs = NEEDS_WRITE,
	.run = run_trial,
};
