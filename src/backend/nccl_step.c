/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls beside compute. Compute is a kernel on a stream of its own, calls go on the rank's stream, and events order the two, so that the host only queues
 * and waits once, at the end of a step. Nobody waits twice: a call waits where something was computed since the last one, compute where a call was waited
 * for since the last piece of compute.
 */
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../report/result.h"
#include "../launch.h"
#include "../options.h"
#include "../step.h"
#include "nccl_run.h"
#include "nccl_verify.h"

static const double LOOK = 1e-3;        /* seconds between looks for asynchronous errors */
static const double LONG_ENOUGH = 5e-3; /* a kernel whose time tells the rate */

enum { TRIALS = 3 };

struct step_rank {
	cudaStream_t compute;
	cudaEvent_t ready; /* what was computed before the last call */
	cudaEvent_t *over; /* [nover] after each call */
	size_t nover;
	double rate; /* links of a chain a second */
};

/* Made with the first row, and kept for all. */
struct nccl_step {
	struct nccl_state *state;
	struct step_rank *ranks; /* [nlocal] */
	long occupancy;
	bool computed;  /* since the last call */
	size_t awaited; /* 1 + the last call that what is computed next has to wait for; 0: none */
};

/* What a thread does for all its ranks. */
struct task {
	struct nccl_step *step;
	size_t number;
	const struct backend_call *call;
	double seconds;
};

static int nccl_step_possible(char *reason, size_t size)
{
	if (nccl_verify_image_size > 0)
		return 0;
	snprintf(reason, size, "steps compute by a kernel, and this was built without nvcc");
	return -1;
}

static int make_event(const struct nccl_state *state, const struct nccl_rank *rank, cudaEvent_t *event)
{
	return nccl_check_cuda(state, rank, state->api.event_create(event, cudaEventDisableTiming), "cudaEventCreateWithFlags");
}

static int make_events(const struct nccl_state *state, const struct nccl_rank *rank, struct step_rank *own, size_t calls)
{
	cudaEvent_t *over;

	if (calls <= own->nover)
		return 0;
	over = realloc(own->over, calls * sizeof *over);
	if (!over) {
		fprintf(stderr, "nccl: out of memory for %zu calls\n", calls);
		return -1;
	}
	own->over = over;
	if (nccl_use_device(state, rank))
		return -1;
	for (; own->nover < calls; own->nover++)
		if (make_event(state, rank, &over[own->nover]))
			return -1;
	return 0;
}

/* The least of a few: another process may use the GPU as well. -1, else seconds. */
static double time_links(const struct nccl_state *state, int local, const struct nccl_step *step, uint64_t links)
{
	const struct nccl_api *api = &state->api;
	const struct nccl_rank *rank = &state->ranks[local];
	cudaStream_t stream = step->ranks[local].compute;
	double best = INFINITY;

	for (int i = 0; i < TRIALS; i++) {
		float ms;

		if (nccl_check_cuda(state, rank, api->event_record(rank->begin, stream), "cudaEventRecord") ||
		    nccl_verify_compute(state, local, stream, links, step->occupancy) ||
		    nccl_check_cuda(state, rank, api->event_record(rank->end, stream), "cudaEventRecord") ||
		    nccl_check_cuda(state, rank, api->stream_synchronize(stream), "cudaStreamSynchronize") ||
		    nccl_check_cuda(state, rank, api->event_elapsed(&ms, rank->begin, rank->end), "cudaEventElapsedTime"))
			return -1;
		best = fmin(best, 1e-3 * (double)ms);
	}
	return best;
}

/* From two lengths, so that what starting a kernel takes is not counted. */
static int calibrate(const struct nccl_state *state, int local, const struct nccl_step *step)
{
	uint64_t links = 1 << 12;
	double half = 0, whole = 0;

	while (whole < LONG_ENOUGH && links < UINT64_C(1) << 40) {
		links *= 2;
		half = whole;
		whole = time_links(state, local, step, links);
		if (whole < 0)
			return -1;
	}
	step->ranks[local].rate = whole > half ? (double)(links / 2) / (whole - half) : (double)links / fmax(whole, 1e-9);
	return 0;
}

