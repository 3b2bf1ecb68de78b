/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file puts rules and the machine's present values side by side. */
#include "cmd/advice/recommendation.h"

#include <errno.h>

#include "change/verify.h"
#include "cmd/suggest.h"
#include "machine/source/preferences.h"
#include "machine/tunable/origin.h"

static void recommendation_done(struct recommendation *r)
{
	free(r->evidence);
	for (size_t i = 0; i < r->wants; i++) {
		tunable_now_done(&r->want[i].now);
		free(r->want[i].set_by);
	}
}

void recommendations_done(struct recommendations *all)
{
	for (size_t i = 0; i < all->count; i++)
		recommendation_done(&all->list[i]);
	free(all->list);
	free(all->workload);
	free(all->complaint);
	*all = (struct recommendations) { 0 };
}

void recommendations_keep(struct recommendations *all, recommendation_fn keep, const void *arg)
{
	size_t kept = 0;

	for (size_t i = 0; i < all->count; i++) {
		if (keep(&all->list[i], arg))
			all->list[kept++] = all->list[i];
		else
			recommendation_done(&all->list[i]);
	}
	all->count = kept;
}

bool recommendation_is(const struct recommendation *r, const char *id)
{
	if (streq(r->rule->id, id))
		return true;
	for (size_t i = 0; i < r->wants; i++)
		if (streq(r->want[i].tunable->id, id))
			return true;
	return false;
}

/* The default plan: measured and of low risk, or required by the workload that was named. */
static bool is_planned(const struct rule *rule)
{
	bool measured = rule->evidence == EVIDENCE_A || rule->evidence == EVIDENCE_B ||
			rule->evidence == EVIDENCE_V;

	return rule->setting[0].tunable && measured && rule->risk <= RISK_LOW;
}

/* What differs from such a rule should not: it is planned, or known to do harm. */
static bool is_urgent(const struct rule *rule)
{
	return is_planned(rule) ||
	       (rule->severity >= SEVERITY_WARNING && rule->effect != EFFECT_UNKNOWN);
}

static enum standing standing_of_absent(const struct tunable_now *now)
{
	if (now->state == TUNABLE_OBSOLETE)
		return STANDING_OBSOLETE;
	if (now->reason == REASON_LOCKED_DOWN)
		return STANDING_LOCKED;
	return now->reason == REASON_DENIED ? STANDING_DENIED : STANDING_ABSENT;
}

/* Is this claim somebody else's wish for another value, or our own that waits for the next boot? */
static enum standing standing_by_claim(const struct want *want, const struct origin_claim *winner)
{
	if (winner->value && tunable_same(want->tunable, winner->value, want->value))
		return STANDING_PENDING;
	/* A boot parameter is not somebody else: it is where the change would be made. */
	return winner->origin == ORIGIN_BOOT_PARAMETER ? STANDING_OK : STANDING_CONFLICT;
}

static enum standing standing_of(struct root *root, const struct rule *rule,
				 const struct want *want, const struct origin_claim *winner)
{
	enum standing by_claim = winner ? standing_by_claim(want, winner) : STANDING_OK;

	if (want->now.state != TUNABLE_READ)
		return standing_of_absent(&want->now);
	if (tunable_same(want->tunable, want->now.value, want->value))
		return STANDING_OK;
	if (tunable_is_locked(root, want->now.path))
		return STANDING_LOCKED;
	if (by_claim != STANDING_OK)
		return by_claim;
	return is_urgent(rule) ? STANDING_CHANGE : STANDING_CONSIDER;
}

/* "kernel default", or the word with the file and line that set the value. */
static char *who_set(const struct want *want, const struct origin_claims *claims)
{
	const struct origin_claim *claim = NULL;
	enum origin origin;
	char *text = NULL;

	if (want->now.state != TUNABLE_READ)
		return NULL;
	origin = origin_of(claims, want->tunable, want->now.value, &claim);
	if (asprintf(&text, "%s%s%s", origin_word(origin), claim ? " " : "",
		     claim ? claim->where : "") < 0)
		return NULL;
	return text;
}

static int add_want(struct machine *m, struct recommendation *r, const struct rule_setting *setting)
{
	_cleanup_origin_claims_ struct origin_claims claims = { 0 };
	struct want *want = &r->want[r->wants];
	int error;

	*want = (struct want) { .tunable = tunable_find(setting->tunable),
				.value = setting->value };
	if (!want->tunable)
		return 0; /* proved impossible by a test of the tables */
	error = tunable_read(m->root, want->tunable, &want->now);
	if (error < 0)
		return error;
	r->wants++;
	error = origin_find(m->root, want->tunable, &claims);
	if (error == -ENOMEM)
		return error;
	want->set_by = who_set(want, &claims);
	want->standing = standing_of(m->root, r->rule, want, origin_winner(&claims));
	return 0;
}

