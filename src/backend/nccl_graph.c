/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls as CUDA graphs: one graph a rank, captured by the thread that drives it, kept until another call is asked for, so that the samples of a point
 * capture once.
 */
#include <stdlib.h>
#include <string.h>

#include "../../collectives/layout.h"
#include "nccl_run.h"

/* Of one rank. */
struct recorded {
	cudaGraphExec_t exec;
	size_t count;
	struct coll_layout layout;
	const void *send;
	void *recv;
};

/* Of one thread. */
struct nccl_graphs {
	struct recorded *ranks; /* [ngpus]; NULL execs: nothing is recorded */
	struct backend_call call;
	long groups, together;
};

struct nccl_graphs *nccl_graphs_open(const struct nccl_state *state)
{
	struct nccl_graphs *graphs = calloc((size_t)state->nthreads, sizeof *graphs);
	struct recorded *ranks = calloc((size_t)state->nlocal, sizeof *ranks);

	if (!graphs || !ranks) {
		free(graphs);
		free(ranks);
		return NULL;
	}
	graphs[0].ranks = ranks;
	for (int thread = 1; thread < state->nthreads; thread++)
		graphs[thread].ranks = ranks + thread * state->ngpus;
	return graphs;
}

static void forget(const struct nccl_state *state, struct nccl_graphs *graphs)
{
	for (int i = 0; i < state->ngpus; i++) {
		if (graphs->ranks[i].exec)
			state->api.graph_exec_destroy(graphs->ranks[i].exec);
		graphs->ranks[i].exec = NULL;
	}
}

void nccl_graphs_forget(struct nccl_state *state)
{
	for (int thread = 0; state->graphs && thread < state->nthreads && !atomic_load(&state->aborted); thread++)
		forget(state, &state->graphs[thread]);
}

/* The events of -I go with them. After an abort the device may hold on to both for ever. */
void nccl_graphs_close(struct nccl_state *state)
{
	const bool aborted = atomic_load(&state->aborted);

	if (!state->graphs)
		return;
	for (int thread = 0; thread < state->nthreads && !aborted; thread++)
		forget(state, &state->graphs[thread]);
	for (int i = 0; i < state->nlocal; i++) {
		struct nccl_rank *rank = &state->ranks[i];

		for (long k = 0; k < rank->nevents && !aborted; k++)
			state->api.event_destroy(rank->events[k]);
		free(rank->events);
		rank->events = NULL;
		rank->nevents = 0;
	}
	free(state->graphs[0].ranks);
	free(state->graphs);
	state->graphs = NULL;
}

/* Of a call that has none: all 0. */
static struct coll_layout layout_of(const struct backend_call *call, int local)
{
	return call->layout ? call->layout[local] : (struct coll_layout){ 0 };
}

static bool is_same(const struct nccl_state *state, const struct nccl_graphs *graphs, const struct nccl_course *course, int first)
{
	const struct backend_call *call = course->call, *old = &graphs->call;

	if (!graphs->ranks[0].exec || graphs->groups != course->groups || graphs->together != course->together ||
	    call->coll != old->coll || call->type != old->type || call->op != old->op || call->root != old->root ||
	    call->in_place != old->in_place || call->rotate_bytes != old->rotate_bytes || call->rotations != old->rotations ||
	    call->exchange != old->exchange)
		return false;
	for (int i = 0; i < state->ngpus; i++) {
		const struct recorded *rank = &graphs->ranks[i];
		const struct coll_layout layout = layout_of(call, first + i);

		if (rank->count != call->count[first + i] || !coll_layout_is_same(&rank->layout, &layout) ||
		    rank->send != call->send[first + i] || rank->recv != call->recv[first + i])
			return false;
	}
	return true;
}

/* Every stream that began to capture must end it, also after a failure. */
static int instantiate(struct nccl_state *state, const struct nccl_rank *rank, struct recorded *recorded, int rc)
{
	const struct nccl_api *api = &state->api;
	cudaGraph_t graph = NULL;
	const cudaError_t error = api->end_capture(rank->stream, &graph);

	if (!rc && nccl_check_cuda(state, rank, error, "cudaStreamEndCapture"))
		rc = -1;
	if (!rc)
		rc = nccl_check_cuda(state, rank, api->graph_instantiate(&recorded->exec, graph, 0),
				     "cudaGraphInstantiateWithFlags");
	if (rc)
		recorded->exec = NULL;
	if (graph)
		api->graph_destroy(graph);
	return rc;
}

static int capture(struct nccl_state *state, int thread, const struct nccl_course *course)
{
	struct nccl_rank *ranks = nccl_ranks_of(state, thread);
	struct recorded *recorded = state->graphs[thread].ranks;
	int rc = 0, begun = 0;

	for (int i = 0; i < state->ngpus && !rc; i++) {
		rc = nccl_check_cuda(state, &ranks[i],
				     state->api.begin_capture(ranks[i].stream, cudaStreamCaptureModeThreadLocal),
				     "cudaStreamBeginCapture");
		begun += !rc;
	}
	for (long i = 0; i < course->groups && !rc; i++)
		rc = nccl_queue_group(state, thread, course->call, i * course->together, course->together);
	for (int i = 0; i < begun; i++)
		rc = instantiate(state, &ranks[i], &recorded[i], rc);
	return rc;
}

int nccl_graph_prepare(struct nccl_state *state, int thread, const struct nccl_course *course)
{
	struct nccl_graphs *graphs = &state->graphs[thread];
	const int first = thread * state->ngpus;

	if (is_same(state, graphs, course, first))
		return 0;
	forget(state, graphs);
	if (capture(state, thread, course)) {
		forget(state, graphs);
		return -1;
	}
	graphs->call = *course->call;
	graphs->groups = course->groups;
	graphs->together = course->together;
	for (int i = 0; i < state->ngpus; i++) {
		graphs->ranks[i].count = course->call->count[first + i];
		graphs->ranks[i].layout = layout_of(course->call, first + i);
		graphs->ranks[i].send = course->call->send[first + i];
		graphs->ranks[i].recv = course->call->recv[first + i];
	}
	return 0;
}

int nccl_graph_launch(struct nccl_state *state, int thread)
{
	struct nccl_rank *ranks = nccl_ranks_of(state, thread);

	for (int i = 0; i < state->ngpus; i++)
		if (nccl_check_cuda(state, &ranks[i],
				    state->api.graph_launch(state->graphs[thread].ranks[i].exec, ranks[i].stream),
				    "cudaGraphLaunch"))
			return -1;
	return 0;
}
