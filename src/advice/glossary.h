/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The terms of the field, each in a few sentences, with the numbers that show it. */
#ifndef LPARTUNE_ADVICE_GLOSSARY_H
#define LPARTUNE_ADVICE_GLOSSARY_H

#include <stddef.h>

struct term {
	const char *id, *title, *text;
};
extern const struct term glossary[];
extern const size_t glossary_count;

#endif