/* A rule stands where that of its settings stands which asks for most. */
static void settle(struct recommendation *r)
{
	r->standing = STANDING_OK;
	for (size_t i = 0; i < r->wants; i++)
		if (r->want[i].standing > r->standing)
			r->standing = r->want[i].standing;
}

/* Takes the finding's evidence over. */
static int add(struct machine *m, struct recommendations *all, struct finding *finding)
{
	struct recommendation *r = &all->list[all->count++];

	*r = (struct recommendation) {
		.rule = finding->rule,
		.evidence = take_ptr(&finding->evidence),
		.planned = is_planned(finding->rule),
	};
	if (r->rule->action)
		r->standing = is_urgent(r->rule) ? STANDING_CHANGE : STANDING_CONSIDER;
	for (const struct rule_setting *s = r->rule->setting; s->tunable; s++) {
		int error = add_want(m, r, s);

		if (error < 0)
			return error;
	}
	if (r->wants)
		settle(r);
	return 0;
}

/* The workload that counts: the one named, else that of lpartune.conf if there is such a one. */
static int choose_workload(const char *named, struct preferences *p, struct recommendations *all)
{
	if (p->workload && !workload_find(p->workload) && !p->complaint &&
	    asprintf(&p->complaint, "%s: unknown workload '%s'", PREFERENCES_PATH, p->workload) <
		    0) {
		p->complaint = NULL;
		return -ENOMEM;
	}
	if (!named && p->workload && workload_find(p->workload))
		named = p->workload;
	all->complaint = take_ptr(&p->complaint);
	all->workload = named ? strdup(named) : NULL;
	return named && !all->workload ? -ENOMEM : 0;
}

/* An id that nothing has would be ignored in vain. */
static int check_ignored(struct preferences *p)
{
	for (size_t i = 0; i < p->ignored && !p->complaint; i++) {
		_cleanup_free_ char *hint = NULL;

		if (rule_find(p->ignore[i]) || tunable_find(p->ignore[i]))
			continue;
		hint = suggest_id(p->ignore[i]);
		if (asprintf(&p->complaint, "%s: ignore: '%s' is neither a rule nor a tunable%s",
			     PREFERENCES_PATH, p->ignore[i], hint ? hint : "") < 0) {
			p->complaint = NULL;
			return -ENOMEM;
		}
	}
	return 0;
}

/* A file that cannot be read is no reason to recommend nothing. */
static int read_preferences(struct root *root, struct preferences *ret)
{
	int r = preferences_read(root, ret);

	if (r == -ENOMEM)
		return r;
	if (r < 0 &&
	    asprintf(&ret->complaint, "cannot read '%s': %s", PREFERENCES_PATH, strerror(-r)) < 0) {
		ret->complaint = NULL;
		return -ENOMEM;
	}
	return 0;
}

static void mark_ignored(struct recommendations *all, const struct preferences *p)
{
	for (size_t i = 0; i < all->count; i++)
		for (size_t k = 0; k < p->ignored; k++)
			if (recommendation_is(&all->list[i], p->ignore[k]))
				all->list[i].ignored = true;
}

/* Has this want been applied, so that only a reboot or the loading of a module is missing? */
static bool is_pending(const struct change *change, const struct want *want)
{
	for (size_t i = 0; i < change->count; i++) {
		const struct change_item *item = &change->items[i];

		if (item->tunable == want->tunable && item->to &&
		    tunable_same(item->tunable, item->to, want->value))
			return item->status == CHANGE_PENDING_REBOOT ||
			       item->status == CHANGE_NEXT_LOAD;
	}
	return false;
}

/* What `apply` has done already and its books tell. Without readable books nothing is pending. */
static void mark_pending(struct machine *m, struct recommendations *all)
{
	_cleanup_change_ struct change change = { .ws = { .run = -1, .lib = -1, .lock = -1 } };

	if (change_open(m->root, false, 0, &change) < 0 || change_verify(&change) < 0)
		return;
	for (size_t i = 0; i < all->count; i++) {
		struct recommendation *r = &all->list[i];

		for (size_t k = 0; k < r->wants; k++)
			if (is_pending(&change, &r->want[k]))
				r->want[k].standing = STANDING_PENDING;
		if (r->wants)
			settle(r);
	}
}

static int add_all(struct machine *m, struct findings *found, struct recommendations *all)
{
	int r = 0;

	all->list = calloc(found->count + 1, sizeof(*all->list));
	if (!all->list)
		return -ENOMEM;
	for (size_t i = 0; r >= 0 && i < found->count; i++)
		r = add(m, all, &found->list[i]);
	return r;
}

