/* SPDX-License-Identifier: Apache-2.0
 *
 * Element types: names as nccl-tests writes them, sizes, and exact arithmetic on host memory for the data check.
 */
#ifndef COLLPERF_DTYPE_H
#define COLLPERF_DTYPE_H

#include <stdbool.h>
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
	DTYPE_F8E4M3, /* OCP's: no infinity, the largest is 448, 0x7f and 0xff are NaN */
	DTYPE_F8E5M2, /* the upper byte of a half: the largest is 57344 */
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

/*
 * Narrow floats to and from float; to: round to nearest, ties to even; NaN stays NaN. What is too large becomes infinite, or NaN where the type has
 * no infinity.
 */
float half_to_float(uint16_t half);
uint16_t half_from_float(float value);
float bfloat16_to_float(uint16_t value);
uint16_t bfloat16_from_float(float value);
float f8e4m3_to_float(uint8_t value);
uint8_t f8e4m3_from_float(float value);
float f8e5m2_to_float(uint8_t value);
uint8_t f8e5m2_from_float(float value);

/* Whether it is one of these. */
bool dtype_is_narrow(enum dtype type);

/* The same for `count` elements of such a type, several times as fast; the arrays do not overlap. */
void dtype_widen(enum dtype type, float *restrict to, const void *restrict from, size_t count);
void dtype_narrow(enum dtype type, void *restrict to, const float *restrict from, size_t count);

#endif
