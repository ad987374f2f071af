/* SPDX-License-Identifier: Apache-2.0
 *
 * What the mains of the perf binaries share: from a command line that was understood to its run, and what is said of one that was not.
 */
#ifndef COLLPERF_PERF_H
#define COLLPERF_PERF_H

#include "../collectives/collective.h"
#include "options.h"

struct perf_job {
	const char *program; /* "all_reduce_perf" */
	const struct collective *coll;
	struct options *options; /* of which those that hang on the backend are set */
	int argc;
	char **argv;
};

/* Why a backend cannot measure steps of training where its ops have none. */
extern const char perf_no_steps[];

/* First of all: pipes and standard streams in order. */
void perf_begin(void);

/* One line on stderr, from one rank where ranks are known. Returns the exit code. */
int perf_usage(const char *program, const char *text);

/* What was printed may still fail to reach a full disk or a closed pipe. The exit code of a program that has only printed. */
int perf_printed(const char *program);

/* What options and environment say is checked against the backend; the exit code. */
int perf_run(const struct perf_job *job);

#endif
