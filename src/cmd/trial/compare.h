/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a compare document looks as text. */
#ifndef LPARTUNE_CMD_COMPARE_H
#define LPARTUNE_CMD_COMPARE_H

#include <jansson.h>

#include "output/text.h"

void compare_view(const json_t *doc, struct text *out);

#endif
