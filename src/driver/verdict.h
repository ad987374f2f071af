/* SPDX-License-Identifier: Apache-2.0
 *
 * Exit codes: what the end of a launch means, and which of two is worse.
 */
#ifndef COLLPERF_DRIVER_VERDICT_H
#define COLLPERF_DRIVER_VERDICT_H

enum verdict {
	VERDICT_OK = 0,
	VERDICT_WRONG = 1, /* wrong data */
	VERDICT_USAGE = 2,
	VERDICT_FAILED = 3,       /* backend, launch, I/O, time-out, signal */
	VERDICT_INCONCLUSIVE = 4, /* never of a launch */
	VERDICT_SKIPPED = 77,     /* nothing could run */
	VERDICT_NONE = -1,        /* nothing ended yet */
};

/*
 * Of a launch that ended with this exit code, or by this signal (0: none). A code that no binary of ours has (a launcher's 255, a rank's
 * signal number, a shell's 137) is VERDICT_FAILED.
 */
enum verdict verdict_of(int exit_code, int signal_number);

/*
 * What a run reports that has seen both: 3 before 2 before 1 before 4 before 0 before 77. So a failure is never hidden by what went well,
 * and 77 is only the answer when nothing else ran.
 */
enum verdict verdict_worse(enum verdict a, enum verdict b);

#endif
