/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts of this host that decide whether and how a run may go on: free memory, cores, malloc's tuning.
 */
#ifndef COLLPERF_MEMORY_H
#define COLLPERF_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* Bytes that can be allocated on this host without swapping, the cgroup's limit respected. 0, or -1 after one line on stderr. */
int memory_available(uint64_t *bytes);

/* Cores this host's processes may run on: online ones, not just this process's binding. */
int memory_cores(void);

/*
 * Keeps freed memory in the process. MPI libraries allocate scratch space in every call; by default glibc gives large blocks back to the system each
 * time, and what is then measured is page faults (MPICH 4.0.2, MPI_Reduce of 4 MiB: 24 ms instead of 1.1 ms).
 */
void memory_tune_malloc(void);

/* Writes to every page, so that no timed call meets a page fault. */
void memory_touch(void *data, size_t bytes);

#endif
