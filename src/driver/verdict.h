/* SPDX-License-Identifier: Apache-2.0
 *
 * Exit codes: what the end of a launch and its rows mean, and which of two is worse.
 */
#ifndef COLLPERF_DRIVER_VERDICT_H
#define COLLPERF_DRIVER_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

enum verdict {
	VERDICT_OK = 0,
	VERDICT_WRONG = 1, /* wrong data */
	VERDICT_USAGE = 2,
	VERDICT_FAILED = 3,       /* backend, launch, I/O, time-out, signal */
	VERDICT_INCONCLUSIVE = 4, /* never of a launch */
	VERDICT_SKIPPED = 77,     /* nothing could run */
	VERDICT_NONE = -1,        /* nothing ended yet */
};

/* What a launch left, besides its exit code. */
struct verdict_rows {
	bool complete;  /* every row is there */
	uint64_t wrong; /* elements */
};

/*
 * Of a launch that ended with this exit code, or by this signal (0: none), and left these rows. Only they tell wrong data: a launcher
 * ends with 1 for many reasons, and with 0 where it does not pass its ranks' codes on. So 1 without wrong elements is VERDICT_FAILED, as is
 * a code that no binary of ours has (a launcher's 255, a rank's signal number, a shell's 137). With wrong elements it is VERDICT_WRONG
 * whatever the exit code where every row is there, and VERDICT_FAILED where not, or after a signal.
 */
enum verdict verdict_of(int exit_code, int signal_number, const struct verdict_rows *rows);

/*
 * What a run reports that has seen both: 3 before 2 before 1 before 4 before 0 before 77. So a failure is never hidden by what went well,
 * and 77 is only the answer when nothing else ran.
 */
enum verdict verdict_worse(enum verdict a, enum verdict b);

#endif
