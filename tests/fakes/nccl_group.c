/* SPDX-License-Identifier: Apache-2.0
 *
 * Groups: what a thread called between the outermost start and end goes to the streams at the end. Collectives in the order of the calls, then the sends
 * and receives of each communicator and stream as one piece of work, in which all make progress at once. A call outside a group is a group of its own.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "nccl_fake.h"

struct piece {
	ncclComm_t comm;
	bool in_graph;
	size_t nops;
	struct fake_op ops[];
};

static void *grown(void *array, size_t count, size_t size)
{
	if (count & (count - 1))
		return array;
	array = realloc(array, size * (count ? 2 * count : 1));
	if (!array)
		fake_fail("no memory for a group");
	return array;
}

void fake_group_add_op(const struct fake_op *op)
{
	struct fake_group *group = fake_group();

	group->ops = (struct fake_op *)grown(group->ops, group->nops, sizeof(*op));
	group->ops[group->nops++] = *op;
}

void fake_group_add_job(const struct fake_job *job)
{
	struct fake_group *group = fake_group();

	group->jobs = (struct fake_job *)grown(group->jobs, group->njobs, sizeof(*job));
	group->jobs[group->njobs++] = *job;
}

static bool never(void *arg)
{
	(void)arg;
	return false;
}

/* A bit that makes another number of an integer and of a float: the second highest of the middle element. */
static void flip_bit(const struct fake_op *op)
{
	size_t size = fake_type_size(op->type), at = (op->count / 2 + 1) * size - 1;

	if (op->recv && op->count > 0)
		*((unsigned char *)fake_view(op->recv, op->count * size) + at) ^= 0x40;
}

static void run(void *arg)
{
	const struct piece *piece = (struct piece *)arg;
	ncclComm_t comm = piece->comm;

	atomic_fetch_add(&comm->running, 1);
	if (!atomic_load(&comm->aborted)) {
		const struct fake_wait for_ever = { &fake_own_seat(comm)->event, never, NULL, NULL };

		fake_pause(fake_setting("wire"));
		if (piece->ops[0].async)
			atomic_store(&comm->async, ncclRemoteError);
		if (piece->ops[0].async || piece->ops[0].hang)
			fake_wait(comm, &for_ever);
		else if (piece->ops[0].kind < FAKE_SEND)
			fake_move(&piece->ops[0]);
		else
			fake_exchange(piece->ops, piece->nops);
		for (size_t i = 0; i < piece->nops; i++)
			if (piece->ops[i].flip && !atomic_load(&comm->aborted))
				flip_bit(&piece->ops[i]);
	}
	atomic_fetch_sub(&comm->running, 1);
}

static void dispose(void *arg)
{
	struct piece *piece = (struct piece *)arg;

	if (piece->in_graph)
		atomic_fetch_sub(&piece->comm->graphs, 1);
	free(piece);
}

/* Faults are asked for once a piece, when it is queued: streams would ask in no certain order. */
static void plan_faults(struct piece *piece)
{
	int rank = piece->comm->rank, device = piece->comm->device;
	bool flip = fake_fault("flip", NULL, rank, device);

	piece->ops[0].async = fake_fault("async", NULL, rank, device);
	piece->ops[0].hang = fake_fault("hang", NULL, rank, device);
	for (size_t i = 0; i < piece->nops && flip; i++) {
		if (piece->ops[i].recv) {
			piece->ops[i].flip = true;
			flip = false;
		}
	}
}

/* Bytes of a rank's buffers: some are of all ranks, some are not used. */
static size_t add_ranges(const struct fake_op *op, struct fake_range *ranges)
{
	size_t count = 0;

	if (op->send)
		ranges[count++] = (struct fake_range){ op->send, op->send_bytes, false };
	if (op->recv)
		ranges[count++] = (struct fake_range){ op->recv, op->recv_bytes, true };
	if (op->device_scalar)
		ranges[count++] = (struct fake_range){ op->device_scalar, fake_type_size(op->type), false };
	return count;
}

