/* SPDX-License-Identifier: Apache-2.0
 *
 * What comes before the launches of a plan. Each returns 0, or an exit code after one line.
 */
#ifndef COLLPERF_DRIVER_START_H
#define COLLPERF_DRIVER_START_H

#include "args.h"
#include "job.h"
#include "plan.h"

/* Before anything is made of them: run.json must hold all words of `command`. */
int start_words(const char *command, int argc, char *const *argv);

/* plan_open, and run.json can hold where the binaries are. */
int start_open(struct plan *plan, const struct args *args);

/* Asks the binaries where the options leave the backend open. */
int start_choose(struct plan *plan, struct job_watch *watch);

/* The folder in plan->dir for launches that are joined to one file; 0 where there is nothing to join. */
int start_folder(const struct plan *plan);

#endif
