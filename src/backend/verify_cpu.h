/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine under the kernels: this processor, one thread after another. Only verify_array.h includes this.
 */
#ifndef COLLPERF_VERIFY_CPU_H
#define COLLPERF_VERIFY_CPU_H

#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define VERIFY_INLINE static inline

/* What a GPU cannot do, either. */
VERIFY_INLINE void verify_aligned(const unsigned char *address)
{
	if ((uintptr_t)address % sizeof(struct verify_vector) != 0)
		abort();
}

VERIFY_INLINE struct verify_vector verify_load(const unsigned char *from)
{
	struct verify_vector vector;

	verify_aligned(from);
	memcpy(&vector, from, sizeof vector);
	return vector;
}

VERIFY_INLINE void verify_store(unsigned char *to, const struct verify_vector *vector)
{
	verify_aligned(to);
	memcpy(to, vector, sizeof *vector);
}

VERIFY_INLINE void verify_add(struct verify_counters *counters, const struct verify_counters *seen)
{
	counters->wrong += seen->wrong;
	if (seen->left > counters->left)
		counters->left = seen->left;
}

VERIFY_INLINE int verify_read(const int *flag)
{
	return __atomic_load_n(flag, __ATOMIC_ACQUIRE);
}

/* Nanoseconds. */
VERIFY_INLINE uint64_t verify_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

VERIFY_INLINE void verify_pause(void)
{
	sched_yield();
}

/* A link is a nanosecond here. One thread sleeps for all, so that what runs beside finds a core. */
VERIFY_INLINE void verify_chain(uint64_t thread, uint64_t links)
{
	const struct timespec time = { .tv_sec = (time_t)(links / 1000000000u), .tv_nsec = (long)(links % 1000000000u) };

	if (thread == 0 && links > 0)
		nanosleep(&time, NULL);
}

#endif
