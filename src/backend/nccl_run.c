/* SPDX-License-Identifier: Apache-2.0
 *
 * What every thread does for one call, one sample or one loop: wait for the start, queue, wait for the streams, note the times. A course is done in
 * pieces, between which streams are waited for; the time runs on between them (-z 1, 2) or not (-z 3, --hold).
 *
 * What a caller waits for on the host is the headline, so the end is when the host has seen the rank's stream complete; the device's own time comes from
 * events around. Each event costs the host about half a microsecond (published figures; no GPU was at hand to measure it), so there is one pair and
 * no more. On an idle stream the first event is over before the call is launched: the device's time then contains that launch. Behind a hold it does not.
 */
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "../launch.h"
#include "nccl_run.h"

struct passage {
	struct nccl_state *state;
	const struct nccl_course *course;
	struct nccl_rank *ranks;
	int thread;
	long piece;    /* units */
	bool apart;    /* each piece is timed by itself */
	double delay;  /* seconds by which this thread enters late */
	double begun;  /* when the time of this piece began */
	double queued; /* seconds spent on queueing */
};

struct nccl_rank *nccl_ranks_of(const struct nccl_state *state, int thread)
{
	return &state->ranks[thread * state->ngpus];
}

/* The null stream is that of the current device; other streams know theirs. */
static int use_device(const struct nccl_state *state, const struct nccl_rank *rank)
{
	if (!state->stream_null || state->ngpus == 1)
		return 0;
	return nccl_use_device(state, rank);
}

/* The group is ended even when a call in it failed: an open one would swallow the next. */
static int queue_round(struct nccl_state *state, int thread, const struct backend_call *call, long first, long count, int round)
{
	struct nccl_rank *ranks = nccl_ranks_of(state, thread), *rank = ranks;
	const struct nccl_rank *alone = state->ngpus == 1 ? ranks : NULL;
	ncclResult_t rc = ncclSuccess;

	if (nccl_check(state, alone, state->api.group_start(), "ncclGroupStart"))
		return -1;
	for (long k = first; k < first + count && rc == ncclSuccess; k++) {
		for (int i = 0; i < state->ngpus && rc == ncclSuccess; i++) {
			rank = &ranks[i];
			rc = nccl_enqueue(state, rank, thread * state->ngpus + i, call, k, round);
		}
	}
	const ncclResult_t ended = state->api.group_end();

	if (rc != ncclSuccess)
		return nccl_check(state, rank, rc, nccl_call_name(call->coll->id));
	return nccl_check(state, alone, ended, "ncclGroupEnd");
}

int nccl_queue_group(struct nccl_state *state, int thread, const struct backend_call *call, long first, long count)
{
	const int rounds = nccl_rounds(nccl_ranks_of(state, thread), state->ngpus, call);

	for (int round = 0; round < rounds; round++)
		if (queue_round(state, thread, call, first, count, round))
			return -1;
	return 0;
}

static int record_unit(const struct passage *p, long at)
{
	for (int i = 0; i < p->state->ngpus; i++) {
		struct nccl_rank *rank = &p->ranks[i];

		if (use_device(p->state, rank) ||
		    nccl_check_cuda(p->state, rank, p->state->api.event_record(rank->events[at], rank->stream),
				    "cudaEventRecord"))
			return -1;
	}
	return 0;
}

static int record(const struct passage *p, bool is_end)
{
	for (int i = 0; i < p->state->ngpus; i++) {
		struct nccl_rank *rank = &p->ranks[i];
		cudaEvent_t event = is_end ? rank->end : rank->begin;

		if (use_device(p->state, rank) ||
		    nccl_check_cuda(p->state, rank, p->state->api.event_record(event, rank->stream), "cudaEventRecord"))
			return -1;
	}
	return 0;
}

static long piece_of(const struct nccl_course *course)
{
	const long held = NCCL_HOLD_CALLS / course->together / (course->graph ? course->groups : 1);

	if (course->blocking > 0)
		return 1;
	return !course->hold || held > course->units ? course->units : held > 0 ? held : 1;
}

static bool is_apart(const struct nccl_course *course)
{
	return course->hold || course->blocking == 3;
}

bool nccl_course_ends_event(const struct nccl_course *course, long i)
{
	const bool ends_piece = (i + 1) % piece_of(course) == 0;

	return i + 1 == course->units || (is_apart(course) && ends_piece);
}

