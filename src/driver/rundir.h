/* SPDX-License-Identifier: Apache-2.0
 *
 * The run directory as a place: made or found, and held by one driver at a time.
 */
#ifndef COLLPERF_DRIVER_RUNDIR_H
#define COLLPERF_DRIVER_RUNDIR_H

/*
 * Makes `path` (parents too) or takes it when it is empty, and locks it. Returns 0 with its descriptor, whose closing unlocks it; 2 where the
 * directory is not empty; 3 where it cannot be made, written or is in use. One line on stderr in both cases.
 */
int rundir_create(const char *path, int *fd);

/* The same for a directory that holds a run. */
int rundir_open(const char *path, int *fd);

/* DIR/run.json. NULL: out of memory. To be freed. */
char *rundir_record(const char *path);

#endif
