/* SPDX-License-Identifier: Apache-2.0
 *
 * What one thread of a kernel of verify.cu does; compiled by nvcc for GPUs and by gcc for what stands in for them. Kernels have one dimension and take
 * any number of threads; every parameter has eight bytes:
 *   collperf_fill          void *to, const void *table, uint64_t period, uint64_t size, uint64_t from, uint64_t count
 *   collperf_differs       const void *data, const void *table, uint64_t period, uint64_t size, uint64_t from, uint64_t count,
 *                          struct verify_counters *counters
 *   collperf_differs_from  const void *data, uint64_t byte, uint64_t size, uint64_t count, struct verify_counters *counters
 *   collperf_spin          const int *flag, uint64_t limit_ns        (one thread is enough)
 *   collperf_compute       uint64_t links        (each thread: so many operations, each of which needs the one before)
 * `count` elements of `size` (1, 2, 4 or 8) bytes are compared with, or become, those of a table of 2 * period elements (the second half like the first)
 * from element from < period on, or are all bytes `byte`. period * size >= 16. Counters start at 0 and are added to.
 *
 * Sixteen bytes a step: vector v of an aligned array has the same expected value as vector v + period (16 * period bytes are whole tables, whatever the
 * size of an element), so that a thread which goes on by multiples of `period` vectors keeps its expected value in registers.
 */
#ifndef COLLPERF_VERIFY_KERNELS_H
#define COLLPERF_VERIFY_KERNELS_H

#include "verify_array.h"

/* Threads of a block, at most, and as many blocks on a multiprocessor as find room there: 64 KiB of loads under way. */
enum { VERIFY_BLOCK = 256, VERIFY_BLOCKS = 4 };

/* Threads of a block of collperf_compute: what any multiprocessor holds is a multiple of it. */
enum { VERIFY_COMPUTE_BLOCK = 512 };

VERIFY_INLINE void verify_count(struct verify_counters *seen, const struct verify_array *array, uint64_t element)
{
	seen->wrong++;
	if (array->count - element > seen->left)
		seen->left = array->count - element;
}

VERIFY_INLINE uint64_t verify_unlike(const struct verify_vector *found, const struct verify_vector *expected)
{
	return (found->low ^ expected->low) | (found->high ^ expected->high);
}

/* Vectors begin, begin + step, ... of an array: four loads are under way at a time, and no branch depends on what they bring. */
VERIFY_INLINE bool verify_alike(const unsigned char *data, uint64_t begin, uint64_t step, uint64_t vectors,
				const struct verify_vector *expected)
{
	struct verify_vector found[4];
	uint64_t at = begin, unlike = 0;

	for (; at + 3 * step < vectors; at += 4 * step) {
		for (int i = 0; i < 4; i++)
			found[i] = verify_load(data + (at + (uint64_t)i * step) * VERIFY_VECTOR);
		for (int i = 0; i < 4; i++)
			unlike |= verify_unlike(&found[i], expected);
	}
	for (; at < vectors; at += step) {
		found[0] = verify_load(data + at * VERIFY_VECTOR);
		unlike |= verify_unlike(&found[0], expected);
	}
	return unlike == 0;
}

/* The same vectors once more, now that some are known to be wrong. */
VERIFY_INLINE void verify_count_vectors(struct verify_counters *seen, const struct verify_array *array, uint64_t begin,
					uint64_t step, const struct verify_vector *expected)
{
	for (uint64_t at = begin; at < array->vectors; at += step) {
		const struct verify_vector found = verify_load(array->data + array->head * array->size + at * VERIFY_VECTOR);
		const uint64_t element = array->head + at * (VERIFY_VECTOR / array->size);

		for (uint64_t byte = 0; byte < VERIFY_VECTOR && verify_unlike(&found, expected); byte += array->size) {
			const uint64_t half = byte < 8 ? found.low ^ expected->low : found.high ^ expected->high;

			if (half >> (8 * (byte % 8)) << (64 - 8 * array->size))
				verify_count(seen, array, element + byte / array->size);
		}
	}
}

VERIFY_INLINE void verify_array_differs(uint64_t thread, uint64_t threads, const struct verify_array *array,
					const struct verify_source *source, struct verify_counters *counters)
{
	const uint64_t step = verify_step(source, threads);
	struct verify_counters seen = { 0, 0 };

	for (uint64_t begin = thread; begin < step && begin < array->vectors; begin += threads) {
		const struct verify_vector expected = verify_expected(source, array, begin);

		if (!verify_alike(array->data + array->head * array->size, begin, step, array->vectors, &expected))
			verify_count_vectors(&seen, array, begin, step, &expected);
	}
	for (uint64_t i = thread; i < array->edges; i += threads) {
		const uint64_t element = verify_edge(array, i);
		bool wrong = false;

		for (uint64_t byte = 0; byte < array->size; byte++)
			wrong |= array->data[element * array->size + byte] != verify_byte(source, array->size, element, byte);
		if (wrong)
			verify_count(&seen, array, element);
	}
	if (seen.wrong)
		verify_add(counters, &seen);
}

VERIFY_INLINE void verify_differs(uint64_t thread, uint64_t threads, const void *data, const void *table, uint64_t period,
				  uint64_t size, uint64_t from, uint64_t count, struct verify_counters *counters)
{
	const struct verify_source source = { (const unsigned char *)table, 0, period, from };
	const struct verify_array array = verify_split(data, size, count);

	verify_array_differs(thread, threads, &array, &source, counters);
}

VERIFY_INLINE void verify_differs_from(uint64_t thread, uint64_t threads, const void *data, uint64_t byte, uint64_t size,
				       uint64_t count, struct verify_counters *counters)
{
	const struct verify_source source = { 0, byte, 1, 0 };
	const struct verify_array array = verify_split(data, size, count);

	verify_array_differs(thread, threads, &array, &source, counters);
}

VERIFY_INLINE void verify_fill(uint64_t thread, uint64_t threads, void *to, const void *table, uint64_t period, uint64_t size,
			       uint64_t from, uint64_t count)
{
	const struct verify_source source = { (const unsigned char *)table, 0, period, from };
	const struct verify_array array = verify_split(to, size, count);
	const uint64_t step = verify_step(&source, threads);

	for (uint64_t begin = thread; begin < step && begin < array.vectors; begin += threads) {
		const struct verify_vector expected = verify_expected(&source, &array, begin);

		for (uint64_t at = begin; at < array.vectors; at += step)
			verify_store(array.data + array.head * size + at * VERIFY_VECTOR, &expected);
	}
	for (uint64_t i = thread; i < array.edges; i += threads) {
		const uint64_t element = verify_edge(&array, i);

		for (uint64_t byte = 0; byte < size; byte++)
			array.data[element * size + byte] = verify_byte(&source, size, element, byte);
	}
}

VERIFY_INLINE void verify_spin(const int *flag, uint64_t limit_ns)
{
	const uint64_t begin = verify_now();

	while (verify_read(flag) == 0 && verify_now() - begin < limit_ns)
		verify_pause();
}

#endif
