/* SPDX-License-Identifier: Apache-2.0
 *
 * Which backend a run takes, and how many GPUs its one process drives. Starts nothing.
 */
#ifndef COLLPERF_DRIVER_CHOICE_H
#define COLLPERF_DRIVER_CHOICE_H

#include <stdbool.h>

#include "args.h"
#include "look.h"

struct choice {
	const char *backend;         /* borrowed; NULL: the binaries choose */
	const char *likely;          /* what the binaries will take, as far as it is known; lives for ever, or NULL */
	int gpus;                    /* for -g; 0: nothing is said */
	char why[LOOK_REASON + 128]; /* "" where there was nothing to choose */
};

/* Whether the options alone do not settle it. */
bool choice_needs_look(const struct args *args);

/* The name of a backend that a binary has, as a text that lives for ever; NULL for any other, and for NULL. */
const char *choice_likely(const char *backend);

/*
 * By what was seen. `first` is the number of the first GPU to take, as the binaries read it from the environment; NULL: 0. An exit code after
 * one line, or 0 with *choice.
 */
int choice_make(const struct args *args, const struct look *look, const char *first, struct choice *choice);

#endif