static int prepare(struct nccl_state *state, int thread, void *arg)
{
	const struct task *task = arg;

	for (int local = thread * state->ngpus; local < (thread + 1) * state->ngpus; local++) {
		struct nccl_rank *rank = &state->ranks[local];
		struct step_rank *own = &task->step->ranks[local];

		if (make_events(state, rank, own, task->number))
			return -1;
		if (own->compute)
			continue;
		if (nccl_use_device(state, rank) || make_event(state, rank, &own->ready) ||
		    nccl_check_cuda(state, rank, state->api.stream_create(&own->compute, cudaStreamNonBlocking),
				    "cudaStreamCreateWithFlags") ||
		    calibrate(state, local, task->step))
			return -1;
	}
	return 0;
}

static struct nccl_step *make_step(struct nccl_state *state, const struct options *options)
{
	struct nccl_step *step = calloc(1, sizeof *step);

	if (step)
		step->ranks = calloc((size_t)state->nlocal, sizeof *step->ranks);
	if (!step || !step->ranks) {
		fprintf(stderr, "nccl: out of memory for the steps of %d ranks\n", state->nlocal);
		free(step);
		return NULL;
	}
	step->state = state;
	step->occupancy = options->step->occupancy;
	return step;
}

static int nccl_step_open(struct backend *backend, const struct options *options, size_t calls, void **step)
{
	struct nccl_state *nccl = backend->state;

	if (!nccl->step)
		nccl->step = make_step(nccl, options);
	if (!nccl->step || nccl_threads_run(nccl->threads, prepare, &(struct task){ .step = nccl->step, .number = calls }))
		return -1;
	nccl->step->computed = false;
	nccl->step->awaited = 0;
	*step = nccl->step;
	return 0;
}

static void nccl_step_close(void *state)
{
	(void)state;
}

void nccl_step_end(struct nccl_state *state)
{
	const struct nccl_api *api = &state->api;

	/* After an abort something may still run. */
	for (int local = 0; state->step && local < state->nlocal && !atomic_load(&state->aborted); local++) {
		const struct nccl_rank *rank = &state->ranks[local];
		const struct step_rank *own = &state->step->ranks[local];

		if (nccl_use_device(state, rank))
			continue;
		for (size_t i = 0; i < own->nover; i++)
			nccl_check_cuda(state, rank, api->event_destroy(own->over[i]), "cudaEventDestroy");
		if (own->ready)
			nccl_check_cuda(state, rank, api->event_destroy(own->ready), "cudaEventDestroy");
		if (own->compute)
			nccl_check_cuda(state, rank, api->stream_destroy(own->compute), "cudaStreamDestroy");
	}
	for (int local = 0; state->step && local < state->nlocal; local++)
		free(state->step->ranks[local].over);
	if (state->step)
		free(state->step->ranks);
	free(state->step);
	state->step = NULL;
}

/* The rank's GPU becomes the thread's. */
static int take_up(const struct nccl_state *state, struct nccl_rank *rank)
{
	atomic_store_explicit(&rank->busy, true, memory_order_relaxed);
	return nccl_use_device(state, rank);
}

static int wait_for_compute(struct nccl_state *state, int local, const struct step_rank *own)
{
	struct nccl_rank *rank = &state->ranks[local];

	if (take_up(state, rank) ||
	    nccl_check_cuda(state, rank, state->api.event_record(own->ready, own->compute), "cudaEventRecord"))
		return -1;
	return nccl_check_cuda(state, rank, state->api.stream_wait_event(rank->stream, own->ready, 0), "cudaStreamWaitEvent");
}

