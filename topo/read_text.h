/* SPDX-License-Identifier: Apache-2.0
 *
 * What all readers of other machines' files need: errors of one harmless line, names of files, masks of hardware threads, and the step that hands
 * over what was read.
 */
#ifndef COLLPERF_READ_TEXT_H
#define COLLPERF_READ_TEXT_H

#include "topo.h"

/* Where a reader says what is wrong; `text` may be NULL. */
struct read_error {
	const char *file;
	char *text;
	size_t size;
};

/* "FILE:LINE: what" (line 0: "FILE: what"), without control characters. Returns -1. */
int read_fail(const struct read_error *error, unsigned long line, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* What stands behind the last slash. */
const char *read_base(const char *file);

/*
 * The kernel's mask of 32 bits a word, the highest first ("00000000,00ffffff"), to a list ("0-23") in *text (as topo_set). 1: it is no mask, *text
 * stays; -1: out of memory.
 */
int read_mask(const char *mask, char **text);

/* A whole number of `base` in [least, most], nothing behind it; else -1. */
int read_number(const char *text, int base, int least, int most);

/* The one host of `one` to topo, `from` as its source. -1 with an error; `one` is empty after. */
int read_hand_over(const struct read_error *error, struct topo *topo, struct topo *one, const char *from);

#endif
