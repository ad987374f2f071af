/* SPDX-License-Identifier: Apache-2.0
 *
 * Which input of the command line a row came from, by the name that it was given.
 */
#ifndef COLLPERF_RUNS_H
#define COLLPERF_RUNS_H

#include <stdbool.h>

#include "options.h"
#include "reader.h"

struct runs {
	char **names; /* a directory without '/' at its end, or a file; each once. One "" where there are no inputs */
	size_t count;
	bool *alone; /* of each name: a file that was given by itself and lies in no run directory, that is beside no run.json */
	size_t *of;  /* index into names, of each row */
};

/* 0, or -1 after one line on stderr; *runs is to be cleared in either case. */
int runs_build(const struct report_options *options, const struct rows *rows, struct runs *runs);
void runs_clear(struct runs *runs);

/* Files of a run directory that hold rows, "all_reduce", "pairs", "bucket", without .csv: number i, NULL after the last one. */
const char *runs_file(size_t i);

/* Length of a directory's name without '/' at its end. */
size_t runs_name_length(const char *path);

#endif
