/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls beside compute. Compute is a kernel on a stream of its own, calls go on the rank's stream, and events order the two. A step is written down first;
 * at its end every thread queues all of it for its ranks and waits once, so that the host stands between nowhere and threads meet once a step.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../launch.h"
#include "../options.h"
#include "nccl_step.h"
#include "nccl_verify.h"

static const double LONG_ENOUGH = 5e-3; /* a kernel whose time tells the rate */

enum { TRIALS = 3 };

/* What `prepare` is told. */
struct preparation {
	struct nccl_step *step;
	size_t calls;
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

static int make_events(const struct nccl_state *state, const struct nccl_rank *rank, struct nccl_step_rank *own, size_t calls)
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
	uint64_t links = 0, less = 0;
	double time = 0, less_time = 0;

	while (time < LONG_ENOUGH && links < UINT64_C(1) << 40) {
		less = links;
		less_time = time;
		links = links ? 2 * links : 1 << 12;
		time = time_links(state, local, step, links);
		if (time < 0)
			return -1;
	}
	if (time < LONG_ENOUGH || time <= less_time) {
		fprintf(stderr, "nccl: the kernel that computes takes %g s for %" PRIu64 " operations (GPU %d)\n", time, links,
			state->ranks[local].device);
		return -1;
	}
	step->ranks[local].rate = (double)(links - less) / (time - less_time);
	return 0;
}

static int prepare(struct nccl_state *state, int thread, void *arg)
{
	const struct preparation *wanted = arg;

	for (int local = thread * state->ngpus; local < (thread + 1) * state->ngpus; local++) {
		struct nccl_rank *rank = &state->ranks[local];
		struct nccl_step_rank *own = &wanted->step->ranks[local];

		if (make_events(state, rank, own, wanted->calls))
			return -1;
		if (own->compute)
			continue;
		if (nccl_use_device(state, rank) || make_event(state, rank, &own->ready) ||
		    nccl_check_cuda(state, rank, state->api.stream_create(&own->compute, cudaStreamNonBlocking),
				    "cudaStreamCreateWithFlags") ||
		    calibrate(state, local, wanted->step))
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
	step->occupancy = options->occupancy;
	return step;
}

static int make_kept(struct nccl_step *step, size_t calls)
{
	const size_t nlocal = (size_t)step->state->nlocal;
	struct nccl_step_kept *kept = calls > step->nkept ? realloc(step->kept, calls * sizeof *kept) : step->kept;

	if (kept)
		step->kept = kept;
	for (; kept && step->nkept < calls; step->nkept++) {
		struct nccl_step_kept *one = &kept[step->nkept];

		*one = (struct nccl_step_kept){ .buffers = calloc(2 * nlocal, sizeof *one->buffers),
						.counts = calloc(nlocal, sizeof *one->counts) };
		if (!one->buffers || !one->counts) {
			free(one->buffers);
			free(one->counts);
			kept = NULL;
		}
	}
	if (!kept)
		fprintf(stderr, "nccl: out of memory for %zu calls\n", calls);
	return kept ? 0 : -1;
}

static void nccl_step_again(void *state)
{
	struct nccl_step *step = state;

	step->ntasks = 0;
	step->computed = false;
	step->awaited = 0;
}

static int nccl_step_open(struct backend *backend, const struct options *options, size_t calls, void **step)
{
	struct nccl_state *nccl = backend->state;

	if (!nccl->step)
		nccl->step = make_step(nccl, options);
	if (!nccl->step || make_kept(nccl->step, calls) ||
	    nccl_threads_run(nccl->threads, prepare, &(struct preparation){ .step = nccl->step, .calls = calls }))
		return -1;
	nccl_step_again(nccl->step);
	*step = nccl->step;
	return 0;
}

static void nccl_step_close(void *state)
{
	(void)state;
}

static void free_step(struct nccl_step *step)
{
	for (int local = 0; local < step->state->nlocal; local++)
		free(step->ranks[local].over);
	for (size_t i = 0; i < step->nkept; i++) {
		free(step->kept[i].buffers);
		free(step->kept[i].counts);
	}
	free(step->ranks);
	free(step->kept);
	free(step->tasks);
	free(step);
}

void nccl_step_end(struct nccl_state *state)
{
	const struct nccl_api *api = &state->api;

	/* After an abort something may still run. */
	for (int local = 0; state->step && local < state->nlocal && !atomic_load(&state->aborted); local++) {
		const struct nccl_rank *rank = &state->ranks[local];
		const struct nccl_step_rank *own = &state->step->ranks[local];

		if (nccl_use_device(state, rank))
			continue;
		for (size_t i = 0; i < own->nover; i++)
			nccl_check_cuda(state, rank, api->event_destroy(own->over[i]), "cudaEventDestroy");
		if (own->ready)
			nccl_check_cuda(state, rank, api->event_destroy(own->ready), "cudaEventDestroy");
		if (own->compute)
			nccl_check_cuda(state, rank, api->stream_destroy(own->compute), "cudaStreamDestroy");
	}
	if (state->step)
		free_step(state->step);
	state->step = NULL;
}

/* NULL after one line. */
static struct nccl_step_task *add_task(struct nccl_step *step)
{
	if (step->ntasks == step->room) {
		const size_t room = step->room ? 2 * step->room : 256;
		struct nccl_step_task *tasks = realloc(step->tasks, room * sizeof *tasks);

		if (!tasks) {
			fprintf(stderr, "nccl: out of memory for a step of %zu parts\n", room);
			return NULL;
		}
		step->tasks = tasks;
		step->room = room;
	}
	return &step->tasks[step->ntasks++];
}

static int nccl_step_start(void *state, size_t number, const struct backend_call *call)
{
	struct nccl_step *step = state;
	const size_t nlocal = (size_t)step->state->nlocal;
	struct nccl_step_task *task = add_task(step);
	struct nccl_step_kept *kept = &step->kept[number];

	if (!task)
		return -1;
	memcpy(kept->buffers, call->send, nlocal * sizeof *kept->buffers);
	memcpy(kept->buffers + nlocal, call->recv, nlocal * sizeof *kept->buffers);
	memcpy(kept->counts, call->count, nlocal * sizeof *kept->counts);
	kept->call = *call;
	kept->call.send = kept->buffers;
	kept->call.recv = kept->buffers + nlocal;
	kept->call.count = kept->counts;
	*task = (struct nccl_step_task){ .call = &kept->call, .number = number, .computed = step->computed };
	step->computed = false;
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

static int nccl_step_compute(void *state, double seconds)
{
	struct nccl_step *step = state;
	struct nccl_step_task *task = add_task(step);

	if (!task)
		return -1;
	*task = (struct nccl_step_task){ .awaited = step->awaited, .seconds = seconds };
	step->computed = true;
	step->awaited = 0;
	return 0;
}

static int nccl_step_finish(void *state)
{
	struct nccl_step *step = state;

	return nccl_threads_run(step->state->threads, nccl_step_do, step);
}

const struct backend_step_ops nccl_step = {
	.progress = "device",
	.possible = nccl_step_possible,
	.open = nccl_step_open,
	.close = nccl_step_close,
	.start = nccl_step_start,
	.wait = nccl_step_wait,
	.again = nccl_step_again,
	.compute = nccl_step_compute,
	.finish = nccl_step_finish,
};
