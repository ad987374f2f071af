/* SPDX-License-Identifier: Apache-2.0
 *
 * A step as it is written down (nccl_step.c) and done (nccl_step_run.c), which nobody else includes. Nobody waits twice: a call waits where something was
 * computed since the last one, compute where a call was waited for since the last piece of compute.
 */
#ifndef COLLPERF_NCCL_STEP_H
#define COLLPERF_NCCL_STEP_H

#include "nccl_run.h"

struct nccl_step_rank {
	cudaStream_t compute;
	cudaEvent_t ready; /* what was computed before the last call */
	cudaEvent_t *over; /* [nover] after each call */
	size_t nover;
	double rate; /* links of a chain a second */
};

/* Compute or a call, in the order of the step. */
struct nccl_step_task {
	const struct backend_call *call; /* NULL: compute */
	size_t number;                   /* of the call */
	bool computed;                   /* the call waits for what was computed */
	size_t awaited;                  /* compute waits for the call before this number; 0: for none */
	double seconds;
};

/* A call's own copy of what it points to. */
struct nccl_step_kept {
	struct backend_call call;
	void **buffers; /* [2 * nlocal] */
	size_t *counts; /* [nlocal] */
};

/* Made with the first row, and kept for all. */
struct nccl_step {
	struct nccl_state *state;
	struct nccl_step_rank *ranks; /* [nlocal] */
	long occupancy;
	struct nccl_step_kept *kept; /* [nkept] */
	size_t nkept;
	struct nccl_step_task *tasks;
	size_t ntasks, room;
	bool computed;  /* since the last call */
	size_t awaited; /* 1 + the last call that what is computed next has to wait for; 0: none */
};

/* An nccl_work_fn; arg is the step: queues all of it for the thread's ranks, and waits. */
int nccl_step_do(struct nccl_state *state, int thread, void *arg);

#endif
