/* SPDX-License-Identifier: Apache-2.0
 *
 * Reductions on host memory. One switch a block of elements, none an element: the MPI backend runs this inside timed calls.
 */
#include "redop.h"

#include <assert.h>
#include <string.h>

enum { REDOP_BLOCK = 128 };

const char *const redop_names[REDOP_COUNT] = {
	[REDOP_SUM] = "sum", [REDOP_PROD] = "prod", [REDOP_MAX] = "max",
	[REDOP_MIN] = "min", [REDOP_AVG] = "avg",   [REDOP_MULSUM] = "mulsum",
};

int redop_find(const char *name)
{
	for (int i = 0; i < REDOP_COUNT; i++)
		if (strcmp(redop_names[i], name) == 0)
			return i;
	return -1;
}

#define ELEMENT int8_t
#define WRAP unsigned
#define LOOP loop_int8
#define COMBINE combine_int8
#include "redop_loop.h"

#define ELEMENT uint8_t
#define WRAP unsigned
#define LOOP loop_uint8
#define COMBINE combine_uint8
#include "redop_loop.h"

#define ELEMENT int32_t
#define WRAP uint32_t
#define LOOP loop_int32
#define COMBINE combine_int32
#include "redop_loop.h"

#define ELEMENT uint32_t
#define WRAP uint32_t
#define LOOP loop_uint32
#define COMBINE combine_uint32
#include "redop_loop.h"

#define ELEMENT int64_t
#define WRAP uint64_t
#define LOOP loop_int64
#define COMBINE combine_int64
#include "redop_loop.h"

#define ELEMENT uint64_t
#define WRAP uint64_t
#define LOOP loop_uint64
#define COMBINE combine_uint64
#include "redop_loop.h"

#define ELEMENT float
#define WRAP float
#define LOOP loop_float
#define COMBINE combine_float
#include "redop_loop.h"

#define ELEMENT double
#define WRAP double
#define LOOP loop_double
#define COMBINE combine_double
#include "redop_loop.h"

/* Widened, combined as float and rounded, a block at a time. */
static void combine_narrow(enum redop op, enum dtype type, void *into, const void *from, size_t count)
{
	char *to = into;
	const char *with = from;
	float a[REDOP_BLOCK], b[REDOP_BLOCK];

	while (count > 0) {
		size_t n = count < REDOP_BLOCK ? count : REDOP_BLOCK, bytes = n * dtypes[type].size;

		dtype_widen(type, a, to, n);
		dtype_widen(type, b, with, n);
		combine_float(op, a, b, n);
		dtype_narrow(type, to, a, n);
		to += bytes;
		with += bytes;
		count -= n;
	}
}

void redop_combine(enum redop op, enum dtype type, void *into, const void *from, size_t count)
{
	static void (*const combine[DTYPE_COUNT])(enum redop, void *, const void *, size_t) = {
		[DTYPE_INT8] = combine_int8,     [DTYPE_UINT8] = combine_uint8,   [DTYPE_INT32] = combine_int32,
		[DTYPE_UINT32] = combine_uint32, [DTYPE_INT64] = combine_int64,   [DTYPE_UINT64] = combine_uint64,
		[DTYPE_FLOAT] = combine_float,   [DTYPE_DOUBLE] = combine_double,
	};

	assert(op >= 0 && op < REDOP_COUNT && type >= 0 && type < DTYPE_COUNT);
	if (dtype_is_narrow(type))
		combine_narrow(op, type, into, from, count);
	else
		combine[type](op, into, from, count);
}

static void divide_narrow(enum dtype type, void *data, size_t count, int nranks)
{
	char *to = data;
	float a[REDOP_BLOCK];

	while (count > 0) {
		size_t n = count < REDOP_BLOCK ? count : REDOP_BLOCK;

		dtype_widen(type, a, to, n);
		for (size_t i = 0; i < n; i++)
			a[i] /= (float)nranks;
		dtype_narrow(type, to, a, n);
		to += n * dtypes[type].size;
		count -= n;
	}
}

void redop_divide(enum dtype type, void *data, size_t count, int nranks)
{
	assert(nranks > 0 && type >= 0 && type < DTYPE_COUNT);
	switch (type) {
	case DTYPE_INT8:
		for (size_t i = 0; i < count; i++)
			((int8_t *)data)[i] = (int8_t)(((int8_t *)data)[i] / nranks);
		break;
	case DTYPE_UINT8:
		for (size_t i = 0; i < count; i++)
			((uint8_t *)data)[i] = (uint8_t)(((uint8_t *)data)[i] / nranks);
		break;
	case DTYPE_INT32:
		for (size_t i = 0; i < count; i++)
			((int32_t *)data)[i] /= nranks;
		break;
	case DTYPE_UINT32:
		for (size_t i = 0; i < count; i++)
			((uint32_t *)data)[i] /= (uint32_t)nranks;
		break;
	case DTYPE_INT64:
		for (size_t i = 0; i < count; i++)
			((int64_t *)data)[i] /= nranks;
		break;
	case DTYPE_UINT64:
		for (size_t i = 0; i < count; i++)
			((uint64_t *)data)[i] /= (uint64_t)nranks;
		break;
	case DTYPE_FLOAT:
		for (size_t i = 0; i < count; i++)
			((float *)data)[i] /= (float)nranks;
		break;
	case DTYPE_DOUBLE:
		for (size_t i = 0; i < count; i++)
			((double *)data)[i] /= (double)nranks;
		break;
	default:
		divide_narrow(type, data, count, nranks);
		break;
	}
}

int redop_factor(enum redop op, int rank)
{
	return op == REDOP_MULSUM && rank % 2 != 0 ? 2 : 1;
}
