/* SPDX-License-Identifier: Apache-2.0
 *
 * Element types: names as nccl-tests writes them, sizes, and exact arithmetic on host memory for the data check.
 */
#ifndef COLLPERF_DTYPE_H
#define COLLPERF_DTYPE_H

#include <stddef.h>
#include <stdint.h>

enum dtype {
	DTYPE_INT8,
	DTYPE_UINT8,
	DTYPE_INT32,
	DTYPE_UINT32,
	DTYPE_INT64,
	DTYPE_UINT64,
	DTYPE_HALF,
	DTYPE_BFLOAT16,
	DTYPE_FLOAT,
	DTYPE_DOUBLE,
	DTYPE_COUNT
};

struct dtype_info {
	const char *name;
	size_t size;
	int is_float;
	int is_signed;
	int exact_bits; /* integers up to 2^exact_bits are exact */
};

extern const struct dtype_info dtypes[DTYPE_COUNT];

/* By name, -1 when unknown. */
int dtype_find(const char *name);

/* IEEE 754 binary16 and bfloat16 to and from float; to: round to nearest, ties to even; NaN stays NaN. */
float half_to_float(uint16_t half);
uint16_t half_from_float(float value);
float bfloat16_to_float(uint16_t value);
uint16_t bfloat16_from_float(float value);

/* The same for `count` elements, several times as fast; the arrays do not overlap. */
void half_widen(float *restrict to, const uint16_t *restrict from, size_t count);
void half_narrow(uint16_t *restrict to, const float *restrict from, size_t count);
void bfloat16_widen(float *restrict to, const uint16_t *restrict from, size_t count);
void bfloat16_narrow(uint16_t *restrict to, const float *restrict from, size_t count);

#endif
