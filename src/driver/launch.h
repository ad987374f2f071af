/* SPDX-License-Identifier: Apache-2.0
 *
 * One launch of one binary: before, during and after.
 */
#ifndef COLLPERF_DRIVER_LAUNCH_H
#define COLLPERF_DRIVER_LAUNCH_H

#include "job.h"
#include "look.h"
#include "plan.h"
#include "verdict.h"

/* For the time left; starts zeroed. */
struct launch_progress {
	double seconds;
	size_t ended;
	size_t others; /* launches to come that are in no plan at hand */
};

/* Asks the first binary, here and without a launcher, what it can do. 0, or an exit code after its message. */
int launch_look(const struct plan *plan, struct job_watch *watch, struct look *look);

/* Asks the first binary, and those with options of their own, whether the options are right, as the launcher starts it. 0, or an exit code after a message. */
int launch_dry(const struct plan *plan, struct job_watch *watch);

/* Runs launch i and sets its status, end and facts. A failure has been said. */
enum verdict launch_run(struct plan *plan, size_t i, struct job_watch *watch, struct launch_progress *progress);

#endif
