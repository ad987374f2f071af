/* SPDX-License-Identifier: Apache-2.0
 *
 * The stream that a format writes to, and the one line that says why it failed. Callers use stdio on `file` and check by output_flush.
 */
#ifndef COLLPERF_OUTPUT_H
#define COLLPERF_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

struct output {
	FILE *file;
	char *path;
	const char *program; /* borrowed */
	bool failed;         /* and said so */
};

/* "-" is stdout; a file is truncated. 0, or -1 after one line on stderr. */
int output_open(struct output *output, const char *program, const char *path);

/* Hands over what was written. 0, or -1: the first failure prints one line on stderr, later ones nothing. */
int output_flush(struct output *output);

/* The same, then closes a file (never stdout). *output is empty afterwards. */
int output_close(struct output *output);

/* "PROGRAM: cannot write PATH: why" on stderr; always returns -1. */
int output_error(const char *program, const char *path, const char *why);

#endif
