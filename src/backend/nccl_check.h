/* SPDX-License-Identifier: Apache-2.0
 *
 * Troubles: a failed call of NCCL or CUDA as one line, and what one process lacks said once for all. For the files named nccl*.c alone.
 */
#ifndef COLLPERF_NCCL_CHECK_H
#define COLLPERF_NCCL_CHECK_H

#include "nccl_api.h"

struct nccl_rank;
struct nccl_state;

/*
 * 0, or -1 after one line: "nccl: ncclAllReduce: unhandled cuda error (rank 3, GPU 3 [0000:0f:00] on host x): <last error text>". rank may be NULL.
 * Silent once the state is aborted.
 */
int nccl_check(const struct nccl_state *state, const struct nccl_rank *rank, ncclResult_t result, const char *call);
int nccl_check_cuda(const struct nccl_state *state, const struct nccl_rank *rank, cudaError_t error, const char *call);
int nccl_check_driver(const struct nccl_state *state, const struct nccl_rank *rank, CUresult result, const char *call);

/* Collective. `trouble` is what this process cannot go on without, "" for nothing. 1 for all when one has any; rank 0 says the first. */
enum { NCCL_TROUBLE = 256 };
int nccl_agree(const struct nccl_state *state, const char *trouble);

/* Makes the rank's GPU the calling thread's. */
int nccl_use_device(const struct nccl_state *state, const struct nccl_rank *rank);

#endif
