/* SPDX-License-Identifier: Apache-2.0
 *
 * The writers of one run, told of everything together. Only rank 0 has any.
 */
#ifndef COLLPERF_OUTPUT_H
#define COLLPERF_OUTPUT_H

#include "../report/writer.h"
#include "options.h"

enum { OUTPUT_MAX = 4 };

struct output {
	const struct writer_ops *ops[OUTPUT_MAX];
	void *states[OUTPUT_MAX];
	const char *paths[OUTPUT_MAX]; /* borrowed */
	size_t count;                  /* begun */
};

/* Begins every writer that the options ask for: the table unless a machine format goes to stdout. 0, or -1 after one line. */
int output_begin(struct output *output, const struct options *options, const struct run_info *info);
int output_row(struct output *output, const struct result *result);
int output_end(struct output *output, const struct run_summary *summary);

#endif