static int queue_unit(const struct passage *p, long i)
{
	const struct nccl_course *course = p->course;

	if (p->delay > 0 && i > 0 && !course->hold)
		nccl_clock_wait(p->state, nccl_clock() + p->delay);
	if (course->each && record_unit(p, 2 * i))
		return -1;
	if (!nccl_comms_enter(p->state, p->ranks))
		return -1;
	const int rc = course->graph
			       ? nccl_graph_launch(p->state, p->thread)
			       : nccl_queue_group(p->state, p->thread, course->call, i * course->together, course->together);

	nccl_comms_leave(p->ranks);
	if (rc)
		return -1;
	return course->each && nccl_course_ends_event(course, i) ? record_unit(p, 2 * i + 1) : 0;
}

static int queue_piece(struct passage *p, long first, long count, double entered)
{
	const struct nccl_course *course = p->course;

	if (course->events && (p->apart || first == 0) && record(p, false))
		return -1;
	for (long i = first; i < first + count; i++)
		if (queue_unit(p, i))
			return -1;
	if (course->events && (p->apart || first + count == course->units) && record(p, true))
		return -1;
	p->queued += nccl_clock() - entered;
	return 0;
}

/* 1: complete, 0: not yet, -1. */
static int look_at(struct nccl_state *state, struct nccl_rank *rank)
{
	if (use_device(state, rank))
		return -1;
	const cudaError_t error = state->api.stream_query(rank->stream);

	if (error == cudaErrorNotReady)
		return 0;
	if (nccl_check_cuda(state, rank, error, "cudaStreamQuery"))
		return -1;
	rank->done = nccl_clock();
	atomic_store_explicit(&rank->busy, false, memory_order_relaxed);
	return 1;
}

/* Until all of the thread's streams are complete. */
static int wait_for_streams(const struct passage *p)
{
	struct nccl_state *state = p->state;
	double look = nccl_clock() + nccl_look;

	for (int left = state->ngpus; left > 0;) {
		for (int i = 0; i < state->ngpus; i++) {
			if (!atomic_load_explicit(&p->ranks[i].busy, memory_order_relaxed))
				continue;
			const int rc = look_at(state, &p->ranks[i]);

			if (rc < 0)
				return -1;
			left -= rc;
		}
		if (left == 0)
			break;
		if (nccl_threads_failed(state->threads))
			return -1;
		if (nccl_clock() > look) {
			if (nccl_comms_look(state, p->ranks))
				return -1;
			look = nccl_clock() + nccl_look;
		}
		if (nccl_threads_share_cores(state->threads))
			sched_yield();
	}
	/* A stream that was not ready stays behind as the thread's last error, which others would take for theirs. */
	(void)state->api.last_error();
	return 0;
}

static int barrier(const struct passage *p)
{
	struct launch *launch = p->state->launch;

	if (nccl_threads_barrier(p->state->threads) || (p->thread == 0 && launch->ops->barrier(launch)))
		return -1;
	return nccl_threads_barrier(p->state->threads);
}

static void mark_busy(const struct passage *p)
{
	for (int i = 0; i < p->state->ngpus; i++)
		atomic_store_explicit(&p->ranks[i].busy, true, memory_order_relaxed);
}

/* What the piece adds to the thread's ranks; a device's time is known once the last event is recorded. */
static int account(const struct passage *p, bool is_last)
{
	for (int i = 0; i < p->state->ngpus; i++) {
		struct nccl_rank *rank = &p->ranks[i];
		const double spent = rank->done - p->begun;
		float ms;

		rank->spent = p->apart ? rank->spent + spent : spent;
		if (!p->course->events || !(p->apart || is_last))
			continue;
		if (nccl_check_cuda(p->state, rank, p->state->api.event_elapsed(&ms, rank->begin, rank->end),
				    "cudaEventElapsedTime"))
			return -1;
		rank->kernel += 1e-3 * (double)ms;
	}
	return 0;
}

static void note_arrival(const struct passage *p, double arrival)
{
	for (int i = 0; i < p->state->ngpus; i++)
		p->ranks[i].arrival = arrival;
}

