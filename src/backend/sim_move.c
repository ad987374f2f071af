/* SPDX-License-Identifier: Apache-2.0
 *
 * Moves the data of a simulated call. Sources are read before anything is written where buffers may be one and the same.
 */
#include <string.h>

#include "../../collectives/layout.h"
#include "sim.h"

static char *at(void *base, size_t element, size_t size)
{
	return (char *)base + element * size;
}

static void move_broadcast(const struct backend_call *call, int nranks, void *scratch, size_t size)
{
	memcpy(scratch, call->send[call->root], call->count[0] * size);
	for (int r = 0; r < nranks; r++)
		memcpy(call->recv[r], scratch, call->count[0] * size);
}

static void move_scatter(const struct backend_call *call, int nranks, void *scratch, size_t size)
{
	memcpy(scratch, call->send[call->root], call->count[0] * size * (size_t)nranks);
	for (int r = 0; r < nranks; r++)
		memcpy(call->recv[r], at(scratch, call->count[0] * (size_t)r, size), call->count[0] * size);
}

static void collect(const struct backend_call *call, int nranks, void *scratch, size_t size)
{
	for (int r = 0; r < nranks; r++)
		memcpy(at(scratch, call->count[0] * (size_t)r, size), call->send[r], call->count[0] * size);
}

static void move_gather(const struct backend_call *call, int nranks, void *scratch, size_t size)
{
	collect(call, nranks, scratch, size);
	memcpy(call->recv[call->root], scratch, call->count[0] * size * (size_t)nranks);
}

static void move_all_gather(const struct backend_call *call, int nranks, void *scratch, size_t size)
{
	collect(call, nranks, scratch, size);
	for (int r = 0; r < nranks; r++)
		memcpy(call->recv[r], scratch, call->count[0] * size * (size_t)nranks);
}

static void combine(const struct backend_call *call, int nranks, void *scratch, size_t count, size_t size)
{
	memcpy(scratch, call->send[0], count * size);
	/* Twice the data are the data twice. */
	for (int r = 1; r < nranks; r++)
		for (int times = redop_factor(call->op, r); times > 0; times--)
			redop_combine(call->op, call->type, scratch, call->send[r], count);
	if (call->op == REDOP_AVG)
		redop_divide(call->type, scratch, count, nranks);
}

static void move_reduce(const struct backend_call *call, int nranks, void *scratch, size_t size)
{
	combine(call, nranks, scratch, call->count[0], size);
	memcpy(call->recv[call->root], scratch, call->count[0] * size);
}

static void move_reduce_scatter(const struct backend_call *call, int nranks, void *scratch, size_t size)
{
	combine(call, nranks, scratch, call->count[0] * (size_t)nranks, size);
	for (int r = 0; r < nranks; r++)
		memcpy(call->recv[r], at(scratch, call->count[0] * (size_t)r, size), call->count[0] * size);
}

static void move_all_reduce(const struct backend_call *call, int nranks, void *scratch, size_t size)
{
	combine(call, nranks, scratch, call->count[0], size);
	for (int r = 0; r < nranks; r++)
		memcpy(call->recv[r], scratch, call->count[0] * size);
}

static void swap_blocks(char *a, char *b, char *scratch, size_t bytes)
{
	memcpy(scratch, a, bytes);
	memcpy(a, b, bytes);
	memcpy(b, scratch, bytes);
}

static void move_alltoall(const struct backend_call *call, int nranks, void *scratch, size_t size)
{
	const size_t bytes = call->count[0] * size;

	for (int r = 0; r < nranks && !call->in_place; r++)
		for (int s = 0; s < nranks; s++)
			memcpy(at(call->recv[r], (size_t)s, bytes), at(call->send[s], (size_t)r, bytes), bytes);
	for (int r = 0; r < nranks && call->in_place; r++)
		for (int s = 0; s < r; s++)
			swap_blocks(at(call->recv[r], (size_t)s, bytes), at(call->recv[s], (size_t)r, bytes), scratch, bytes);
}

static void move_sendrecv(const struct backend_call *call, int nranks, void *scratch, size_t size)
{
	const size_t bytes = call->count[0] * size;

	memcpy(scratch, call->send[nranks - 1], bytes);
	for (int r = nranks - 1; r > 0; r--)
		memcpy(call->recv[r], call->send[r - 1], bytes);
	memcpy(call->recv[0], scratch, bytes);
}

static void move_alltoallv(const struct backend_call *call, int nranks, void *scratch, size_t size)
{
	const struct coll_layout *layout = call->layout;
	size_t *sent = scratch;

	/* Sums that go on, as those of a matrix are long. */
	memset(sent, 0, (size_t)nranks * sizeof *sent);
	for (int to = 0; to < nranks; to++) {
		size_t recv_at = 0;

		for (int from = 0; from < nranks; from++) {
			const size_t block = coll_layout_block(layout, nranks, from, to);

			memcpy(at(call->recv[to], recv_at, size), at(call->send[from], sent[from], size), block * size);
			recv_at += block;
			sent[from] += block;
		}
	}
}

static void move_nothing(const struct backend_call *call, int nranks, void *scratch, size_t size)
{
	(void)call, (void)nranks, (void)scratch, (void)size;
}

static void (*const moves[COLL_COUNT])(const struct backend_call *call, int nranks, void *scratch, size_t size) = {
	[COLL_BROADCAST] = move_broadcast,   [COLL_SCATTER] = move_scatter,       [COLL_GATHER] = move_gather,
	[COLL_REDUCE] = move_reduce,         [COLL_ALL_GATHER] = move_all_gather, [COLL_REDUCE_SCATTER] = move_reduce_scatter,
	[COLL_ALL_REDUCE] = move_all_reduce, [COLL_ALLTOALL] = move_alltoall,     [COLL_SENDRECV] = move_sendrecv,
	[COLL_ALLTOALLV] = move_alltoallv,   [COLL_BARRIER] = move_nothing,       [COLL_HYPERCUBE] = move_all_gather,
};

void sim_move(const struct backend_call *call, int nranks, void *scratch)
{
	moves[call->coll->id](call, nranks, scratch, dtypes[call->type].size);
}
