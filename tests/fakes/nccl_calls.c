/* SPDX-License-Identifier: Apache-2.0
 *
 * The calls that move data, as one rank makes them: which buffers it uses and how long they are, that they are memory of its GPU and do not overlap where
 * NCCL forbids it. What the other ranks say is compared when the work runs.
 */
#include <string.h>

#include "nccl_fake.h"

struct call {
	const char *function;
	struct fake_op *op;
};

static bool is_reduction(const struct fake_op *op)
{
	return op->kind == FAKE_ALL_REDUCE || op->kind == FAKE_REDUCE || op->kind == FAKE_REDUCE_SCATTER;
}

static ncclResult_t check_type(const struct call *call)
{
	const struct fake_op *op = call->op;
	bool is_fp8 = op->type == ncclFloat8e4m3 || op->type == ncclFloat8e5m2;

	if ((int)op->type < 0 || op->type >= (fake_version() >= 22400 ? ncclNumTypes : ncclFloat8e4m3))
		return fake_error(ncclInvalidArgument, "%s: invalid type %d", call->function, (int)op->type);
	if (is_fp8 && is_reduction(op) && fake_setting("cc") < 90)
		return fake_error(ncclInvalidArgument, "%s: FP8 reduction needs a device of compute capability 9.0",
				  call->function);
	return ncclSuccess;
}

/* The scalar of an operation that was created goes into the call. */
static ncclResult_t check_redop(const struct call *call)
{
	struct fake_op *op = call->op;
	const struct fake_redop *redop;

	if (!is_reduction(op))
		return ncclSuccess;
	if (op->redop < 0)
		return fake_error(ncclInvalidArgument, "%s: invalid reduction operation %d", call->function, op->redop);
	if (op->redop < ncclNumOps)
		return ncclSuccess;
	for (redop = op->comm->redops; redop && redop->handle != op->redop; redop = redop->next)
		;
	if (!redop)
		fake_fail("%s: rank %d: the operation %d was not created for this communicator, or is destroyed", call->function,
			  op->comm->rank, op->redop);
	if (redop->type != op->type)
		fake_fail("%s: rank %d: the operation was created for %s, not for %s", call->function, op->comm->rank,
			  fake_type_name((int)redop->type), fake_type_name((int)op->type));
	op->redop = FAKE_PREMUL;
	memcpy(op->scalar, redop->scalar, sizeof(op->scalar));
	op->device_scalar = redop->device_scalar;
	return ncclSuccess;
}

/* Bytes of the buffers that this rank uses; those that it does not use are forgotten. */
static void choose_buffers(struct fake_op *op)
{
	size_t block = op->count * fake_type_size((int)op->type), all = block * (size_t)op->comm->nranks;
	bool is_root = op->comm->rank == op->root;

	op->send_bytes = op->recv_bytes = block;
	switch (op->kind) {
	case FAKE_BROADCAST:
		op->send = is_root ? op->send : NULL;
		break;
	case FAKE_REDUCE:
		op->recv = is_root ? op->recv : NULL;
		break;
	case FAKE_ALL_GATHER:
		op->recv_bytes = all;
		break;
	case FAKE_REDUCE_SCATTER:
		op->send_bytes = all;
		break;
	case FAKE_ALLTOALL:
		op->send_bytes = op->recv_bytes = all;
		break;
	case FAKE_GATHER:
		op->recv_bytes = all;
		op->recv = is_root ? op->recv : NULL;
		break;
	case FAKE_SCATTER:
		op->send_bytes = all;
		op->send = is_root ? op->send : NULL;
		break;
	default:
		break;
	}
}

/* Whether this rank reads its send buffer, and writes its receive buffer. */
static bool needs_send(const struct fake_op *op)
{
	return op->kind != FAKE_RECV && ((op->kind != FAKE_BROADCAST && op->kind != FAKE_SCATTER) || op->comm->rank == op->root);
}

static bool needs_recv(const struct fake_op *op)
{
	return op->kind != FAKE_SEND && ((op->kind != FAKE_REDUCE && op->kind != FAKE_GATHER) || op->comm->rank == op->root);
}

static void check_memory(const struct call *call, const char *which, const void *memory, size_t bytes)
{
	int device;

	if (bytes == 0)
		return;
	if (!fake_is_device_memory(memory, bytes, &device))
		fake_fail("%s: rank %d: the %s buffer %p is not device memory of %zu bytes", call->function, call->op->comm->rank,
			  which, memory, bytes);
	if (device != call->op->comm->device)
		fake_fail("%s: rank %d: the %s buffer %p is on device %d, the communicator on %d", call->function,
			  call->op->comm->rank, which, memory, device, call->op->comm->device);
}

