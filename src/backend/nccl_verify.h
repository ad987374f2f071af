/* SPDX-License-Identifier: Apache-2.0
 *
 * The compiled kernels, as verify_image.S lays them into the binary. For nccl_verify.c and tests alone.
 */
#ifndef COLLPERF_NCCL_VERIFY_H
#define COLLPERF_NCCL_VERIFY_H

#include <stdint.h>

/* What nvcc made of verify.cu; of size 0 where there was no nvcc. */
extern const unsigned char nccl_verify_image[];
extern const uint64_t nccl_verify_image_size;

#endif
