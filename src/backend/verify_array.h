/* SPDX-License-Identifier: Apache-2.0
 *
 * The arrays that kernels fill and compare: elements one by one up to the first address that is a multiple of 16, vectors of 16 bytes, and what is left;
 * and the value that each has to have. Part of verify_kernels.h.
 */
#ifndef COLLPERF_VERIFY_ARRAY_H
#define COLLPERF_VERIFY_ARRAY_H

#include <stdint.h>

#include "../pattern_position.h"

struct verify_counters {
	unsigned long long wrong; /* elements */
	unsigned long long left;  /* elements from the first wrong one to the end; 0: none is wrong */
};

struct verify_vector {
	uint64_t low, high;
};

#ifdef __CUDACC__
#include "verify_gpu.h"
#else
#include "verify_cpu.h"
#endif

enum { VERIFY_VECTOR = 16 };

/* The expected values. */
struct verify_source {
	const unsigned char *table; /* NULL: all bytes are `byte` */
	uint64_t byte, period, from;
};

/* An array: `edges` elements one by one, `head` of them before the vectors and the others after. */
struct verify_array {
	unsigned char *data;
	uint64_t size, count;
	uint64_t head, vectors, edges;
};

VERIFY_INLINE struct verify_array verify_split(const void *data, uint64_t size, uint64_t count)
{
	const uint64_t address = (uint64_t)(uintptr_t)data, before = (VERIFY_VECTOR - address % VERIFY_VECTOR) % VERIFY_VECTOR;
	struct verify_array array = { (unsigned char *)(uintptr_t)address, size, count, before / size, 0, 0 };

	/* Elements that lie across vectors are all done one by one. */
	if (address % size != 0 || array.head > count)
		array.head = count;
	array.vectors = (count - array.head) * size / VERIFY_VECTOR;
	array.edges = count - array.vectors * (VERIFY_VECTOR / size);
	return array;
}

/* Element number of edge i. */
VERIFY_INLINE uint64_t verify_edge(const struct verify_array *array, uint64_t i)
{
	return i < array->head ? i : i + (array->count - array->edges);
}

VERIFY_INLINE unsigned char verify_byte(const struct verify_source *source, uint64_t size, uint64_t element, uint64_t byte)
{
	return source->table ? source->table[pattern_wrap(source->from, element, source->period) * size + byte]
			     : (unsigned char)source->byte;
}

VERIFY_INLINE struct verify_vector verify_expected(const struct verify_source *source, const struct verify_array *array,
						   uint64_t vector)
{
	const uint64_t element = array->head + vector * (VERIFY_VECTOR / array->size);
	struct verify_vector expected = { source->byte * 0x0101010101010101u, source->byte * 0x0101010101010101u };

	if (!source->table)
		return expected;
	const unsigned char *bytes = source->table + pattern_wrap(source->from, element, source->period) * array->size;

	expected.low = expected.high = 0;
	for (int i = 0; i < 8; i++) {
		expected.low |= (uint64_t)bytes[i] << (8 * i);
		expected.high |= (uint64_t)bytes[8 + i] << (8 * i);
	}
	return expected;
}

/* How far a thread goes from one vector to the next. */
VERIFY_INLINE uint64_t verify_step(const struct verify_source *source, uint64_t threads)
{
	return threads > source->period ? threads / source->period * source->period : source->period;
}

#endif
