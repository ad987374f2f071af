/* SPDX-License-Identifier: Apache-2.0
 *
 * The clock, and one call, a sample and a loop as the harness asks for them. Samples and loops come back as seconds of single calls and loops of single
 * calls: what -m puts into one group and -G launches over again is divided out.
 */
#include <math.h>
#include <sched.h>
#include <time.h>

#include "nccl_run.h"

double nccl_clock(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* A thread that sleeps up to its start finds a cold core, so short waits are spun through, where cores are not shared. */
double nccl_clock_wait(const struct nccl_state *state, double until)
{
	const bool share_cores = nccl_threads_share_cores(state->threads);
	const double spin = share_cores ? 50e-6 : 5e-3;
	double now = nccl_clock();
	const double left = until - now - spin;

	if (left > 0) {
		struct timespec time = { .tv_sec = (time_t)left, .tv_nsec = (long)((left - (double)(time_t)left) * 1e9) };

		nanosleep(&time, NULL);
		now = nccl_clock();
	}
	while (now < until) {
		if (share_cores)
			sched_yield();
		now = nccl_clock();
	}
	return now;
}

double nccl_now(struct backend *backend)
{
	(void)backend;
	return nccl_clock();
}

double nccl_wait_until(struct backend *backend, double until)
{
	return nccl_clock_wait(backend->state, until);
}

static int run(struct nccl_state *state, struct nccl_course *course)
{
	if (nccl_buffers_register(state))
		return -1;
	return nccl_threads_run(state->threads, nccl_run, course);
}

static int call_once(struct backend *backend, const struct backend_call *call)
{
	return run(backend->state, &(struct nccl_course){ .call = call, .groups = 1, .together = 1, .units = 1 });
}

backend_call_fn *const nccl_calls[COLL_COUNT] = {
	[COLL_BROADCAST] = call_once,  [COLL_SCATTER] = call_once,    [COLL_GATHER] = call_once,
	[COLL_REDUCE] = call_once,     [COLL_ALL_GATHER] = call_once, [COLL_REDUCE_SCATTER] = call_once,
	[COLL_ALL_REDUCE] = call_once, [COLL_ALLTOALL] = call_once,   [COLL_SENDRECV] = call_once,
	[COLL_ALLTOALLV] = call_once,  [COLL_BARRIER] = call_once,    [COLL_HYPERCUBE] = call_once,
};

/* Seconds of the whole course, as often as a call is in it too many divided out. */
static void fill_samples(const struct nccl_state *state, const struct nccl_course *course, struct backend_sample *samples)
{
	const double times = (double)course->together * (course->graph ? (double)course->units : 1);

	for (int i = 0; i < state->nlocal; i++) {
		const struct nccl_rank *rank = &state->ranks[i];

		samples[i] = (struct backend_sample){
			.arrival = rank->arrival - course->start->start,
			.end = rank->spent / times,
			.kernel = rank->kernel / times,
			.enqueue = (rank->enqueued - rank->arrival) / times,
		};
	}
}

int nccl_sample(struct backend *backend, const struct backend_call *call, const struct backend_start *start,
		struct backend_sample *samples)
{
	struct nccl_state *state = backend->state;
	struct nccl_course course = {
		.call = call,
		.start = start,
		.groups = 1,
		.together = state->agg_iters > 1 ? state->agg_iters : 1,
		.units = state->graph > 0 ? state->graph : 1,
		.graph = state->graph > 0,
		.events = true,
	};

	if (run(state, &course))
		return -1;
	fill_samples(state, &course, samples);
	return 0;
}

/* From the start of one call to the start of the next, or to its end where a wait follows; the longest over ranks. */
static int fill_each(const struct nccl_state *state, const struct nccl_course *course, double *each)
{
	for (long k = 0; k < course->units; k++) {
		const long end = nccl_course_ends_event(course, k) ? 2 * k + 1 : 2 * k + 2;

		each[k] = 0;
		for (int i = 0; i < state->nlocal; i++) {
			const struct nccl_rank *rank = &state->ranks[i];
			float ms;

			if (nccl_check_cuda(state, rank, state->api.event_elapsed(&ms, rank->events[2 * k], rank->events[end]),
					    "cudaEventElapsedTime"))
				return -1;
			each[k] = fmax(each[k], 1e-3 * (double)ms / (double)course->together);
		}
	}
	return 0;
}

int nccl_loop(struct backend *backend, const struct backend_call *call, long calls, const struct backend_start *start,
	      struct backend_sample *samples, double *each)
{
	struct nccl_state *state = backend->state;
	const bool graph = state->graph > 0;
	struct nccl_course course = {
		.call = call,
		.start = start,
		.groups = calls,
		.together = state->agg_iters > 1 ? state->agg_iters : 1,
		.units = graph ? state->graph : calls,
		.graph = graph,
		.blocking = state->blocking,
		.hold = state->hold && state->blocking == 0,
		.events = true,
		.each = each != NULL, /* never with a graph, whose calls have no times of their own */
	};

	if (run(state, &course))
		return -1;
	fill_samples(state, &course, samples);
	return each ? fill_each(state, &course, each) : 0;
}

uint64_t nccl_unfinished(const struct backend *backend)
{
	const struct nccl_state *state = backend->state;
	uint64_t unfinished = 0;

	for (int i = 0; i < state->nlocal && i < 64; i++)
		if (atomic_load_explicit(&state->ranks[i].busy, memory_order_relaxed))
			unfinished |= (uint64_t)1 << i;
	return unfinished;
}
