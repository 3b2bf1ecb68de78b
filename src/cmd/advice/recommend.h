/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The document of `lpartune recommend` (schema/recommend.json) and how it reads. */
#ifndef LPARTUNE_CMD_RECOMMEND_H
#define LPARTUNE_CMD_RECOMMEND_H

#include <jansson.h>

#include "cmd/advice/recommendation.h"
#include "output/text.h"

/* New reference; NULL when memory is out. `everything` adds what was considered and does not apply. */
json_t *recommend_document(const struct machine *machine, const struct recommendations *all,
			   const char *workload, bool everything);

void recommend_view(const json_t *doc, struct text *out);

#endif
