/* SPDX-License-Identifier: Apache-2.0
 *
 * Seeding and checking on a GPU, a kernel that waits and one that computes. What a thread does is in verify_kernels.h. nvcc makes one image of them that the binary holds
 * and loads through the driver, so nothing here needs CUDA to link or start.
 */
#include "verify_kernels.h"

static __device__ __forceinline__ uint64_t thread_number(void)
{
	return (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
}

static __device__ __forceinline__ uint64_t thread_count(void)
{
	return (uint64_t)gridDim.x * blockDim.x;
}

extern "C" __global__ void __launch_bounds__(VERIFY_BLOCK, VERIFY_BLOCKS)
	collperf_fill(void *to, const void *table, uint64_t period, uint64_t size, uint64_t from, uint64_t count)
{
	verify_fill(thread_number(), thread_count(), to, table, period, size, from, count);
}

extern "C" __global__ void __launch_bounds__(VERIFY_BLOCK, VERIFY_BLOCKS)
	collperf_differs(const void *data, const void *table, uint64_t period, uint64_t size, uint64_t from, uint64_t count,
			 struct verify_counters *counters)
{
	verify_differs(thread_number(), thread_count(), data, table, period, size, from, count, counters);
}

extern "C" __global__ void __launch_bounds__(VERIFY_BLOCK, VERIFY_BLOCKS)
	collperf_differs_from(const void *data, uint64_t byte, uint64_t size, uint64_t count, struct verify_counters *counters)
{
	verify_differs_from(thread_number(), thread_count(), data, byte, size, count, counters);
}

extern "C" __global__ void __launch_bounds__(VERIFY_BLOCK, VERIFY_BLOCKS) collperf_spin(const int *flag, uint64_t limit_ns)
{
	verify_spin(flag, limit_ns);
}

extern "C" __global__ void __launch_bounds__(VERIFY_COMPUTE_BLOCK) collperf_compute(uint64_t links)
{
	verify_chain(thread_number(), links);
}
