/* SPDX-License-Identifier: Apache-2.0
 *
 * Buffers of the local ranks, what is put into them before a call, and whether every element is right after it. The reference is the collective's
 * origin function, the same for every backend.
 */
#ifndef COLLPERF_CHECK_H
#define COLLPERF_CHECK_H

#include "backend.h"
#include "pattern.h"
#include "point.h"

struct check; /* owns the buffers of every local rank */

struct check_result {
	uint64_t wrong; /* elements of one rank, damaged guard bytes included */
	size_t first;   /* its first wrong element */
};

/*
 * Two buffers a rank that hold `bytes` plus guards, shifted by `unalign_bytes` from their alignment; host memory is touched in every page. `bytes`: the
 * largest S of the sweep in any group, and as much more as the rotation of buffers in timed calls reaches beyond. NULL after one line on stderr.
 */
struct check *check_open(struct backend *backend, size_t bytes, size_t unalign_bytes);
void check_close(struct check *check);

/* Bytes that check_open allocates for one rank. Saturates. */
uint64_t check_memory(uint64_t bytes);

/* The call of a point on these buffers; *call points into `check` and is good until the next check_call. No rotation. */
void check_call(struct check *check, const struct point *point, struct backend_call *call);

/* Fresh input, poisoned receive buffers, guards. patterns[group], each made for the ranks of its group. 0, or -1 after one line. */
int check_seed(struct check *check, const struct point *point, const struct pattern *const *patterns);

/* Compares every element and guard; results[nlocal]. */
int check_verify(struct check *check, const struct point *point, const struct pattern *const *patterns,
		 struct check_result *results);

/* For tests: changes the middle element of a global rank's result, if it is one of this process's. */
int check_corrupt(struct check *check, const struct point *point, int rank);

#endif
