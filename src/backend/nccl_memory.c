/* SPDX-License-Identifier: Apache-2.0
 *
 * Buffers on the GPUs. cudaMalloc aligns small blocks to 256 bytes and large ones to the driver's pages of 2 MiB.
 */
#include <stdio.h>
#include <stdlib.h>

#include "nccl_state.h"

static int get_memory(const struct nccl_state *state, const struct nccl_rank *rank, size_t bytes, void **memory)
{
	char call[64];

	if (nccl_use_device(state, rank))
		return -1;
	snprintf(call, sizeof call, "%s of %zu bytes", state->local_register ? "ncclMemAlloc" : "cudaMalloc", bytes);
	if (state->local_register)
		return nccl_check(state, rank, nccl_mem_alloc(state, memory, bytes), call);
	return nccl_check_cuda(state, rank, state->api.allocate(memory, bytes), call);
}

/* Appended: windows are registered in the same order on all ranks. */
static void append(struct nccl_rank *rank, struct nccl_buffer *buffer)
{
	struct nccl_buffer **end = &rank->buffers;

	while (*end)
		end = &(*end)->next;
	*end = buffer;
}

int nccl_alloc(struct backend *backend, int local, size_t bytes, void **memory)
{
	struct nccl_state *state = backend->state;
	struct nccl_rank *rank = &state->ranks[local];
	struct nccl_buffer *buffer = calloc(1, sizeof *buffer);
	void *data = NULL;

	if (!buffer) {
		fprintf(stderr, "nccl: out of memory for a buffer of %zu bytes\n", bytes);
		return -1;
	}
	if (get_memory(state, rank, bytes, &data)) {
		free(buffer);
		return -1;
	}
	*buffer = (struct nccl_buffer){ .memory = data, .bytes = bytes };
	append(rank, buffer);
	state->unregistered |= state->local_register > 0;
	state->memory_buffers += local == 0 ? bytes : 0;
	*memory = data;
	return 0;
}

static struct nccl_buffer *take(struct nccl_rank *rank, const void *memory)
{
	struct nccl_buffer **place = &rank->buffers;

	while (*place && (*place)->memory != memory)
		place = &(*place)->next;
	struct nccl_buffer *buffer = *place;

	if (buffer)
		*place = buffer->next;
	return buffer;
}

void nccl_release(struct backend *backend, int local, void *memory)
{
	struct nccl_state *state = backend->state;
	struct nccl_rank *rank = &state->ranks[local];
	struct nccl_buffer *buffer = memory ? take(rank, memory) : NULL;

	if (!buffer)
		return;
	/* NCCL keeps what a graph uses registered until the graph is gone. */
	nccl_graphs_forget(state);
	/* After an abort a call may still run on the device, and cudaFree would wait for it. */
	if (!atomic_load(&state->aborted) && nccl_use_device(state, rank) == 0) {
		/* No handle where this machine has no such window. */
		if (buffer->registered && buffer->handle)
			nccl_check(state, rank, nccl_deregister(state, rank, buffer), "deregistering a buffer");
		if (state->local_register)
			nccl_check(state, rank, nccl_mem_free(state, memory), "ncclMemFree");
		else
			nccl_check_cuda(state, rank, state->api.release(memory), "cudaFree");
	}
	state->memory_buffers -= local == 0 ? buffer->bytes : 0;
	free(buffer);
}

static int register_rank(const struct nccl_state *state, struct nccl_rank *rank)
{
	const char *call = state->local_register == 2 ? "ncclCommWindowRegister" : "ncclCommRegister";

	if (nccl_use_device(state, rank))
		return -1;
	for (struct nccl_buffer *buffer = rank->buffers; buffer; buffer = buffer->next) {
		if (buffer->registered)
			continue;
		if (nccl_check(state, rank, nccl_register(state, rank, buffer), call))
			return -1;
		buffer->registered = true;
	}
	return 0;
}

/* All of them in one group: registering a window waits for the other ranks. */
int nccl_buffers_register(struct nccl_state *state)
{
	int rc = 0;

	if (!state->unregistered)
		return 0;
	state->unregistered = false;
	if (nccl_check(state, NULL, state->api.group_start(), "ncclGroupStart"))
		return -1;
	for (int i = 0; i < state->nlocal && rc == 0; i++)
		rc = register_rank(state, &state->ranks[i]);
	const ncclResult_t ended = state->api.group_end();

	return rc ? rc : nccl_check(state, NULL, ended, "registering the buffers");
}

static int copy(struct backend *backend, int local, void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
	struct nccl_state *state = backend->state;
	const struct nccl_rank *rank = &state->ranks[local];
	char call[64];

	snprintf(call, sizeof call, "cudaMemcpyAsync of %zu bytes", bytes);
	if (nccl_use_device(state, rank) ||
	    nccl_check_cuda(state, rank, state->api.copy(to, from, bytes, kind, rank->stream), call) ||
	    nccl_check_cuda(state, rank, state->api.stream_synchronize(rank->stream), "cudaStreamSynchronize"))
		return -1;
	return 0;
}

int nccl_upload(struct backend *backend, int local, void *to, const void *from, size_t bytes)
{
	return copy(backend, local, to, from, bytes, cudaMemcpyHostToDevice);
}

int nccl_download(struct backend *backend, int local, void *to, const void *from, size_t bytes)
{
	return copy(backend, local, to, from, bytes, cudaMemcpyDeviceToHost);
}
