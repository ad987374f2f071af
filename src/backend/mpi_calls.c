/* SPDX-License-Identifier: Apache-2.0
 *
 * The classic primitives as MPI calls: what stands inside the timed region of the MPI backend, and nothing else.
 */
#include <limits.h>

#include "mpi.h"

/* Both buffers of the one local rank as MPI wants them in place: MPI_IN_PLACE stands where MPI says it may. */
static const void *send_or_in_place(const struct backend_call *call)
{
	return call->in_place ? MPI_IN_PLACE : call->send[0];
}

static bool is_large(const struct backend_call *call)
{
	return call->count[0] > INT_MAX;
}

static int divide(const struct mpi_state *state, const struct backend_call *call, void *data)
{
	if (call->op == REDOP_AVG)
		redop_divide(call->type, data, call->count[0], state->nranks);
	return 0;
}

static int call_broadcast(struct backend *backend, const struct backend_call *call)
{
	struct mpi_state *state = backend->state;
	void *data = state->rank == call->root ? call->send[0] : call->recv[0];

	if (is_large(call))
		return mpi_large_call(state, call, data, data);
	return mpi_check(MPI_Bcast(data, (int)call->count[0], state->types[call->type], call->root, state->comm), "MPI_Bcast");
}

static int call_scatter(struct backend *backend, const struct backend_call *call)
{
	struct mpi_state *state = backend->state;
	const bool stays = call->in_place && state->rank == call->root;
	void *recv = stays ? MPI_IN_PLACE : call->recv[0];
	MPI_Datatype type = state->types[call->type];
	int count = (int)call->count[0];

	if (is_large(call))
		return mpi_large_call(state, call, call->send[0], recv);
	return mpi_check(MPI_Scatter(call->send[0], count, type, recv, count, type, call->root, state->comm), "MPI_Scatter");
}

static int call_gather(struct backend *backend, const struct backend_call *call)
{
	struct mpi_state *state = backend->state;
	const bool stays = call->in_place && state->rank == call->root;
	const void *send = stays ? MPI_IN_PLACE : call->send[0];
	MPI_Datatype type = state->types[call->type];
	int count = (int)call->count[0];

	if (is_large(call))
		return mpi_large_call(state, call, send, call->recv[0]);
	return mpi_check(MPI_Gather(send, count, type, call->recv[0], count, type, call->root, state->comm), "MPI_Gather");
}

static int call_reduce(struct backend *backend, const struct backend_call *call)
{
	struct mpi_state *state = backend->state;
	const bool is_root = state->rank == call->root;
	const void *send = call->in_place && is_root ? MPI_IN_PLACE : call->send[0];
	void *recv = is_root ? call->recv[0] : NULL;
	int rc;

	if (is_large(call))
		rc = mpi_large_call(state, call, send, recv);
	else
		rc = mpi_check(MPI_Reduce(send, recv, (int)call->count[0], state->types[call->type],
					  mpi_op(state, call->type, call->op), call->root, state->comm),
			       "MPI_Reduce");
	return rc || !is_root ? rc : divide(state, call, recv);
}

static int call_all_gather(struct backend *backend, const struct backend_call *call)
{
	struct mpi_state *state = backend->state;
	MPI_Datatype type = state->types[call->type];
	int count = (int)call->count[0];

	if (is_large(call))
		return mpi_large_call(state, call, send_or_in_place(call), call->recv[0]);
	return mpi_check(MPI_Allgather(send_or_in_place(call), count, type, call->recv[0], count, type, state->comm),
			 "MPI_Allgather");
}

