/* SPDX-License-Identifier: Apache-2.0
 *
 * What `collperf report` is given: run directories and CSV files, read into rows and facts.
 */
#ifndef COLLPERF_INPUT_H
#define COLLPERF_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "facts.h"
#include "findings.h"
#include "options.h"
#include "reader.h"

struct input {
	struct rows *rows;
	struct facts *facts; /* one a run directory that has a run.json */
	size_t nfacts;
	size_t folders; /* run directories among the inputs */
	size_t unread;  /* run.json that are none; each a finding */
	size_t failed;  /* files that could not be read to their end; each one line on stderr and a finding */
};

/*
 * Reads every input. 0, or -1 after one line on stderr: an input that does not exist, a directory without a primitive's CSV file, no
 * row in all of them. *input is to be cleared in every case.
 */
int input_read(const struct report_options *options, struct input *input, struct findings *findings);
void input_clear(struct input *input);

#endif
