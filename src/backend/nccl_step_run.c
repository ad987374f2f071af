/* SPDX-License-Identifier: Apache-2.0
 *
 * What a thread does for a step: its parts onto the two streams of each of its ranks, then one wait for all.
 */
#include <sched.h>

#include "nccl_step.h"

/* The rank's GPU becomes the thread's. */
static int take_up(const struct nccl_state *state, struct nccl_rank *rank)
{
	atomic_store_explicit(&rank->busy, true, memory_order_relaxed);
	return nccl_use_device(state, rank);
}

static int wait_for_compute(struct nccl_state *state, int local, const struct nccl_step_rank *own)
{
	struct nccl_rank *rank = &state->ranks[local];

	if (take_up(state, rank) ||
	    nccl_check_cuda(state, rank, state->api.event_record(own->ready, own->compute), "cudaEventRecord"))
		return -1;
	return nccl_check_cuda(state, rank, state->api.stream_wait_event(rank->stream, own->ready, 0), "cudaStreamWaitEvent");
}

static int queue_call(struct nccl_state *state, int thread, const struct nccl_step *step, const struct nccl_step_task *task)
{
	const int first = thread * state->ngpus;
	struct nccl_rank *ranks = nccl_ranks_of(state, thread);

	for (int i = 0; i < state->ngpus && task->computed; i++)
		if (wait_for_compute(state, first + i, &step->ranks[first + i]))
			return -1;
	for (int i = 0; i < state->ngpus; i++)
		atomic_store_explicit(&ranks[i].busy, true, memory_order_relaxed);
	if (!nccl_comms_enter(state, ranks))
		return -1;
	const int rc = nccl_queue_group(state, thread, task->call, 0, 1);

	nccl_comms_leave(ranks);
	for (int i = 0; i < state->ngpus && rc == 0; i++)
		if (nccl_use_device(state, &ranks[i]) ||
		    nccl_check_cuda(state, &ranks[i],
				    state->api.event_record(step->ranks[first + i].over[task->number], ranks[i].stream),
				    "cudaEventRecord"))
			return -1;
	return rc;
}

static int queue_compute(struct nccl_state *state, int thread, const struct nccl_step *step, const struct nccl_step_task *task)
{
	for (int local = thread * state->ngpus; local < (thread + 1) * state->ngpus; local++) {
		struct nccl_rank *rank = &state->ranks[local];
		const struct nccl_step_rank *own = &step->ranks[local];

		if (take_up(state, rank))
			return -1;
		if (task->awaited > 0 &&
		    nccl_check_cuda(state, rank, state->api.stream_wait_event(own->compute, own->over[task->awaited - 1], 0),
				    "cudaStreamWaitEvent"))
			return -1;
		if (nccl_verify_compute(state, local, own->compute, (uint64_t)(task->seconds * own->rate), step->occupancy))
			return -1;
	}
	return 0;
}

/* 1: both streams are complete, 0: not yet, -1. */
static int look_at(const struct nccl_state *state, struct nccl_rank *rank, cudaStream_t compute)
{
	cudaStream_t streams[] = { compute, rank->stream };

	if (nccl_use_device(state, rank))
		return -1;
	for (int i = 0; i < 2; i++) {
		const cudaError_t error = state->api.stream_query(streams[i]);

		if (error == cudaErrorNotReady)
			return 0;
		if (nccl_check_cuda(state, rank, error, "cudaStreamQuery"))
			return -1;
	}
	atomic_store_explicit(&rank->busy, false, memory_order_relaxed);
	return 1;
}

/* How many of the thread's ranks are not complete; -1. */
static int look_at_all(const struct nccl_state *state, int thread, const struct nccl_step *step)
{
	const int first = thread * state->ngpus;
	int left = 0;

	for (int local = first; local < first + state->ngpus; local++) {
		struct nccl_rank *rank = &state->ranks[local];
		int rc = 1;

		if (atomic_load_explicit(&rank->busy, memory_order_relaxed))
			rc = look_at(state, rank, step->ranks[local].compute);
		if (rc < 0)
			return -1;
		left += rc == 0;
	}
	return left;
}

static int wait_for_streams(struct nccl_state *state, int thread, const struct nccl_step *step)
{
	double look = nccl_clock() + nccl_look;

	for (;;) {
		const int left = look_at_all(state, thread, step);

		if (left < 0 || (left > 0 && nccl_threads_failed(state->threads)))
			return -1;
		if (left == 0)
			break;
		if (nccl_clock() > look) {
			if (nccl_comms_look(state, nccl_ranks_of(state, thread)))
				return -1;
			look = nccl_clock() + nccl_look;
		}
		if (nccl_threads_share_cores(state->threads))
			sched_yield();
	}
	/* A stream that was not ready stays behind as the thread's last error. */
	(void)state->api.last_error();
	return 0;
}

int nccl_step_do(struct nccl_state *state, int thread, void *arg)
{
	const struct nccl_step *step = arg;

	for (size_t i = 0; i < step->ntasks; i++) {
		const struct nccl_step_task *task = &step->tasks[i];

		if (task->call ? queue_call(state, thread, step, task) : queue_compute(state, thread, step, task))
			return -1;
	}
	return wait_for_streams(state, thread, step);
}