/* Queues behind holds; all ranks are released together, at the common start if that is still to come. */
static int queue_held(struct passage *p, long first, long count)
{
	const int local = p->thread * p->state->ngpus;
	const double queueing = nccl_clock();
	int held = 0, rc = 0;

	for (; held < p->state->ngpus && !rc; held++)
		rc = nccl_hold_begin(p->state, local + held);
	if (!rc)
		rc = queue_piece(p, first, count, queueing);
	if (!rc)
		rc = barrier(p);
	if (!rc) {
		p->begun = nccl_clock_wait(p->state, first == 0 && p->course->start ? p->course->start->start : 0);
		const double released = nccl_clock_wait(p->state, p->begun + p->delay);

		if (first == 0)
			note_arrival(p, released);
	}
	for (int i = 0; i < held; i++)
		nccl_hold_release(p->state, local + i);
	for (int i = 0; i < held && !rc; i++)
		rc = nccl_hold_check(p->state, local + i);
	return rc;
}

static int pass_piece(struct passage *p, long first, long count, double entered)
{
	const bool is_last = first + count == p->course->units;

	mark_busy(p);
	if (p->course->hold ? queue_held(p, first, count) : queue_piece(p, first, count, entered))
		return -1;
	if (wait_for_streams(p))
		return -1;
	if (p->course->blocking == 1) {
		if (barrier(p))
			return -1;
		for (int i = 0; i < p->state->ngpus; i++)
			p->ranks[i].done = nccl_clock();
	}
	if (account(p, is_last))
		return -1;
	return p->course->blocking == 3 && !is_last ? barrier(p) : 0;
}

static int make_events(const struct nccl_state *state, struct nccl_rank *rank, long count)
{
	if (rank->nevents >= count)
		return 0;
	cudaEvent_t *events = realloc(rank->events, (size_t)count * sizeof *events);

	if (!events) {
		fprintf(stderr, "nccl: out of memory for %ld events\n", count);
		return -1;
	}
	rank->events = events;
	if (nccl_use_device(state, rank))
		return -1;
	for (; rank->nevents < count; rank->nevents++)
		if (nccl_check_cuda(state, rank, state->api.event_create(&events[rank->nevents], cudaEventDefault),
				    "cudaEventCreateWithFlags"))
			return -1;
	return 0;
}

/* All that takes time or memory, before the start. */
static int prepare(const struct passage *p)
{
	const struct nccl_course *course = p->course;
	const struct backend_call *call = course->call;

	for (int i = 0; i < p->state->ngpus; i++) {
		struct nccl_rank *rank = &p->ranks[i];
		ncclRedOp_t op;

		rank->spent = 0;
		rank->kernel = course->events ? 0 : NAN;
		if ((call->coll->flags & COLL_HAS_REDOP) && nccl_redop_of(p->state, rank, call->op, call->type, &op))
			return -1;
		if (course->each && make_events(p->state, rank, 2 * course->units))
			return -1;
	}
	if (!course->graph)
		return 0;
	if (!nccl_comms_enter(p->state, p->ranks))
		return -1;
	const int rc = nccl_graph_prepare(p->state, p->thread, course);

	nccl_comms_leave(p->ranks);
	return rc;
}

/* The reading of the clock at which the thread enters; what is held enters when it is released. */
static double enter(struct passage *p)
{
	const struct backend_start *start = p->course->start;
	double entered;

	if (!start || p->course->hold) {
		p->begun = entered = nccl_clock();
	} else {
		p->begun = start->start;
		entered = nccl_clock_wait(p->state, start->start + p->delay);
	}
	note_arrival(p, entered);
	return entered;
}

int nccl_run(struct nccl_state *state, int thread, void *arg)
{
	const struct nccl_course *course = arg;
	const struct backend_start *start = course->start;
	const bool is_delayed = start && start->delayed >= 0 && start->delayed / state->ngpus == thread;
	struct passage p = { .state = state,
			     .course = course,
			     .ranks = nccl_ranks_of(state, thread),
			     .thread = thread,
			     .piece = piece_of(course),
			     .apart = is_apart(course),
			     .delay = is_delayed ? start->delay : 0 };

	if (prepare(&p))
		return -1;
	double entered = enter(&p);

	for (long first = 0; first < course->units; first += p.piece) {
		const long left = course->units - first;

		if (pass_piece(&p, first, left < p.piece ? left : p.piece, entered))
			return -1;
		entered = nccl_clock();
		if (course->blocking == 3)
			p.begun = entered;
	}
	for (int i = 0; i < state->ngpus; i++)
		p.ranks[i].enqueued = p.ranks[i].arrival + p.queued;
	return 0;
}
