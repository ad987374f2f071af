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

/*
 * Before the launch: why this process will not run, as one line on stderr from one rank. Others may know of nothing and wait for it in the launch: where a
 * launcher started several, it meets them there, so that all end with `code`, which is returned. `text` NULL: rank 0 has said its own.
 */
int perf_refuse(const char *program, char *const *argv, int code, const char *text);
/* The same for a command line that is wrong. */
int perf_usage(const char *program, char *const *argv, const char *text);

/* What was printed may still fail to reach a full disk or a closed pipe. The exit code of a program that has only printed. */
int perf_printed(const char *program);

/* What options and environment say is checked against the backend; the exit code. */
int perf_run(const struct perf_job *job);

#endif
