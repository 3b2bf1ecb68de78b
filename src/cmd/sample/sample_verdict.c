/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file sums a run up and says what its steal means; its memory does not grow with time. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>

#include "cmd/sample/sample.h"

#define BINS 10001 /* of 0.01 points: 0 to 100 */
#define STANDOUTS 4
#define WORTH_SAYING 1.0 /* % of steal below which nothing needs an explanation */

/* A mean over time. */
struct mean {
	double sum, seconds;
};

struct cpu_sum {
	double stolen_tb, ticks;
};

struct sample_sum {
	uint32_t bin[BINS];
	uint64_t intervals, with_steal;
	double min, max, seconds;
	struct mean steal, dispatch_wait, entitlement_wait, stat_steal, pulls;
	struct cpu_sum *cpus;
	unsigned int room;
	double ticks; /* of the interval that is being taken in */
	bool out_of_memory;
};

int sample_sum_new(struct sample_sum **ret)
{
	*ret = calloc(1, sizeof(**ret));
	return *ret ? 0 : -ENOMEM;
}

void sample_sum_free(struct sample_sum *sum)
{
	if (sum)
		free(sum->cpus);
	free(sum);
}

static void mean_add(struct mean *mean, const struct number *number, double seconds, double weight)
{
	if (!number->present)
		return;
	mean->sum += number->value * weight;
	mean->seconds += seconds;
}

static double mean_of(const struct mean *mean)
{
	return mean->seconds > 0 ? mean->sum / mean->seconds : NAN;
}

/* Of the steal or a part of it. What was waited before the first interval can make the sum larger
 * than the run was long. */
static double steal_mean(const struct sample_sum *sum, const struct mean *part)
{
	double all = mean_of(&sum->steal);

	return all > 100 ? mean_of(part) * 100 / all : mean_of(part);
}

static void add_stolen(void *arg, unsigned int cpu, uint64_t stolen_tb)
{
	struct sample_sum *sum = arg;

	if (cpu >= sum->room) {
		unsigned int room = sum->room ? sum->room : 64;
		struct cpu_sum *grown;

		while (room <= cpu)
			room *= 2;
		grown = reallocarray(sum->cpus, room, sizeof(*grown));
		if (!grown) {
			sum->out_of_memory = true;
			return;
		}
		memset(grown + sum->room, 0, (room - sum->room) * sizeof(*grown));
		sum->cpus = grown;
		sum->room = room;
	}
	sum->cpus[cpu].stolen_tb += (double)stolen_tb;
	sum->cpus[cpu].ticks += sum->ticks;
}

static void add_steal(struct sample_sum *sum, double steal)
{
	double bin = steal * 100 + 0.5;

	sum->min = sum->with_steal && sum->min < steal ? sum->min : steal;
	sum->max = sum->with_steal && sum->max > steal ? sum->max : steal;
	sum->bin[bin < BINS - 1 ? (unsigned int)bin : BINS - 1]++;
	sum->with_steal++;
}

int sample_sum_add(struct sample_sum *sum, const struct sample *sample)
{
	const struct number *n = sample->system.number;
	double seconds = (double)sample->interval_ns / 1e9;
	/* Means are of all that was counted, which shares of a single interval cannot show. */
	double counted = seconds *
			 (sample->system.steal_excess > 1 ? sample->system.steal_excess : 1);

	sum->intervals++;
	sum->seconds += seconds;
	if (n[COLUMN_STEAL].present)
		add_steal(sum, n[COLUMN_STEAL].value);
	mean_add(&sum->steal, &n[COLUMN_STEAL], seconds, counted);
	mean_add(&sum->dispatch_wait, &n[COLUMN_STEAL_DISPATCH_WAIT], seconds, counted);
	mean_add(&sum->entitlement_wait, &n[COLUMN_STEAL_ENTITLEMENT_WAIT], seconds, counted);
	mean_add(&sum->stat_steal, &n[COLUMN_STAT_STEAL], seconds, seconds);
	mean_add(&sum->pulls, &n[COLUMN_SMT_PULLS], seconds, seconds);
	sum->ticks = n[COLUMN_INTERVAL_TB].present ? n[COLUMN_INTERVAL_TB].value : 0;
	if (sample->steal_is_lppaca && sum->ticks > 0)
		sample_each_stolen(sample, add_stolen, sum);
	return sum->out_of_memory ? -ENOMEM : 0;
}