static int queue_call(struct nccl_state *state, int thread, void *arg)
{
	const struct task *task = arg;
	const int first = thread * state->ngpus;
	struct nccl_rank *ranks = nccl_ranks_of(state, thread);

	for (int i = 0; i < state->ngpus && task->step->computed; i++)
		if (wait_for_compute(state, first + i, &task->step->ranks[first + i]))
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
				    state->api.event_record(task->step->ranks[first + i].over[task->number], ranks[i].stream),
				    "cudaEventRecord"))
			return -1;
	return rc;
}

static int nccl_step_start(void *state, size_t number, const struct backend_call *call)
{
	struct nccl_step *step = state;
	const int rc = nccl_threads_run(step->state->threads, queue_call,
					&(struct task){ .step = step, .number = number, .call = call });

	step->computed = false;
	return rc;
}

static int nccl_step_test(void *state)
{
	(void)state;
	return 0;
}

/* Calls are over in their order. */
static int nccl_step_wait(void *state, size_t number)
{
	struct nccl_step *step = state;

	if (number + 1 > step->awaited)
		step->awaited = number + 1;
	return 0;
}

static int queue_compute(struct nccl_state *state, int thread, void *arg)
{
	const struct task *task = arg;
	const struct nccl_step *step = task->step;

	for (int local = thread * state->ngpus; local < (thread + 1) * state->ngpus; local++) {
		struct nccl_rank *rank = &state->ranks[local];
		const struct step_rank *own = &step->ranks[local];

		if (take_up(state, rank))
			return -1;
		if (step->awaited > 0 &&
		    nccl_check_cuda(state, rank, state->api.stream_wait_event(own->compute, own->over[step->awaited - 1], 0),
				    "cudaStreamWaitEvent"))
			return -1;
		if (nccl_verify_compute(state, local, own->compute, (uint64_t)(task->seconds * own->rate), step->occupancy))
			return -1;
	}
	return 0;
}

static int nccl_step_compute(void *state, double seconds)
{
	struct nccl_step *step = state;
	const int rc = nccl_threads_run(step->state->threads, queue_compute, &(struct task){ .step = step, .seconds = seconds });

	step->computed = true;
	step->awaited = 0;
	return rc;
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

static int look_for_errors(struct nccl_state *state, struct nccl_rank *ranks)
{
	int rc = 0;

	if (!nccl_comms_enter(state, ranks))
		return -1;
	for (int i = 0; i < state->ngpus && rc == 0; i++)
		if (atomic_load_explicit(&ranks[i].busy, memory_order_relaxed))
			rc = nccl_comms_poll(state, &ranks[i]);
	nccl_comms_leave(ranks);
	return rc;
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

static int wait_for_streams(struct nccl_state *state, int thread, void *arg)
{
	const struct task *task = arg;
	double look = nccl_clock() + LOOK;

	for (;;) {
		const int left = look_at_all(state, thread, task->step);

		if (left < 0 || (left > 0 && nccl_threads_failed(state->threads)))
			return -1;
		if (left == 0)
			break;
		if (nccl_clock() > look) {
			if (look_for_errors(state, nccl_ranks_of(state, thread)))
				return -1;
			look = nccl_clock() + LOOK;
		}
		if (nccl_threads_share_cores(state->threads))
			sched_yield();
	}
	/* A stream that was not ready stays behind as the thread's last error. */
	(void)state->api.last_error();
	return 0;
}

static int nccl_step_finish(void *state)
{
	struct nccl_step *step = state;

	return nccl_threads_run(step->state->threads, wait_for_streams, &(struct task){ .step = step });
}

static void nccl_step_again(void *state)
{
	struct nccl_step *step = state;

	step->computed = false;
	step->awaited = 0;
}

const struct backend_step_ops nccl_step = {
	.progress = RESULT_DEVICE,
	.possible = nccl_step_possible,
	.open = nccl_step_open,
	.close = nccl_step_close,
	.start = nccl_step_start,
	.test = nccl_step_test,
	.wait = nccl_step_wait,
	.again = nccl_step_again,
	.compute = nccl_step_compute,
	.finish = nccl_step_finish,
};