static ncclResult_t enqueue(const struct fake_op *const *ops, size_t nops)
{
	ncclComm_t comm = ops[0]->comm;
	struct piece *piece = (struct piece *)calloc(1, sizeof(*piece) + nops * sizeof(piece->ops[0]));
	struct fake_range *ranges = (struct fake_range *)calloc(3 * nops + 1, sizeof(*ranges));
	size_t nranges = 1;
	struct fake_work work = { fake_kind_name(ops[0]->kind), run, dispose, piece, ranges, 0 };
	cudaError_t error;

	if (!piece || !ranges)
		fake_fail("no memory for a group");
	*piece = (struct piece){ comm, fake_stream_is_capturing(ops[0]->stream), nops };
	ranges[0] = (struct fake_range){ comm->token, FAKE_TOKEN, true };
	for (size_t i = 0; i < nops; i++) {
		piece->ops[i] = *ops[i];
		nranges += add_ranges(ops[i], ranges + nranges);
	}
	plan_faults(piece);
	work.nranges = nranges;
	if (piece->in_graph)
		atomic_fetch_add(&comm->graphs, 1);
	error = fake_stream_enqueue(ops[0]->stream, comm->device, &work);
	free(ranges);
	return error ? fake_error(ncclUnhandledCudaError, "%s: %s", work.name, cudaGetErrorString(error)) : ncclSuccess;
}

/* One thread that calls for several ranks of a communicator, one after another, would wait for itself. */
static void note_alone(const struct fake_op *op)
{
	struct fake_meeting *meeting = op->comm->meeting;
	long long thread = syscall(SYS_gettid);

	for (int rank = 0; rank < op->comm->nranks; rank++)
		if (rank != op->comm->rank && atomic_load(&meeting->seats[rank].alone) == thread)
			fake_fail("%s: one thread calls for ranks %d and %d outside a group", fake_kind_name(op->kind), rank,
				  op->comm->rank);
	atomic_store(&fake_own_seat(op->comm)->alone, thread);
}

static ncclResult_t enqueue_all(struct fake_group *group)
{
	const struct fake_op **fused = (const struct fake_op **)calloc(group->nops + 1, sizeof(*fused));
	ncclResult_t result = ncclSuccess;

	if (!fused)
		fake_fail("no memory for a group");
	for (size_t i = 0; i < group->nops && !result; i++) {
		const struct fake_op *op = &group->ops[i];

		if (op->kind >= FAKE_SEND)
			continue;
		fake_log_call(op);
		result = enqueue(&op, 1);
	}
	for (size_t i = 0; i < group->nops && !result; i++) {
		ncclComm_t comm = group->ops[i].comm;
		cudaStream_t stream = group->ops[i].stream;
		size_t nfused = 0;

		for (size_t j = i; j < group->nops; j++) {
			struct fake_op *op = &group->ops[j];

			if (op->kind < FAKE_SEND || op->taken || op->comm != comm || op->stream != stream)
				continue;
			op->taken = true;
			fused[nfused++] = op;
		}
		if (nfused > 0)
			fake_exchange_check(fused, nfused);
		if (nfused > 0)
			result = enqueue(fused, nfused);
	}
	free(fused);
	return result;
}

static ncclResult_t run_jobs(struct fake_group *group)
{
	ncclResult_t result = ncclSuccess;

	for (size_t i = 0; i < group->njobs && !result; i++)
		result = group->jobs[i].begin(&group->jobs[i]);
	for (size_t i = 0; i < group->njobs && !result; i++)
		result = group->jobs[i].finish(&group->jobs[i]);
	return result;
}

void fake_group_enter(void)
{
	fake_group()->depth++;
}

ncclResult_t fake_group_leave(void)
{
	struct fake_group *group = fake_group();
	ncclResult_t result = group->error;

	if (--group->depth > 0)
		return ncclSuccess;
	if (group->njobs > 0 && group->jobs[0].is_init && group->nops > 0)
		fake_fail("ncclGroupEnd: a group has both ncclCommInitRank and calls");
	if (!result)
		result = run_jobs(group);
	if (!result)
		result = enqueue_all(group);
	group->nops = group->njobs = 0;
	group->error = ncclSuccess;
	return result;
}

ncclResult_t ncclGroupStart(void)
{
	ncclResult_t result = fake_call_begin("ncclGroupStart", NULL);

	if (!result)
		fake_group_enter();
	return result;
}

/* A group whose end fails is closed all the same. */
ncclResult_t ncclGroupEnd(void)
{
	ncclResult_t asked = fake_call_begin("ncclGroupEnd", NULL), result;

	if (fake_group()->depth == 0)
		fake_fail("ncclGroupEnd without ncclGroupStart");
	result = fake_group_leave();
	return asked ? asked : result;
}

/* Alone: outside a group of the caller's. */
void fake_group_alone(const struct fake_op *op)
{
	if (fake_group()->depth == 0)
		note_alone(op);
}
