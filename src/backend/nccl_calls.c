/* SPDX-License-Identifier: Apache-2.0
 *
 * The primitives as NCCL calls of one rank, always inside a group. What NCCL before 2.28 has no call for is sends and receives, of bytes: they need
 * no type that headers may lack.
 */
#include "../../collectives/layout.h"
#include "nccl_run.h"

/* One call of one rank, ready to be made. */
struct made {
	const struct nccl_api *api;
	const struct nccl_rank *rank;
	const char *send;
	char *recv;
	size_t count, size, block; /* elements, bytes of one, bytes of all */
	ncclDataType_t type;
	ncclRedOp_t op;
	int root;
	const struct coll_layout *layout;
	int round;
};

static ncclResult_t send_to(const struct made *made, int peer, const char *from)
{
	return made->api->send(from, made->block, ncclInt8, peer, made->rank->comm, made->rank->stream);
}

static ncclResult_t receive_from(const struct made *made, int peer, char *to)
{
	return made->api->recv(to, made->block, ncclInt8, peer, made->rank->comm, made->rank->stream);
}

/* In place the root's own block is where it belongs. */
static bool stays(const struct made *made, int peer, const char *from, const char *to)
{
	return peer == made->rank->member && from == to;
}

static ncclResult_t call_gather(const struct made *made)
{
	const bool is_root = made->rank->member == made->root;
	ncclResult_t rc = ncclSuccess;

	for (int peer = 0; is_root && peer < made->rank->members && rc == ncclSuccess; peer++) {
		char *to = made->recv + (size_t)peer * made->block;

		if (!stays(made, peer, made->send, to))
			rc = receive_from(made, peer, to);
	}
	if (rc == ncclSuccess && !(is_root && made->send == made->recv + (size_t)made->root * made->block))
		rc = send_to(made, made->root, made->send);
	return rc;
}

static ncclResult_t call_scatter(const struct made *made)
{
	const bool is_root = made->rank->member == made->root;
	ncclResult_t rc = ncclSuccess;

	for (int peer = 0; is_root && peer < made->rank->members && rc == ncclSuccess; peer++) {
		const char *from = made->send + (size_t)peer * made->block;

		if (!stays(made, peer, from, made->recv))
			rc = send_to(made, peer, from);
	}
	if (rc == ncclSuccess && !(is_root && made->recv == made->send + (size_t)made->root * made->block))
		rc = receive_from(made, made->root, made->recv);
	return rc;
}

static ncclResult_t call_alltoall(const struct made *made)
{
	ncclResult_t rc = ncclSuccess;

	for (int peer = 0; peer < made->rank->members && rc == ncclSuccess; peer++) {
		rc = send_to(made, peer, made->send + (size_t)peer * made->block);
		if (rc == ncclSuccess)
			rc = receive_from(made, peer, made->recv + (size_t)peer * made->block);
	}
	return rc;
}

static ncclResult_t call_sendrecv(const struct made *made)
{
	const int members = made->rank->members, member = made->rank->member;
	const ncclResult_t rc = send_to(made, (member + 1) % members, made->send);

	return rc == ncclSuccess ? receive_from(made, (member + members - 1) % members, made->recv) : rc;
}

/* Ranks of the one communicator are those over all. Who takes no part has an empty group. */
static ncclResult_t call_pair(const struct made *made, int peer)
{
	const ncclResult_t rc = peer < 0 ? ncclSuccess : send_to(made, peer, made->send);

	return rc == ncclSuccess && peer >= 0 ? receive_from(made, peer, made->recv) : rc;
}

static ncclResult_t part_to(const struct made *made, int peer, const char *from, size_t bytes)
{
	return made->api->send(from, bytes, ncclInt8, peer, made->rank->comm, made->rank->stream);
}

static ncclResult_t part_from(const struct made *made, int peer, char *to, size_t bytes)
{
	return made->api->recv(to, bytes, ncclInt8, peer, made->rank->comm, made->rank->stream);
}

/* Both sides know that a block is empty, and both leave it out: if one did alone, the other would wait for ever. */
static ncclResult_t call_alltoallv(const struct made *made, size_t size)
{
	const int n = made->rank->members, own = made->rank->member;
	const char *from = made->send;
	char *to = made->recv;
	ncclResult_t rc = ncclSuccess;

	for (int peer = 0; peer < n && rc == ncclSuccess; peer++) {
		const size_t out = coll_layout_block(made->layout, n, own, peer) * size;
		const size_t in = coll_layout_block(made->layout, n, peer, own) * size;

		if (out > 0)
			rc = part_to(made, peer, from, out);
		if (rc == ncclSuccess && in > 0)
			rc = part_from(made, peer, to, in);
		from += out;
		to += in;
	}
	return rc;
}

/* NCCL has no barrier: a kernel that ends when all have begun, an all-reduce of one byte. */
static ncclResult_t call_barrier(const struct made *made)
{
	return made->api->all_reduce(made->recv, made->recv, 1, ncclInt8, ncclSum, made->rank->comm, made->rank->stream);
}

