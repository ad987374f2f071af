/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels by name on this processor, for what stands in for a GPU in tests.
 */
#ifndef COLLPERF_VERIFY_RUN_H
#define COLLPERF_VERIFY_RUN_H

#include <stdbool.h>
#include <string.h>

#include "verify_kernels.h"

/* How many parameters a kernel has; 0: there is no such kernel. */
static inline int verify_parameters(const char *kernel)
{
	static const struct {
		const char *name;
		int parameters;
	} kernels[] = { { "collperf_fill", 6 },
			{ "collperf_differs", 7 },
			{ "collperf_differs_from", 5 },
			{ "collperf_spin", 2 },
			{ "collperf_compute", 1 } };

	for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
		if (strcmp(kernel, kernels[i].name) == 0)
			return kernels[i].parameters;
	return 0;
}

/*
 * One thread of a kernel; values[] are its parameters, pointers as numbers. Threads of a kernel that share counters must not run at once. False: there
 * is no such kernel.
 */
static inline bool verify_run(const char *kernel, uint64_t thread, uint64_t threads, const uint64_t *values)
{
	void *data = (void *)(uintptr_t)values[0];
	const void *table = (const void *)(uintptr_t)values[1];

	if (strcmp(kernel, "collperf_fill") == 0)
		verify_fill(thread, threads, data, table, values[2], values[3], values[4], values[5]);
	else if (strcmp(kernel, "collperf_differs") == 0)
		verify_differs(thread, threads, data, table, values[2], values[3], values[4], values[5],
			       (struct verify_counters *)(uintptr_t)values[6]);
	else if (strcmp(kernel, "collperf_differs_from") == 0)
		verify_differs_from(thread, threads, data, values[1], values[2], values[3],
				    (struct verify_counters *)(uintptr_t)values[4]);
	else if (strcmp(kernel, "collperf_spin") == 0)
		verify_spin((const int *)data, values[1]);
	else if (strcmp(kernel, "collperf_compute") == 0)
		verify_chain(thread, values[0]);
	else
		return false;
	return true;
}

#endif
