/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls of blocks that differ, of no data, and of several rounds.
 */
#include <limits.h>
#include <string.h>

#include "../../collectives/layout.h"
#include "mpi.h"

/* Counts and displacements of both sides. */
static void fill_parts(struct mpi_state *state, const struct coll_layout *layout)
{
	const int n = state->nranks, rank = state->rank;
	int *send = state->counts, *send_at = send + n, *recv = send + 2 * n, *recv_at = send + 3 * n;

	for (int peer = 0; peer < n; peer++) {
		send[peer] = (int)coll_layout_block(layout, n, rank, peer);
		send_at[peer] = (int)coll_layout_send_at(layout, n, rank, peer);
		recv[peer] = (int)coll_layout_block(layout, n, peer, rank);
		recv_at[peer] = (int)coll_layout_recv_at(layout, n, peer, rank);
	}
	state->layout = *layout;
}

int mpi_alltoallv(struct backend *backend, const struct backend_call *call)
{
	struct mpi_state *state = backend->state;
	const int n = state->nranks;
	int *parts = state->counts;
	MPI_Datatype type = state->types[call->type];

	/* Written by the first call of a point, which is never a timed one. */
	if (!coll_layout_is_same(&state->layout, call->layout)) {
		state->layout_shape = coll_layout_shape(call->layout, n);
		if (state->layout_shape.send <= INT_MAX && state->layout_shape.recv <= INT_MAX)
			fill_parts(state, call->layout);
	}
	if (state->layout_shape.send > INT_MAX || state->layout_shape.recv > INT_MAX)
		return mpi_large_alltoallv(state, call);
	return mpi_check(MPI_Alltoallv(call->send[0], parts, parts + n, type, call->recv[0], parts + 2 * n, parts + 3 * n, type,
				       state->comm),
			 "MPI_Alltoallv");
}

int mpi_barrier(struct backend *backend, const struct backend_call *call)
{
	struct mpi_state *state = backend->state;

	(void)call;
	return mpi_check(MPI_Barrier(state->comm), "MPI_Barrier");
}

/* Both ranks of an edge hold as many blocks, of numbers that differ in this bit and above it are the same. */
int mpi_hypercube(struct backend *backend, const struct backend_call *call)
{
	struct mpi_state *state = backend->state;
	const size_t block = call->count[0] * dtypes[call->type].size;
	char *held = call->recv[0], *own = held + (size_t)state->rank * block;

	if (call->send[0] != own)
		memcpy(own, call->send[0], block);
	for (int bit = 1; bit < state->nranks; bit <<= 1) {
		const int peer = state->rank ^ bit, mine = state->rank & ~(bit - 1), its = peer & ~(bit - 1);
		const size_t count = call->count[0] * (size_t)bit;
		char *from = held + (size_t)mine * block, *to = held + (size_t)its * block;
		int rc;

		if (count > INT_MAX)
			rc = mpi_large_exchange(state, call, count, peer, from, to);
		else
			rc = mpi_check(MPI_Sendrecv(from, (int)count, state->types[call->type], peer, 0, to, (int)count,
						    state->types[call->type], peer, 0, state->comm, MPI_STATUS_IGNORE),
				       "MPI_Sendrecv");
		if (rc)
			return rc;
	}
	return 0;
}