/* "Nothing to change" of a tree of which nothing is known would be a wrong comfort. */
static int check_blank(const struct machine *m, struct recommendations *all)
{
	const struct fact_value *facts = m->facts.value;

	if (all->complaint || facts[FACT_ARCH].present || facts[FACT_CPU_ONLINE].present ||
	    facts[FACT_KERNEL_RELEASE].present || facts[FACT_LPAR_ENTITLEMENT].present)
		return 0;
	if (asprintf(&all->complaint, "nothing could be read: '%s' is no root of a machine's files",
		     root_name(m->root)) >= 0)
		return 0;
	all->complaint = NULL;
	return -ENOMEM;
}

int recommendations_make(struct machine *m, const char *workload, struct recommendations *ret)
{
	_cleanup_recommendations_ struct recommendations all = { 0 };
	_cleanup_preferences_ struct preferences preferences = { 0 };
	_cleanup_findings_ struct findings found = { 0 };
	int r = read_preferences(m->root, &preferences);

	if (r >= 0)
		r = check_ignored(&preferences);
	if (r >= 0)
		r = choose_workload(workload, &preferences, &all);
	if (r >= 0)
		r = check_blank(m, &all);
	if (r >= 0)
		r = judge_actions(&m->facts, all.workload, &found);
	if (r >= 0)
		r = add_all(m, &found, &all);
	if (r < 0)
		return r;
	mark_ignored(&all, &preferences);
	mark_pending(m, &all);
	*ret = all;
	all = (struct recommendations) { 0 };
	return 0;
}

const char *standing_word(enum standing standing)
{
	static const char *const words[] = {
		[STANDING_OK] = "ok",
		[STANDING_ABSENT] = "absent",
		[STANDING_OBSOLETE] = "obsolete",
		[STANDING_DENIED] = "denied",
		[STANDING_LOCKED] = "locked",
		[STANDING_PENDING] = "pending-reboot",
		[STANDING_CONSIDER] = "consider",
		[STANDING_CONFLICT] = "conflict",
		[STANDING_CHANGE] = "change",
	};

	return words[standing];
}

bool recommendations_ask(const struct recommendations *all)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->list[i].standing == STANDING_CHANGE ||
		    all->list[i].standing == STANDING_CONFLICT)
			return true;
	return false;
}

static bool is_named(const struct recommendation *r, const struct want *want,
		     const char *const *ids, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (streq(ids[i], r->rule->id) || streq(ids[i], want->tunable->id))
			return true;
	return false;
}

/* What cannot be done is planned too where it was named: apply says why it cannot. */
static bool is_open(const struct want *want)
{
	return want->standing != STANDING_OK && want->standing != STANDING_PENDING;
}

static int plan_one(const struct recommendation *r, const char *const *ids, size_t count,
		    struct settings *settings)
{
	for (size_t k = 0; k < r->wants; k++) {
		const struct want *want = &r->want[k];
		/* Nobody else's setting is overruled without being named. */
		bool wanted = count ? is_named(r, want, ids, count) && is_open(want)
				    : r->planned && !r->ignored &&
					      want->standing == STANDING_CHANGE;

		if (!wanted)
			continue;
		if (settings_add(settings, want->tunable, want->now.value, want->value, r->rule->id,
				 r->evidence) < 0)
			return -ENOMEM;
	}
	return 0;
}

int recommendations_plan(const struct recommendations *all, const char *const *ids,
			 size_t ids_count, struct settings *ret)
{
	_cleanup_settings_ struct settings settings = { 0 };

	for (size_t i = 0; i < all->count; i++)
		if (plan_one(&all->list[i], ids, ids_count, &settings) < 0)
			return -ENOMEM;
	*ret = settings;
	settings = (struct settings) { 0 };
	return 0;
}

/* The rule of that id that holds here, or a rule that wants something for the tunable of that id. */
static const struct recommendation *find(const struct recommendations *all, const char *id)
{
	for (size_t i = 0; i < all->count; i++)
		if (recommendation_is(&all->list[i], id))
			return &all->list[i];
	return NULL;
}

static bool is_of_other_workload(const struct recommendations *all, const struct rule *rule)
{
	return rule->workload && (!all->workload || !streq(rule->workload, all->workload));
}

int recommendations_why_nothing(const struct recommendations *all, const char *id, char **ret)
{
	const struct recommendation *r = find(all, id);
	const struct rule *rule = rule_find(id);
	int len;

	if (r && r->wants)
		len = asprintf(ret, "%s: it is so already, or will be after the next boot", id);
	else if (r)
		len = asprintf(ret, "%s: advice that no setting carries out: lpartune explain %s",
			       id, id);
	else if (rule && is_of_other_workload(all, rule))
		len = asprintf(ret, "%s: only for a machine of that kind: --workload %s", id,
			       rule->workload);
	else if (rule)
		len = asprintf(ret,
			       "%s does not hold on this machine: lpartune explain %s tells "
			       "when it does",
			       id, id);
	else
		len = asprintf(ret,
			       "%s: no rule that holds on this machine wants a value for it; "
			       "a plan can name one (--plan)",
			       id);
	return len < 0 ? -ENOMEM : 0;
}