/* MPI_Reduce_scatter and not its _block form: it is what applications with uneven blocks call, and what the simulator's ring serves. */
static int call_reduce_scatter(struct backend *backend, const struct backend_call *call)
{
	struct mpi_state *state = backend->state;
	int rc;

	if (is_large(call)) {
		rc = mpi_large_call(state, call, send_or_in_place(call), call->recv[0]);
		return rc ? rc : divide(state, call, call->recv[0]);
	}
	/* Written by the first call of a point, which is never a timed one. */
	if (state->count_filled != call->count[0]) {
		for (int i = 0; i < state->nranks; i++)
			state->counts[i] = (int)call->count[0];
		state->count_filled = call->count[0];
	}
	rc = mpi_check(MPI_Reduce_scatter(send_or_in_place(call), call->recv[0], state->counts, state->types[call->type],
					  mpi_op(state, call->type, call->op), state->comm),
		       "MPI_Reduce_scatter");
	return rc ? rc : divide(state, call, call->recv[0]);
}

static int call_all_reduce(struct backend *backend, const struct backend_call *call)
{
	struct mpi_state *state = backend->state;
	int rc;

	if (is_large(call))
		rc = mpi_large_call(state, call, send_or_in_place(call), call->recv[0]);
	else
		rc = mpi_check(MPI_Allreduce(send_or_in_place(call), call->recv[0], (int)call->count[0], state->types[call->type],
					     mpi_op(state, call->type, call->op), state->comm),
			       "MPI_Allreduce");
	return rc ? rc : divide(state, call, call->recv[0]);
}

static int call_alltoall(struct backend *backend, const struct backend_call *call)
{
	struct mpi_state *state = backend->state;
	MPI_Datatype type = state->types[call->type];
	int count = (int)call->count[0];

	if (is_large(call))
		return mpi_large_call(state, call, send_or_in_place(call), call->recv[0]);
	return mpi_check(MPI_Alltoall(send_or_in_place(call), count, type, call->recv[0], count, type, state->comm),
			 "MPI_Alltoall");
}

/* Both ranks of a pair send to the other: ranks of the one communicator are those over all. */
static int call_pair(struct mpi_state *state, const struct backend_call *call)
{
	const int peer = call->peer[0], count = (int)call->count[0];
	MPI_Datatype type = state->types[call->type];

	if (peer < 0)
		return 0;
	if (is_large(call))
		return mpi_large_call(state, call, call->send[0], call->recv[0]);
	return mpi_check(MPI_Sendrecv(call->send[0], count, type, peer, 0, call->recv[0], count, type, peer, 0, state->comm,
				      MPI_STATUS_IGNORE),
			 "MPI_Sendrecv");
}

static int call_sendrecv(struct backend *backend, const struct backend_call *call)
{
	struct mpi_state *state = backend->state;
	MPI_Datatype type = state->types[call->type];
	int count = (int)call->count[0];
	int to = (state->rank + 1) % state->nranks, from = (state->rank + state->nranks - 1) % state->nranks;

	if (call->peer)
		return call_pair(state, call);
	if (call->exchange)
		return mpi_exchange(state, call);
	if (is_large(call))
		return mpi_large_call(state, call, call->send[0], call->recv[0]);
	if (call->in_place)
		return mpi_check(MPI_Sendrecv_replace(call->recv[0], count, type, to, 0, from, 0, state->comm, MPI_STATUS_IGNORE),
				 "MPI_Sendrecv_replace");
	return mpi_check(MPI_Sendrecv(call->send[0], count, type, to, 0, call->recv[0], count, type, from, 0, state->comm,
				      MPI_STATUS_IGNORE),
			 "MPI_Sendrecv");
}

backend_call_fn *const mpi_calls[COLL_COUNT] = {
	[COLL_BROADCAST] = call_broadcast,   [COLL_SCATTER] = call_scatter,       [COLL_GATHER] = call_gather,
	[COLL_REDUCE] = call_reduce,         [COLL_ALL_GATHER] = call_all_gather, [COLL_REDUCE_SCATTER] = call_reduce_scatter,
	[COLL_ALL_REDUCE] = call_all_reduce, [COLL_ALLTOALL] = call_alltoall,     [COLL_SENDRECV] = call_sendrecv,
	[COLL_ALLTOALLV] = mpi_alltoallv,    [COLL_BARRIER] = mpi_barrier,        [COLL_HYPERCUBE] = mpi_hypercube,
};
