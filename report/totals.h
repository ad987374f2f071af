/* SPDX-License-Identifier: Apache-2.0
 *
 * What is counted over all rows of a study, once.
 */
#ifndef COLLPERF_TOTALS_H
#define COLLPERF_TOTALS_H

#include "reader.h"
#include "result.h"

struct totals {
	size_t rows;
	size_t simulated;                  /* a simulation, or the stand-in of a library */
	size_t imported;                   /* from another tool's log */
	size_t sync, loop, clock, barrier; /* of the columns timing and sync */
	size_t kernel, enqueue;            /* with such a time */
	int64_t least_ranks, most_ranks;
	size_t pairs;                    /* rows of pairs */
	int64_t paired_ranks;            /* of the largest job that they are of */
	int64_t least_iters, most_iters; /* of rows that say it; most_iters 0: none does */
	int64_t dropped;
};

struct totals totals_of(const struct rows *rows);

#endif
