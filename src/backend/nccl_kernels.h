/* SPDX-License-Identifier: Apache-2.0
 *
 * What runs kernels of our own, and the steps of training that need one. Included by nccl_state.h.
 */
#ifndef COLLPERF_NCCL_KERNELS_H
#define COLLPERF_NCCL_KERNELS_H

#include "../backend.h"
#include "nccl_api.h"

struct nccl_state;

/* nccl_verify.c: NULL where kernels were not built or cannot run here. */
const struct backend_device *nccl_device(struct backend *backend);
int nccl_verify_open(struct nccl_state *state);
void nccl_verify_close(struct nccl_state *state);
/* A note when data pass through the host, and why. */
void nccl_verify_report(const struct nccl_state *state, struct notes *notes);
/* A kernel that spins until *flag (host memory that the device sees) is not 0 or its limit in ns is over; NULL stream allowed. -1: no kernels. */
int nccl_verify_spin(struct nccl_state *state, int local, const int *flag, uint64_t limit_ns);
/* Why there are no kernels, or NULL. */
const char *nccl_verify_why(const struct nccl_state *state);
/* Where there are: a kernel of chains of `links` operations, which fills so many percent of the rank's multiprocessors. Its GPU is the thread's. */
int nccl_verify_compute(const struct nccl_state *state, int local, cudaStream_t stream, uint64_t links, long percent);

/* nccl_step.c */
extern const struct backend_step_ops nccl_step;
/* Before the kernels and communicators go. */
void nccl_step_end(struct nccl_state *state);

#endif
