/* SPDX-License-Identifier: Apache-2.0
 *
 * The nine primitives as NCCL calls of one rank, always inside a group. What NCCL before 2.28 has no call for is sends and receives, of bytes: they need
 * no type that headers may lack.
 */
#include "nccl_state.h"

/* One call of one rank, ready to be made. */
struct made {
	const struct nccl_api *api;
	const struct nccl_rank *rank;
	const char *send;
	char *recv;
	size_t count, block; /* elements and bytes of one count */
	ncclDataType_t type;
	ncclRedOp_t op;
	int root;
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
	default:
		return ncclInvalidArgument;
	}
}

ncclResult_t nccl_enqueue(struct nccl_state *state, struct nccl_rank *rank, int local, const struct backend_call *call, long k)
{
	const size_t shift = call->rotations > 1 ? (size_t)(k % call->rotations) * call->rotate_bytes : 0;
	struct made made = {
		.api = &state->api,
		.rank = rank,
		.send = (const char *)call->send[local] + shift,
		.recv = (char *)call->recv[local] + shift,
		.count = call->count[local],
		.block = call->count[local] * dtypes[call->type].size,
		.type = (ncclDataType_t)nccl_type_of(call->type),
		.root = call->root,
	};

	if ((call->coll->flags & COLL_HAS_REDOP) && nccl_redop_of(state, rank, call->op, call->type, &made.op))
		return ncclInvalidArgument;
	if (call->peer)
		return call_pair(&made, call->peer[local]);
	if (nccl_has_native(state, call->coll->id))
		return nccl_native(state, rank, call->coll->id, made.send, made.recv, made.count, made.type, made.root);
	return make(&made, call->coll->id);
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
	};

	return names[coll];
}
