/* SPDX-License-Identifier: Apache-2.0
 *
 * Where in a table of values an element lies: the one formula of the data check, on the host and on devices. For C11 and CUDA C++.
 */
#ifndef COLLPERF_PATTERN_POSITION_H
#define COLLPERF_PATTERN_POSITION_H

#include <stdint.h>

#ifdef __CUDACC__
#define PATTERN_INLINE __host__ __device__ static inline
#else
#define PATTERN_INLINE static inline
#endif

/* Elements of a table, and by how many each rank begins further on. */
enum { PATTERN_PERIOD = 4093, PATTERN_STRIDE = 1009 };

/* Element `index` from `start` on, in a table that repeats after `period` elements. */
PATTERN_INLINE uint64_t pattern_wrap(uint64_t start, uint64_t index, uint64_t period)
{
	return (start + index) % period;
}

/* Element `index` of what a rank (not negative) sends, in its table. */
PATTERN_INLINE uint64_t pattern_position(int rank, uint64_t index)
{
	return pattern_wrap((uint64_t)rank * PATTERN_STRIDE, index, PATTERN_PERIOD);
}

#endif