/* The value of an index among all in ascending order, to 0.01 points. */
static double ranked(const struct sample_sum *sum, uint64_t index)
{
	uint64_t seen = 0;
	unsigned int i = 0;

	while (i + 1 < BINS && (seen += sum->bin[i]) <= index)
		i++;
	return fmin(fmax(i / 100.0, sum->min), sum->max);
}

static double median(const struct sample_sum *sum)
{
	return (ranked(sum, (sum->with_steal - 1) / 2) + ranked(sum, sum->with_steal / 2)) / 2;
}

static double cpu_steal(const struct sample_sum *sum, unsigned int cpu)
{
	const struct cpu_sum *c = &sum->cpus[cpu];

	return c->ticks > 0 ? fmin(100 * c->stolen_tb / c->ticks, 100) : 0;
}

/* CPUs with far more than the mean, worst first: [{"cpu", "steal_pct"}]. */
static json_t *standouts(const struct sample_sum *sum)
{
	double limit = fmax(1.5 * steal_mean(sum, &sum->steal), steal_mean(sum, &sum->steal) + 5),
	       last = INFINITY;
	json_t *list = json_array();
	int worst = -1;

	while (list && json_array_size(list) < STANDOUTS) {
		double best = 0;
		int before = worst;

		worst = -1;
		for (unsigned int i = 0; i < sum->room; i++)
			if (cpu_steal(sum, i) > best &&
			    (cpu_steal(sum, i) < last ||
			     (cpu_steal(sum, i) <= last && (int)i > before))) {
				best = cpu_steal(sum, i);
				worst = (int)i;
			}
		if (worst < 0 || !(best > limit))
			break;
		last = best;
		json_array_append_new(list,
				      json_pack("{s:i, s:f}", "cpu", worst, "steal_pct", best));
	}
	return list;
}

/* Sentences: a list of strings that takes printf formats. */
_printf_(2, 3) static void say(json_t *list, const char *format, ...)
{
	_cleanup_free_ char *text = NULL;
	va_list args;
	int r;

	va_start(args, format);
	r = vasprintf(&text, format, args);
	va_end(args);
	if (r < 0)
		text = NULL;
	else
		json_array_append_new(list, json_string(text));
}

/* "configuration", "contention", "both", "none", "unknown" */
static const char *explained_by(const struct sample_sum *sum)
{
	double wait = steal_mean(sum, &sum->dispatch_wait),
	       held = steal_mean(sum, &sum->entitlement_wait);

	if (!(steal_mean(sum, &sum->steal) >= WORTH_SAYING))
		return sum->with_steal ? "none" : "unknown";
	if (isnan(wait) || isnan(held))
		return "unknown";
	return held >= 2 * wait ? "configuration" : wait >= 2 * held ? "contention" : "both";
}

