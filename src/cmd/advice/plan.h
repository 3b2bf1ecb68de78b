/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plans: settings as a document that a person can read, review and edit between `recommend --plan`
 * and `apply --plan`. Shape: schema/plan.json.
 */
#ifndef LPARTUNE_CMD_PLAN_H
#define LPARTUNE_CMD_PLAN_H

#include <jansson.h>

#include "machine/tunable/setting.h"

/* The array of settings of a document: {"tunable", "instance", "from", "to", "scope", "rule",
 * "reason"}. New reference; NULL when memory is out. */
json_t *plan_settings_to_json(const struct settings *settings);

/*
 * Reads a plan document. Only `settings` counts, and in it `tunable` and `to` must be there: the
 * tunable must be a row of the table and the value one that may be written. On error returns -EINVAL
 * or -ENOMEM and `ret_error` is a message without full stop (allocated, or NULL).
 */
int plan_parse(const char *text, size_t len, struct settings *ret, char **ret_error);

/* The workload that a plan document was made for, allocated; NULL: it does not say. */
char *plan_workload(const char *text, size_t len);

#endif
