/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of the data check, one thread after another: what a thread does is what nvcc compiles too.
 */
#include <string.h>

#include "cuda_kernels.h"
#include "src/backend/verify_run.h"

enum { MOST_KERNELS = 5 };

/* Bytes behind a pointer are the product of up to three factors: `times` and two other parameters (0: none; numbers of parameters start at 1). */
struct pointer {
	int parameter, first, second;
	uint64_t times;
	bool writes;
};

static const struct {
	struct fake_kernel kernel;
	int size; /* the parameter that is the size of an element, 0: none */
	struct pointer pointers[3];
} kernels[MOST_KERNELS] = {
	{ { "collperf_fill", 6 }, 4, { { 1, 4, 6, 1, true }, { 2, 3, 4, 2, false } } },
	{ { "collperf_differs", 7 },
	  4,
	  { { 1, 4, 6, 1, false }, { 2, 3, 4, 2, false }, { 7, 0, 0, sizeof(struct verify_counters), true } } },
	{ { "collperf_differs_from", 5 }, 3, { { 1, 3, 4, 1, false }, { 5, 0, 0, sizeof(struct verify_counters), true } } },
	/* The host writes the flag while the kernel runs. */
	{ { "collperf_spin", 2 }, 0, { { 0 } } },
	{ { "collperf_compute", 1 }, 0, { { 0 } } },
};

static size_t number_of(const struct fake_kernel *kernel)
{
	size_t i = 0;

	while (&kernels[i].kernel != kernel)
		i++;
	return i;
}

const struct fake_kernel *fake_kernel_find(const char *name)
{
	for (size_t i = 0; i < MOST_KERNELS; i++)
		if (strcmp(kernels[i].kernel.name, name) == 0 && verify_parameters(name) == kernels[i].kernel.parameters)
			return &kernels[i].kernel;
	return NULL;
}

static uint64_t bytes_of(const struct pointer *pointer, const uint64_t *values)
{
	return pointer->times * (pointer->first ? values[pointer->first - 1] : 1) *
	       (pointer->second ? values[pointer->second - 1] : 1);
}

static const void *address(uint64_t value)
{
	return (const void *)(uintptr_t)value;
}

size_t fake_kernel_ranges(const struct fake_kernel *kernel, const uint64_t *values, int device, struct fake_range *ranges)
{
	size_t number = number_of(kernel), count = 0;
	int size = kernels[number].size;

	if (size && values[size - 1] != 1 && values[size - 1] != 2 && values[size - 1] != 4 && values[size - 1] != 8)
		fake_fail("%s: elements of %llu bytes", kernel->name, (unsigned long long)values[size - 1]);
	for (const struct pointer *pointer = kernels[number].pointers; count < 3 && pointer->parameter; pointer++, count++) {
		const void *memory = address(values[pointer->parameter - 1]);
		uint64_t bytes = bytes_of(pointer, values);
		int where;

		if (bytes != 0 && (!fake_is_device_memory(memory, bytes, &where) || where != device))
			fake_fail("%s: parameter %d: %llu bytes at %p are not memory of device %d", kernel->name,
				  pointer->parameter, (unsigned long long)bytes, memory, device);
		ranges[count] = (struct fake_range){ .memory = memory, .bytes = bytes, .writes = pointer->writes };
	}
	return count;
}

void fake_kernel_run(const struct fake_kernel *kernel, uint64_t threads, const uint64_t *values)
{
	size_t number = number_of(kernel);
	uint64_t own[FAKE_PARAMETERS];

	memcpy(own, values, sizeof own);
	for (size_t i = 0; i < 3 && kernels[number].pointers[i].parameter; i++) {
		const struct pointer *pointer = &kernels[number].pointers[i];
		int at = pointer->parameter - 1;

		own[at] = (uint64_t)(uintptr_t)fake_view(address(values[at]), bytes_of(pointer, values));
	}
	for (uint64_t thread = 0; thread < threads; thread++)
		verify_run(kernel->name, thread, threads, own);
}
