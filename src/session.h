/* SPDX-License-Identifier: Apache-2.0
 *
 * One run of one perf binary, after its options are known: open backend and buffers, sweep, tell the writers. Everything a run owns is here.
 */
#ifndef COLLPERF_SESSION_H
#define COLLPERF_SESSION_H

#include "backend.h"
#include "options.h"

struct launch;
struct steer;
struct watch;

/* Exit codes; every rank returns the same. */
enum session_code { SESSION_OK = 0, SESSION_WRONG = 1, SESSION_USAGE = 2, SESSION_FAILED = 3, SESSION_NOTHING = 77 };

struct session_parts {
	const char *program; /* "all_reduce_perf" */
	const struct collective *coll;
	const struct options *options;
	const struct backend_ops *backend;
	struct launch *launch;
	struct watch *watch;
	const struct steer *steer; /* NULL: nothing was steered */
	const char *note;          /* a line for the reader, such as why the backend was chosen; or NULL */
	int argc;
	char *const *argv;
};

/* Collective. Errors are printed where they are first known; a rank that fails alone ends the job. */
enum session_code session_run(const struct session_parts *parts);

#endif
