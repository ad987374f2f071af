/* SPDX-License-Identifier: Apache-2.0
 *
 * What `collperf baseline` does with a folder that is open.
 */
#ifndef COLLPERF_GATE_BASELINE_H
#define COLLPERF_GATE_BASELINE_H

#include "baseline_store.h"
#include "request.h"

enum { BASELINE_LEAST_FOR_DRIFT = 3 }; /* runs that have an oldest third */
enum { BASELINE_ENOUGH = 4 };          /* runs from which how much runs differ can be told */

/* A table of the runs on stdout. The exit code. */
enum gate_exit baseline_show(const struct baseline *baseline);

/*
 * The run against all runs of the baseline, and against the oldest third of them, as a slow drift is half gone from a mean over all. The false alarms that
 * the request allows are shared out to both. A run that is in the baseline is not compared with itself. The exit code.
 */
enum gate_exit baseline_check(const struct baseline *baseline, const char *run, const struct gate_request *request);

/* Whether a file of the request is stdout, which then holds nothing else. */
bool baseline_is_piped(const struct gate_request *request);

#endif
