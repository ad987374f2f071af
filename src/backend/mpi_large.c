/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts above 2^31 - 1 by MPI 4's large-count calls, where the library has them.
 */
#include <stdlib.h>

#include "../../collectives/layout.h"
#include "mpi.h"

#if MPI_VERSION >= 4

const bool mpi_has_large_counts = true;

static int large_reduce_scatter(struct mpi_state *state, MPI_Count count, MPI_Datatype type, MPI_Op op, const void *send,
				void *recv)
{
	MPI_Count *counts = malloc((size_t)state->nranks * sizeof *counts);
	int rc = MPI_ERR_NO_MEM;

	if (counts) {
		for (int i = 0; i < state->nranks; i++)
			counts[i] = count;
		rc = MPI_Reduce_scatter_c(send, recv, counts, type, op, state->comm);
	}
	free(counts);
	return mpi_check(rc, "MPI_Reduce_scatter_c");
}

static int large_sendrecv(struct mpi_state *state, MPI_Count n, MPI_Datatype type, const struct backend_call *call)
{
	int to = call->peer ? call->peer[0] : (state->rank + 1) % state->nranks;
	int from = call->peer ? call->peer[0] : (state->rank + state->nranks - 1) % state->nranks;
	MPI_Status *ignore = MPI_STATUS_IGNORE;

	if (call->in_place)
		return mpi_check(MPI_Sendrecv_replace_c(call->recv[0], n, type, to, 0, from, 0, state->comm, ignore),
				 "MPI_Sendrecv_replace_c");
	return mpi_check(MPI_Sendrecv_c(call->send[0], n, type, to, 0, call->recv[0], n, type, from, 0, state->comm, ignore),
			 "MPI_Sendrecv_c");
}

/* Counts and displacements of both sides, made for each call: it moves gigabytes. */
int mpi_large_alltoallv(struct mpi_state *state, const struct backend_call *call)
{
	const int n = state->nranks, rank = state->rank;
	MPI_Count *counts = calloc(2 * (size_t)n, sizeof *counts);
	MPI_Aint *places = calloc(2 * (size_t)n, sizeof *places);
	MPI_Datatype type = state->types[call->type];
	MPI_Aint out = 0, in = 0;
	int rc = MPI_ERR_NO_MEM;

	for (int peer = 0; counts && places && peer < n; peer++) {
		counts[peer] = (MPI_Count)coll_layout_block(call->layout, n, rank, peer);
		places[peer] = out;
		out += (MPI_Aint)counts[peer];
		counts[n + peer] = (MPI_Count)coll_layout_block(call->layout, n, peer, rank);
		places[n + peer] = in;
		in += (MPI_Aint)counts[n + peer];
	}
	if (counts && places)
		rc = MPI_Alltoallv_c(call->send[0], counts, places, type, call->recv[0], counts + n, places + n, type,
				     state->comm);
	free(counts);
	free(places);
	return mpi_check(rc, "MPI_Alltoallv_c");
}

int mpi_large_exchange(struct mpi_state *state, const struct backend_call *call, size_t count, int peer, const void *send,
		       void *recv)
{
	MPI_Datatype type = state->types[call->type];
	MPI_Count n = (MPI_Count)count;

	return mpi_check(MPI_Sendrecv_c(send, n, type, peer, 0, recv, n, type, peer, 0, state->comm, MPI_STATUS_IGNORE),
			 "MPI_Sendrecv_c");
}

int mpi_large_call(struct mpi_state *state, const struct backend_call *call, const void *send, void *recv)
{
	MPI_Count n = (MPI_Count)call->count[0];
	MPI_Datatype type = state->types[call->type];
	MPI_Op op = mpi_op(state, call->type, call->op);
	MPI_Comm comm = state->comm;

	switch (call->coll->id) {
	case COLL_BROADCAST:
		return mpi_check(MPI_Bcast_c(recv, n, type, call->root, comm), "MPI_Bcast_c");
	case COLL_SCATTER:
		return mpi_check(MPI_Scatter_c(send, n, type, recv, n, type, call->root, comm), "MPI_Scatter_c");
	case COLL_GATHER:
		return mpi_check(MPI_Gather_c(send, n, type, recv, n, type, call->root, comm), "MPI_Gather_c");
	case COLL_REDUCE:
		return mpi_check(MPI_Reduce_c(send, recv, n, type, op, call->root, comm), "MPI_Reduce_c");
	case COLL_ALL_GATHER:
		return mpi_check(MPI_Allgather_c(send, n, type, recv, n, type, comm), "MPI_Allgather_c");
	case COLL_REDUCE_SCATTER:
		return large_reduce_scatter(state, n, type, op, send, recv);
	case COLL_ALL_REDUCE:
		return mpi_check(MPI_Allreduce_c(send, recv, n, type, op, comm), "MPI_Allreduce_c");
	case COLL_ALLTOALL:
		return mpi_check(MPI_Alltoall_c(send, n, type, recv, n, type, comm), "MPI_Alltoall_c");
	default:
		return large_sendrecv(state, n, type, call);
	}
}

#else

const bool mpi_has_large_counts = false;

int mpi_large_call(struct mpi_state *state, const struct backend_call *call, const void *send, void *recv)
{
	(void)state, (void)call, (void)send, (void)recv;
	return mpi_check(MPI_ERR_COUNT, "large counts");
}

int mpi_large_alltoallv(struct mpi_state *state, const struct backend_call *call)
{
	(void)state, (void)call;
	return mpi_check(MPI_ERR_COUNT, "large counts");
}

int mpi_large_exchange(struct mpi_state *state, const struct backend_call *call, size_t count, int peer, const void *send,
		       void *recv)
{
	(void)state, (void)call, (void)count, (void)peer, (void)send, (void)recv;
	return mpi_check(MPI_ERR_COUNT, "large counts");
}

#endif
