/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A fuzz target feeds one input to one reader. It must end without a crash, a leak or a finding of
 * the sanitizers, and what the reader says of the input must hold (HOLDS).
 */
#ifndef LPARTUNE_TESTS_FUZZ_H
#define LPARTUNE_TESTS_FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/parse.h"

#define HOLDS(condition)                                                                  \
	do {                                                                              \
		if (!(condition)) {                                                       \
			fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, \
				#condition);                                              \
			abort();                                                          \
		}                                                                         \
	} while (0)

struct fuzz_target {
	const char *name;
	void (*run)(struct span input);
};

/* Targets of the pure parsers, of readers of one file, of advice, and of whole trees, of documents. The last has no
 * name. */
extern const struct fuzz_target fuzz_parsers[], fuzz_files[], fuzz_advice[], fuzz_trees[],
	fuzz_documents[];

/* The target of a name, or NULL. */
const struct fuzz_target *fuzz_find(const char *name);

/* Text is JSON's UTF-8. */
void fuzz_holds_utf8(const char *text);

/* A directory of this process's own, gone at its end. */
const char *fuzz_scratch(void);

/* Replaces a file below the scratch directory; directories are made. */
void fuzz_put(const char *path, struct span content);

#endif