/* What is known of a cause that nobody counts. */
static const char *untold_cause(const struct machine *machine)
{
	static const struct {
		const char *hypervisor, *sentence;
	} rows[] = {
		{ "powervm", "What it was stolen by is in the lppacas, which were not read." },
		{ "prsm",
		  "PR/SM ran other partitions in that time, or held this one to its weight or cap; it does not tell which." },
		{ "zvm",
		  "z/VM ran other guests in that time, or held this one to its share; it does not tell which." },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (facts_is(&machine->facts, FACT_HYPERVISOR, rows[i].hypervisor))
			return rows[i].sentence;
	return "The host ran something else in that time, or held this guest to a quota; it does not tell which.";
}

static void say_cause(json_t *text, const struct sample_sum *sum, const struct machine *machine)
{
	double wait = steal_mean(sum, &sum->dispatch_wait),
	       held = steal_mean(sum, &sum->entitlement_wait);
	double entitled;
	int64_t processors;
	bool capped;

	if (isnan(wait) || isnan(held)) {
		say(text, "%s", untold_cause(machine));
		return;
	}
	say(text,
	    "Of it %.2f points waited for a physical processor (contention with other partitions) and %.2f points were held back because the cap or the entitlement was used up (configuration).",
	    wait, held);
	if (facts_bool(&machine->facts, FACT_LPAR_CAPPED, &capped) && capped &&
	    facts_real(&machine->facts, FACT_LPAR_ENTITLEMENT, &entitled) &&
	    facts_integer(&machine->facts, FACT_LPAR_VIRTUAL_PROCESSORS, &processors) &&
	    processors > 0 && entitled < (double)processors)
		say(text,
		    "The partition is capped at %.2f cores for %lld virtual processor%s: at full load %.1f %% of steal follows from that alone.",
		    entitled, (long long)processors, processors == 1 ? "" : "s",
		    100 * (1 - entitled / (double)processors));
}

/* Does the kernel's own steal agree with the hypervisor's? */
static void say_accounting(json_t *text, const struct sample_sum *sum,
			   const struct machine *machine)
{
	double vpa = steal_mean(sum, &sum->dispatch_wait) + steal_mean(sum, &sum->entitlement_wait);
	double ratio = mean_of(&sum->stat_steal) / vpa;

	if (!machine_is_shared(machine) || !(vpa >= 5) || isnan(ratio))
		return;
	if (ratio < 0.05)
		say(text,
		    "This kernel does not account steal: /proc/stat, top and vmstat show none of it.");
	else if (ratio > 0.46 && ratio < 0.56)
		say(text,
		    "This kernel shows about half of it in /proc/stat: the unit error of Linux 6.1 to 6.7.");
}

static void say_standouts(json_t *text, const json_t *list)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		say(text, "CPU %lld stands out: %.2f %%.",
		    (long long)json_integer_value(json_object_get(json_array_get(list, i), "cpu")),
		    json_real_value(json_object_get(json_array_get(list, i), "steal_pct")));
}

static void say_steal(json_t *text, const struct sample_sum *sum, const struct machine *machine)
{
	if (!sum->with_steal) {
		say(text, facts_is(&machine->facts, FACT_HYPERVISOR, "qemu-tcg")
				  ? "An emulated guest: nothing counts what is stolen from it."
			  : facts_is(&machine->facts, FACT_HYPERVISOR, "none")
				  ? "No hypervisor: nothing can be stolen."
				  : "How much was stolen is not known: no interval gave a number.");
		return;
	}
	say(text,
	    "Stolen: min %.2f, median %.2f, max %.2f %% of CPU time in %llu interval%s (%.1f s).",
	    sum->min, median(sum), sum->max, (unsigned long long)sum->with_steal,
	    sum->with_steal == 1 ? "" : "s", sum->steal.seconds);
	if (steal_mean(sum, &sum->steal) >= WORTH_SAYING)
		say_cause(text, sum, machine);
	say_accounting(text, sum, machine);
	if (steal_mean(sum, &sum->steal) >= WORTH_SAYING && mean_of(&sum->pulls) >= 10)
		say(text,
		    "Load balancing moved %.0f tasks a second between threads of one core: with steal beside it, tasks bounce between siblings because steal lowers the capacity that the scheduler sees.",
		    mean_of(&sum->pulls));
}

static const char *next_command(const struct sample_sum *sum)
{
	if (!(steal_mean(sum, &sum->steal) >= WORTH_SAYING))
		return "lpartune inspect";
	return "lpartune recommend";
}

static json_t *real_or_null(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

json_t *sample_sum_verdict(const struct sample_sum *sum, const struct machine *machine)
{
	json_t *text = json_array(), *list = standouts(sum);

	if (!text || !list) {
		json_decref(text);
		json_decref(list);
		return NULL;
	}
	say_steal(text, sum, machine);
	say_standouts(text, list);
	return json_pack(
		"{s:I, s:f, s:{s:o, s:o, s:o, s:o}, s:o, s:o, s:s, s:o, s:o, s:s}", "intervals",
		(json_int_t)sum->intervals, "seconds", sum->seconds, "steal_pct", "min",
		real_or_null(sum->with_steal ? sum->min : NAN), "median",
		real_or_null(sum->with_steal ? median(sum) : NAN), "max",
		real_or_null(sum->with_steal ? sum->max : NAN), "mean",
		real_or_null(steal_mean(sum, &sum->steal)), "steal_dispatch_wait_pct",
		real_or_null(steal_mean(sum, &sum->dispatch_wait)), "steal_entitlement_wait_pct",
		real_or_null(steal_mean(sum, &sum->entitlement_wait)), "explained_by",
		explained_by(sum), "standouts", list, "text", text, "next", next_command(sum));
}
