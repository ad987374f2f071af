/* SPDX-License-Identifier: Apache-2.0
 *
 * Reduction operations by name, and their meaning on host memory (the reference for the data check; the MPI backend uses the same code
 * for half and bfloat16). mulsum multiplies what a rank sends by 1 or 2 and then sums, as nccl-tests has NCCL's PreMulSum do.
 */
#ifndef COLLPERF_REDOP_H
#define COLLPERF_REDOP_H

#include <stddef.h>

#include "dtype.h"

enum redop { REDOP_SUM, REDOP_PROD, REDOP_MAX, REDOP_MIN, REDOP_AVG, REDOP_MULSUM, REDOP_COUNT };

extern const char *const redop_names[REDOP_COUNT];

/* By name, -1 when unknown. */
int redop_find(const char *name);

/*
 * into[i] = into[i] op from[i] for count elements. avg and mulsum accumulate as sum. Integers wrap modulo 2^bits; narrow floats are combined
 * in float and rounded after each step. The buffers do not overlap.
 */
void redop_combine(enum redop op, enum dtype type, void *into, const void *from, size_t count);

/* What avg does after the sum: each element divided by nranks (integers towards zero). */
void redop_divide(enum dtype type, void *data, size_t count, int nranks);

/* By what mulsum multiplies the data of a rank (counted inside its group): 1 on even ranks, 2 on odd ones. Always 1 for other operations. */
int redop_factor(enum redop op, int rank);

#endif
