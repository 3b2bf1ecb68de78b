/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This file makes a document of a sample: numbers, nulls with reasons, notes. */
#include <errno.h>
#include <math.h>

#include "cmd/sample/sample.h"

#define NO_POOL_NOTE \
	"Idle processors of the pool (app) need the HMC setting \"Allow performance information collection\" of this partition."

json_t *sample_number_json(const struct number *number, enum column column)
{
	if (!number->present || !isfinite(number->value))
		return json_null();
	if (column == COLUMN_INTERVAL_TB || column == COLUMN_DISPATCH_WAIT_TB ||
	    column == COLUMN_ENTITLEMENT_WAIT_TB)
		return json_integer((json_int_t)llround(number->value));
	return json_real(number->value);
}

/* Sets the numbers of a row in `values`, the reasons of those that are absent in `absent`. */
static int set_numbers(const struct sample_row *row, json_t *values, json_t *absent)
{
	for (unsigned int i = 0; i < COLUMN_COUNT; i++) {
		const struct number *n = &row->number[i];

		if (json_object_set_new_nocheck(values, column_info[i].name,
						sample_number_json(n, (enum column)i)) < 0)
			return -ENOMEM;
		if (!n->present &&
		    json_object_set_new_nocheck(absent, column_info[i].name,
						json_string(reason_word(n->reason))) < 0)
			return -ENOMEM;
	}
	return 0;
}

/* Marks a row whose steal is that of a whole interval, though more was counted in it. */
static int set_bounded(json_t *json, const struct sample_row *row)
{
	return row->steal_excess > 1 && json_object_set_new(json, "steal_bounded", json_true()) < 0
		       ? -ENOMEM
		       : 0;
}

static int set_slow_intervals(json_t *doc, const struct sample *sample)
{
	static const char *const names[SLOW_COUNT] = {
		[SLOW_LPARCFG] = "lparcfg",	  [SLOW_PURR] = "purr",
		[SLOW_INTERRUPTS] = "interrupts", [SLOW_SCHEDSTAT] = "schedstat",
		[SLOW_DISPATCH] = "dispatch",
	};
	json_t *intervals = json_object();
	int r = intervals ? 0 : -ENOMEM;

	for (unsigned int i = 0; r == 0 && i < SLOW_COUNT; i++)
		if (sample->slow_interval_ns[i] &&
		    json_object_set_new(intervals, names[i],
					json_integer((json_int_t)sample->slow_interval_ns[i])) < 0)
			r = -ENOMEM;
	if (r == 0 && json_object_set(doc, "intervals_ns", intervals) < 0)
		r = -ENOMEM;
	json_decref(intervals);
	return r;
}

int sample_document_fill(json_t *doc, const struct sample *sample)
{
	static const char *const clocks[] = { NULL, "timebase", "wall" };
	json_t *system = json_object(), *absent = json_object();
	int r = set_numbers(&sample->system, system, absent);

	if (r == 0 &&
	    json_object_set_new(doc, "interval_ns",
				sample->interval_ns ? json_integer((json_int_t)sample->interval_ns)
						    : json_null()) < 0)
		r = -ENOMEM;
	if (r == 0 &&
	    json_object_update_new(doc, json_pack("{s:s?, s:s, s:i, s:O, s:O}", "clock",
						  clocks[sample->clock], "steal_source",
						  sample->steal_is_lppaca ? "vpa" : "proc-stat",
						  "cpus_online", (int)sample->online, "system",
						  system, "absent", absent)) < 0)
		r = -ENOMEM;
	if (r == 0 && sample->has_tb &&
	    json_object_set_new(doc, "timebase",
				json_pack("{s:I, s:I}", "from", (json_int_t)sample->tb_from, "to",
					  (json_int_t)sample->tb_to)) < 0)
		r = -ENOMEM;
	if (r == 0)
		r = set_bounded(doc, &sample->system);
	if (r == 0)
		r = set_slow_intervals(doc, sample);
	json_decref(system);
	json_decref(absent);
	return r;
}

json_t *sample_notes(const struct sample *sample)
{
	static const struct {
		enum column column;
		enum reason reason;
		const char *note;
	} rows[] = {
		{ COLUMN_DISPATCH_WAIT_TB, REASON_DENIED,
		  "Steal by its cause, dispatches per CPU and preemptions are in the lppacas, which only root reads: sudo lpartune sample" },
		{ COLUMN_DISPATCH_WAIT_TB, REASON_MISSING,
		  "Steal by its cause, dispatches per CPU and preemptions need sys/kernel/debug/powerpc/vpa (Linux 5.3): mount -t debugfs none /sys/kernel/debug" },
		{ COLUMN_DISPATCH_WAIT_TB, REASON_NOT_PROVIDED,
		  "This guest is emulated (QEMU TCG): nobody counts what its processors wait for." },
		{ COLUMN_PHYSC, REASON_MISSING,
		  "Physical consumption (physc, entc) needs purr of proc/powerpc/lparcfg, which kernels without CONFIG_LPARCFG have not." },
		{ COLUMN_APP, REASON_NOT_PROVIDED, NO_POOL_NOTE },
	};
	json_t *notes = json_array();

	if (notes && sample->is_frozen &&
	    json_array_append_new(
		    notes,
		    json_string(
			    "Nothing moves in this tree: it is a copy. --since-boot shows its means; --replay DIR shows the instants of a capture.")) <
		    0) {
		json_decref(notes);
		return NULL;
	}
	for (size_t i = 0; notes && i < ARRAY_SIZE(rows); i++) {
		const struct number *n = &sample->system.number[rows[i].column];

		if (rows[i].reason == REASON_NOT_PROVIDED && rows[i].column != COLUMN_APP &&
		    sample->system.number[COLUMN_STEAL].present) /* not emulated: an old KVM host */
			continue;
		if (!n->present && n->reason == rows[i].reason &&
		    json_array_append_new(notes, json_string(rows[i].note)) < 0) {
			json_decref(notes);
			return NULL;
		}
	}
	return notes;
}
