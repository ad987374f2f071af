/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine under the kernels: a GPU. Only verify_array.h includes this.
 */
#ifndef COLLPERF_VERIFY_GPU_H
#define COLLPERF_VERIFY_GPU_H

#define VERIFY_INLINE static __device__ __forceinline__

VERIFY_INLINE struct verify_vector verify_load(const unsigned char *from)
{
	const ulonglong2 value = *(const ulonglong2 *)from;
	const struct verify_vector vector = { value.x, value.y };

	return vector;
}

VERIFY_INLINE void verify_store(unsigned char *to, const struct verify_vector *vector)
{
	*(ulonglong2 *)to = make_ulonglong2(vector->low, vector->high);
}

/* Not per block first: where all is wrong this is one addition for many elements, on one address of the second-level cache. */
VERIFY_INLINE void verify_add(struct verify_counters *counters, const struct verify_counters *seen)
{
	atomicAdd(&counters->wrong, seen->wrong);
	atomicMax(&counters->left, seen->left);
}

VERIFY_INLINE int verify_read(const int *flag)
{
	return *(const volatile int *)flag;
}

/* Nanoseconds. */
VERIFY_INLINE uint64_t verify_now(void)
{
	uint64_t now;

	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
	return now;
}

VERIFY_INLINE void verify_pause(void)
{
	__nanosleep(100);
}

/* It tends to 1, so no number is ever slow, and nothing traps; but who compiles it cannot know, and has to keep it. */
VERIFY_INLINE void verify_chain(uint64_t thread, uint64_t links)
{
	float value = (float)(thread & 1);

	for (uint64_t i = 0; i < links; i++)
		asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(value) : "f"(0.5f));
	if (value > 2.0f)
		__trap();
}

#endif
