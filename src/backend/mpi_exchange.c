/* SPDX-License-Identifier: Apache-2.0
 *
 * The ways of sendrecv as MPI calls. Who takes no part makes none.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpi.h"

/* While a piece is packed the library is asked to go on after so many bytes: without that most of them send nothing meanwhile. */
enum { SLICE = 16384, MOST_REQUESTS = EXCHANGE_MOST_BUFFERS + EXCHANGE_PIECES };

/* One message of a pipeline as its ranks see it. */
struct pipeline {
	struct mpi_state *state;
	const struct backend_call *call;
	size_t count, size, piece; /* elements, bytes of one, elements */
	int npieces;
	MPI_Request *requests;             /* [MOST_REQUESTS] sends first, one a staging buffer; then receives, one a piece */
	MPI_Status ignored[MOST_REQUESTS]; /* MPICH declares these arrays so that gcc finds MPI_STATUSES_IGNORE too short */
};

static int wait_for(struct pipeline *p, int first, int n)
{
	return mpi_check(MPI_Waitall(n, &p->requests[first], p->ignored), "MPI_Waitall");
}

static size_t length_of(const struct pipeline *p, int k)
{
	const size_t done = (size_t)k * p->piece;

	return p->count - done < p->piece ? p->count - done : p->piece;
}

/* Every piece has its place from the start on, so that a sender never waits for a receiver that is packing. */
static int receive_pieces(struct pipeline *p, int from)
{
	for (int k = 0; k < p->npieces; k++) {
		char *to = (char *)p->call->recv[0] + (size_t)k * p->piece * p->size;

		if (mpi_check(MPI_Irecv(to, (int)length_of(p, k), p->state->types[p->call->type], from, 0, p->state->comm,
					&p->requests[EXCHANGE_MOST_BUFFERS + k]),
			      "MPI_Irecv"))
			return -1;
	}
	return 0;
}

static int pack(struct pipeline *p, int k, char *to)
{
	const size_t n = length_of(p, k), slice = SLICE / p->size;
	int done;

	for (size_t i = 0; i < n; i += slice) {
		if (i > 0 && mpi_check(MPI_Testall(MOST_REQUESTS, p->requests, &done, p->ignored), "MPI_Testall"))
			return -1;
		exchange_pack(to + i * p->size, p->call->send[0], p->count, (size_t)k * p->piece + i,
			      n - i < slice ? n - i : slice, p->size);
	}
	return 0;
}

/* A staging buffer is packed anew once its last piece has been sent. */
static int send_pieces(struct pipeline *p, int to)
{
	const int buffers = p->call->exchange->buffers;

	for (int k = 0, next = 0; k < p->npieces; k++, next = next + 1 < buffers ? next + 1 : 0) {
		char *staging = p->state->staging + (size_t)next * p->piece * p->size;

		if (wait_for(p, next, 1) || pack(p, k, staging) ||
		    mpi_check(MPI_Isend(staging, (int)length_of(p, k), p->state->types[p->call->type], to, 0, p->state->comm,
					&p->requests[next]),
			      "MPI_Isend"))
			return -1;
	}
	return wait_for(p, 0, buffers);
}

/* Made by the first call of a point, which is never a timed one. */
static int have_staging(struct mpi_state *state, size_t bytes)
{
	void *memory;

	if (bytes <= state->staging_bytes)
		return 0;
	free(state->staging);
	state->staging = NULL;
	state->staging_bytes = 0;
	if (posix_memalign(&memory, 4096, bytes)) {
		fprintf(stderr, "mpi: out of memory for staging buffers of %zu bytes\n", bytes);
		return -1;
	}
	memset(memory, 0, bytes);
	state->staging = memory;
	state->staging_bytes = bytes;
	return 0;
}

static int run_pipeline(struct mpi_state *state, const struct backend_call *call, struct exchange_peers peers)
{
	struct pipeline p = { .state = state,
			      .call = call,
			      .count = call->count[0],
			      .size = dtypes[call->type].size,
			      .requests = state->requests };

	p.piece = exchange_piece(p.count, p.size);
	p.npieces = (int)((p.count + p.piece - 1) / p.piece);
	for (int i = 0; i < MOST_REQUESTS; i++)
		p.requests[i] = MPI_REQUEST_NULL;
	if (have_staging(state, (size_t)call->exchange->buffers * p.piece * p.size))
		return -1;
	if (peers.from >= 0 && receive_pieces(&p, peers.from))
		return -1;
	if (peers.to >= 0 && send_pieces(&p, peers.to))
		return -1;
	return peers.from >= 0 ? wait_for(&p, EXCHANGE_MOST_BUFFERS, p.npieces) : 0;
}

static int send_message(const struct mpi_state *state, const struct backend_call *call, int to)
{
	return mpi_check(MPI_Send(call->send[0], (int)call->count[0], state->types[call->type], to, 0, state->comm), "MPI_Send");
}

static int receive_message(const struct mpi_state *state, const struct backend_call *call, int from)
{
	return mpi_check(
		MPI_Recv(call->recv[0], (int)call->count[0], state->types[call->type], from, 0, state->comm, MPI_STATUS_IGNORE),
		"MPI_Recv");
}

static int send_and_receive(const struct mpi_state *state, const struct backend_call *call, struct exchange_peers peers)
{
	MPI_Datatype type = state->types[call->type];
	const int n = (int)call->count[0];

	if (call->in_place)
		return mpi_check(
			MPI_Sendrecv_replace(call->recv[0], n, type, peers.to, 0, peers.from, 0, state->comm, MPI_STATUS_IGNORE),
			"MPI_Sendrecv_replace");
	return mpi_check(MPI_Sendrecv(call->send[0], n, type, peers.to, 0, call->recv[0], n, type, peers.from, 0, state->comm,
				      MPI_STATUS_IGNORE),
			 "MPI_Sendrecv");
}

int mpi_exchange(struct mpi_state *state, const struct backend_call *call)
{
	const struct exchange_peers peers = exchange_peers(call->exchange, state->nranks, state->rank);
	const bool sends = peers.to >= 0, receives = peers.from >= 0;

	if (!sends && !receives)
		return 0;
	if (call->exchange->buffers > 0)
		return run_pipeline(state, call, peers);
	if (sends && receives && call->exchange->mode != EXCHANGE_PINGPONG)
		return send_and_receive(state, call, peers);
	if (!receives || peers.first)
		return send_message(state, call, peers.to) || (receives && receive_message(state, call, peers.from)) ? -1 : 0;
	return receive_message(state, call, peers.from) || (sends && send_message(state, call, peers.to)) ? -1 : 0;
}