/* One round: all that is held goes over one edge, in the first the own block, which is also put into its place. */
static ncclResult_t call_hypercube(const struct made *made)
{
	const int bit = 1 << made->round, own = made->rank->member, peer = own ^ bit;
	const size_t mine = (size_t)(own & ~(bit - 1)) * made->block, its = (size_t)(peer & ~(bit - 1)) * made->block;
	const size_t bytes = (size_t)bit * made->block;
	ncclResult_t rc = ncclSuccess;

	if (bit >= made->rank->members)
		return ncclSuccess;
	if (made->round == 0 && made->send != made->recv + mine) {
		rc = send_to(made, own, made->send);
		if (rc == ncclSuccess)
			rc = receive_from(made, own, made->recv + mine);
	}
	if (rc == ncclSuccess)
		rc = part_to(made, peer, made->round == 0 ? made->send : made->recv + mine, bytes);
	return rc == ncclSuccess ? part_from(made, peer, made->recv + its, bytes) : rc;
}

/* There and back are two rounds: who sends in the first receives in the second. */
static ncclResult_t call_exchange(const struct made *made, const struct exchange *exchange)
{
	const struct exchange_peers peers = exchange_peers(exchange, made->rank->members, made->rank->member);
	const bool in_turn = exchange_trips(exchange) > 1;
	ncclResult_t rc = ncclSuccess;

	if (peers.to >= 0 && (!in_turn || peers.first == (made->round == 0)))
		rc = send_to(made, peers.to, made->send);
	if (rc == ncclSuccess && peers.from >= 0 && (!in_turn || peers.first == (made->round == 1)))
		rc = receive_from(made, peers.from, made->recv);
	return rc;
}

static ncclResult_t make(const struct made *made, enum coll_id coll)
{
	const struct nccl_api *api = made->api;
	ncclComm_t comm = made->rank->comm;
	cudaStream_t stream = made->rank->stream;

	switch (coll) {
	case COLL_BROADCAST:
		return api->broadcast(made->send, made->recv, made->count, made->type, made->root, comm, stream);
	case COLL_REDUCE:
		return api->reduce(made->send, made->recv, made->count, made->type, made->op, made->root, comm, stream);
	case COLL_ALL_GATHER:
		return api->all_gather(made->send, made->recv, made->count, made->type, comm, stream);
	case COLL_REDUCE_SCATTER:
		return api->reduce_scatter(made->send, made->recv, made->count, made->type, made->op, comm, stream);
	case COLL_ALL_REDUCE:
		return api->all_reduce(made->send, made->recv, made->count, made->type, made->op, comm, stream);
	case COLL_GATHER:
		return call_gather(made);
	case COLL_SCATTER:
		return call_scatter(made);
	case COLL_ALLTOALL:
		return call_alltoall(made);
	case COLL_SENDRECV:
		return call_sendrecv(made);
	case COLL_ALLTOALLV:
		return call_alltoallv(made, made->size);
	case COLL_BARRIER:
		return call_barrier(made);
	case COLL_HYPERCUBE:
		return call_hypercube(made);
	default:
		return ncclInvalidArgument;
	}
}

ncclResult_t nccl_enqueue(struct nccl_state *state, struct nccl_rank *rank, int local, const struct backend_call *call, long k,
			  int round)
{
	const size_t shift = call->rotations > 1 ? (size_t)(k % call->rotations) * call->rotate_bytes : 0;
	struct made made = {
		.api = &state->api,
		.rank = rank,
		.send = (const char *)call->send[local] + shift,
		.recv = (char *)call->recv[local] + shift,
		.count = call->count[local],
		.size = dtypes[call->type].size,
		.block = call->count[local] * dtypes[call->type].size,
		.type = (ncclDataType_t)nccl_type_of(call->type),
		.root = call->root,
		.layout = call->layout ? &call->layout[local] : NULL,
		.round = round,
	};

	if ((call->coll->flags & COLL_HAS_REDOP) && nccl_redop_of(state, rank, call->op, call->type, &made.op))
		return ncclInvalidArgument;
	if (call->peer)
		return call_pair(&made, call->peer[local]);
	if (call->exchange)
		return call_exchange(&made, call->exchange);
	if (nccl_has_native(state, call->coll->id))
		return nccl_native(state, rank, call->coll->id, made.send, made.recv, made.count, made.type, made.root);
	return make(&made, call->coll->id);
}

int nccl_rounds(const struct nccl_rank *ranks, int count, const struct backend_call *call)
{
	int most = call->exchange ? exchange_trips(call->exchange) : 1;

	for (int i = 0; i < count && call->coll->id == COLL_HYPERCUBE; i++) {
		const int rounds = coll_log2_ceil(ranks[i].members);

		most = rounds > most ? rounds : most;
	}
	return most;
}

const char *nccl_call_name(enum coll_id coll)
{
	static const char *const names[COLL_COUNT] = {
		[COLL_BROADCAST] = "ncclBroadcast",
		[COLL_SCATTER] = "scatter (ncclScatter or ncclSend, ncclRecv)",
		[COLL_GATHER] = "gather (ncclGather or ncclSend, ncclRecv)",
		[COLL_REDUCE] = "ncclReduce",
		[COLL_ALL_GATHER] = "ncclAllGather",
		[COLL_REDUCE_SCATTER] = "ncclReduceScatter",
		[COLL_ALL_REDUCE] = "ncclAllReduce",
		[COLL_ALLTOALL] = "alltoall (ncclAlltoAll or ncclSend, ncclRecv)",
		[COLL_SENDRECV] = "ncclSend, ncclRecv",
		[COLL_ALLTOALLV] = "alltoallv (ncclSend, ncclRecv)",
		[COLL_BARRIER] = "barrier (ncclAllReduce of one byte)",
		[COLL_HYPERCUBE] = "hypercube (ncclSend, ncclRecv)",
	};

	return names[coll];
}
