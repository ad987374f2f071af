/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels that a module of the stand-in of libcuda has.
 */
#ifndef COLLPERF_CUDA_KERNELS_H
#define COLLPERF_CUDA_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "fake.h"

enum { FAKE_PARAMETERS = 8 };

struct fake_kernel {
	const char *name;
	int parameters; /* of eight bytes each */
};

/* NULL: there is none of this name. */
const struct fake_kernel *fake_kernel_find(const char *name);
/* What it reads and writes on this device, at most FAKE_PARAMETERS ranges; how many. Parameters that no kernel can take are wrong use. */
size_t fake_kernel_ranges(const struct fake_kernel *kernel, const uint64_t *values, int device, struct fake_range *ranges);
/* On the thread of a stream. */
void fake_kernel_run(const struct fake_kernel *kernel, uint64_t threads, const uint64_t *values);

#endif