/* In place: the smaller buffer is this rank's part of the larger; alltoall has no such form. */
static void check_overlap(const struct call *call)
{
	const struct fake_op *op = call->op;
	uintptr_t send = (uintptr_t)op->send, recv = (uintptr_t)op->recv;
	size_t part = (size_t)op->comm->rank * op->count * fake_type_size((int)op->type);
	bool right;

	if (send + op->send_bytes <= recv || recv + op->recv_bytes <= send)
		return;
	if (op->kind == FAKE_ALLTOALL)
		right = false;
	else if (op->send_bytes < op->recv_bytes)
		right = send == recv + part;
	else if (op->send_bytes > op->recv_bytes)
		right = recv == send + part;
	else
		right = send == recv;
	if (!right)
		fake_fail("%s: rank %d: the buffers overlap in a way that is not in place (send %p, %zu bytes; receive %p, %zu "
			  "bytes)",
			  call->function, op->comm->rank, op->send, op->send_bytes, op->recv, op->recv_bytes);
}

ncclResult_t fake_call(const char *function, struct fake_op *op)
{
	const struct call call = { function, op };
	ncclResult_t result = fake_call_begin(function, op->comm);

	if (result)
		return result;
	if (!op->comm)
		fake_fail("%s: no communicator", function);
	result = check_type(&call);
	if (!result)
		result = check_redop(&call);
	if (result)
		return result;
	if (op->root < 0 || op->root >= op->comm->nranks)
		fake_fail("%s: rank %d: %d is not a rank of %d", function, op->comm->rank, op->root, op->comm->nranks);
	if (fake_stream_device(op->stream, op->comm->device, function) != op->comm->device)
		fake_fail("%s: rank %d: the stream is of another device than the communicator", function, op->comm->rank);
	/* A collective of nothing is no call. */
	if (op->count == 0 && op->kind < FAKE_SEND)
		return ncclSuccess;
	choose_buffers(op);
	if (needs_send(op))
		check_memory(&call, "send", op->send, op->send_bytes);
	if (needs_recv(op))
		check_memory(&call, "receive", op->recv, op->recv_bytes);
	if (op->send && op->recv)
		check_overlap(&call);
	fake_group_alone(op);
	fake_group_enter();
	fake_group_add_op(op);
	return fake_group_leave();
}

ncclResult_t ncclAllReduce(const void *send, void *recv, size_t count, ncclDataType_t type, ncclRedOp_t op, ncclComm_t comm,
			   cudaStream_t stream)
{
	struct fake_op call = { .kind = FAKE_ALL_REDUCE, .comm = comm, .stream = stream, .send = send, .recv = recv };

	call.count = count;
	call.type = type;
	call.redop = (int)op;
	return fake_call("ncclAllReduce", &call);
}

ncclResult_t ncclBroadcast(const void *send, void *recv, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
			   cudaStream_t stream)
{
	struct fake_op call = { .kind = FAKE_BROADCAST, .comm = comm, .stream = stream, .send = send, .recv = recv };

	call.count = count;
	call.type = type;
	call.root = root;
	return fake_call("ncclBroadcast", &call);
}

ncclResult_t ncclReduce(const void *send, void *recv, size_t count, ncclDataType_t type, ncclRedOp_t op, int root,
			ncclComm_t comm, cudaStream_t stream)
{
	struct fake_op call = { .kind = FAKE_REDUCE, .comm = comm, .stream = stream, .send = send, .recv = recv };

	call.count = count;
	call.type = type;
	call.redop = (int)op;
	call.root = root;
	return fake_call("ncclReduce", &call);
}

ncclResult_t ncclAllGather(const void *send, void *recv, size_t count, ncclDataType_t type, ncclComm_t comm, cudaStream_t stream)
{
	struct fake_op call = { .kind = FAKE_ALL_GATHER, .comm = comm, .stream = stream, .send = send, .recv = recv };

	call.count = count;
	call.type = type;
	return fake_call("ncclAllGather", &call);
}

ncclResult_t ncclReduceScatter(const void *send, void *recv, size_t count, ncclDataType_t type, ncclRedOp_t op, ncclComm_t comm,
			       cudaStream_t stream)
{
	struct fake_op call = { .kind = FAKE_REDUCE_SCATTER, .comm = comm, .stream = stream, .send = send, .recv = recv };

	call.count = count;
	call.type = type;
	call.redop = (int)op;
	return fake_call("ncclReduceScatter", &call);
}

ncclResult_t ncclSend(const void *send, size_t count, ncclDataType_t type, int peer, ncclComm_t comm, cudaStream_t stream)
{
	struct fake_op call = { .kind = FAKE_SEND, .comm = comm, .stream = stream, .send = send, .count = count, .type = type };

	call.root = peer;
	return fake_call("ncclSend", &call);
}

ncclResult_t ncclRecv(void *recv, size_t count, ncclDataType_t type, int peer, ncclComm_t comm, cudaStream_t stream)
{
	struct fake_op call = { .kind = FAKE_RECV, .comm = comm, .stream = stream, .recv = recv, .count = count, .type = type };

	call.root = peer;
	return fake_call("ncclRecv", &call);
}
